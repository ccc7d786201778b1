"""/guest/: a table against bots, at one press and without an account."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from engine import Refused
from frontend.presenters.refusals import sentence_of
from frontend.presenters.rules import games
from frontend.views.championship_context import kept_nowhere
from games.play.guests import open_guest_table
from games.signals import budgets

LONGEST: Final = 40
STATUS: Final = {
    "guests/no_such_game": 400,
    "guests/has_a_seat": 403,
    "guests/too_many_tables": 429,
    "guests/disk_low": 503,
}


@require_POST
def guest_table(request: HttpRequest) -> HttpResponse:
    """At the table, or the same page with the reason why not."""
    try:
        game = open_guest_table(
            request.POST.get("game", "")[:LONGEST], request.session, budgets.address_of(request)
        )
    except Refused as error:
        context = {
            "games": games(),
            "refusal": {"sentence": sentence_of(error), "code": error.code},
        }
        return kept_nowhere(
            render(request, "pages/guest_table.html", context, status=STATUS.get(error.code, 403))
        )
    return kept_nowhere(redirect("table_play", game.pk))
