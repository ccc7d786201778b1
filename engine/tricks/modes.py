"""One trick: by which mode it is played and which of its cards is the strongest."""

from collections.abc import Sequence

from engine.cards import SUIT_OF
from engine.contracts import MODES, STRENGTH, TOP_DOWN
from engine.ledger.state import State


def mode_at(contract: str | None, size: int, done: int) -> int:
    """The mode of the trick after `done` others in a deal of `size` tricks."""
    return TOP_DOWN if contract is None else MODES[contract][size][done]


def mode_of(state: State) -> int:
    """The mode of the trick now being played."""
    contract = state.contract
    return TOP_DOWN if contract is None else MODES[contract][state.sizes[0]][len(state.tricks)]


def strongest(lying: Sequence[int], mode: int) -> int:
    """Where in the trick its strongest card lies; the first card must be known, unknown ones (-1) count as
    weak."""
    strength = STRENGTH[mode][SUIT_OF[lying[0]]]
    best = max(lying, key=lambda card: strength[card] if card >= 0 else -1)
    return lying.index(best)
