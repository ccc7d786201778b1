"""Decorators and lookups for anonymous pages: the session is ignored, names are in public form, and private
objects count as missing.
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

from frontend.presenters.words.errors import sentence_for
from frontend.presenters.words.refusals import describe_refusal
from games.error_responses import answer_to
from games.errors import NotOffered, UnknownGame
from games.models import Game
from games.rights import claims, observers
from tournaments.models import Championship, Table
from tournaments.names.readers import reading_for
from tournaments.services.people import name_visibility

P = ParamSpec("P")
NOBODY = claims.Principal(None, None)


class NotShared(UnknownGame):
    """An object is not public or does not exist. The error does not reveal which."""

    code = "sharing/not_public"


def anonymous_view(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Decorate a view that renders, or refuses in JSON, as for an anonymous visitor, whoever is signed in."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        with reading_for(name_visibility.outsider()):
            try:
                return view(request, *args, **kwargs)
            except (UnknownGame, NotOffered) as refusal:
                body = {"code": refusal.code, "detail": sentence_for(refusal.code)}
                return JsonResponse(body, status=answer_to(refusal).status)

    return wrapped


def embeddable_view(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[..., HttpResponseBase]:
    """Decorate an anonymous page that other sites may embed, and that shows refusals as text. Its templates
    get no request, so they contain no session and no token.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        with reading_for(name_visibility.outsider()):
            try:
                answer = view(request, *args, **kwargs)
            except UnknownGame as refusal:
                with requested_language(request, None):
                    context = describe_refusal(refusal)
                    body = render_to_string("elsewhere/refused.html", context)
                    answer = HttpResponse(body, status=answer_to(refusal).status)
        answer.headers.setdefault("Cache-Control", "no-cache")
        return answer

    return xframe_options_exempt(csp_replace({"frame-ancestors": ["*"]})(wrapped))


def requested_language(request: HttpRequest, championship: Championship | None) -> override:
    """Return a context manager for the language in `?lang=`, else the championship's, else the active one."""
    asked = request.GET.get("lang", "")
    if asked in dict(settings.LANGUAGES):
        return override(asked)
    return override(championship.language if championship is not None else get_language())


def championship_language(championship: Championship | None) -> override:
    """Return a context manager that activates the championship's language, or English without one."""
    return override(championship.language if championship is not None else None)


def public_championship(slug: str) -> Championship:
    """Return the public championship with this slug. Raises NotShared if it is private or does not exist."""
    found = Championship.objects.filter(slug=slug, public=True).first()
    if found is None:
        raise NotShared("there is nothing for everybody here")
    return found


def public_game(game_id: str) -> tuple[Game, Table | None]:
    """Return a public game, and its table if it belongs to a championship. Raises NotShared if it is not
    public.
    """
    try:
        game = observers.find_visible_game(NOBODY, game_id)
    except UnknownGame:
        raise NotShared("there is nothing for everybody here") from None
    place = Table.objects.filter(game=game).select_related("round__championship").first()
    if not is_public_table(game, place):
        raise NotShared("there is nothing for everybody here")
    return game, place


def is_public_table(game: Game, place: Table | None) -> bool:
    """Return whether a game is public. `place`: its table, if any."""
    return game.visibility != Game.Visibility.PRIVATE and (place is None or place.round.championship.public)
