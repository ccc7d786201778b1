"""A card for each table with its number and the code that opens its sheet on a phone."""

from django.utils.translation import gettext as _

from frontend.presenters.tables.table_code_cards import printed_card
from frontend.prints.occasion import Occasion
from frontend.prints.typesetting import Part
from tournaments.services.table_access import table_codes


def numbered_cards(occasion: Occasion) -> Part:
    """Return the cards of the tables. Codes are printed only if they exist and phones reach the platform's
    address.
    """
    cards = {card.number: card for card in table_codes.list_cards(occasion.championship)}
    tables = []
    for number in sorted({*numbers(occasion), *cards}):
        one = printed_card(cards[number], occasion.address) if number in cards and occasion.address else None
        tables.append(
            {
                "number": number,
                "code": one.code if one else None,
                "qr": str(one.picture) if one else None,
                "address": one.address if one else "",
            }
        )
    return {
        "kind": "table-cards",
        "paper": occasion.paper,
        "over": occasion.over,
        "table": _("Table"),
        "type-in": _("To enter the results on a phone, scan or type this code"),
        "qr-says": _("The code of this table as a picture for the camera of a phone"),
        "tables": tables,
    }


def numbers(occasion: Occasion) -> range:
    """Return the table numbers from 1 to the number drawn so far or, if that is more, the number that the
    entries need.
    """
    seats = occasion.regulations.play.seats
    return range(1, table_codes.count_tables_needed(occasion.championship, seats) + 1)
