"""The tables of a hall as pieces of a page, made once for all who look; one's own is put in its place."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

import msgspec
from django.db.models import Q
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString

from frontend.fragment_cache import html
from frontend.presenters import hall
from frontend.presenters.hall import (
    EVERYTHING,
    HallFilter,
    HallPage,
    hall_of,
    hall_page_of,
    tables_of,
)
from frontend.presenters.tables import TableView, table_views, with_everything
from frontend.views.championship_context import PageContext
from games.models import Game
from tournaments.models import Round, Table
from tournaments.services.cache_version import Edition
from tournaments.services.current_regulations import regulations_of

TILE: Final = "parts/table_tile.html"
MARKS: Final = ("frame", "people", "tables")


class Tiles(msgspec.Struct, frozen=True):
    """`tiles`: table → HTML, in their order; `tables` of the round there are, `over` of them finished, and
    `broken_off` early; `playing`: the keys of those that are not over; `dealt`: whether cards of any
    come from the platform; `with_cards`: the numbers of those whose cards everybody may look at."""

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
    with_cards: tuple[int, ...] = ()

    @property
    def shown(self) -> HallPage:
        return HallPage(list(self.tiles), self.page, self.pages, self.tail)

    def pieces(self, own: TableView | None = None, template: str = TILE, **more: object) -> list[SafeString]:
        """As they stand on a page; `own`: the table of who looks, which looks otherwise."""
        found = dict(self.tiles)
        if own is not None and own.table_id in found:
            found[own.table_id] = _tile(own, template, more)
        return list(map(html, found.values()))

    def own_first(self, own: TableView | None, most: int) -> list[SafeString]:
        found = self.tiles
        if own is not None:
            found = {
                own.table_id: _tile(own, TILE, {}),
                **{k: v for k, v in found.items() if k != own.table_id},
            }
        return list(map(html, islice(found.values(), most)))


def tiles_of(
    frame: PageContext,
    edition: Edition,
    round_: Round | None,
    *,
    page: int = 1,
    template: str = TILE,
    chips: int = 0,
    wanted: HallFilter = EVERYTHING,
    read: list[Table] | None = None,
    in_office: bool = False,
    **more: object,
) -> Tiles:
    """Those of one page. `more`: what else the template is told. What one person searches for is made for
    him alone. `read`: takes the tables that were read for it, the one of who looks among them; none where
    somebody else has had the tiles made. `in_office`: also what is not shown to everybody yet.
    """

    page = page_within(round_, page)

    def make() -> Tiles:
        now = timezone.now()
        found = hall_of(round_, now, in_office=in_office)
        shown = hall_page_of(wanted.chosen(round_, found.tables), page, wanted.tail)
        own = _own_table(frame, round_) if read is not None else None
        tables = tables_of(shown.tables, own, in_office=in_office)
        if read is not None:
            read.extend(tables)
        views = table_views(tables[: len(shown.tables)], now, chips=chips, partners=_partners(frame))
        made = {view.table_id: _tile(view, template, more) for view in views}
        return Tiles(
            made,
            len(found.tables),
            found.over,
            shown.page,
            shown.pages,
            found.calls,
            wanted.tail,
            playing=tuple(glance.table for glance in found.tables if not glance.over),
            broken_off=sum(glance.status == Game.Status.CLOSED for glance in found.tables),
            dealt=any(glance.dealt for glance in found.tables),
            with_cards=tuple(glance.number for glance in found.tables if glance.shows_cards),
        )

    if wanted.query:
        return make()
    of = (round_.pk if round_ else None, page, template, *sorted(more.items()), chips, wanted.only, in_office)
    mark = edition.marks(*MARKS, *(["office"] if in_office else []))
    return frame.shared("tiles", edition, of, mark, make, Tiles)


def page_within(round_: Round | None, page: int, at_once: int = 0) -> int:
    """A page beyond the last is the last, and nothing is kept for it."""
    if page == 1 or round_ is None:
        return 1
    return min(page, max(1, -(-round_.tables.count() // (at_once or hall.PAGE))))


def _own_table(frame: PageContext, round_: Round | None) -> Q | None:
    """Which table is that of who looks."""
    mine = frame.roles.entry
    if round_ is None or mine is None:
        return None
    return Q(pk__in=round_.seatings.filter(entry=mine.pk).order_by().values("table"))


def own_view(
    frame: PageContext, round_: Round | None, *, chips: int = 0, read: Sequence[Table] = ()
) -> TableView | None:
    """The table of who looks, if he plays in this round. `read`: tables that are at hand; if there are any
    his is among them."""
    mine = frame.roles.entry
    if round_ is None or mine is None:
        return None
    own: Iterable[Table] = with_everything(Table.objects.filter(round=round_, seatings__entry=mine.pk))
    if read:
        own = [table for table in read if any(s.entry_id == mine.pk for s in table.seatings.all())]
    at = list(own)
    partners = bool(at) and _partners(frame)
    views = table_views(at, timezone.now(), mine=mine.pk, chips=chips, partners=partners)
    return next(iter(views), None)


def _partners(frame: PageContext) -> bool:
    return regulations_of(frame.championship).play.format != "solo"


def _tile(view: TableView, template: str, more: dict[str, object]) -> str:
    return render_to_string(template, {"table": view, **more})
