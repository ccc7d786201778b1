"""What is written down about somebody beside his name, checked: e-mail, year of birth, category."""

import re
from typing import Final

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.names import clean

OLDEST: Final = 120
"""Years that somebody may have behind him."""
YOUNGEST: Final = 5
"""Years of somebody whose year of birth is written with two digits."""
MAX_EMAIL_LENGTH: Final = 120


def email_of(text: str) -> str:
    """The address, or nothing. Raises TournamentError `people/bad_email`."""
    found = clean(text, longest=MAX_EMAIL_LENGTH, field="email")
    try:
        if found:
            validate_email(found)
    except ValidationError:
        raise TournamentError(
            "people/bad_email", _("“%(email)s” is no e-mail address."), email=found, field="email"
        ) from None
    return found


def birth_year_of(text: str | int | None) -> int | None:
    """The year in "1961" or "3.5.1961"; None for nothing. Raises TournamentError `people/bad_year`."""
    said = str(text if text is not None else "").strip()
    if not said:
        return None
    this_year = timezone.localdate().year
    year = _year_in(said, this_year) if len(said) <= MAX_EMAIL_LENGTH else None
    if year is None or not this_year - OLDEST <= year <= this_year:
        raise TournamentError(
            "people/bad_year", _("“%(year)s” is no year of birth."), year=said[:20], field="birth_year"
        )
    return year


def _year_in(said: str, this_year: int) -> int | None:
    """The year in a text. Of two digits it is the last one in which somebody was born who plays."""
    if found := re.search(r"(?<!\d)(\d{4})(?!\d)", said, re.ASCII):
        return int(found[1])
    found = re.fullmatch(
        r"(?:jg\.?|[a-z]*)?\s*(?:\d{1,2}[./-]\s?\d{1,2}[./-]\s?)?['’‘]?(\d{2})", said, re.ASCII | re.I
    )
    if found is None:
        return None
    year = this_year - this_year % 100 + int(found[1])
    return year if year <= this_year - YOUNGEST else year - 100


def category_of(text: str) -> str:
    """A word for prizes: woman, youth, senior, or what the organiser calls it."""
    return clean(text, longest=20, field="category")
