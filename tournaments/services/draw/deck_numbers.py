"""Deck numbers, each made from the number of a table and the number of draws so far.

After a new draw the decks are different, so that no player gets cards they have seen. If all tables of a
round play the same cards, all have the deck number of table 1.
"""

from tournaments.models import Table
from tournaments.regulations import Regulations

_DRAW_STEP = 10_000
"""Difference between the deck numbers of one table in two successive draws; more than a round has tables."""


def deck_number(table: Table, regulations: Regulations) -> int:
    """Return the number from which the decks of a table's game are derived."""
    number = 1 if regulations.plays_same_cards else table.number
    return (table.round.draws - 1) * _DRAW_STEP + number


def table_number(number: int) -> int:
    """Return the number of the table that has this deck number.

    Only for rounds in which each table has cards of its own.
    """
    return (number - 1) % _DRAW_STEP + 1
