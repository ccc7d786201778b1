"""The selection of what each column of an imported list means."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.services.entries.importing import Reading
from tournaments.spreadsheets.size_limits import MAX_COLUMNS, MAX_ROWS

KINDS: Final[dict[str, str | Promise]] = {
    "": _("leave out"),
    "family_name": _("Family name"),
    "first_name": _("First name"),
    "name": _("Both names in one"),
    "partner": _("Partner"),
    "partner_family_name": _("Family name of the partner"),
    "partner_first_name": _("First name of the partner"),
    "partner_club": _("Club of the partner"),
    "partner_email": _("E-mail of the partner"),
    "club": _("Club"),
    "team": _("Team"),
    "place": _("Place (is added to the note)"),
    "number": _("Number"),
    "start_rank": _("Start rank"),
    "email": _("E-mail"),
    "paid": _("Paid"),
    "category": _("Category"),
    "birth_year": _("Year of birth"),
    "licence": _("Licence"),
    "note": _("Note"),
    "consents": _("Agrees to be named"),
    "attends": _("Takes part (people who say no are left out)"),
}


def parse_reading(data: Mapping[str, str]) -> Reading | None:
    """Return how the form says to read the list; None if it selects no columns yet."""
    kinds: list[str] = []
    while len(kinds) <= MAX_COLUMNS and (chosen := data.get(f"kind-{len(kinds)}")) is not None:
        kinds.append(chosen)
    if not kinds:
        return None
    order, above = data.get("order", ""), data.get("above", "")
    return Reading(
        tuple(kinds),
        "headed" in data,
        above=min(int(above), MAX_ROWS) if above.isascii() and above.isdecimal() and len(above) < 9 else 0,
        family_first=None if order not in ("family", "given") else order == "family",
        doubles="doubles" in data,
    )
