"""Functions for the trump suit, the mode of a trick and its strongest card."""

from collections.abc import Sequence

from engine.cards import SUIT_NAMES, SUIT_OF
from engine.contracts import MODES, STRENGTH, TOP_DOWN
from engine.ledger.state import State


def get_trump(state: State) -> int | None:
    """Return the number of the trump suit, None if the deal has none."""
    return SUIT_NAMES.index(state.contract) if state.contract in SUIT_NAMES else None


def mode_at(contract: str | None, size: int, done: int) -> int:
    """Return the mode of the trick after `done` of a deal's `size` tricks; top-down without a contract."""
    return TOP_DOWN if contract is None else MODES[contract][size][done]


def current_mode(state: State) -> int:
    """Return the mode of the current trick; top-down if the deal has no contract."""
    contract = state.contract
    return TOP_DOWN if contract is None else MODES[contract][state.sizes[0]][len(state.tricks)]


def strongest(lying: Sequence[int], mode: int) -> int:
    """Return the index of the strongest card in a trick. The first card must be known; unknown cards (-1)
    never take the trick.
    """
    strength = STRENGTH[mode][SUIT_OF[lying[0]]]
    best = max(lying, key=lambda card: strength[card] if card >= 0 else -1)
    return lying.index(best)
