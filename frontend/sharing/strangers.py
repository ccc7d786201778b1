"""Pages for whoever knows nothing but an address: nobody is signed in here, names are those shown in public,
what is private is not there, and a refusal is its code as JSON.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.translation import get_language, override
from django.views.decorators.clickjacking import xframe_options_exempt

from frontend.presenters.errors import sentence_for
from frontend.presenters.refusals import sentence_of
from games.error_responses import answer_to
from games.errors import NotOffered, UnknownGame
from games.models import Game
from games.rights import access, claims
from tournaments.models import Championship, Table
from tournaments.names.readers import reading_for
from tournaments.services import public_names

P = ParamSpec("P")
NOBODY = claims.Principal(None, None)


class NotShared(UnknownGame):
    """There is nothing of that address for everybody; whether there is something for others is not told."""

    code = "sharing/not_public"


def for_strangers(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Whoever asks reads what an outsider reads."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        with reading_for(public_names.outsider()):
            try:
                return view(request, *args, **kwargs)
            except (UnknownGame, NotOffered) as refusal:
                told = {"code": refusal.code, "detail": sentence_for(refusal.code)}
                return JsonResponse(told, status=answer_to(refusal).status)

    return wrapped


def elsewhere(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[..., HttpResponseBase]:
    """A page that may stand in any other: the same, with a refusal that people can read. No template of such
    a page gets the request, so none of them knows of a session or a token.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        with reading_for(public_names.outsider()):
            try:
                answer = view(request, *args, **kwargs)
            except UnknownGame as refusal:
                with language_asked_for(request, None):
                    context = {"sentence": sentence_of(refusal), "code": refusal.code}
                    body = render_to_string("elsewhere/refused.html", context)
                    answer = HttpResponse(body, status=answer_to(refusal).status)
        answer.headers.setdefault("Cache-Control", "no-cache")
        return answer

    return xframe_options_exempt(csp_replace({"frame-ancestors": ["*"]})(wrapped))


def language_asked_for(request: HttpRequest, championship: Championship | None) -> override:
    """`?lang=de`; without it the language of the championship."""
    asked = request.GET.get("lang", "")
    if asked in dict(settings.LANGUAGES):
        return override(asked)
    return override(championship.language if championship is not None else get_language())


def in_language_of(championship: Championship | None) -> override:
    """A link is shown to people of whom nothing is known: its picture speaks the championship's language."""
    return override(championship.language if championship is not None else None)


def public_championship(slug: str) -> Championship:
    """Raises NotShared where there is none for everybody."""
    found = Championship.objects.filter(slug=slug, public=True).first()
    if found is None:
        raise NotShared("there is nothing for everybody here")
    return found


def public_game(game_id: str) -> tuple[Game, Table | None]:
    """The game, and its table in a championship. Raises NotShared where strangers may not watch."""
    try:
        game = access.game_for(NOBODY, game_id)
    except UnknownGame:
        raise NotShared("there is nothing for everybody here") from None
    place = Table.objects.filter(game=game).select_related("round__championship").first()
    if not for_everybody(game, place):
        raise NotShared("there is nothing for everybody here")
    return game, place


def for_everybody(game: Game, place: Table | None) -> bool:
    """Whether strangers may watch a table whose rows are read already."""
    return game.visibility != Game.Visibility.PRIVATE and (place is None or place.round.championship.public)
