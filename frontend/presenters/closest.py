"""Which tables of a round are worth a look before the others: one choice for the wall and for who watches."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from games.models import Game

OVER: Final = (Game.Status.ENDED, Game.Status.CLOSED)


class Standing(NamedTuple):
    """How it stands at a table. `totals`: of each side, None where nothing is known."""

    number: int
    mode: str
    status: str
    totals: Sequence[int | None]
    still: bool = False
    """Nothing has happened there for longer than its kind takes."""

    @property
    def moves(self) -> bool:
        """Whether cards that everybody may see are being played there now."""
        return self.shows_cards and not self.still

    @property
    def shows_cards(self) -> bool:
        """Whether somebody plays there whose cards are known."""
        return self.mode != Game.Mode.SHEET and self.status not in OVER

    @property
    def lead(self) -> int:
        """How far apart its sides are."""
        totals = [total or 0 for total in self.totals]
        return max(totals, default=0) - min(totals, default=0)


def closest(tables: Iterable[Standing]) -> Standing | None:
    """Of those at which cards are being played the one with the smallest lead, then by number."""
    shown = (one for one in tables if one.moves)
    return min(shown, key=lambda one: (one.lead, one.number), default=None)


def in_front(tables: Sequence[Standing], chosen: int | None) -> Standing | None:
    """The featured one: the director's choice while cards are being played there, else the closest."""
    by_choice = (one for one in tables if one.number == chosen and one.moves)
    return next(by_choice, None) or closest(tables)


def first_in_front(tables: Iterable[Standing], chosen: int | None = None) -> list[Standing]:
    """Those at which cards are being played, the director's choice and then the closest first; then silent
    ones, those without cards, and at last those that are over."""

    def order(one: Standing) -> tuple[bool, bool, bool, bool, int, int]:
        off = one.number != chosen
        return one.status in OVER, not one.shows_cards, not one.moves, off, one.lead, one.number

    return sorted(tables, key=order)
