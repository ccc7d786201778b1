"""Validation of dates and times typed by users."""

from datetime import datetime
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FIRST_YEAR: Final = 2000
LAST_YEAR: Final = 2099
YEARS: Final = _("Enter a year from 2000 to 2099.")
PAST: Final = _("This time is already past: enter a future time.")


def wrong_moment(moment: datetime, *, not_before: datetime | None = None) -> tuple[str, str | Promise] | None:
    """Return (kind, message) if a typed time has an implausible year, or lies before `not_before`;
    else None.
    """
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        return "year", YEARS
    if not_before is not None and moment < not_before:
        return "past", PAST
    return None
