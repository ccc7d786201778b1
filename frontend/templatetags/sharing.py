"""`{% load sharing %}`: the share panel of a page, and the link for oEmbed discovery."""

from typing import Any
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from frontend.sharing.embedding import (
    OF_RANKINGS,
    OF_TABLES,
    Embeddable,
    ranking_to_embed,
    request_origin,
    table_to_embed,
)
from frontend.sharing.strangers import is_public_table

register = template.Library()


@register.inclusion_tag("components/share.html", takes_context=True)
def share(context: dict[str, Any]) -> dict[str, Any]:
    """Render `{% share %}`: the share panel of a public table or championship; otherwise nothing."""
    request, found = context["request"], _find_embeddable(context)
    if found is None:
        return {}
    game = context.get("game")
    return {
        "found": found,
        "link": request.path,
        "overlays": _overlays(context),
        "code": found.frame(request_origin(request)),
        "moment": reverse("replay", args=[game.pk]) if game is not None and game.mode != "sheet" else "",
    }


@register.simple_tag(takes_context=True)
def oembed_link(context: dict[str, Any]) -> SafeString | str:
    """Render the link by which other sites learn to embed the page (https://oembed.com); "" on a page without
    table or ranking.
    """
    request = context.get("request")
    match = request.resolver_match if request is not None else None
    if request is None or match is None or match.url_name not in (*OF_TABLES, *OF_RANKINGS):
        return ""
    asked = urlencode({"url": request_origin(request) + request.path, "format": "json"})
    address = f"{request_origin(request)}{reverse('oembed')}?{asked}"
    return format_html('<link rel="alternate" type="application/json+oembed" href="{}">', address)


@register.simple_tag(takes_context=True)
def shown_to_all(context: dict[str, Any]) -> bool:
    """Return whether the table of the page is public, so that its link works for everybody."""
    game = context.get("game")
    return game is not None and is_public_table(game, context.get("tournament_table"))


def _find_embeddable(context: dict[str, Any]) -> Embeddable | None:
    game, place, championship = (context.get(name) for name in ("game", "tournament_table", "championship"))
    if game is not None:
        return table_to_embed(game, place) if is_public_table(game, place) else None
    if championship is None or not championship.public:
        return None
    ranking = context.get("ranking")
    return ranking_to_embed(championship, live=ranking is not None and ranking.live)


def _overlays(context: dict[str, Any]) -> list[tuple[str, str]]:
    """Return (label, URL) of the overlays of the page's ranking or table."""
    game, place, championship = (context.get(name) for name in ("game", "tournament_table", "championship"))
    if game is None:
        if championship is None:
            return []
        address = reverse("overlay_ranking", args=[championship.slug])
        return [(_("Standings"), address), (_("Standings, live"), f"{address}?live=1")]
    words = (_("Table"), _("Names and points"))
    if place is None:
        names, args = ("overlay_table", "overlay_names"), [game.pk]
    else:
        names, args = ("overlay_of", "overlay_names_of"), [place.round.championship.slug, place.number]
    return [(word, reverse(name, args=args)) for word, name in zip(words, names, strict=True)]
