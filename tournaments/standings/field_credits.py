"""Points against the field: the same cards at all tables, as at duplicate bridge without moving boards."""

from collections.abc import Sequence
from fractions import Fraction

TableDeals = Sequence[Sequence[int | None] | None]
"""Points at one table by deal, and by side in each; None for a deal or a side without a result."""


def credit_against_field(tables: Sequence[TableDeals]) -> list[list[Fraction | None]]:
    """Return the credit of each side of each table, in the order of the tables.

    A deal gives a side its points minus the mean of the same side at all other tables. A table that misses a
    deal, or whose deal nobody else has played, counts the mean of its other deals there. None: the side has
    no deal to compare.
    """
    sides = [max((len(deal) for deal in table if deal is not None), default=0) for table in tables]
    deals = max(map(len, tables), default=0)
    compared: list[list[list[Fraction]]] = [[[] for _ in range(count)] for count in sides]
    for deal in range(deals):
        for side in range(max(sides, default=0)):
            of_tables = ((at, _at(table, deal, side)) for at, table in enumerate(tables))
            played = [(at, points) for at, points in of_tables if points is not None]
            if len(played) < 2:
                continue
            total = sum(points for _, points in played)
            for at, points in played:
                compared[at][side].append(points - Fraction(total - points, len(played) - 1))
    held = sum(any(_has(table, deal) for table in tables) for deal in range(deals))
    return [[_extend(found, held) for found in of_table] for of_table in compared]


def _at(table: TableDeals, deal: int, side: int) -> int | None:
    if deal >= len(table):
        return None
    points = table[deal]
    return points[side] if points is not None and side < len(points) else None


def _has(table: TableDeals, deal: int) -> bool:
    points = table[deal] if deal < len(table) else None
    return points is not None and any(one is not None for one in points)


def _extend(found: Sequence[Fraction], deals: int) -> Fraction | None:
    """Return the mean of the compared deals, times all deals."""
    return sum(found, Fraction(0)) * deals / len(found) if found else None
