"""/c/<slug>/board/: All tables of the open rounds, or the last, for officials, spectators and projectors."""

import hashlib
from collections.abc import Sequence
from typing import Any, TypeVar

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from frontend.fragment_cache import as_safe_html
from frontend.presenters.hall import HallFilter, HallPage, load_current_tables, load_hall, paginate_hall
from frontend.presenters.playing_teams import load_playing_teams
from frontend.presenters.projected import TALL_AT_ONCE, load_wall
from frontend.presenters.script_sentences import catalogue
from frontend.presenters.tables import table_views
from frontend.views.championship_context import PageContext, championship_page, projector_view
from frontend.views.tiles import MARKS, is_own_round, load_tiles, loadown_table, page_within
from tournaments.models import Round
from tournaments.services.current_regulations import load_regulations

Section = TypeVar("Section")
BOARD_SECONDS = 5
"""Seconds after which the board computes anew how long each table has had no activity."""


@require_safe
@championship_page("board")
def board(frame: PageContext) -> HttpResponse:
    """Render the board, which is polled: of each open round, else of the last one, first the tables with open
    disputes, then slow tables, finished ones last. `?page=2`: the next page; `?q=`, `?show=`: `HallFilter`.
    """
    cache_version, wanted = frame.cache_version(), HallFilter.asked(frame.request.GET)
    rounds = _open_or_last_rounds(frame)
    page, now = _page_within(rounds, frame.page_asked_for), timezone.now()
    directs = frame.roles.may_direct
    regulations = load_regulations(frame.championship)
    totals = regulations.hand_in == "totals"

    in_time = {round_.pk: not is_own_round(frame, round_) for round_ in rounds}

    def section(round_: Round) -> tuple[HallPage, dict[str, Any]]:
        hall = load_hall(round_, now, in_office=in_time[round_.pk])
        ordered = sorted(hall.tables, key=lambda t: (not t.calls, t.over, not t.slow, t.number))
        shown = paginate_hall(wanted.chosen(round_, ordered), page, wanted.tail)
        return shown, {
            "round": round_,
            "round_open": round_.status == Round.Status.OPEN,
            "tables": table_views(
                load_current_tables(shown.tables, in_office=in_time[round_.pk]),
                now,
                results=True,
                middle=hall.middle,
                totals=totals,
                teams=load_playing_teams(frame.championship, regulations),
            ),
            "hall": hall,
        }

    def make() -> str:
        sections, shown = _on_page([section(round_) for round_ in rounds], wanted.tail)
        context = {
            "sections": sections,
            "several": len(rounds) > 1,
            "shown": shown,
            "directs": directs,
            "types": frame.roles.may_check_in,
        }
        return frame.rendered("parts/board_tables.html", context)

    # The displayed ages change without any event.
    beat = (page, int(now.timestamp()) // BOARD_SECONDS)
    of = (*in_time.items(), page, (directs, frame.roles.may_check_in), wanted.only)
    mark = f"{cache_version.marks(*MARKS, 'office')} {beat}"
    # A personal search result is not shared.
    body = as_safe_html(make()) if wanted.query else frame.piece("board", cache_version, of, mark, make)
    if frame.is_partial:
        # Most refreshes change no text, so the ETag is a hash of the text.
        etag = hashlib.blake2b(body.encode(), digest_size=15).hexdigest()
        return frame.part("board", cache_version, (), lambda: body, more=etag)
    context = {"rounds": rounds, "board": body, "page": page, "now": now, "wanted": wanted}
    return frame.page("pages/board.html", context)


@require_safe
@championship_page()
def tables(frame: PageContext) -> HttpResponse:
    """Render the tables of the open rounds, else of the last one, for spectators. `?page=2`: the next page of
    each; `?q=`, `?show=`: `HallFilter`.
    """
    cache_version, rounds = frame.cache_version(), _open_or_last_rounds(frame)
    wanted = HallFilter.asked(frame.request.GET)
    page = _page_within(rounds, frame.page_asked_for)

    def context() -> dict[str, Any]:
        loaded = [load_tiles(frame, cache_version, round_, page=page, wanted=wanted) for round_ in rounds]
        sections, shown = _on_page(
            [
                (tiles.shown, (round_, tiles.pieces(loadown_table(frame, round_))))
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

    if frame.is_partial:
        return frame.part(
            f"tables {[round_.pk for round_ in rounds]} {page} {wanted.tail}",
            cache_version,
            MARKS,
            lambda: frame.rendered("parts/overview_tables.html", context()),
        )
    return frame.page("pages/tables.html", {"rounds": rounds, "wanted": wanted, **context()})


@require_safe
@championship_page()
@projector_view
def tables_projector(frame: PageContext) -> HttpResponse:
    """Render a few tables of an open round, else of the last one, with their scores for a projector;
    `?page=2`: the next ones.
    """
    cache_version, rounds = frame.cache_version(), _open_or_last_rounds(frame)
    asked = frame.page_asked_for
    page = min(asked, sum(page_within(round_, asked, TALL_AT_ONCE) for round_ in rounds) or 1)

    def make() -> str:
        teams = load_playing_teams(frame.championship, load_regulations(frame.championship))
        shown, wall = load_wall(rounds, page, timezone.now(), teams)
        return frame.rendered("parts/projected_tables.html", {"round": shown, "wall": wall})

    of = (*(round_.pk for round_ in rounds), page)
    body = frame.piece("projected tables", cache_version, of, cache_version.marks(*MARKS), make)
    if frame.is_partial:
        return frame.part(f"projected tables {of}", cache_version, MARKS, lambda: body)
    return frame.page("pages/tables_projector.html", {"projected": body, "words": catalogue("projector")})


@require_safe
@championship_page()
def announcement(frame: PageContext) -> HttpResponse:
    """Render the director's announcement, a part of the projectors' pages and of the pages of rounds."""

    def make() -> str:
        return frame.rendered("parts/announcement.html", {})

    return frame.part("announcement", frame.cache_version(), ("frame",), make)


def _open_or_last_rounds(frame: PageContext) -> list[Round]:
    """Return the open rounds by number (sessions may overlap), else the last closed one; an empty list if
    there is neither.
    """
    rounds = frame.championship.rounds
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
