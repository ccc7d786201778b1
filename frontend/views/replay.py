"""/g/<game>/replay/: a game moment by moment. A link leads to a moment by `?at=17`; the one that is looked at
stands in the fragment.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from frontend.presenters.table_page import page_at_table
from frontend.views.embeds import LAST_SEQ
from frontend.views.numbers import whole


@require_safe
def replay(request: HttpRequest, game_id: str) -> HttpResponse:
    """The events come from the API, as whoever looks may see them now."""
    table = page_at_table(request, game_id)
    at = whole(request.GET.get("at"), least=0, most=LAST_SEQ, default=-1)
    moment = str(at) if 0 <= at <= table.game.head_seq else ""
    return render(request, "pages/replay.html", table.context(request, "replay") | {"moment": moment})
