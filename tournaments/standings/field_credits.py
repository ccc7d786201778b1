"""Points against the field: all tables play the same cards, as in duplicate bridge without moving boards."""

from collections.abc import Sequence
from fractions import Fraction

TableDeals = Sequence[Sequence[int | None] | None]
"""Points at one table: by deal, and in each deal by side; None for a deal or a side without a result."""


def credit_against_field(tables: Sequence[TableDeals]) -> list[list[Fraction | None]]:
    """Return the credit of each side of each table, in the order of the tables.

    A deal gives a side its points minus the mean of the same side at all other tables. A deal that a table
    misses, or that no other table has played, counts as the mean of the table's other deals. None: the side
    has no deal to compare.
    """
    count = max(map(len, tables), default=0)
    played: list[tuple[list[int], list[int]]] = []  # by deal: tables and sum of points, by side
    for deal in range(count):
        of_deal = [table[deal] if deal < len(table) else None for table in tables]
        sides = max((len(points) for points in of_deal if points is not None), default=0)
        known = [
            [points[side] for points in of_deal if points and side < len(points)] for side in range(sides)
        ]
        values = [[points for points in side if points is not None] for side in known]
        played.append(([len(side) for side in values], [sum(side) for side in values]))
    rounds_held = sum(any(tables_of) for tables_of, _ in played)
    return [_credit_table(table, played, rounds_held) for table in tables]


def _credit_table(
    table: TableDeals, played: Sequence[tuple[Sequence[int], Sequence[int]]], deals: int
) -> list[Fraction | None]:
    """Return the credit of each side: the mean of its compared deals, times the number of all deals.

    If n tables have played a deal with the sum s, a side with p points gets p − (s − p) / (n − 1) for it,
    which is (n · p − s) / (n − 1). Deals with the same n are added as whole numbers, which is fast.
    """
    found: list[Fraction | None] = []
    for side in range(max((len(points) for points in table if points is not None), default=0)):
        parts: dict[int, int] = {}
        compared = 0
        for points, (counts, sums) in zip(table, played, strict=False):
            mine = points[side] if points is not None and side < len(points) else None
            if mine is not None and counts[side] > 1:
                others = counts[side] - 1
                parts[others] = parts.get(others, 0) + counts[side] * mine - sums[side]
                compared += 1
        total = sum((Fraction(part, others) for others, part in parts.items()), Fraction(0))
        found.append(total * deals / compared if compared else None)
    return found
