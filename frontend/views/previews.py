"""/c/<slug>/preview/<key>.png, /g/<game>/preview.png: the picture beside a link, as strangers may see it."""

import hashlib
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.http import parse_etags
from django.views.decorators.http import require_safe

from frontend.prints.pdf_cache import kept
from frontend.sharing import previews
from frontend.sharing.moment_pictures import draw_moment
from frontend.sharing.preview_pictures import LinkPreview, draw_preview
from frontend.sharing.strangers import (
    NotShared,
    for_strangers,
    in_language_of,
    public_championship,
    public_game,
)
from frontend.views.embeds import LAST_SEQ
from frontend.views.numbers import whole
from tournaments.models import Championship
from tournaments.services import cache_version as editions

CACHE_SECONDS = 60
"""For so long a picture is shown without asking again."""
KINDS: dict[str, Callable[[Championship], LinkPreview]] = {
    "championship": previews.preview_of_championship,
    "ranking": previews.preview_of_ranking,
}


@require_safe
@for_strangers
def championship_preview(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    if key not in KINDS:
        raise NotShared("there is no such picture")
    found = public_championship(slug)
    mark = _mark(found)
    with in_language_of(found):
        return _picture(request, (found.pk, key), mark, lambda: draw_preview(KINDS[key](found)))


@require_safe
@for_strangers
def table_preview(request: HttpRequest, game_id: str) -> HttpResponse:
    """Drawn anew when what it shows changes, which a card does not. `?at=17`: the moment after that event."""
    game, place = public_game(game_id)
    at = whole(request.GET.get("at"), least=0, most=LAST_SEQ, default=-1)
    with in_language_of(place.round.championship if place is not None else None):
        if at >= 0:
            moment = previews.preview_of_moment(game, place, at)
            return _picture(request, (game.pk, at), repr(moment), lambda: draw_moment(moment))
        preview = previews.preview_of_table(game, place)
        return _picture(request, (game.pk,), repr(preview), lambda: draw_preview(preview))


def _mark(championship: Championship) -> str:
    """Of everything that a picture shows; how people are called in public is in it."""
    edition = editions.load_edition(championship.pk)
    if edition is None or not edition.public:
        raise NotShared("there is nothing for everybody here")
    return f"{edition.marks('frame', 'people')} {championship.public_names}"


def _picture(
    request: HttpRequest, which: tuple[object, ...], mark: str, draw: Callable[[], bytes]
) -> HttpResponse:
    etag = f'"{hashlib.blake2b(repr((which, mark)).encode(), digest_size=15).hexdigest()}"'
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = HttpResponse(kept(("preview", *which), mark, draw), "image/png")
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = f"public, max-age={CACHE_SECONDS}"
    return response
