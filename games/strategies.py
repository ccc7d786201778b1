"""Who moves for a seat: strategies by name. Bots register theirs; `first_legal` is what a clock that ran
out plays.

A strategy gets what the seat may see (the events of its view), its number and bytes of chance that are the
same whenever the same turn is asked about; it answers with a command.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine import (
    Command,
    Event,
    IllegalCommand,
    State,
    cards,
    decide,
    decode_command,
    legal_cards,
    replay,
    to_act,
)
from engine.contracts import CONTRACTS

Strategy = Callable[[Sequence[Event], int, bytes], Command]
FIRST_LEGAL = "first_legal"


def first_legal(view: Sequence[Event], seat: int, chance: bytes) -> Command:
    """The first command the rules accept. Raises IllegalCommand where nothing is this seat's to do."""
    state = replay(view)
    turn = to_act(state)
    if turn is not None and turn.seat == seat:
        for name in turn.commands:
            for fields in _CANDIDATES.get(name, _bare)(state, seat):
                command = decode_command({"cmd": name, "seat": seat, **fields})
                try:
                    decide(state, command)
                except IllegalCommand:
                    continue
                return command
    raise IllegalCommand("games/nothing_to_do", f"there is nothing seat {seat} can do", seat=seat)


def register(name: str, strategy: Strategy) -> None:
    """Make a strategy known; seats name it in their `bot`."""
    if _known.setdefault(name, strategy) is not strategy:
        raise ValueError(f"there is a strategy {name} already")


def named(name: str) -> Strategy:
    """The strategy of that name, `first_legal` where nobody has registered it."""
    return _known.get(name, first_legal)


def _bare(state: State, seat: int) -> Iterator[dict[str, Any]]:
    yield {}


def _play(state: State, seat: int) -> Iterator[dict[str, Any]]:
    for card in cards.codes(legal_cards(state, seat)):
        yield {"card": card}


def _choose(state: State, seat: int) -> Iterator[dict[str, Any]]:
    for contract in CONTRACTS:
        yield {"contract": contract}


_known: dict[str, Strategy] = {FIRST_LEGAL: first_legal}
_CANDIDATES: dict[str, Callable[[State, int], Iterator[dict[str, Any]]]] = {"play": _play, "choose": _choose}
