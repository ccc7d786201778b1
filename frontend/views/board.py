"""/c/<slug>/board/: All tables of the open or last round for officials and spectators."""

import hashlib
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from frontend.fragment_cache import as_safe_html
from frontend.presenters.names.playing_teams import load_playing_teams
from frontend.presenters.tables.hall import HallFilter, load_current_tables, load_hall, paginate_hall
from frontend.presenters.tables.tables import table_views
from frontend.views.championship_context import PageContext, championship_page
from frontend.views.tiles import MARKS, is_own_round, load_own_table, load_tiles, page_within
from tournaments.models import Round
from tournaments.services.current_regulations import regulations_of

BOARD_SECONDS = 5
"""Seconds after which the board computes anew how long each table has had no activity."""


@require_safe
@championship_page("board")
def board(page: PageContext) -> HttpResponse:
    """Render the board, which is polled: first the tables with open disputes, then slow tables, finished
    ones last. `?page=2`: the next page; `?q=`, `?show=`: `HallFilter`.
    """
    edition, wanted = page.load_edition(), HallFilter.asked(page.request.GET)
    rounds = list(page.championship.rounds.order_by("number"))
    begun = [r for r in rounds if r.status not in (Round.Status.PLANNED, Round.Status.DRAWN)]
    current = next((r for r in rounds if r.status == Round.Status.OPEN), begun[-1] if begun else None)
    page_number, now = page_within(current, page.page_number), timezone.now()
    directs = page.roles.may_direct
    regulations = regulations_of(page.championship)
    totals = regulations.hand_in == "totals"

    in_time = not is_own_round(page, current)

    def make() -> str:
        hall = load_hall(current, now, in_office=in_time)
        ordered = sorted(hall.tables, key=lambda t: (not t.calls, t.over, not t.slow, t.number))
        shown = paginate_hall(wanted.chosen(current, ordered), page_number, wanted.tail)
        context = {
            "round": current,
            "round_open": current is not None and current.status == Round.Status.OPEN,
            "tables": table_views(
                load_current_tables(shown.tables, in_office=in_time),
                now,
                results=True,
                middle=hall.middle,
                totals=totals,
                teams=load_playing_teams(page.championship, regulations),
            ),
            "hall": hall,
            "shown": shown,
            "directs": directs,
            "types": page.roles.may_check_in,
        }
        return page.render_fragment("parts/board_tables.html", context)

    # The displayed ages change without any event.
    beat = (page_number, int(now.timestamp()) // BOARD_SECONDS)
    of = (
        current.pk if current else None,
        page_number,
        (directs, page.roles.may_check_in, in_time),
        wanted.only,
    )
    mark = f"{edition.marks(*MARKS, 'office')} {beat}"
    # A personal search result is not shared.
    body = as_safe_html(make()) if wanted.query else page.get_or_make_html("board", edition, of, mark, make)
    if page.is_partial:
        # Most refreshes change no text, so the ETag is a hash of the text.
        etag = hashlib.blake2b(body.encode(), digest_size=15).hexdigest()
        return page.respond_with_part("board", edition, (), lambda: body, more=etag)
    context = {"round": current, "board": body, "page": page_number, "now": now, "wanted": wanted}
    return page.render("pages/board.html", context)


@require_safe
@championship_page()
def tables(page: PageContext) -> HttpResponse:
    """Render the tables of the open or last round for spectators. `?page=2`: the next page; `?q=`, `?show=`:
    `HallFilter`.
    """
    edition, round_ = page.load_edition(), find_current_or_last_round(page)
    wanted = HallFilter.asked(page.request.GET)
    page_number = page_within(round_, page.page_number)

    def context() -> dict[str, Any]:
        tiles = load_tiles(page, edition, round_, page_number=page_number, wanted=wanted)
        return {"tiles": tiles.pieces(load_own_table(page, round_)), "shown": tiles.shown, "hall": tiles}

    if page.is_partial:
        return page.respond_with_part(
            f"tables {round_.pk if round_ else 0} {page_number} {wanted.tail}",
            edition,
            MARKS,
            lambda: page.render_fragment("parts/overview_tables.html", context()),
        )
    return page.render("pages/tables.html", {"round": round_, "wanted": wanted, **context()})


@require_safe
@championship_page()
def announcement(page: PageContext) -> HttpResponse:
    """Render the director's announcement, a part of the projectors' pages and of the pages of rounds."""

    def make() -> str:
        return page.render_fragment("parts/announcement.html", {})

    return page.respond_with_part("announcement", page.load_edition(), ("frame",), make)


def find_current_or_last_round(page: PageContext) -> Round | None:
    """Return the open round, else the last closed one; None if there is neither."""
    rounds = page.championship.rounds
    open_round = rounds.filter(status=Round.Status.OPEN).first()
    return open_round or rounds.filter(status=Round.Status.CLOSED).order_by("-number").first()
