"""Tags and filters for all templates: `{% load puur %}`."""

from collections.abc import Sequence
from typing import Any, Final

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from frontend.card_names import card_name
from frontend.help.pages import panel_of
from frontend.preferences import read_preference
from frontend.presenters.disputes.ruling_subject import load_ruling_subjects
from frontend.presenters.names.seat_names import seat_names
from frontend.presenters.site.manuals import MANUALS
from frontend.presenters.tables.tables import ChairLabel, group_by_team
from frontend.presenters.words.figures import format_figure
from frontend.presenters.words.script_sentences import load_script_parts
from frontend.presenters.words.statuses import tone_and_label
from frontend.presenters.words.vocabulary import WHY_NOT, word
from games.models import Game
from tournaments.models import Dispute, OpenedHands, SeatChange
from tournaments.services.current_regulations import has_sessions
from tournaments.services.scores import ruling_marks as marks

register = template.Library()


@register.simple_tag
def version() -> str:
    """Return the version of Puur, such as 0.2.0."""
    return str(settings.VERSION)


@register.simple_tag(takes_context=True)
def theme(context: dict[str, Any]) -> str:
    """Return the person's theme: `auto`, `light` or `dark`."""
    return read_preference(context.get("request"), "theme")


@register.simple_tag(takes_context=True)
def deck(context: dict[str, Any]) -> str:
    """Return the person's deck: `ch` or `fr`."""
    return read_preference(context.get("request"), "deck")


@register.simple_tag
def styles(names: str) -> SafeString:
    """Render `{% styles "base rules" %}`: links to these style bundles, in this order."""
    addresses = (static(f"puur/styles/{name}.css") for name in names.split())
    return format_html_join("\n", '<link rel="stylesheet" href="{}">', ((one,) for one in addresses))


@register.simple_tag
def script(name: str) -> SafeString:
    """Render `{% script "play" %}`: the script of a page, and preloads of the parts that it imports. Without
    preloads a browser would find the parts only after the script, a fifth of a second later on a phone's
    connection. Preloads precede fonts and other files.
    """
    # Scripts import these URLs, which already contain a hash.
    first = ((f"{settings.STATIC_URL}puur/{part}.js",) for part in load_script_parts()[name])
    early = format_html_join("\n", '<link rel="modulepreload" href="{}" fetchpriority="high">', first)
    own = static(f"puur/{name}.js")
    return format_html('{}<script src="{}" type="module" fetchpriority="high"></script>', early, own)


@register.inclusion_tag("components/pill.html")
def pill(kind: str, status: str) -> dict[str, str]:
    """Render `{% pill "round" round.status %}`: the status as a word with its mark."""
    tone, label = tone_and_label(kind, status)
    return {"tone": tone, "label": label}


@register.inclusion_tag("components/breadcrumb.html")
def breadcrumb(*parts: Any) -> dict[str, list[tuple[str, str]]]:
    """Render `{% breadcrumb label url label url label %}`: labels with their URLs; the last label has
    none.
    """
    pairs = [
        (str(parts[i]), str(parts[i + 1]) if i + 1 < len(parts) else "") for i in range(0, len(parts), 2)
    ]
    return {"crumbs": pairs}


@register.inclusion_tag("components/card.html", takes_context=True)
def card(context: dict[str, Any], code: str, *, small: bool = False) -> dict[str, Any]:
    """Render `{% card "S6" %}`: a card face in the person's deck; `back` is the back of a card."""
    name = read_preference(context.get("request"), "deck")
    return {
        "sprite": static(f"puur/cards/{name}.svg"),
        "symbol": f"{name}-{code}",
        "label": _("face-down card") if code == "back" else card_name(code, name),
        "small": small,
    }


@register.inclusion_tag("components/help.html", takes_context=True)
def help_panel(context: dict[str, Any]) -> dict[str, Any]:
    """Render the help of the current page, for officials with their sentences; nothing on a page without
    help. Makes no query.
    """
    request = context.get("request")
    match = request.resolver_match if request is not None else None
    panel = panel_of(match.url_name if match is not None else None)
    if panel is None:
        return {}
    official = bool(context.get("may_board"))
    key = panel.manual if official or not panel.officials else "players"
    url = reverse("manual", args=[key])
    return {"sentences": panel.said_to(official=official), "url": url, "manual": MANUALS[key]}


@register.inclusion_tag("components/ruling_marks.html")
def ruling_marks(game: Game) -> dict[str, Any]:
    """Render `{% ruling_marks game %}`: the rulings at a table, the openings of its hidden cards, and the
    seats that changed hands.
    """
    opened = OpenedHands.objects.filter(table__game=game).select_related("opened_by")
    if game.delay_minutes and not game.is_now:
        opened = opened.none()
    changed = list(SeatChange.objects.filter(table__game=game).select_related("given_by"))
    names = seat_names(game) if changed else []
    given = [(change, names[change.seat]) for change in changed]
    late = {"late": game.delay_minutes, "in_time": game.is_now}
    marks_of_game = marks.load_game_marks(game.pk)
    disputes = Dispute.objects.filter(pk__in=[mark.dispute for mark in marks_of_game]).select_related("table")
    abouts = load_ruling_subjects(list(disputes)) if marks_of_game else {}
    ruled = [(mark, abouts[mark.dispute]) for mark in marks_of_game]
    return {"marks": ruled, "opened": opened, "given": given, **late}


@register.simple_tag
def why_not(code: str) -> str:
    """Return in a word or two the rule that forbade a card. `code`: the rule's code."""
    return word(WHY_NOT, code)


@register.filter
def teams(chairs: Sequence[ChairLabel], partners: bool) -> list[Sequence[ChairLabel]]:
    """Group chairs by partnership: `{{ table.chairs|teams:partners }}`. Without partners, or at a table not
    of four, each chair is a group.
    """
    return group_by_team(chairs, partners=partners)


register.filter("figure", format_figure)


SECTIONS: Final = {
    "round": "rounds",
    "queue": "rounds",
    "starts": "standings",
    "entries_import": "entries",
    "dispute": "disputes",
}
"""URL name → tab, for pages that belong to a tab without having its name."""


@register.inclusion_tag("components/tabs.html", takes_context=True)
def championship_tabs(context: dict[str, Any]) -> dict[str, Any]:
    """Render the tabs of `layouts/championship.html`. Only officials get the tab of the board."""
    championship, request = context["championship"], context.get("request")
    current = request.resolver_match.url_name if request is not None and request.resolver_match else ""
    pages: list[tuple[str, str, int]] = [
        ("championship", _("Overview"), 0),
        ("entries", _("Entries"), 0),
        ("rounds", _("Sessions") if has_sessions(championship) else _("Rounds"), 0),
        ("standings", _("Standings"), 0),
        ("disputes", _("Disputes"), context.get("open_disputes") or 0),
    ]
    if context.get("may_board"):
        pages.append(("board", _("Board"), 0))
    section = SECTIONS.get(current or "", current)
    tabs = [
        {
            "label": label,
            "url": reverse(name, args=[championship.slug]),
            "count": count,
            "current": name == section,
        }
        for name, label, count in pages
    ]
    return {"tabs": tabs, "label": _("Championship")}
