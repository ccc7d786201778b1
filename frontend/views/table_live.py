"""/g/<game>/: a table as spectators see it. Those who play or write are shown the way to their own page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from frontend.presenters.table_page import page_at_table


@require_GET
def table_live(request: HttpRequest, game_id: str) -> HttpResponse:
    """Cards come over the socket only, redacted for whoever looks."""
    table = page_at_table(request, game_id)
    open_hands = table.observer.sees_all_of(table.game.deal)
    context = table.context(request, "live-table", open_hands=open_hands, clock=table.clock())
    if context["tournament_table"] is not None:
        seatings = context["tournament_table"].seatings.select_related("entry").order_by("seat")
        context["people"] = [seating.entry for seating in seatings]
    return render(request, "pages/table_live.html", context)
