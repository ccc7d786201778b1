"""Which rows and tables a projector's page shows at a time. Of the tables, one, the featured table, is shown
with its board and cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import QuerySet

from frontend.cards import sprites
from frontend.presenters.tables.most_interesting_tables import Standing, pick_featured
from frontend.presenters.tables.table_rules import load_table_rules
from frontend.presenters.tables.tables import TableView, prefetch_tables, table_views
from games.models import Game
from tournaments.models import Table

RANKED_AT_ONCE: Final = 10
"""Rows of a ranking, of people or of teams."""
NAMES_AT_ONCE: Final = 45
"""Names with their seats, in three columns."""
WAITING_AT_ONCE: Final = 12
"""Waiting starts of a queue."""
MOST_WAITING: Final = 5 * WAITING_AT_ONCE
CALLED_TABLES: Final = 2
BEST_STARTS: Final = 5
TABLES_AT_ONCE: Final = 4
TALL_AT_ONCE: Final = 2
TALL: Final = ("slots", "predictions")
"""Notations of the score (engine.rules.SlateKind) that have one line for each deal, and so need more
height.
"""


@dataclass(frozen=True, slots=True)
class ProjectorPage:
    """Page `number` of `pages`, counted from 1, with at most `at_once` rows each."""

    number: int
    pages: int
    at_once: int

    @property
    def rows(self) -> slice:
        """The rows of this page, of a sequence or a query with all rows."""
        return slice((self.number - 1) * self.at_once, self.number * self.at_once)

    @property
    def next_page(self) -> int:
        """The number of the next page; after the last page comes the first."""
        return self.number % self.pages + 1

    def context(self) -> dict[str, int]:
        return {"page": self.number, "pages": self.pages, "next_page": self.next_page}


def find_projector_page(number: int, count: int, at_once: int) -> ProjectorPage:
    """Return page `number` of `count` rows; if it is too high, the last page."""
    pages = max(1, -(-count // at_once))
    return ProjectorPage(min(number, pages), pages, at_once)


@dataclass(frozen=True, slots=True)
class Projected:
    """One projected table. `page_data`: input of its script; `featured`: it is shown with its board."""

    table: TableView
    page_data: dict[str, Any]
    featured: bool


@dataclass(frozen=True, slots=True)
class ProjectedTables:
    """The tables shown at a time. `delay`: the longest broadcast delay of these tables, in minutes."""

    tables: Sequence[Projected]
    shown: ProjectorPage
    delay: int = 0


def load_projected_tables(
    tables: QuerySet[Table],
    page: int,
    now: datetime,
    chosen: int | None = None,
    teams: Mapping[int, str] | None = None,
) -> ProjectedTables:
    """Return the begun tables of one page; if `page` is too high, the last page. `chosen`: number of the
    table that the director chose, which comes first on every page while it plays with cards. `teams`: names
    of the teams that are drawn.
    """
    begun = tables.exclude(game=None).order_by("number")
    some = begun.select_related("game").first()
    front = list(_featured_table(begun, chosen))
    tall = some is not None and some.game is not None and load_table_rules(some.game).get("slate") in TALL
    at_once = (TALL_AT_ONCE if tall else TABLES_AT_ONCE) - len(front)
    others = begun.exclude(pk__in=[one.pk for one in front])
    shown = find_projector_page(page, others.count(), at_once)
    rows = front + list(prefetch_tables(others)[shown.rows])
    games = [row.game for row in rows if row.game is not None]
    views = table_views(rows, now, teams=teams)
    featured = None if tall else pick_featured(list(map(_make_standing, views)), chosen)
    projected = [
        Projected(view, _page_data(view, game), featured is not None and view.number == featured.number)
        for view, game in zip(views, games, strict=True)
    ]
    return ProjectedTables(projected, shown, max((game.delay_minutes for game in games), default=0))


def _featured_table(begun: QuerySet[Table], chosen: int | None) -> Iterator[Table]:
    """Yield the table that the director chose if it plays with cards; no query without a choice."""
    if chosen is None:
        return
    shown = begun.filter(number=chosen).exclude(game__mode=Game.Mode.SHEET)
    yield from prefetch_tables(shown.exclude(game__status__in=Game.OVER))


def _make_standing(view: TableView) -> Standing:
    return Standing(view.number, view.mode, view.status, [side.total for side in view.sides], view.still)


def _page_data(view: TableView, game: Game) -> dict[str, Any]:
    return {
        "names": [chair.name for chair in view.chairs],
        "rules": load_table_rules(game),
        # The page is public in the hall, so delayed tables are delayed here for any account.
        "socket": f"/ws/{'strangers/' if game.delay_minutes else ''}games/{game.pk}/",
        "sprites": sprites(),
        "seat": None,
        "extra": {},
    }
