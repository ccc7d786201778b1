"""Receipts for bookings: for all valid bookings of a championship, or for a single booking."""

from collections.abc import Iterable

from django.utils import translation
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from frontend.presenters.money.prizes import format_francs
from frontend.presenters.money.till import BookLine, book_lines
from frontend.prints.occasion import Occasion, day
from frontend.prints.typesetting import Part, typeset
from tournaments.models import Booking, Championship
from tournaments.services.money.bookings import filter_valid_bookings


def receipts(occasion: Occasion) -> Part:
    """Return the receipts of all valid bookings of the championship, in the order of the bookings."""
    found = (
        filter_valid_bookings(occasion.championship)
        .select_related("entry", "booked_by", "cancelled_by")
        .order_by("pk")
    )
    return _part(occasion.championship, occasion.paper, occasion.said, found)


def receipt(championship: Championship, booking: Booking, language: str) -> bytes:
    """Return a PDF of one receipt, to be cut out of a page of A4."""
    with translation.override(language):
        parts = [championship.place, day(championship.starts_at) if championship.starts_at else ""]
        part = _part(championship, "a4", ", ".join(filter(None, parts)), [booking])
        return typeset(f"{championship.name}: {_('Receipt')}", language, [part], booking.booked_at)


def _part(championship: Championship, paper: str, address: str, bookings: Iterable[Booking]) -> Part:
    return {
        "kind": "receipts",
        "paper": paper,
        "over": championship.name,
        "said": address,
        "title": _("Receipt"),
        "signed": _("Signature"),
        "receipts": [_receipt(line) for line in book_lines(championship, bookings)],
    }


def _receipt(line: BookLine) -> dict[str, object]:
    """Return the data of one receipt. The recipient of the money signs it: the till for a fee, the winner for
    a prize.
    """
    booking = line.booking
    paid_in = booking.amount > 0
    by = booking.booked_by
    kind = str(booking.get_kind_display())
    return {
        "number": _("No. %(n)d") % {"n": booking.pk},
        "whom": _("Received from") if paid_in else _("Paid to"),
        "names": line.who.split(" / ") if line.who else [],
        "for": line.what if line.what.startswith(kind) else f"{kind}: {line.what}",
        "amount": f"CHF {format_francs(abs(booking.amount))}",
        "when": date_format(localtime(booking.booked_at), "SHORT_DATETIME_FORMAT"),
        "how": str(booking.get_method_display()),
        "by": by.display_name if by is not None and paid_in else "",
    }
