"""/c/<slug>/board/: All tables of the open or last round for officials, spectators and the projector."""

import hashlib
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from frontend.fragment_cache import as_safe_html
from frontend.presenters.hall import HallFilter, load_current_tables, load_hall, paginate_hall
from frontend.presenters.playing_teams import load_playing_teams
from frontend.presenters.projected import TALL_AT_ONCE, load_wall
from frontend.presenters.script_sentences import catalogue
from frontend.presenters.tables import table_views
from frontend.views.championship_context import PageContext, championship_page, projector_view
from frontend.views.tiles import MARKS, is_own_round, load_tiles, loadown_table, page_within
from tournaments.models import Round, Table
from tournaments.services.current_regulations import load_regulations

BOARD_SECONDS = 5
"""Seconds after which the board computes anew how long each table has had no activity."""


@require_safe
@championship_page("board")
def board(frame: PageContext) -> HttpResponse:
    """Render the board, which is polled: first the tables with open disputes, then slow tables, finished
    ones last. `?page=2`: the next page; `?q=`, `?show=`: `HallFilter`.
    """
    cache_version, wanted = frame.cache_version(), HallFilter.asked(frame.request.GET)
    rounds = list(frame.championship.rounds.order_by("number"))
    begun = [r for r in rounds if r.status not in (Round.Status.PLANNED, Round.Status.DRAWN)]
    current = next((r for r in rounds if r.status == Round.Status.OPEN), begun[-1] if begun else None)
    page, now = page_within(current, frame.page_asked_for), timezone.now()
    directs = frame.roles.may_direct
    regulations = load_regulations(frame.championship)
    totals = regulations.hand_in == "totals"

    in_time = not is_own_round(frame, current)

    def make() -> str:
        hall = load_hall(current, now, in_office=in_time)
        ordered = sorted(hall.tables, key=lambda t: (not t.calls, t.over, not t.slow, t.number))
        shown = paginate_hall(wanted.chosen(current, ordered), page, wanted.tail)
        context = {
            "round": current,
            "round_open": current is not None and current.status == Round.Status.OPEN,
            "tables": table_views(
                load_current_tables(shown.tables, in_office=in_time),
                now,
                results=True,
                middle=hall.middle,
                totals=totals,
                teams=load_playing_teams(frame.championship, regulations),
            ),
            "hall": hall,
            "shown": shown,
            "directs": directs,
            "types": frame.roles.may_check_in,
        }
        return frame.rendered("parts/board_tables.html", context)

    # The displayed ages change without any event.
    beat = (page, int(now.timestamp()) // BOARD_SECONDS)
    of = (current.pk if current else None, page, (directs, frame.roles.may_check_in, in_time), wanted.only)
    mark = f"{cache_version.marks(*MARKS, 'office')} {beat}"
    # A personal search result is not shared.
    body = as_safe_html(make()) if wanted.query else frame.piece("board", cache_version, of, mark, make)
    if frame.is_partial:
        # Most refreshes change no text, so the ETag is a hash of the text.
        etag = hashlib.blake2b(body.encode(), digest_size=15).hexdigest()
        return frame.part("board", cache_version, (), lambda: body, more=etag)
    context = {"round": current, "board": body, "page": page, "now": now, "wanted": wanted}
    return frame.page("pages/board.html", context)


@require_safe
@championship_page()
def tables(frame: PageContext) -> HttpResponse:
    """Render the tables of the open or last round for spectators. `?page=2`: the next page; `?q=`, `?show=`:
    `HallFilter`.
    """
    cache_version, round_ = frame.cache_version(), _current_or_last_round(frame)
    wanted = HallFilter.asked(frame.request.GET)
    page = page_within(round_, frame.page_asked_for)

    def context() -> dict[str, Any]:
        tiles = load_tiles(frame, cache_version, round_, page=page, wanted=wanted)
        return {"tiles": tiles.pieces(loadown_table(frame, round_)), "shown": tiles.shown, "hall": tiles}

    if frame.is_partial:
        return frame.part(
            f"tables {round_.pk if round_ else 0} {page} {wanted.tail}",
            cache_version,
            MARKS,
            lambda: frame.rendered("parts/overview_tables.html", context()),
        )
    return frame.page("pages/tables.html", {"round": round_, "wanted": wanted, **context()})


@require_safe
@championship_page()
@projector_view
def tables_projector(frame: PageContext) -> HttpResponse:
    """Render a few tables with their scores for a projector; `?page=2`: the next ones."""
    cache_version, shown = frame.cache_version(), _current_or_last_round(frame)
    page = page_within(shown, frame.page_asked_for, TALL_AT_ONCE)

    def make() -> str:
        chosen = shown.featured if shown is not None else None
        teams = load_playing_teams(frame.championship, load_regulations(frame.championship))
        wall = load_wall(Table.objects.filter(round=shown), page, timezone.now(), chosen, teams)
        return frame.rendered("parts/projected_tables.html", {"round": shown, "wall": wall})

    of = (shown.pk if shown else None, page)
    body = frame.piece("projected tables", cache_version, of, cache_version.marks(*MARKS), make)
    if frame.is_partial:
        return frame.part(
            f"projected tables {shown.pk if shown else 0} {page}", cache_version, MARKS, lambda: body
        )
    return frame.page("pages/tables_projector.html", {"projected": body, "words": catalogue("projector")})


@require_safe
@championship_page()
def announcement(frame: PageContext) -> HttpResponse:
    """Render the director's announcement, a part of the projectors' pages and of the pages of rounds."""

    def make() -> str:
        return frame.rendered("parts/announcement.html", {})

    return frame.part("announcement", frame.cache_version(), ("frame",), make)


def _current_or_last_round(frame: PageContext) -> Round | None:
    """Return the open round, else the last closed one; None if there is neither."""
    rounds = frame.championship.rounds
    open_round = rounds.filter(status=Round.Status.OPEN).first()
    return open_round or rounds.filter(status=Round.Status.CLOSED).order_by("-number").first()
