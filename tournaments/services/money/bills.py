"""Swiss QR-bills for entry fees (Swiss Implementation Guidelines QR-bill 2.3), made with the library
`qrbill`.
"""

import io
from typing import Final, Literal

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from qrbill import QRBill
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
    TournamentError `money/iban`, `money/changed_since`, `names/…`; TypeError for an unknown field.
    """
    require(actor, "prizes", championship)
    if unknown := set(fields) - set(CREDITOR_FIELDS):
        raise TypeError(f"no such field: {sorted(unknown)}")
    columns = {
        "name": clean(fields.get("name", ""), needed=True, longest=70, field="name"),
        "street": clean(fields.get("street", ""), longest=70, field="street"),
        "postcode": clean(fields.get("postcode", ""), needed=True, longest=10, field="postcode"),
        "town": clean(fields.get("town", ""), needed=True, longest=35, field="town"),
        "iban": _validate_iban(fields.get("iban", "")),
    }
    with locks.locked_for(championship, actor, "prizes") as locked:
        require_unchanged(load_creditor(locked), columns, seen)
        return Creditor.objects.update_or_create(championship=locked, defaults=columns)[0]


def _validate_iban(text: str) -> str:
    try:
        found = str(ibans.validate(text))
    except ValidationError:
        found = ""
    if found[:2] not in COUNTRIES:
        raise TournamentError(
            "money/iban", _("That is no IBAN of a Swiss or Liechtenstein account: check the digits.")
        )
    return found


def missing_fields(creditor: Creditor) -> list[str]:
    """List the fields that a bill needs and the creditor lacks, in the reader's language.

    The creditor of a championship that was imported without names has no account number.
    """
    return [str(word) for name, word in REQUIRED_FIELDS.items() if not getattr(creditor, name)]


def can_bill(championship: Championship) -> bool:
    """Return whether there is a creditor with all fields that a bill needs."""
    creditor = Creditor.objects.filter(championship=championship).first()
    return creditor is not None and not missing_fields(creditor)


def payment_reference(entry: Entry, iban: str) -> str:
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
        raise TournamentError("money/no_creditor", _("First write down to which account bills are paid."))
    if missing := missing_fields(creditor):
        raise TournamentError(
            "money/creditor_incomplete",
            _("The account for bills is incomplete. Write down: %(missing)s."),
            missing=", ".join(missing),
        )
    fee = find_fee(entry, list(championship.fees.all()))
    if fee is None or not fee.amount:
        raise TournamentError("money/no_fee", _("%(name)s has nothing to pay."), name=entry.name)
    who = to_permitted(entry.name) or f"No. {entry.number}"
    return QRBill(
        account=creditor.iban,
        creditor={
            "name": to_permitted(creditor.name)[:70],
            "street": to_permitted(creditor.street)[:70],
            "pcode": to_permitted(creditor.postcode),
            "city": to_permitted(creditor.town)[:35],
            "country": creditor.country,
        },
        amount=f"{fee.amount / 100:.2f}",
        reference_number=payment_reference(entry, creditor.iban),
        additional_information=f"{to_permitted(championship.name)[:LINE_WIDTH] or '-'}\n{who[:LINE_WIDTH]}",
        language=LANGUAGES.get((get_language() or "")[:2], "en"),
    )
