"""/g/<game>/replay/: A game, event by event. `?at=17` in a link selects a moment; the moment that the page
shows is in the URL's fragment.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from frontend.presenters.tables.table_page import page_at_table
from frontend.views.numbers import MAX_NUMBER, parse_bounded


@require_safe
def replay(request: HttpRequest, game_id: str) -> HttpResponse:
    """Render the page; its events come from the API, redacted for the current person."""
    table = page_at_table(request, game_id)
    at = parse_bounded(request.GET.get("at"), least=0, most=MAX_NUMBER, default=-1)
    moment = str(at) if 0 <= at <= table.game.head_seq else ""
    return render(request, "pages/replay.html", table.context(request, "replay") | {"moment": moment})
