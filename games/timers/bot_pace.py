"""Delay before a bot acts, from its pace and the state of the deal."""

from typing import Final

from engine import State

PAUSE_AFTER_TRICK: Final = 2.0
PAUSE_AFTER_DEAL: Final = 4.0
"""Factor by which a bot waits longer at the beginning of a deal than after a card, so that people can
follow.
"""


def bot_delay(state: State, pace: float) -> float:
    """Return the seconds that a bot waits before it acts in `state`. `pace`: seconds between two cards."""
    if state.deal > 1 and not _has_acted(state):
        return pace * PAUSE_AFTER_DEAL
    return pace * (PAUSE_AFTER_TRICK if state.tricks and not state.trick else 1.0)


def _has_acted(state: State) -> bool:
    """Return whether any player has acted since the cards were dealt."""
    variant_state = state.variant_state
    named = state.pushed or state.chooser is not None
    bid = variant_state.bids or variant_state.passed or variant_state.deferred or variant_state.accepted
    said = any(points is not None for points in variant_state.predictions)
    return bool(named or bid or said or variant_state.exchanged or state.trick or state.tricks)
