"""Tables as a projector shows them in the hall: some at a time, each with its slate."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import QuerySet

from frontend.presenters.table_rules import rules_of
from frontend.presenters.tables import TableView, table_views, with_everything
from games.models import Game
from tournaments.models import Table

AT_ONCE: Final = 4
TALL_AT_ONCE: Final = 2
TALL: Final = ("slots", "predictions")
"""Slates (engine.rules.SlateKind) that have a line for each deal."""


@dataclass(frozen=True, slots=True)
class Projected:
    """One table on the wall; `page_data` is what its script draws the slate from."""

    table: TableView
    page_data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wall:
    """What is on the wall at a time: `page` of `pages`."""

    tables: Sequence[Projected]
    page: int
    pages: int

    @property
    def next_page(self) -> int:
        """After the last comes the first again."""
        return self.page % self.pages + 1


def wall(tables: QuerySet[Table], page: int, now: datetime) -> Wall:
    """The tables of a round that have begun, those of one page; a page beyond the last is the last."""
    begun = tables.exclude(game=None).order_by("number")
    some = begun.select_related("game").first()
    tall = some is not None and some.game is not None and rules_of(some.game).get("slate") in TALL
    at_once = TALL_AT_ONCE if tall else AT_ONCE
    pages = max(1, -(-begun.count() // at_once))
    page = min(page, pages)
    rows = list(with_everything(begun)[(page - 1) * at_once : page * at_once])
    games = [row.game for row in rows if row.game is not None]
    shown = zip(table_views(rows, now), games, strict=True)
    return Wall([Projected(view, _page_data(view, game)) for view, game in shown], page, pages)


def _page_data(view: TableView, game: Game) -> dict[str, Any]:
    return {
        "names": [chair.name for chair in view.chairs],
        "rules": rules_of(game),
        "socket": f"/ws/games/{game.pk}/",
    }
