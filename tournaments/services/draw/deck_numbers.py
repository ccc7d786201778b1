"""Deck numbers: a table's cards are derived from its number and the number of draws.

A new draw gives other decks, so that no player gets cards they have seen.
"""

from tournaments.models import Table

_DRAW_STEP = 10_000
"""More than the tables of a round."""


def deck_number(table: Table) -> int:
    """Return the number from which the decks of a table's game are derived."""
    return (table.round.draws - 1) * _DRAW_STEP + table.number


def table_number(number: int) -> int:
    """Return the number of the table with this deck number."""
    return (number - 1) % _DRAW_STEP + 1
