"""A table's result where matches count: victory points by a scale, or 2-1-0."""

from __future__ import annotations

from .report import Unusable

MATCH_COUNTINGS = ("victory_points", "matches")
"""Ways of counting by which side won a table, not by its points."""


def counts_matches(counting):
    """Whether the difference of a table counts."""
    return counting["what"] in MATCH_COUNTINGS


def convert_lead(counting, lead):
    """Return the points of a side that is ahead by `lead`, behind where that is negative."""
    if counting["what"] == "matches":
        return (lead > 0) + (lead >= 0)
    steps = [step for step in counting["scale"] if step[0] <= abs(lead)]
    if not steps:
        raise Unusable("its scale has no points for a difference of %d" % abs(lead))
    return steps[-1][1] if lead > 0 else steps[-1][2]
