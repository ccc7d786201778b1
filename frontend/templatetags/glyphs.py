"""Cards in a line of text: `{% load glyphs %}`. A card is shown as a suit sign and a rank."""

from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.translation import gettext as _

from frontend.card_names import RANK_NAMES, card_name
from frontend.preferences import read_preference

register = template.Library()


@register.inclusion_tag("components/glyph.html", takes_context=True)
def glyph(context: dict[str, Any], code: str | None) -> dict[str, Any]:
    """Render `{% glyph "S6" %}`: suit sign and rank in the person's deck; a question mark if the code is
    None.
    """
    if code is None:
        return {"label": _("an unknown card"), "rank": "?"}
    deck = read_preference(context.get("request"), "deck")
    named = str(RANK_NAMES[deck].get(code[1:], code[1:]))
    return {
        "label": card_name(code, deck),
        "pip": f"{static(f'puur/cards/{deck}.svg')}#{deck}-pip-{code[0]}",
        "rank": code[1:] if code[1:].isdigit() else named[0],
        "red": deck == "fr" and code[0] in "DH",
    }
