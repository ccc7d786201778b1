"""Tables as a projector shows them in the hall: some at a time, each with its slate; of the one with the
closest score, of those whose cards are known, the cloth as well.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import QuerySet

from frontend.cards import sprites
from frontend.presenters.closest import OVER, Standing, in_front
from frontend.presenters.table_rules import rules_of
from frontend.presenters.tables import TableView, table_views, with_everything
from games.models import Game
from tournaments.models import Table

TABLES_AT_ONCE: Final = 4
TALL_AT_ONCE: Final = 2
TALL: Final = ("slots", "predictions")
"""Slates (engine.rules.SlateKind) that have a line for each deal."""


@dataclass(frozen=True, slots=True)
class Projected:
    """One table on the wall; `page_data` is what its script draws the slate from."""

    table: TableView
    page_data: dict[str, Any]
    featured: bool


@dataclass(frozen=True, slots=True)
class Wall:
    """What is on the wall at a time: `page` of `pages`; `delay`: so many minutes late."""

    tables: Sequence[Projected]
    page: int
    pages: int
    delay: int = 0

    @property
    def next_page(self) -> int:
        """After the last comes the first again."""
        return self.page % self.pages + 1


def wall(tables: QuerySet[Table], page: int, now: datetime, chosen: int | None = None) -> Wall:
    """The tables of a round that have begun, those of one page; a page beyond the last is the last. `chosen`:
    the number of the one that the director has put in front: as long as cards are played there it is on every
    page, before the others."""
    begun = tables.exclude(game=None).order_by("number")
    some = begun.select_related("game").first()
    front = list(_chosen(begun, chosen))
    tall = some is not None and some.game is not None and rules_of(some.game).get("slate") in TALL
    at_once = (TALL_AT_ONCE if tall else TABLES_AT_ONCE) - len(front)
    others = begun.exclude(pk__in=[one.pk for one in front])
    pages = max(1, -(-others.count() // at_once))
    page = min(page, pages)
    rows = front + list(with_everything(others)[(page - 1) * at_once : page * at_once])
    games = [row.game for row in rows if row.game is not None]
    views = table_views(rows, now)
    featured = None if tall else in_front(list(map(_standing, views)), chosen)
    shown = [
        Projected(view, _page_data(view, game), featured is not None and view.number == featured.number)
        for view, game in zip(views, games, strict=True)
    ]
    return Wall(shown, page, pages, max((game.delay_minutes for game in games), default=0))


def _chosen(begun: QuerySet[Table], chosen: int | None) -> Iterator[Table]:
    """The director's choice; no query where he has made none."""
    if chosen is None:
        return
    shown = begun.filter(number=chosen).exclude(game__mode=Game.Mode.SHEET)
    yield from with_everything(shown.exclude(game__status__in=OVER))


def _standing(view: TableView) -> Standing:
    return Standing(view.number, view.mode, view.status, [side.total for side in view.sides], view.still)


def _page_data(view: TableView, game: Game) -> dict[str, Any]:
    return {
        "names": [chair.name for chair in view.chairs],
        "rules": rules_of(game),
        # Everybody in the hall sees it, whoever is signed in there: what is shown late is shown late here.
        "socket": f"/ws/{'strangers/' if game.delay_minutes else ''}games/{game.pk}/",
        "sprites": sprites(),
        "seat": None,
        "extra": {},
    }
