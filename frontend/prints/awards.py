"""For the prize-giving: a list with room for what each place gets, and certificates for the first."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from frontend.prints.occasion import Occasion
from frontend.prints.ranking import ranked
from frontend.prints.typesetting import Part
from tournaments.models import Official

CERTIFIED = 3
"""Places that get a certificate."""


def prize_list(occasion: Occasion) -> Part:
    found, lines = ranked(occasion)
    return {
        "kind": "prize-list",
        "paper": occasion.paper,
        "over": occasion.over,
        "title": _("Prize list"),
        "said": " · ".join(part for part in (_after(found.after), occasion.said) if part),
        "heads": [
            pgettext("ranking", "Place"),
            _("Name"),
            _("Total"),
            _("Prize"),
            _("Received"),
        ],
        "lines": [
            {"place": str(line.place), "name": line.name, "club": line.club, "total": str(line.total)}
            for line in lines
        ],
    }


def certificates(occasion: Occasion) -> Part:
    found, lines = ranked(occasion)
    directors = occasion.championship.officials.filter(role=Official.Role.DIRECTOR).select_related("user")
    return {
        "kind": "certificates",
        "paper": occasion.paper,
        "title": _("Certificate"),
        "championship": occasion.championship.name,
        "said": occasion.said,
        "signatures": [row.user.get_full_name() or row.user.get_username() for row in directors[:3]],
        "office": _("Director"),
        "people": [
            {
                "name": line.name,
                "club": line.club,
                "place": _("%(n)d. place") % {"n": line.place},
                "points": ngettext(
                    "%(total)d points in %(rounds)d round",
                    "%(total)d points in %(rounds)d rounds",
                    len(found.rounds),
                )
                % {"total": line.total, "rounds": len(found.rounds)},
            }
            for line in lines
            if line.place <= CERTIFIED
        ],
    }


def _after(number: int) -> str:
    return _("After round %(n)s") % {"n": number}
