"""/g/<game>/transcribe/: a physical deal written down card by card."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from frontend.presenters.table_page import page_at_table
from games.models import Game


@require_safe
def table_transcribe(request: HttpRequest, game_id: str) -> HttpResponse:
    """For the scorer of the table; everybody else watches."""
    table = page_at_table(request, game_id)
    if table.game.mode != Game.Mode.TRANSCRIBED or not table.scorer:
        return redirect("table_live", game_id)
    return render(request, "pages/table_transcribe.html", table.context(request, "transcribe"))
