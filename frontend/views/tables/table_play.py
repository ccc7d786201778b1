"""/g/<game>/play/: A player's own seat at a table dealt by the server. Others go to the live page or the
sheet.
"""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from frontend.presenters.tables.table_page import page_at_table
from frontend.views.championship_context import mark_uncacheable
from games.guests import find_own_table, is_guest_table
from games.live import viewer_count
from games.models import Game
from games.play import waiting_for_players
from tournaments.services.entries import personal_links


@require_safe
def table_clock(request: HttpRequest, game_id: str) -> HttpResponse:
    """Answer a page that polls because the clock of its table waits: 204, or a reload once the clock runs."""
    table = page_at_table(request, game_id)
    answer = mark_uncacheable(HttpResponse(status=204))
    if not table.game.clock_waits:
        answer = mark_uncacheable(HttpResponse())
        answer.headers["HX-Refresh"] = "true"
    return answer


@require_safe
def table_play(request: HttpRequest, game_id: str) -> HttpResponse:
    """Render the page without the hand, which arrives over this seat's socket only. Mark the player as
    present.
    """
    try:
        table = page_at_table(request, game_id)
    except Http404:
        elsewhere = find_own_table(request.session)
        if elsewhere is None or elsewhere.pk == game_id:
            raise
        return redirect("table_play", elsewhere.pk)  # The table that this person played at before is gone.
    if table.seat is None or table.game.mode != Game.Mode.DEALT:
        return redirect("table_sheet" if table.game.mode == Game.Mode.SHEET else "table_live", game_id)
    waiting_for_players.come_to_table(table.game, table.seat)
    guest = table.principal.token is not None and is_guest_table(table.game)
    watching = viewer_count.count_viewers([table.game.pk])[table.game.pk]
    more = {"tip": reverse("tip", args=[game_id])} if guest else {}
    facts = {"clock": table.clock(), "watching": watching, **more}
    waits = personal_links.link_of_session(request.session) is not None
    context = {**table.context(request, "play", **facts), "guest": guest, "waiting_room": waits}
    return render(request, "pages/table_play.html", context)
