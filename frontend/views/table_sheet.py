"""/g/<game>/sheet/: results of a physical table, typed on a phone and countersigned by the other side."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from frontend.presenters.table_page import page_at_table
from games.models import Game


@require_GET
def table_sheet(request: HttpRequest, game_id: str) -> HttpResponse:
    """Everybody may read the sheet; who may sign for a seat gets the fields."""
    table = page_at_table(request, game_id)
    if table.game.mode != Game.Mode.SHEET:
        writes = table.scorer and table.game.mode == Game.Mode.TRANSCRIBED
        return redirect("table_transcribe" if writes else "table_live", game_id)
    who = {"seats": table.writing_seats(), "desk": table.desk}
    return render(request, "pages/table_sheet.html", table.context(request, "sheet", **who))
