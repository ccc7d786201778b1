"""/c/<slug>/preview/<key>.png, /g/<game>/preview.png: Pictures for link previews, rendered as an anonymous
visitor sees the pages.
"""

import hashlib
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.http import parse_etags
from django.views.decorators.http import require_safe

from frontend.prints.pdf_cache import get_or_make_pdf
from frontend.sharing import preview_contents
from frontend.sharing.moment_pictures import draw_moment
from frontend.sharing.preview_pictures import LinkPreview, draw_preview
from frontend.sharing.strangers import (
    NotShared,
    anonymous_view,
    championship_language,
    public_championship,
    public_game,
)
from frontend.views.numbers import MAX_NUMBER, parse_bounded
from tournaments.models import Championship
from tournaments.services import cache_versions

CACHE_SECONDS = 60
"""Seconds for which a picture may be cached."""
KINDS: dict[str, Callable[[Championship], LinkPreview]] = {
    "championship": preview_contents.describe_championship,
    "ranking": preview_contents.describe_ranking,
}


@require_safe
@anonymous_view
def championship_preview(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    if key not in KINDS:
        raise NotShared("there is no such picture")
    championship = public_championship(slug)
    mark = _content_mark(championship)
    with championship_language(championship):
        return _cached_picture(
            request, (championship.pk, key), mark, lambda: draw_preview(KINDS[key](championship))
        )


@require_safe
@anonymous_view
def table_preview(request: HttpRequest, game_id: str) -> HttpResponse:
    """Return the picture of a table. It is drawn again when scores change, but not for each card. `?at=17`:
    the position after event 17.
    """
    game, place = public_game(game_id)
    at = parse_bounded(request.GET.get("at"), least=0, most=MAX_NUMBER, default=-1)
    with championship_language(place.round.championship if place is not None else None):
        if at >= 0:
            moment = preview_contents.describe_moment(game, place, at)
            return _cached_picture(request, (game.pk, at), repr(moment), lambda: draw_moment(moment))
        preview = preview_contents.describe_table(game, place)
        return _cached_picture(request, (game.pk,), repr(preview), lambda: draw_preview(preview))


def _content_mark(championship: Championship) -> str:
    """Return a mark that changes with the content of a championship's pictures, also with the way names are
    shown in public.
    """
    cache_version = cache_versions.load_cache_version(championship.pk)
    if cache_version is None or not cache_version.public:
        raise NotShared("there is nothing for everybody here")
    return f"{cache_version.marks('frame', 'people')} {championship.name_kind}"


def _cached_picture(
    request: HttpRequest, which: tuple[object, ...], mark: str, draw: Callable[[], bytes]
) -> HttpResponse:
    etag = f'"{hashlib.blake2b(repr((which, mark)).encode(), digest_size=15).hexdigest()}"'
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = HttpResponse(get_or_make_pdf(("preview", *which), mark, draw), "image/png")
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = f"public, max-age={CACHE_SECONDS}"
    return response
