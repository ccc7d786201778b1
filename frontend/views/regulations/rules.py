"""/rules/: The rules of the games, in the reader's language and deck."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from engine import VARIANTS
from frontend.preferences import read_preference
from frontend.presenters.regulations.rules import list_games, rules_context


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """List all games."""
    return render(request, "pages/rules.html", {"games": list_games()})


@require_safe
def rules_game(request: HttpRequest, key: str) -> HttpResponse:
    """Render the rules of one game, with an anchor for each section and each option."""
    if key not in VARIANTS:
        raise Http404(_("There is no such game."))
    return render(request, "pages/rules_game.html", rules_context(key, read_preference(request, "deck")))
