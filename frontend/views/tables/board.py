"""/c/<slug>/board/: All tables of the open rounds, or the last, for officials and spectators."""

import hashlib
from collections.abc import Sequence
from typing import Any, TypeVar

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from frontend.fragment_cache import as_safe_html
from frontend.presenters.names.playing_teams import load_playing_teams
from frontend.presenters.tables.hall import (
    HallFilter,
    HallPage,
    load_current_tables,
    load_hall,
    paginate_hall,
)
from frontend.presenters.tables.tables import table_views
from frontend.views.championship_context import PageContext, championship_page
from frontend.views.tables.tiles import MARKS, is_own_round, load_own_table, load_tiles, page_within
from tournaments.models import Round
from tournaments.services.current_regulations import load_regulations

Section = TypeVar("Section")
BOARD_SECONDS = 5
"""Seconds after which the board computes anew how long each table has had no activity."""


@require_safe
@championship_page("board")
def board(page: PageContext) -> HttpResponse:
    """Render the board, which is polled: of each open round, else of the last one, first the tables with open
    disputes, then slow tables, finished ones last. `?page=2`: the next page; `?q=`, `?show=`: `HallFilter`.
    """
    cache_version, hall_filter = page.load_cache_version(), HallFilter.asked(page.request.GET)
    rounds = list_open_or_last_rounds(page)
    page_number, now = _page_within(rounds, page.page_number), timezone.now()
    directs = page.roles.may_direct
    regulations = load_regulations(page.championship)
    totals = regulations.hand_in == "totals"

    in_time = {round_.pk: not is_own_round(page, round_) for round_ in rounds}

    def section(round_: Round) -> tuple[HallPage, dict[str, Any]]:
        hall = load_hall(round_, now, in_office=in_time[round_.pk])
        ordered = sorted(hall.tables, key=lambda t: (not t.calls, t.over, not t.slow, t.number))
        shown = paginate_hall(hall_filter.chosen(round_, ordered), page_number, hall_filter.tail)
        return shown, {
            "round": round_,
            "round_open": round_.status == Round.Status.OPEN,
            "tables": table_views(
                load_current_tables(shown.tables, in_office=in_time[round_.pk]),
                now,
                results=True,
                middle=hall.middle,
                totals=totals,
                teams=load_playing_teams(page.championship, regulations),
            ),
            "hall": hall,
        }

    def make() -> str:
        sections, shown = _on_page([section(round_) for round_ in rounds], hall_filter.tail)
        context = {
            "sections": sections,
            "several": len(rounds) > 1,
            "shown": shown,
            "directs": directs,
            "types": page.roles.may_check_in,
        }
        return page.render_fragment("parts/board_tables.html", context)

    # The displayed ages change without any event.
    beat = (page_number, int(now.timestamp()) // BOARD_SECONDS)
    of = (*in_time.items(), page_number, (directs, page.roles.may_check_in), hall_filter.only)
    mark = f"{cache_version.marks(*MARKS, 'office')} {beat}"
    # A personal search result is not shared.
    body = (
        as_safe_html(make())
        if hall_filter.query
        else page.get_or_make_html("board", cache_version, of, mark, make)
    )
    if page.is_partial:
        # Most refreshes change no text, so the ETag is a hash of the text.
        etag = hashlib.blake2b(body.encode(), digest_size=15).hexdigest()
        return page.respond_with_part("board", cache_version, (), lambda: body, more=etag)
    context = {"rounds": rounds, "board": body, "page": page_number, "now": now, "wanted": hall_filter}
    return page.render("pages/board.html", context)


@require_safe
@championship_page()
def tables(page: PageContext) -> HttpResponse:
    """Render the tables of the open rounds, else of the last one, for spectators. `?page=2`: the next page of
    each; `?q=`, `?show=`: `HallFilter`.
    """
    cache_version, rounds = page.load_cache_version(), list_open_or_last_rounds(page)
    wanted = HallFilter.asked(page.request.GET)
    page_number = _page_within(rounds, page.page_number)

    def context() -> dict[str, Any]:
        loaded = [
            load_tiles(page, cache_version, round_, page_number=page_number, wanted=wanted)
            for round_ in rounds
        ]
        sections, shown = _on_page(
            [
                (tiles.shown, (round_, tiles.pieces(load_own_table(page, round_))))
                for round_, tiles in zip(rounds, loaded, strict=True)
                if tiles.tables
            ],
            wanted.tail,
        )
        return {
            "sections": sections,
            "several": len(rounds) > 1,
            "shown": shown,
            "table_count": sum(tiles.tables for tiles in loaded),
        }

    if page.is_partial:
        return page.respond_with_part(
            f"tables {[round_.pk for round_ in rounds]} {page_number} {wanted.tail}",
            cache_version,
            MARKS,
            lambda: page.render_fragment("parts/overview_tables.html", context()),
        )
    return page.render("pages/tables.html", {"rounds": rounds, "wanted": wanted, **context()})


@require_safe
@championship_page()
def announcement(page: PageContext) -> HttpResponse:
    """Render the director's announcement, a part of the projectors' pages and of the pages of rounds."""

    def make() -> str:
        return page.render_fragment("parts/announcement.html", {})

    return page.respond_with_part("announcement", page.load_cache_version(), ("frame",), make)


def list_open_or_last_rounds(page: PageContext) -> list[Round]:
    """Return the open rounds by number (sessions may overlap), else the last closed one; an empty list if
    there is neither.
    """
    rounds = page.championship.rounds
    opened = list(rounds.filter(status=Round.Status.OPEN).order_by("number"))
    return opened or list(rounds.filter(status=Round.Status.CLOSED).order_by("-number")[:1])


def _page_within(rounds: Sequence[Round], page: int) -> int:
    """Return the page number, at most that of the last page of these rounds."""
    return max((page_within(round_, page) for round_ in rounds), default=1)


def _on_page(found: Sequence[tuple[HallPage, Section]], tail: str) -> tuple[list[Section], HallPage]:
    """Return the sections of the rounds that have this page, and the links to the other pages."""
    page = max((shown.page for shown, _section in found), default=1)
    pages = max((shown.pages for shown, _section in found), default=1)
    return [section for shown, section in found if shown.page == page], HallPage([], page, pages, tail)
