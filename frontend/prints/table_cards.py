"""A card for each table: its number for the whole hall, and the code that opens its sheet on a phone."""

from django.utils.translation import gettext as _

from frontend.prints.occasion import Occasion
from frontend.prints.typesetting import Part
from tournaments.models import Table


def numbered_cards(occasion: Occasion) -> Part:
    return {
        "kind": "table-cards",
        "paper": occasion.paper,
        "over": occasion.over,
        "table": _("Table"),
        "type-in": _("To write the results on a phone: scan, or type this code"),
        "qr-says": _("The code of this table as a picture for the camera of a phone"),
        "address": "",
        "tables": [{"number": number, "code": None, "qr": None} for number in numbers(occasion)],
    }


def numbers(occasion: Occasion) -> range:
    """Of the tables of the evening: those drawn, before that as many as are needed for who is entered."""
    drawn = (
        Table.objects.filter(round__championship=occasion.championship)
        .order_by("-number")
        .values_list("number", flat=True)
        .first()
    )
    needed = -(-len(occasion.people) // occasion.regulations.play.seats)
    return range(1, max(drawn or 0, needed) + 1)
