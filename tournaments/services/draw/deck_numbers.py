"""The number a table's cards are derived from: its own, and after a draw that was undone another one, so that
nobody plays cards he has seen.
"""

from tournaments.models import Table

_DRAW_STEP = 10_000
"""More tables than a round can have."""


def number_of(table: Table) -> int:
    """What the decks of a table's game are derived from."""
    return (table.round.draws - 1) * _DRAW_STEP + table.number


def table_of(number: int) -> int:
    """The table with the decks of that number."""
    return (number - 1) % _DRAW_STEP + 1
