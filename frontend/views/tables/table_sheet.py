"""/g/<game>/sheet/: Results of a table with real cards, typed by its people on a phone, or by the desk."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from frontend.presenters.tables.table_page import page_at_table
from games.models import Game
from tournaments.models import Round
from tournaments.permissions import may
from tournaments.services.scores import desk_results


@require_safe
def table_sheet(request: HttpRequest, game_id: str) -> HttpResponse:
    """Render the sheet for everybody: with fields for people who may write it, and for the desk with links to
    all results and the next sheet.
    """
    table = page_at_table(request, game_id)
    if table.game.mode != Game.Mode.SHEET:
        writes = table.scorer and table.game.mode == Game.Mode.TRANSCRIBED
        return redirect("table_transcribe" if writes else "table_live", game_id)
    who = {"seats": table.writing_seats(), "desk": table.desk}
    context = table.context(request, "sheet", **who)
    place, round_ = context["tournament_table"], context["round"]
    is_open = round_ is not None and round_.status == Round.Status.OPEN
    if table.desk and is_open and may(table.principal.user, "enter", round_.championship):
        grid = reverse("round_results", args=[round_.championship.slug, round_.number])
        context["results"] = f"{grid}#table-{place.number}"
        context["next_sheet"] = desk_results.next_sheet(round_, place.number)
    return render(request, "pages/table_sheet.html", context)
