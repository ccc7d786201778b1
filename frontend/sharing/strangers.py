"""Pages for whoever knows nothing but an address: nobody is signed in here, names are those shown in public,
what is private is not there, and a refusal is its code as JSON.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import override

from frontend.presenters.errors import sentence_for
from games.answers import answer_to
from games.errors import UnknownGame
from games.models import Game
from games.rights import access
from tournaments.models import Championship, Table
from tournaments.names.readers import reading_for
from tournaments.services import public_names

P = ParamSpec("P")
NOBODY = access.Principal(None, None)


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
            except UnknownGame as refusal:
                told = {"code": refusal.code, "detail": sentence_for(refusal.code)}
                return JsonResponse(told, status=answer_to(refusal).status)

    return wrapped


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
    if place is not None and not place.round.championship.public:
        raise NotShared("there is nothing for everybody here")
    return game, place
