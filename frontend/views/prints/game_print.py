"""/g/<game>/print/: A game as a page for print. /g/<game>/notation.txt: The game in notation."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from frontend.preferences import read_preference
from frontend.presenters.tables.game_page import game_page
from frontend.presenters.tables.table_page import page_at_table
from games.observed import export


@require_safe
def game_print(request: HttpRequest, game_id: str) -> HttpResponse:
    """Render the whole game, redacted for the requesting person."""
    table = page_at_table(request, game_id)
    page = game_page(table.game, table.observer, table.names, read_preference(request, "deck"))
    return _mark_private(render(request, "pages/game_print.html", table.place() | {"page": page}))


@require_safe
def game_notation(request: HttpRequest, game_id: str) -> HttpResponse:
    """Return the game in notation, redacted for the requesting person, with one line for each decision."""
    table = page_at_table(request, game_id)
    body = export.notation(table.game, table.observer)
    named = {"Content-Disposition": f'attachment; filename="{table.game.pk}.txt"'}
    return _mark_private(HttpResponse(body, content_type="text/plain; charset=utf-8", headers=named))


def _mark_private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, no-store"
    return response
