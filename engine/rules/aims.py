"""What a score of a game goes by, in words that a player can act on without having seen the game before."""

from typing import Final, Literal, NamedTuple


class Aim(NamedTuple):
    """What each side plays for in a deal. `tests/engine/test_aims.py` holds it against what `score` gives."""

    points: Literal["most", "fewest", "predicted", "either_end"] = "most"
    """The more of them the better; the fewer; the nearer to what one has said; or the most and the fewest of
    all, but nothing between."""
    by_margin: bool = True
    """Each point counts; else only who is ahead, or at an end, and not by how much."""
    chooser_only: bool = False
    """Only who chose the contract scores, so that all others play against him."""


MOST_POINTS: Final = Aim()
"""A score is what has counted."""
FROM_DIRECTION: Final = Aim()
"""Replaced by `Variant`: most points, or fewest where fewer are better."""
