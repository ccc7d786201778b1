"""Validation of a person's e-mail address, year of birth and category."""

import re
from typing import Final

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.names import clean

MAX_AGE: Final = 120
"""Highest plausible age in years."""
MIN_AGE: Final = 5
"""Lowest age, in years, for a year of birth written with two digits."""
MAX_EMAIL_LENGTH: Final = 120


def parse_email(text: str) -> str:
    """Return the address; "" if empty. Raises TournamentError `people/bad_email`, `names/…`."""
    found = clean(text, longest=MAX_EMAIL_LENGTH, field="email")
    try:
        if found:
            validate_email(found)
    except ValidationError:
        raise TournamentError(
            "people/bad_email", _("“%(email)s” is not an e-mail address."), email=found, field="email"
        ) from None
    return found


def parse_birth_year(text: str | int | None) -> int | None:
    """Return the year in "1961" or "3.5.1961"; None if the text is empty.

    Raises TournamentError `people/bad_year`.
    """
    year_text = str(text if text is not None else "").strip()
    if not year_text:
        return None
    this_year = timezone.localdate().year
    year = _find_year(year_text, this_year) if len(year_text) <= MAX_EMAIL_LENGTH else None
    if year is None or not this_year - MAX_AGE <= year <= this_year:
        raise TournamentError(
            "people/bad_year",
            _("“%(year)s” is not a year of birth."),
            year=year_text[:20],
            field="birth_year",
        )
    return year


def _find_year(year_text: str, this_year: int) -> int | None:
    """Find the year in a text; None if there is none. Two digits mean the latest plausible year of birth."""
    if found := re.search(r"(?<!\d)(\d{4})(?!\d)", year_text, re.ASCII):
        return int(found[1])
    found = re.fullmatch(
        r"(?:jg\.?|[a-z]*)?\s*(?:\d{1,2}[./-]\s?\d{1,2}[./-]\s?)?['’‘]?(\d{2})", year_text, re.ASCII | re.I
    )
    if found is None:
        return None
    year = this_year - this_year % 100 + int(found[1])
    return year if year <= this_year - MIN_AGE else year - 100


def parse_category(text: str) -> str:
    """Validate and return a category for prizes, such as "youth". Raises TournamentError `names/…`."""
    return clean(text, longest=20, field="category")
