"""/t/table/: Choose the side for which a phone writes, after a table code has opened it. /g/<game>/next/: The
seats of a table's players in the next round.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from frontend.presenters.rounds.next_seats import load_next_seats
from frontend.presenters.tables.table_page import page_at_table
from frontend.presenters.words.refusals import refusals_as_messages
from frontend.views.championship_context import build_page_context, mark_uncacheable
from frontend.views.numbers import parse_bounded
from games.models import Game
from games.rights import tokens
from tournaments.models import Round, Table
from tournaments.services.current_regulations import load_regulations
from tournaments.services.entries.seat_codes import seats_of_place
from tournaments.services.people import name_visibility
from tournaments.services.table_access import phones, table_codes

MAX_SIDES = 8


@require_http_methods(["GET", "HEAD", "POST"])
def at_table(request: HttpRequest) -> HttpResponse:
    """Ask for which side this phone writes in the open round. POST `place` chooses a side and redirects to
    the sheet or transcript. If there is only one side, the first GET chooses it. Without an open round, show
    the next seats of the last table's people.
    """
    phone = phones.phone_of_session(request.session)
    if phone is None:
        return redirect("open_table")
    if request.method == "POST":
        where = "at_table"
        with refusals_as_messages(request):
            place = parse_bounded(request.POST.get("place"), least=0, most=MAX_SIDES, default=MAX_SIDES)
            where = _page_url(phones.write_for(phone, place, request.session))
        return mark_uncacheable(redirect(where))
    code = phone.code
    name_visibility.grant_full_names(code.championship_id)
    open_now = table_codes.find_open_table(code)
    sides = phones.sides_for_phones(open_now) if open_now and table_codes.takes_codes(open_now) else []
    written = phones.writing_token(phone, open_now.game) if open_now and open_now.game else None
    if open_now is not None and len(sides) == 1 and written is None:
        table = phones.write_for(phone, 0, request.session)
        return mark_uncacheable(redirect(_page_url(table)))
    context = {
        "code": code,
        "championship": code.championship,
        "round": open_now.round if open_now else None,
        "dealt": open_now is not None and not sides,
        "sides": sides,
        "alone": all(len(side.people) < 2 for side in sides),
        "own": written.seat if written else None,
        "page": _page_url(open_now) if open_now and written else "",
        "last_game": None if open_now else _last_game(request, code.championship_id),
    }
    template = "parts/at_table.html" if request.headers.get("HX-Request") else "pages/at_table.html"
    return mark_uncacheable(render(request, template, context))


@require_safe
def next_seats(request: HttpRequest, game_id: str) -> HttpResponse:
    """Render the seats of the table's people in the next round, a polled part of their table pages; empty
    until the round is over or the next one is drawn.
    """
    table_page = page_at_table(request, game_id)
    table = get_object_or_404(Table.objects.select_related("round__championship"), game=table_page.game)
    page = build_page_context(request, table.round.championship, by_code=table_page.takes_part)
    cache_version = page.load_cache_version()
    chairs = {
        chair for role in table_page.roles for chair in seats_of_place(table_page.game, role.role, role.seat)
    }

    def make() -> str:
        seats = load_next_seats(table, chairs, load_regulations(page.championship))
        return page.render_fragment("parts/next_seats.html", {"next": seats, "round": table.round})

    mine = "".join(map(str, sorted(chairs)))
    return page.respond_with_part(f"next {table.pk} {mine}", cache_version, ("frame", "people"), make)


def _page_url(table: Table) -> str:
    name = "table_transcribe" if table.mode == Game.Mode.TRANSCRIBED else "table_sheet"
    return reverse(name, args=[table.game_id])


def _last_game(request: HttpRequest, championship: int) -> str | None:
    """Return the id of the game for which this phone wrote last, if its round, in this championship, is not
    open.
    """
    token = tokens.of_session(request.session)
    if token is None:
        return None
    here = Table.objects.filter(game=token.game_id, round__championship=championship)
    return token.game_id if here.exclude(round__status=Round.Status.OPEN).exists() else None
