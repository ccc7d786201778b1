"""The selection of the most interesting tables of a round, the same for projector and spectators."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from games.models import Game

OVER: Final = (Game.Status.ENDED, Game.Status.CLOSED)


class Standing(NamedTuple):
    """The score at a table. `totals`: total of each side, None if unknown."""

    number: int
    mode: str
    status: str
    totals: Sequence[int | None]
    still: bool = False
    """Whether nothing has happened for longer than the mode of the table takes."""

    @property
    def moves(self) -> bool:
        """Whether public cards are being played there now."""
        return self.shows_cards and not self.still

    @property
    def shows_cards(self) -> bool:
        """Whether the cards of a player there are public."""
        return self.mode != Game.Mode.SHEET and self.status not in OVER

    @property
    def lead(self) -> int:
        """The largest difference between its sides."""
        totals = [total or 0 for total in self.totals]
        return max(totals, default=0) - min(totals, default=0)


def pick_closest(tables: Iterable[Standing]) -> Standing | None:
    """Return the running table with the smallest lead, then by number."""
    shown = (one for one in tables if one.moves)
    return min(shown, key=lambda one: (one.lead, one.number), default=None)


def pick_featured(tables: Sequence[Standing], chosen: int | None) -> Standing | None:
    """Return the featured table: the one that the director chose, while cards are played there; otherwise the
    one with the closest score.
    """
    by_choice = (one for one in tables if one.number == chosen and one.moves)
    return next(by_choice, None) or pick_closest(tables)


def sort_by_interest(tables: Iterable[Standing], chosen: int | None = None) -> list[Standing]:
    """Sort tables: running ones with public cards (the director's choice, then the closest), silent ones,
    those without cards, finished ones.
    """

    def order(one: Standing) -> tuple[bool, bool, bool, bool, int, int]:
        off = one.number != chosen
        return one.status in OVER, not one.shows_cards, not one.moves, off, one.lead, one.number

    return sorted(tables, key=order)
