"""Remedies for incidents, for presets whose source has no rule."""

from typing import Final

from tournaments.regulations import Remedy

_ALWAYS: Final = {
    "short_hand": Remedy(ruling="short_hand"),
    "misdeal": Remedy(ruling="annul_deal"),
    "card_shown": Remedy(ruling="bar_suit"),
    "hint": Remedy(ruling="warning"),
    "wrong_dealer": Remedy(ruling="annul_deal"),
    "no_cut": Remedy(ruling="warning"),
    "wrong_sum": Remedy(ruling="score_change"),
}
OTHER_SIDE: Final = {
    "revoke": Remedy(ruling="award_from_trick"),
    "undertrump": Remedy(ruling="award_from_trick"),
    **_ALWAYS,
    "late_call": Remedy(ruling="score_change"),
}
"""Remedies between two sides: after a revoke, points from that trick on go to the other side."""
DEALT_AGAIN: Final = {
    "revoke": Remedy(ruling="annul_deal"),
    "undertrump": Remedy(ruling="annul_deal"),
    **_ALWAYS,
}
"""Remedies if everyone plays alone: a revoke annuls the deal, since no other side can get the points."""
