"""Deck numbers: a table's cards are derived from its number and the number of draws.

A new draw gives other decks, so that no player gets cards they have seen. Where all tables of a round play
the same cards, they have the number of table 1.
"""

from tournaments.models import Table
from tournaments.regulations import Regulations

_DRAW_STEP = 10_000
"""Distance of the numbers of two draws: more than the tables of a round."""


def deck_number(table: Table, regulations: Regulations) -> int:
    """Return the number from which the decks of a table's game are derived."""
    number = 1 if regulations.plays_same_cards else table.number
    return (table.round.draws - 1) * _DRAW_STEP + number


def table_number(number: int) -> int:
    """Return the number of the table that has this deck number, for rounds in which each table has cards of
    its own.
    """
    return (number - 1) % _DRAW_STEP + 1
