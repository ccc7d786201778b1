"""/g/<game>/replay/: a game moment by moment. The moment stands in the fragment and can be linked to."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from frontend.presenters.table_page import page_at_table


@require_GET
def replay(request: HttpRequest, game_id: str) -> HttpResponse:
    """The events come from the API, as whoever looks may see them now."""
    table = page_at_table(request, game_id)
    return render(request, "pages/replay.html", table.context(request, "replay"))
