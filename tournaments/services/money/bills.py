"""Swiss QR-bills for entry fees (Swiss Implementation Guidelines QR-bill 2.3), made with the library
`qrbill`.
"""

import io
from itertools import chain
from textwrap import wrap
from typing import Any, Final, Literal

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from qrbill import QRBill
from qrbill.bill import MAX_CHARS_RECEIPT_LINE, StructuredAddress, mm
from stdnum import iban as ibans
from stdnum.ch import esr
from stdnum.exceptions import ValidationError
from stdnum.iso7064 import mod_97_10

from tournaments.errors import TournamentError
from tournaments.models import Championship, Creditor, Entry
from tournaments.names import clean
from tournaments.permissions import Actor, require
from tournaments.services import locks
from tournaments.services.money.bill_characters import to_permitted
from tournaments.services.money.fees import find_fee, require_unchanged

Language = Literal["de", "en", "fr", "it"]
LANGUAGES: Final[dict[str, Language]] = {"de": "de", "en": "en", "fr": "fr", "it": "it"}
"""Code of a language → language of the payment part."""
COUNTRIES: Final = ("CH", "LI")
LINE_WIDTH: Final = 46
"""Characters that fit on a line of the payment part. In its QR code a space stands for a line break."""
RECEIPT_ADDRESS_LINES: Final = 4
"""Lines of the creditor's address for which the receipt has room above a field of RECEIPT_FIELD."""
RECEIPT_FIELD: Final = (mm(52), mm(20))
"""Least size of the receipt's field for the payer; that of the library is 5 mm higher."""
MAX_NAME_LENGTH: Final = 70
MAX_STREET_LENGTH: Final = 70
MAX_TOWN_LENGTH: Final = 35
MAX_POSTCODE_LENGTH: Final = 16
"""Largest lengths that the standard allows."""
FONTS: Final = "Arial,Frutiger,Helvetica,'Liberation Sans','DejaVu Sans as Arial',sans-serif"
"""The fonts that the style guide of the QR-bill allows, followed by a font for machines that have none of
them.
"""
AS_WIDE: Final = (
    "@font-face{font-family:'DejaVu Sans as Arial';src:local('DejaVu Sans');size-adjust:87.4%}"
    "@font-face{font-family:'DejaVu Sans as Arial';src:local('DejaVu Sans Bold');font-weight:700;"
    "size-adjust:83%}"
)
"""Font rule that makes DejaVu Sans as wide as Arial. At its own width headings overlap, and addresses extend
beyond the receipt.
"""
CREDITOR_FIELDS: Final = ("name", "street", "postcode", "town", "iban")
REQUIRED_FIELDS: Final = {
    "name": _("the name"),
    "postcode": _("the postcode"),
    "town": _("the town"),
    "iban": _("the IBAN"),
}


def load_creditor(championship: Championship) -> dict[str, str]:
    """Load the creditor's fields: name of the field → value. Empty if there is no creditor."""
    return Creditor.objects.filter(championship=championship).values(*CREDITOR_FIELDS).first() or {}


def set_creditor(
    championship: Championship, *, actor: Actor, seen: str | None = None, **fields: str
) -> Creditor:
    """Set the creditor of bills. `fields`: the values of CREDITOR_FIELDS.

    `seen`: digest of the displayed values; None skips the check for concurrent changes. Raises
    TournamentError `money/iban`, `money/letters`, `money/changed_since`, `names/…`; TypeError for an unknown
    field.
    """
    require(actor, "prizes", championship)
    if unknown := set(fields) - set(CREDITOR_FIELDS):
        raise TypeError(f"no such field: {sorted(unknown)}")
    columns = {
        "name": clean(fields.get("name", ""), needed=True, longest=MAX_NAME_LENGTH, field="name"),
        "street": clean(fields.get("street", ""), longest=MAX_STREET_LENGTH, field="street"),
        "postcode": clean(fields.get("postcode", ""), needed=True, longest=10, field="postcode"),
        "town": clean(fields.get("town", ""), needed=True, longest=MAX_TOWN_LENGTH, field="town"),
        "iban": _validate_iban(fields.get("iban", "")),
    }
    for field, text in columns.items():
        if text and not to_permitted(text):
            raise TournamentError(
                "money/letters",
                _("A bill can show no character of “%(text)s”. Write it in Latin letters."),
                text=text,
                field=field,
            )
    with locks.locked_for(championship, actor, "prizes") as locked:
        require_unchanged(load_creditor(locked), columns, seen)
        return Creditor.objects.update_or_create(championship=locked, defaults=columns)[0]


def _validate_iban(text: str) -> str:
    found = _read_iban(text)
    if not found:
        raise TournamentError(
            "money/iban", _("This is not an IBAN of a Swiss or Liechtenstein account: check the digits.")
        )
    return found


def _read_iban(text: str) -> str:
    """Return the IBAN of a Swiss or Liechtenstein account without spaces; "" if the text is none."""
    try:
        found = str(ibans.validate(text))
    except ValidationError:
        return ""
    return found if found[:2] in COUNTRIES else ""


def list_missing_fields(creditor: Creditor) -> list[str]:
    """List the fields that a bill needs and the creditor lacks, in the reader's language.

    The creditor of a championship that was imported without names has no account number. A stored text
    without permitted characters is missing too.
    """
    there = {name: to_permitted(getattr(creditor, name)) for name in REQUIRED_FIELDS}
    there["iban"] = _read_iban(creditor.iban)
    return [str(word) for name, word in REQUIRED_FIELDS.items() if not there[name]]


def can_bill(championship: Championship) -> bool:
    """Return whether there is a creditor with all fields that a bill needs."""
    creditor = Creditor.objects.filter(championship=championship).first()
    return creditor is not None and not list_missing_fields(creditor)


def make_payment_reference(entry: Entry, iban: str) -> str:
    """Build the payment reference from the championship's id and the entry's number, with check digits.

    It has 27 digits if `iban` is a QR-IBAN, otherwise the format of ISO 11649.
    """
    plain = f"{entry.championship_id:010}{entry.number:06}"
    if ibans.compact(iban)[4:6] in ("30", "31"):
        digits = plain.zfill(26)
        return digits + str(esr.calc_check_digit(digits))
    return f"RF{mod_97_10.calc_check_digits(plain + 'RF')}{plain}"


def render_bill(entry: Entry) -> str:
    """Render the payment part with receipt as SVG, 210 mm wide, in the reader's language.

    Raises what `build_bill` raises.
    """
    bill, out = build_bill(entry), io.StringIO()
    bill.font_family = FONTS
    bill.as_svg(out)
    return out.getvalue().replace("<defs />", f"<defs><style>{AS_WIDE}</style></defs>", 1)


def build_bill(entry: Entry) -> QRBill:
    """Build the bill of an entry: amount, account and reference.

    Raises TournamentError `money/no_creditor`, `money/creditor_incomplete`, `money/no_fee`.
    """
    championship = entry.championship
    creditor = Creditor.objects.filter(championship=championship).first()
    if creditor is None:
        raise TournamentError("money/no_creditor", _("First enter the account for bills."))
    if missing := list_missing_fields(creditor):
        raise TournamentError(
            "money/creditor_incomplete",
            _("The account for bills is incomplete. Enter: %(missing)s."),
            missing=", ".join(missing),
        )
    fee = find_fee(entry, list(championship.fees.all()))
    if fee is None or not fee.amount:
        raise TournamentError("money/no_fee", _("%(name)s has nothing to pay."), name=entry.name)
    who = to_permitted(entry.name) or f"No. {entry.number}"
    holder = {
        "name": to_permitted(creditor.name)[:MAX_NAME_LENGTH],
        "street": to_permitted(creditor.street)[:MAX_STREET_LENGTH],
        "pcode": to_permitted(creditor.postcode)[:MAX_POSTCODE_LENGTH],
        "city": to_permitted(creditor.town)[:MAX_TOWN_LENGTH],
        "country": creditor.country,
    }
    bill = _Bill(
        account=creditor.iban,
        creditor=holder,
        amount=f"{fee.amount / 100:.2f}",
        reference_number=make_payment_reference(entry, creditor.iban),
        additional_information=f"{to_permitted(championship.name)[:LINE_WIDTH] or '-'}\n{who[:LINE_WIDTH]}",
        language=LANGUAGES.get((get_language() or "")[:2], "en"),
    )
    bill.creditor = _WrappedAddress(**holder)
    return bill


class _Bill(QRBill):
    """A bill with the least field for the payer on the receipt, so that a long address fits above it."""

    def draw_blank_rect(self, dwg: Any, grp: Any, x: Any, y: Any, width: Any, height: Any) -> None:
        width_of_field, lower = RECEIPT_FIELD
        super().draw_blank_rect(dwg, grp, x, y, width, lower if width == width_of_field else height)


class _WrappedAddress(StructuredAddress):
    """The creditor's address in lines that fit on the bill; those of the library can be longer than the
    paper is wide.
    """

    def as_paragraph(self, max_chars: int = LINE_WIDTH) -> chain[str]:
        """Return the lines of the address. If they do not fit on the receipt, it has no street there, which
        the standard allows, and a name of three lines is cut.
        """
        parts = (self.name, self.street, f"{self.country}-{self.pcode} {self.city}")
        name, street, town = (wrap(part, max_chars) for part in parts)
        if max_chars == MAX_CHARS_RECEIPT_LINE and len(name + street + town) > RECEIPT_ADDRESS_LINES:
            name, street = name[: RECEIPT_ADDRESS_LINES - len(town)], []
        return chain(name, street, town)
