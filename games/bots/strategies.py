"""Who moves for a seat: strategies by name. Bots register theirs; `first_legal` is what a clock that ran
out plays.

A strategy gets what the seat may see (the events of its view), its number and bytes of chance that are the
same whenever the same turn is asked about; it answers with a command.
"""

from collections.abc import Callable, Sequence

from engine import Command, Event, IllegalCommand, list_offers, replay, to_act

Strategy = Callable[[Sequence[Event], int, bytes], Command]
FIRST_LEGAL = "first_legal"


def first_legal(view: Sequence[Event], seat: int, chance: bytes) -> Command:
    """The first command the rules offer. Raises IllegalCommand where nothing is this seat's to
    do.
    """
    state = replay(view)
    turn = to_act(state)
    if turn is not None and turn.seat == seat and (offered := list_offers(state)):
        return offered[0]
    raise IllegalCommand("games/nothing_to_do", f"there is nothing seat {seat} can do", seat=seat)


def register(name: str, strategy: Strategy) -> None:
    """Make a strategy known; seats name it in their `bot`."""
    if _known.setdefault(name, strategy) is not strategy:
        raise ValueError(f"there is a strategy {name} already")


def named(name: str) -> Strategy:
    """The strategy of that name, `first_legal` where nobody has registered it."""
    return _known.get(name, first_legal)


_known: dict[str, Strategy] = {FIRST_LEGAL: first_legal}
