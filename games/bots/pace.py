"""How long a bot takes, so that people can follow: longer after a trick, longest after a deal."""

from typing import Final

from engine import State

AFTER_TRICK: Final = 2.0
AFTER_DEAL: Final = 4.0


def seconds(state: State, pace: float) -> float:
    """The wait before the turn that `state` gives; `pace` is the seat's own, for one card on another."""
    if not state.dealing or state.contract is None:
        return pace * (AFTER_DEAL if state.deal > 1 and not state.pushed else 1.0)
    return pace * (AFTER_TRICK if state.tricks and not state.trick else 1.0)
