"""Match points: victory points by a scale, and 2–1–0 for matches won, drawn and lost."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

from tournaments.competition import Points
from tournaments.standings.errors import StandingsError

Scale = Sequence[tuple[int, int, int]]
"""Rows of (least difference, points of the better side, points of the other side), by rising difference."""
Conversion = Callable[[Points], int]
WIN: Final = 2
DEFAULT_SCALE: Final[Scale] = (
    (0, 10, 10), (10, 11, 9), (30, 12, 8), (50, 13, 7), (80, 14, 6), (110, 15, 5), (140, 16, 4), (170, 17, 3),
    (200, 18, 2), (240, 19, 1), (280, 20, 0),
)  # fmt: skip
"""The 20-point scale of North American bridge for matches of 6 to 8 boards, with one IMP taken as ten points.
"""


def check_scale(scale: Scale) -> None:
    """Raise StandingsError `standings/scale` unless the scale begins at difference 0 with equal points, and
    its rows rise.

    Rows rise if with each larger difference the better side gets as many points or more, and the other side
    as many or fewer.
    """
    level = bool(scale) and scale[0][0] == 0 and scale[0][1] == scale[0][2]
    rising = all(a < b and c <= d and e >= f for (a, c, e), (b, d, f) in pairwise(scale))
    if not level or not rising:
        raise StandingsError(
            "standings/scale",
            "a scale begins at difference 0 with as many points for both, and rises with the difference",
        )


def find_conversion(what: str, scale: Scale) -> Conversion | None:
    """Return the function that converts a side's lead at a table to match points; None if the ranking counts
    no matches.
    """
    if what == "matches":
        return count_match
    return partial(read_scale, scale or DEFAULT_SCALE) if what == "victory_points" else None


def count_match(lead: Points) -> int:
    """Return the match points of a side by its lead: 2 for a match won, 1 for a drawn one, 0 for a
    lost one.
    """
    return (lead > 0) + (lead >= 0)


def read_scale(scale: Scale, lead: Points) -> int:
    """Return the match points of a side by its lead, which is negative if the side is behind.

    A difference between two rows of the scale counts as the lower row.
    """
    difference = max(lead, -lead)
    _, better, other = next(row for row in reversed(scale) if row[0] <= difference)
    return better if lead > 0 else other
