"""/g/<game>/transcribe/: A deal with real cards, recorded card by card."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from frontend.presenters.tables.table_page import page_at_table
from games.models import Game


@require_safe
def table_transcribe(request: HttpRequest, game_id: str) -> HttpResponse:
    """Render the page for the table's scorer; redirect everybody else to the live page."""
    table = page_at_table(request, game_id)
    if table.game.mode != Game.Mode.TRANSCRIBED or not table.scorer:
        return redirect("table_live", game_id)
    return render(request, "pages/table_transcribe.html", table.context(request, "transcribe"))
