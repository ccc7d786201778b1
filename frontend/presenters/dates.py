"""Days and times as they are written in the reader's language."""

from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import get_language, pgettext


def format_moment(value: datetime | None) -> str:
    """A day and a time, short; nothing for None."""
    if value is None:
        return ""
    return _dated(value, pgettext("date format", "j M Y, H:i"))


def format_occasion(value: datetime | None) -> str:
    """A day and a time with the day of the week."""
    if value is None:
        return ""
    return _dated(value, pgettext("date format", "l, j F Y, H:i"))


def _dated(value: datetime, how: str) -> str:
    """Months are small in Italian; Django begins them with a capital."""
    said = date_format(localtime(value), how)
    return said.lower() if get_language() == "it" else said
