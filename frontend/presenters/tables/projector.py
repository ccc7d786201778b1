"""Which rows and tables a projector's page shows at a time. Of the tables, one, the featured table, is shown
with its board and cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet

from frontend.card_names import sprites
from frontend.presenters.tables.most_interesting_tables import Standing, pick_featured
from frontend.presenters.tables.table_rules import load_table_rules
from frontend.presenters.tables.tables import TableView, prefetch_tables, table_views
from games.models import Game
from tournaments.models import Round, Table

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
    """The tables shown at a time: page `page` of `pages`, all of one round. `round`: None without a round.
    `delay`: the longest broadcast delay of these tables, in minutes.
    """

    round: Round | None
    tables: Sequence[Projected]
    page: int
    pages: int
    delay: int = 0

    @property
    def next_page(self) -> int:
        """The number of the next page; after the last page comes the first."""
        return self.page % self.pages + 1


class _RoundPages(NamedTuple):
    """How the begun tables of a round are divided: `front`, if any, on each of `pages` pages, and `at_once`
    of the others, ordered by number. `tall`: whether the slates need more height.
    """

    round_: Round
    front: list[Table]
    others: QuerySet[Table]
    at_once: int
    pages: int
    tall: bool


def load_projected_tables(
    rounds: Sequence[Round], number: int, now: datetime, teams: Mapping[int, str] | None = None
) -> ProjectedTables:
    """Return the begun tables of one page, and their round. The pages of a round follow those of the round
    before; if `number` is too high, the last page. The table that the director of a round chose comes first
    on every page of the round while it plays with cards. `teams`: names of the teams that are drawn.
    """
    divided = [_divide_into_pages(round_) for round_ in rounds]
    parts = [part for part in divided if part.pages] or divided[:1]
    if not parts:
        return ProjectedTables(None, (), 1, 1)
    pages = max(1, sum(part.pages for part in parts))
    number = min(number, pages)
    within = number
    for part in parts:
        if within <= part.pages:
            break
        within -= part.pages
    first = (within - 1) * part.at_once
    rows = part.front + list(prefetch_tables(part.others)[first : first + part.at_once])
    games = [row.game for row in rows if row.game is not None]
    views = table_views(rows, now, teams=teams)
    featured = None if part.tall else pick_featured(list(map(_make_standing, views)), part.round_.featured)
    projected = [
        Projected(view, _page_data(view, game), featured is not None and view.number == featured.number)
        for view, game in zip(views, games, strict=True)
    ]
    delay = max((game.delay_minutes for game in games), default=0)
    return ProjectedTables(part.round_, projected, number, pages, delay)


def _divide_into_pages(round_: Round) -> _RoundPages:
    """Divide the begun tables of a round into pages; none without a begun table."""
    begun = Table.objects.filter(round=round_).exclude(game=None).order_by("number")
    some = begun.select_related("game").first()
    front = list(_featured_table(begun, round_.featured))
    tall = some is not None and some.game is not None and load_table_rules(some.game).get("slate") in TALL
    at_once = (TALL_AT_ONCE if tall else TABLES_AT_ONCE) - len(front)
    others = begun.exclude(pk__in=[table.pk for table in front])
    pages = max(1, -(-others.count() // at_once)) if some is not None else 0
    return _RoundPages(round_, front, others, at_once, pages, tall)


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
