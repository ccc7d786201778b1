"""/c/<slug>/rounds/<n>/beside/<table>/: The other tables of a round, for spectators of one table."""

from typing import Final

import msgspec
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_safe

from frontend.fragment_cache import as_safe_html
from frontend.presenters.tables.hall import Glance, HallFilter, load_hall
from frontend.presenters.tables.other_tables import (
    FOUND,
    TABLES_AT_ONCE,
    build_thumbnails,
    find_featured,
    find_next_table,
    list_most_interesting,
    list_open_tables,
)
from frontend.views.championship_context import PageContext, championship_page
from frontend.views.tables.tiles import MARKS
from tournaments.models import Round
from tournaments.services.cache_versions import CacheVersion

PART: Final = "parts/other_tables.html"
THUMBNAIL: Final = "parts/other_table.html"


class _Beside(msgspec.Struct, frozen=True):
    """The data of a round that all spectators share. `tables`: number → HTML of the tables shown, the most
    interesting first; one more than a page shows. `playing`: number → id of the game, of the running tables;
    `others`: number → id of the game, of all tables.
    """

    tables: dict[int, str]
    playing: dict[int, str]
    others: dict[int, str]


@require_safe
@championship_page()
def beside(page: PageContext, number: int, table: int) -> HttpResponse:
    """Render the most interesting other tables as a part of a table's page; `?q=`: instead, tables with this
    number or a person of this name.
    """
    cache_version, round_ = page.load_cache_version(), page.find_round(number)
    hall_filter = HallFilter.asked(page.request.GET)._replace(only="")

    def make() -> str:
        shared = _shared_tables(page, cache_version, round_)
        shown = shared.tables if not hall_filter.query else _search_tables(page, round_, hall_filter)
        following = find_next_table(table, shared.playing) or find_next_table(table, shared.others)
        pieces = [as_safe_html(text) for at, text in shown.items() if at != table]
        context = {
            "tables": pieces[: FOUND if hall_filter.query else TABLES_AT_ONCE],
            "following": following,
            "more": len(shared.others) - 1 > TABLES_AT_ONCE,
            "sought": hall_filter.query,
        }
        return page.render_fragment(PART, context)

    return page.respond_with_part(
        f"beside {round_.pk} {table} {hall_filter.query!r}", cache_version, MARKS, make
    )


def _shared_tables(page: PageContext, cache_version: CacheVersion, round_: Round) -> _Beside:
    """Return the shared data of this round, from the cache if possible."""

    def make() -> _Beside:
        tables = list_open_tables(load_hall(round_, timezone.now()))
        playing = {one.number: one.game for one in tables if not one.over}
        others = {one.number: one.game for one in tables}
        front = list_most_interesting(tables, TABLES_AT_ONCE + 1, round_.featured)
        return _Beside(_render_tables(page, round_, tables, front), playing, others)

    return page.get_or_make_fragment(
        "beside", cache_version, (round_.pk,), cache_version.marks(*MARKS), make, _Beside
    )


def _search_tables(page: PageContext, round_: Round, hall_filter: HallFilter) -> dict[int, str]:
    """Return number → HTML of the tables that match a search. The result is not cached."""
    tables = list_open_tables(load_hall(round_, timezone.now()))
    matching = list_most_interesting(
        [one for one in hall_filter.chosen(round_, tables) if one.game], FOUND + 1
    )
    return _render_tables(page, round_, tables, matching)


def _render_tables(
    page: PageContext, round_: Round, tables: list[Glance], shown: list[Glance]
) -> dict[int, str]:
    made = build_thumbnails(shown, find_featured(tables, round_.featured), timezone.now())
    context = {"championship": page.championship}
    return {one.table.number: render_to_string(THUMBNAIL, {**context, "one": one}) for one in made}
