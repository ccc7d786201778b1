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
    """The one that is featured: of those that show cards the one with the smallest lead, then by number."""
    shown = (one for one in tables if one.shows_cards)
    return min(shown, key=lambda one: (one.lead, one.number), default=None)


def closest_first(tables: Iterable[Standing]) -> list[Standing]:
    """Those that show cards, the closest first; then those without cards, at last those that are over."""
    return sorted(tables, key=lambda one: (one.status in OVER, not one.shows_cards, one.lead, one.number))
