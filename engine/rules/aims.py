"""The aims of a game, as data."""

from typing import Final, Literal, NamedTuple


class Aim(NamedTuple):
    """The aim of a side in a deal. `tests/engine/test_aims.py` checks this against `score`."""

    points: Literal["most", "fewest", "predicted", "either_end"] = "most"
    """`most`: more points are better. `fewest`: fewer are better. `predicted`: the points nearest to the
    prediction are best. `either_end`: the most and the fewest points are good, points between them are not.
    """
    by_margin: bool = True
    """Whether each point changes the score; otherwise only an order or a limit does."""
    chooser_only: bool = False
    """Whether only the chooser's side scores, and all others play against it."""


MOST_POINTS: Final = Aim()
"""The aim of games in which the score of a side is its counted points."""
FROM_DIRECTION: Final = Aim()
"""A placeholder that `Variant` replaces: most points, or fewest if `score_direction` is -1."""
