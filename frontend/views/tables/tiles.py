"""The tiles of the tables in a hall. They are cached for all people; a person's own tile replaces the shared
one.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

import msgspec
from django.db.models import Q
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString

from frontend.fragment_cache import as_safe_html
from frontend.presenters.names.playing_teams import load_playing_teams
from frontend.presenters.tables import hall
from frontend.presenters.tables.hall import (
    EVERYTHING,
    HallFilter,
    HallPage,
    load_current_tables,
    load_hall,
    paginate_hall,
)
from frontend.presenters.tables.tables import TableView, prefetch_tables, table_views
from frontend.views.championship_context import PageContext
from games.models import Game
from tournaments.models import Round, Table
from tournaments.services.cache_versions import CacheVersion
from tournaments.services.current_regulations import load_regulations
from tournaments.services.seats import same_cards

TILE: Final = "parts/table_tile.html"
MARKS: Final = ("frame", "people", "tables")
"""The parts of a cache version on which pages with people at tables depend."""


class Tiles(msgspec.Struct, frozen=True):
    """The tiles of one page. `tiles`: primary key of the table → HTML, in order; `tables`, `over`,
    `broken_off`: how many tables the round has, are over, were finished early; `calls`: number of open
    disputes; `tail`: URL parameters of other pages; `playing`: primary keys of the unfinished tables;
    `dealt`: the platform deals cards for some table; `paper`: it does not for all, or there are none;
    `clocks_wait`: the clock of a table waits for players; `with_cards`: numbers of the tables with public
    cards.
    """

    tiles: dict[int, str]
    tables: int
    over: int
    page: int
    pages: int
    calls: int = 0
    tail: str = ""
    playing: tuple[int, ...] = ()
    broken_off: int = 0
    dealt: bool = False
    paper: bool = True
    clocks_wait: bool = False
    with_cards: tuple[int, ...] = ()

    @property
    def shown(self) -> HallPage:
        return HallPage(list(self.tiles), self.page, self.pages, self.tail)

    def pieces(self, own: TableView | None = None, template: str = TILE, **more: object) -> list[SafeString]:
        """Return the tiles in order. `own`: the requesting person's table, for which a tile of its own is
        rendered.
        """
        tiles = dict(self.tiles)
        if own is not None and own.table_id in tiles:
            tiles[own.table_id] = _render_tile(own, template, more)
        return list(map(as_safe_html, tiles.values()))

    def own_first(self, own: TableView | None, most: int) -> list[SafeString]:
        found = self.tiles
        if own is not None:
            found = {
                own.table_id: _render_tile(own, TILE, {}),
                **{k: v for k, v in found.items() if k != own.table_id},
            }
        return list(map(as_safe_html, islice(found.values(), most)))


def is_own_round(page: PageContext, round_: Round | None) -> bool:
    """Return whether the requesting person is an official who plays in this round, whose tables all play the
    same cards.

    This official then sees other tables only as the public does.
    """
    entry = page.roles.entry if page.roles.offices else None
    return entry is not None and entry.user_id is not None and same_cards.plays_now(entry.user_id, round_)


def load_tiles(
    page: PageContext,
    cache_version: CacheVersion,
    round_: Round | None,
    *,
    page_number: int = 1,
    template: str = TILE,
    chips: int = 0,
    wanted: HallFilter = EVERYTHING,
    read: list[Table] | None = None,
    in_office: bool = False,
    **more: object,
) -> Tiles:
    """Return the tiles of one page, from the cache if possible; a search is not cached. `more`: further
    context of the template. `read`: a list to which the loaded tables are added, with the person's own; it
    stays empty if the cache had the tiles. `in_office`: show delayed tables as they are now.
    """

    page_number = page_within(round_, page_number)

    def make() -> Tiles:
        now = timezone.now()
        hall = load_hall(round_, now, in_office=in_office)
        shown = paginate_hall(wanted.chosen(round_, hall.tables), page_number, wanted.tail)
        own = _own_table_query(page, round_) if read is not None else None
        tables = load_current_tables(shown.tables, own, in_office=in_office)
        if read is not None:
            read.extend(tables)
        views = table_views(
            tables[: len(shown.tables)], now, chips=chips, partners=_has_partners(page), teams=_teams(page)
        )
        rendered = {view.table_id: _render_tile(view, template, more) for view in views}
        return Tiles(
            rendered,
            len(hall.tables),
            hall.over,
            shown.page,
            shown.pages,
            hall.calls,
            wanted.tail,
            playing=tuple(glance.table for glance in hall.tables if not glance.over),
            broken_off=sum(glance.status == Game.Status.CLOSED for glance in hall.tables),
            dealt=any(glance.dealt for glance in hall.tables),
            paper=not all(glance.dealt for glance in hall.tables) or not hall.tables,
            clocks_wait=any(glance.clock_waits for glance in hall.tables),
            with_cards=tuple(glance.number for glance in hall.tables if glance.shows_cards),
        )

    if wanted.query:
        return make()
    of = (
        round_.pk if round_ else None,
        page_number,
        template,
        *sorted(more.items()),
        chips,
        wanted.only,
        in_office,
    )
    mark = cache_version.marks(*MARKS, *(["office"] if in_office else []))
    return page.get_or_make_fragment("tiles", cache_version, of, mark, make, Tiles)


def page_within(round_: Round | None, page: int, at_once: int = 0) -> int:
    """Return the page number, at most that of the last page, so that no page beyond it is cached. `at_once`:
    tables on a page (0: `hall.PAGE`).
    """
    if page == 1 or round_ is None:
        return 1
    return min(page, max(1, -(-round_.tables.count() // (at_once or hall.PAGE))))


def _own_table_query(page: PageContext, round_: Round | None) -> Q | None:
    """Return the query for the requesting person's table in this round; None if they have none."""
    mine = page.roles.entry
    if round_ is None or mine is None:
        return None
    return Q(pk__in=round_.seatings.filter(entry=mine.pk).order_by().values("table"))


def load_own_table(
    page: PageContext, round_: Round | None, *, chips: int = 0, read: Sequence[Table] = ()
) -> TableView | None:
    """Return the requesting person's table as pages show it; None if they do not play in this round. `read`:
    loaded tables, which, unless empty, include the person's.
    """
    mine = page.roles.entry
    if round_ is None or mine is None:
        return None
    own: Iterable[Table] = prefetch_tables(Table.objects.filter(round=round_, seatings__entry=mine.pk))
    if read:
        own = [table for table in read if any(s.entry_id == mine.pk for s in table.seatings.all())]
    at = list(own)
    partners = bool(at) and _has_partners(page)
    teams = _teams(page) if at else {}
    views = table_views(at, timezone.now(), mine=mine.pk, chips=chips, partners=partners, teams=teams)
    return next(iter(views), None)


def _has_partners(page: PageContext) -> bool:
    return load_regulations(page.championship).play.format != "solo"


def _teams(page: PageContext) -> dict[int, str]:
    """Return primary key → name of the teams that are drawn."""
    return load_playing_teams(page.championship, load_regulations(page.championship))


def _render_tile(view: TableView, template: str, more: dict[str, object]) -> str:
    return render_to_string(template, {"table": view, **more})
