"""The check-in list of all people, for the desk and for power failures."""

from django.utils.translation import gettext as _

from frontend.prints.occasion import Occasion
from frontend.prints.typesetting import Part
from tournaments.models import Entry


def checkin(occasion: Occasion) -> Part:
    return {
        "kind": "checkin",
        "paper": occasion.paper,
        "over": occasion.over,
        "title": _("Check-in list"),
        "said": occasion.said,
        "heads": [_("No."), _("Name"), _("Club"), _("here"), _("paid"), _("Note")],
        "people": [
            {
                "number": entry.number,
                "name": entry.listed,
                "club": entry.club,
                "here": entry.status == Entry.Status.ARRIVED,
                "paid": entry.paid,
                "note": entry.note,
            }
            for entry in occasion.people
        ],
    }
