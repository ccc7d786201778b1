"""The regulations of a championship as numbered articles, to be signed, followed by the rules of the game."""

from itertools import count

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from frontend.presenters.regulations.regulations import list_chapters
from frontend.prints.occasion import Occasion
from frontend.prints.rules_blocks import rules_in_blocks
from frontend.prints.typesetting import Part
from frontend.rules.game_names import game_name
from tournaments.models import Official
from tournaments.services.current_regulations import load_current_row


def house_rules(occasion: Occasion) -> Part:
    championship = occasion.championship
    row = load_current_row(championship)
    number = count(1)
    offices = (Official.Role.DIRECTOR, Official.Role.REFEREE)
    signing = championship.officials.filter(role__in=offices).select_related("user").order_by("role", "pk")
    moment = date_format(localtime(row.frozen_at or row.created_at), pgettext("date format", "j M Y, H:i"))
    version = {"version": row.version, "time": moment}
    applies = _("They apply unless the articles above say otherwise.")
    game = game_name(occasion.regulations.play.variant)
    return {
        "kind": "house-rules",
        "paper": occasion.paper,
        "over": " · ".join(part for part in (occasion.over, occasion.said) if part),
        "title": _("Regulations"),
        "said": _("Version %(version)s, fixed on %(time)s.") % version
        if row.frozen_at
        else _("Version %(version)s of %(time)s, not fixed before play is opened.") % version,
        "chapters": [
            {
                "title": chapter.title,
                "articles": [
                    {"number": str(next(number)), "term": article.term, "text": article.text}
                    for article in chapter.articles
                ],
            }
            for chapter in list_chapters(occasion.regulations)
        ],
        "rules": {
            "title": _("Rules of the game: %(name)s") % {"name": game},
            "said": " ".join(filter(None, (applies, _address(occasion)))),
            "blocks": rules_in_blocks(occasion.regulations.play.variant),
        },
        "signatures": [f"{row.user.display_name}, {row.get_role_display()}" for row in signing],
    }


def _address(occasion: Occasion) -> str:
    """Name the URL of the rules with examples; empty if phones cannot reach this machine."""
    if not occasion.address:
        return ""
    page = occasion.address + reverse("rules_game", args=[occasion.regulations.play.variant])
    return _("With examples: %(address)s") % {"address": page}
