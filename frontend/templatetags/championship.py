"""Filters of the championship pages: `{% load championship %}`."""

from datetime import datetime

from django import template
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import pgettext

register = template.Library()


@register.filter
def moment(value: datetime | None) -> str:
    """A day and a time, short; nothing for None."""
    if value is None:
        return ""
    return date_format(localtime(value), pgettext("date format", "j M Y, H:i"))


@register.filter
def occasion(value: datetime | None) -> str:
    """A day and a time with the day of the week."""
    if value is None:
        return ""
    return date_format(localtime(value), pgettext("date format", "l, j F Y, H:i"))
