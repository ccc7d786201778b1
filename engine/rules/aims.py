"""The aim of a game, as data."""

from typing import Final, Literal, NamedTuple


class Aim(NamedTuple):
    """The aim of each side in a deal. `tests/engine/test_aims.py` checks it against `score`."""

    points: Literal["most", "fewest", "predicted", "either_end"] = "most"
    """More points are better; fewer are; closest to the prediction; or most or fewest of all, but nothing
    between.
    """
    by_margin: bool = True
    """Each point counts; otherwise only the order of the sides counts."""
    chooser_only: bool = False
    """Only the chooser's side scores, and all others play against it."""


MOST_POINTS: Final = Aim()
"""The score of a side is its counted points."""
FROM_DIRECTION: Final = Aim()
"""Replaced by `Variant`: most points, or fewest if `score_direction` is -1."""
