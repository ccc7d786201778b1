"""Filters and tags of championships: `{% load championship %}`."""

from collections.abc import Iterable
from html import escape  # several times as fast as that of Django, for the thousands of cells of a table

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from frontend.presenters.clubs.series import SeasonCell
from frontend.presenters.money import prizes
from frontend.presenters.rounds.round_names import round_name
from frontend.presenters.words import dates
from tournaments.models import Championship, Round
from tournaments.services import current_regulations
from tournaments.services.current_regulations import load_regulations
from tournaments.services.scores import ranking_basis

register = template.Library()
register.filter("moment", dates.format_moment)
register.filter("occasion", dates.format_occasion)
register.filter("round_name", round_name)


@register.filter
def has_sessions(of: Championship | Round) -> bool:
    """Return whether the rounds of this championship, or this round, are sessions of an open heat."""
    championship = of.championship if isinstance(of, Round) else of
    return current_regulations.has_sessions(championship)


@register.filter
def francs(amount: int) -> str:
    """Format centimes as francs."""
    return prizes.format_francs(amount)


@register.filter
def length_class(text: str, usual: int) -> str:
    """Return an additional CSS class, with a space in front, for a name on a projector that is longer than
    `usual` characters; else "".
    """
    return "" if len(text) <= usual else " long" if len(text) <= usual * 4 // 3 else " longest"


@register.simple_tag
def season_cells(cells: Iterable[SeasonCell]) -> SafeString:
    """Render the cells of a line in the table of a series. A loop in a template takes ten times as long."""
    rendered = (f'<td class="{escape(classes)}">{escape(text)}</td>' for text, classes in cells)
    return mark_safe("".join(rendered))  # noqa: S308 - each text is escaped


@register.simple_tag
def sealed_note(championship: Championship) -> str:
    """Return the sealed number, or a note that it is still sealed, if the nearest total wins; otherwise
    "".
    """
    regulations = load_regulations(championship)
    if regulations.counting.what != "nearest":
        return ""
    number = ranking_basis.sealed_number(championship, regulations)
    if number is not None:
        return _("The sealed number: %(number)s") % {"number": number}
    return _("The number stays sealed until the last round is closed; until then the sum ranks.")
