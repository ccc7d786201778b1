"""How long a bot takes, so that people can follow: longer after a trick, longest after a deal."""

from typing import Final

from engine import State

AFTER_TRICK: Final = 2.0
AFTER_DEAL: Final = 4.0


def seconds(state: State, pace: float) -> float:
    """The wait before the turn that `state` gives; `pace` is the seat's own, for one card on another."""
    if state.deal > 1 and not _spoken(state):
        return pace * AFTER_DEAL
    return pace * (AFTER_TRICK if state.tricks and not state.trick else 1.0)


def _spoken(state: State) -> bool:
    """Whether anybody has done anything since the cards were dealt."""
    extras = state.extras
    named = state.pushed or state.chooser is not None
    bid = extras.bids or extras.passed or extras.deferred or extras.accepted
    said = any(points is not None for points in extras.predictions)
    return bool(named or bid or said or extras.exchanged or state.trick or state.tricks)
