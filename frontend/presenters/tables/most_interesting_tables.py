"""The order in which the tables of a round interest spectators, used by the projector and by pages."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.models import Game


class Standing(NamedTuple):
    """The score at a table. `totals`: by side, None if unknown. `status`, `mode`: of its game."""

    number: int
    mode: str
    status: str
    totals: Sequence[int | None]
    still: bool = False
    """Whether the table has had no activity for longer than its mode allows."""

    @property
    def moves(self) -> bool:
        """Whether the table plays with cards and is not `still`."""
        return self.shows_cards and not self.still

    @property
    def shows_cards(self) -> bool:
        """Whether the table plays with cards, not only a sheet, and its game is not over."""
        return self.mode != Game.Mode.SHEET and self.status not in Game.OVER

    @property
    def lead(self) -> int:
        """The difference between the highest and the lowest total."""
        totals = [total or 0 for total in self.totals]
        return max(totals, default=0) - min(totals, default=0)


def pick_closest(tables: Iterable[Standing]) -> Standing | None:
    """Return the table with the smallest lead among those with `moves`; of several, the lowest number. None
    if no table has it.
    """
    shown = (one for one in tables if one.moves)
    return min(shown, key=lambda one: (one.lead, one.number), default=None)


def pick_featured(tables: Sequence[Standing], chosen: int | None) -> Standing | None:
    """Return the featured table: the one with the director's number `chosen` while it `moves`, else that of
    `pick_closest`. None if there is neither.
    """
    by_choice = (one for one in tables if one.number == chosen and one.moves)
    return next(by_choice, None) or pick_closest(tables)


def sort_by_interest(tables: Iterable[Standing], chosen: int | None = None) -> list[Standing]:
    """Sort tables in this order: those that play with cards, those without activity for too long, those with
    sheets only, finished ones. In each group number `chosen` comes first, then the smallest lead.
    """

    def order(one: Standing) -> tuple[bool, bool, bool, bool, int, int]:
        off = one.number != chosen
        return one.status in Game.OVER, not one.shows_cards, not one.moves, off, one.lead, one.number

    return sorted(tables, key=order)
