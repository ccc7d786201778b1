"""The word and the tone (a CSS class) of every status, the same on every page."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

UNKNOWN = ("", "")

STATUSES: dict[str, dict[str, tuple[str, str | Promise]]] = {
    "championship": {
        "draft": ("", _("in preparation")),
        "running": ("live", _("running")),
        "finished": ("done", _("finished")),
    },
    "round": {
        "planned": ("", _("planned")),
        "drawn": ("info", _("drawn")),
        "open": ("live", _("being played")),
        "closed": ("done", _("closed")),
    },
    "series_stop": {
        "done": ("done", _("counts")),
        "next": ("info", _("next")),
        "running": ("live", _("being played")),
        "planned": ("", _("planned")),
        "cancelled": ("warn", _("cancelled")),
        "void": ("", _("does not count")),
    },
    "series_event": {
        "planned": ("", _("planned")),
        "held": ("done", _("counts")),
        "cancelled": ("warn", _("cancelled")),
        "void": ("", _("does not count")),
    },
    "outside": {
        "queued": ("", _("waiting")),
        "running": ("live", _("being verified")),
        "done": ("info", _("verified, does not count yet")),
        "failed": ("danger", _("refused")),
        "counts": ("done", _("counts")),
        "replaced": ("", _("replaced by a newer version")),
    },
    "game": {
        "waiting": ("", _("not started")),
        "running": ("live", _("being played")),
        "ended": ("done", _("finished")),
        "closed": ("warn", _("finished early")),
    },
    "entry": {
        "registered": ("", _("registered")),
        "paid": ("info", _("paid")),
        "arrived": ("done", _("here")),
        "withdrawn": ("warn", pgettext_lazy("entry", "withdrawn")),
        "waiting": ("info", _("on the waiting list")),
    },
    "dispute": {
        "open": ("danger", _("waiting for the referee")),
        "ruled": ("done", _("ruled")),
        "appealed": ("danger", _("appealed")),
        "upheld": ("done", _("upheld on appeal")),
        "replaced": ("done", _("replaced on appeal")),
        "withdrawn": ("", _("withdrawn")),
        "settled": ("done", _("settled")),
    },
    "result": {
        "missing": ("", _("not entered")),
        "entered": ("warn", _("to be confirmed")),
        "confirmed": ("done", _("confirmed")),
        "corrected": ("warn", _("corrected, to be confirmed")),
        "annulled": ("danger", _("annulled")),
        "ruled": ("info", _("changed by a ruling")),
    },
    "code": {
        "computer": ("", _("computer")),
        "account": ("info", _("with an account")),
        "phone": ("live", _("on a phone, by code")),
        "out": ("warn", _("code not scanned yet")),
        "poster": ("info", _("code issued")),
        "nobody": ("", _("no code yet")),
    },
    "job": {
        "queued": ("", _("waiting")),
        "running": ("live", _("in progress")),
        "done": ("done", _("done")),
        "failed": ("danger", _("failed")),
    },
    "mode": {
        "dealt": ("info", _("played online")),
        "transcribed": ("info", _("recorded card by card")),
        "sheet": ("info", _("score sheet")),
    },
}


def tone_and_label(kind: str, status: str) -> tuple[str, str]:
    """Return the CSS tone and the translated word of a status; for an unknown status no tone, and the status
    itself.
    """
    tone, label = STATUSES.get(kind, {}).get(status, UNKNOWN)
    return tone, str(label) or status
