"""Elapsed time in words, such as “3 minutes ago”, by which a director finds slow tables."""

from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

JUST_NOW = timedelta(seconds=10)


def format_elapsed(moment: datetime | None, now: datetime) -> str:
    """Format the time from `moment` to `now` in seconds, minutes, hours or days, rounded down; “just now”
    before JUST_NOW has passed, “nothing yet” if `moment` is None.
    """
    if moment is None:
        return _("nothing yet")
    passed = now - moment
    if passed < JUST_NOW:
        return _("just now")
    seconds = int(passed.total_seconds())
    if seconds < 60:
        return ngettext("%(n)d second ago", "%(n)d seconds ago", seconds) % {"n": seconds}
    if seconds < 3600:
        minutes = seconds // 60
        return ngettext("%(n)d minute ago", "%(n)d minutes ago", minutes) % {"n": minutes}
    if seconds < 86400:
        hours = seconds // 3600
        return ngettext("%(n)d hour ago", "%(n)d hours ago", hours) % {"n": hours}
    return ngettext("%(n)d day ago", "%(n)d days ago", passed.days) % {"n": passed.days}
