"""Registry of strategies: functions that choose the next command of a seat.

Bots register their strategies by name. When the time of a seat runs out, `first_legal` moves for it.

A strategy receives the events of the seat's view, the seat's number and random bytes that are the same for
every request of the same turn. It returns a command.
"""

from collections.abc import Callable, Sequence

from engine import Command, Event, IllegalCommand, list_offers, replay, to_act

Strategy = Callable[[Sequence[Event], int, bytes], Command]
FIRST_LEGAL = "first_legal"


def first_legal(view: Sequence[Event], seat: int, chance: bytes) -> Command:
    """Return the first command the rules offer. Raises IllegalCommand if it is not this seat's turn."""
    state = replay(view)
    turn = to_act(state)
    if turn is not None and turn.seat == seat and (offered := list_offers(state)):
        return offered[0]
    raise IllegalCommand("games/nothing_to_do", f"there is nothing seat {seat} can do", seat=seat)


def register(name: str, strategy: Strategy) -> None:
    """Register a strategy under a name; a seat refers to it in `Seat.bot`."""
    if _known.setdefault(name, strategy) is not strategy:
        raise ValueError(f"there is a strategy {name} already")


def named(name: str) -> Strategy:
    """Return the strategy of that name; `first_legal` for an unregistered name."""
    return _known.get(name, first_legal)


_known: dict[str, Strategy] = {FIRST_LEGAL: first_legal}
