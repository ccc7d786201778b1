"""/guest/: Start a table against bots without an account."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from engine import Refused
from frontend.presenters.regulations.rules import list_games
from frontend.presenters.words.refusals import describe_refusal
from frontend.views.championship_context import mark_uncacheable
from games.guests import open_guest_table
from games.messaging import rate_limit
from tournaments import names

MAX_GAME_KEY_LENGTH: Final = 40
MAX_NAME_LENGTH: Final = 20
STATUS: Final = {
    "guests/no_such_game": 400,
    "guests/has_a_seat": 403,
    "guests/too_many_tables": 429,
    "guests/disk_low": 503,
    "names/too_long": 409,
    "names/forbidden_characters": 409,
}


@require_POST
def guest_table(request: HttpRequest) -> HttpResponse:
    """Start a table and redirect to it; if that is refused, show a page with the reason. Without a field
    `name` the guest keeps the previous name.
    """
    try:
        said = request.POST.get("name")
        name = None if said is None else names.clean(said, longest=MAX_NAME_LENGTH)
        asked_for = request.POST.get("game", "")[:MAX_GAME_KEY_LENGTH]
        game = open_guest_table(asked_for, request.session, rate_limit.address_of(request), name=name)
    except Refused as error:
        context = {
            "games": list_games(),
            "refusal": describe_refusal(error),
        }
        return mark_uncacheable(
            render(request, "pages/guest_table.html", context, status=STATUS.get(error.code, 403))
        )
    return mark_uncacheable(redirect("table_play", game.pk))
