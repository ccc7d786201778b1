"""What each column of a list is, as chosen on the page of the import."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.lists.bounds import MOST_COLUMNS
from tournaments.services.desk.importing import Reading

KINDS: Final[dict[str, str | Promise]] = {
    "": _("leave out"),
    "family_name": _("Family name"),
    "first_name": _("First name"),
    "name": _("Both names in one"),
    "partner": _("Partner"),
    "club": _("Club"),
    "place": _("Place (goes into the note)"),
    "number": _("Number"),
    "start_rank": _("Start rank"),
    "email": _("E-mail"),
    "paid": _("Paid"),
    "category": _("Category"),
    "birth_year": _("Year of birth"),
    "licence": _("Licence"),
    "note": _("Note"),
    "consents": _("Agrees to be named"),
}


def reading_of(data: Mapping[str, str]) -> Reading | None:
    """What was chosen; None where the columns have not been looked at yet."""
    kinds: list[str] = []
    while len(kinds) <= MOST_COLUMNS and (chosen := data.get(f"kind-{len(kinds)}")) is not None:
        kinds.append(chosen)
    return Reading(tuple(kinds), "headed" in data) if kinds else None
