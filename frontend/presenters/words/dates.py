"""Local dates and times in the reader's language."""

from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import get_language, pgettext


def format_moment(value: datetime | None) -> str:
    """Format a date and time in the short form; empty for None."""
    if value is None:
        return ""
    return _format_date(value, pgettext("date format", "j M Y, H:i"))


def format_occasion(value: datetime | None) -> str:
    """Format a date and time with the weekday; empty for None."""
    if value is None:
        return ""
    return _format_date(value, pgettext("date format", "l, j F Y, H:i"))


def _format_date(value: datetime, how: str) -> str:
    """Format a date. Italian month names are lowercase; Django capitalizes them."""
    said = date_format(localtime(value), how)
    return said.lower() if get_language() == "it" else said
