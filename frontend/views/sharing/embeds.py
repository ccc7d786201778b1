"""/embed/g/<game>/, /embed/c/<slug>/ranking/, /oembed/: Pages that other sites embed, rendered as an
anonymous visitor sees them.
"""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from frontend.preferences import THEMES
from frontend.presenters.words.script_sentences import load_sentences
from frontend.sharing.embedding import find_embeddable, request_origin, table_to_embed
from frontend.sharing.parts import part_or_page
from frontend.sharing.public_page_data import public_page_data
from frontend.sharing.public_ranking import MAX_ROWS, render_public_ranking
from frontend.sharing.strangers import (
    anonymous_view,
    embeddable_view,
    public_championship,
    public_game,
    requested_language,
)
from frontend.views.numbers import MAX_NUMBER, parse_bounded
from games.errors import NotOffered

LARGEST = 4000
DEFAULT_ROWS = 20


@require_safe
@embeddable_view
def embedded_table(request: HttpRequest, game_id: str) -> HttpResponse:
    """Render a table with its timeline as it is now; `?at=17`: as it was after event 17."""
    game, place = public_game(game_id)
    at_seq = parse_bounded(request.GET.get("at"), least=0, most=MAX_NUMBER, default=-1)
    table_to_embed(game, place, at_seq)
    championship = place.round.championship if place is not None else None
    with requested_language(request, championship):
        context = {
            "game": game,
            "championship": championship,
            "table_label": _("Table %(number)s") % {"number": place.number} if place else _("A single table"),
            "page_data": public_page_data(game, at=at_seq if at_seq >= 0 else None),
            "words": load_sentences("embed"),
            "theme_asked": _theme(request),
            "to": reverse("table_live", args=[game_id]) if at_seq < 0 else _embed_url(game_id, at_seq),
        }
        return HttpResponse(render_to_string("elsewhere/table.html", context))


@require_safe
@embeddable_view
def embedded_ranking(request: HttpRequest, slug: str) -> HttpResponse:
    """Render the first twenty places of the ranking; `?top=5`: the first five; `?live=1`: including the
    running round.
    """
    championship = public_championship(slug)
    top = parse_bounded(request.GET.get("top"), least=1, most=MAX_ROWS, default=DEFAULT_ROWS)
    with requested_language(request, championship):
        ranking = render_public_ranking(
            championship, top, "elsewhere/ranking_rows.html", live=request.GET.get("live") == "1"
        )
        context = {
            "championship": championship,
            "ranking": ranking,
            "again": request.get_full_path(),
            "theme_asked": _theme(request),
            "to": reverse("standings", args=[slug]),
        }
        return part_or_page(request, ranking, "elsewhere/ranking.html", context)


@require_safe
@anonymous_view
def oembed(request: HttpRequest) -> HttpResponse:
    """Answer an oEmbed request (https://oembed.com). `?url=`: of a table, a moment of a game, or a ranking;
    `maxwidth`, `maxheight`: in pixels.
    """
    if request.GET.get("format", "json") != "json":
        raise NotOffered("only JSON is told here", code="sharing/only_json")
    embeddable = find_embeddable(request.GET.get("url", ""), request.get_host())
    most = [
        parse_bounded(request.GET.get(name), least=1, most=LARGEST, default=0) or None
        for name in ("maxwidth", "maxheight")
    ]
    origin = request_origin(request)
    width, height = embeddable.fitted(*most)
    body = {
        "version": "1.0",
        "type": "rich",
        "title": embeddable.title,
        "provider_name": "Puur",
        "provider_url": f"{origin}/",
        "cache_age": 3600,
        "html": embeddable.frame(origin, *most),
        "width": width,
        "height": height,
        "thumbnail_url": origin + embeddable.picture,
        "thumbnail_width": 1200,
        "thumbnail_height": 630,
    }
    return JsonResponse(body)


def _theme(request: HttpRequest) -> str:
    asked = request.GET.get("theme", "")
    return asked if asked in THEMES else "auto"


def _embed_url(game_id: str, at: int) -> str:
    return f"{reverse('replay', args=[game_id])}?at={at}"
