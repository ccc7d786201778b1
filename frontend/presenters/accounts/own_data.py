"""The names of database tables that contain rows of a person, for the page *Your data*."""

from collections import Counter
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TABLES: Final[dict[str, Promise]] = {
    "games.user": _("Account"),
    "account.emailaddress": _("Mail addresses"),
    "mfa.authenticator": _("Apps, passkeys and recovery codes"),
    "socialaccount.socialaccount": _("Link to the sign-in of another site"),
    "tournaments.signedinsession": _("Browsers that are signed in"),
    "tournaments.passwordreset": _("Links for a new password"),
    "tournaments.accountmail": _("Waiting mails"),
    "tournaments.invitation": _("Invitations, made or accepted"),
    "tournaments.official": _("Offices"),
    "tournaments.keeper": _("Clubs whose roll you keep"),
    "tournaments.championship": _("Championships that you have created"),
    "tournaments.person": _("Persons on club rolls"),
    "tournaments.outsideperson": _("Rankings from elsewhere"),
    "tournaments.entry": _("Entries"),
    "tournaments.ownpage": _("Own pages by link"),
    "tournaments.personallink": _("Personal links"),
    "tournaments.entrymail": _("Mails about entries"),
    "tournaments.sideconstraint": _("Wishes for the draw"),
    "tournaments.queueplace": _("Places in a queue"),
    "tournaments.seating": _("Seats"),
    "tournaments.substitute": _("Seats as a substitute"),
    "tournaments.sitout": _("Rounds with a bye"),
    "games.access": _("Rights at tables"),
    "tournaments.tablephone": _("Phones at tables"),
    "tournaments.seatchange": _("Seats handed over"),
    "tournaments.subscription": _("Phones that get messages"),
    "tournaments.dispute": _("Disputes raised or decided"),
    "tournaments.appeal": _("Appeals raised or decided"),
    "tournaments.openedhands": _("Hands opened as an official"),
    "tournaments.booking": _("Payments"),
    "tournaments.cashshift": _("Times at the cash desk"),
    "tournaments.seriesticket": _("Tickets of a series"),
    "tournaments.outsideevent": _("Files from other installations that you have sent"),
    "tournaments.audit": _("Audits that you have started"),
    "tournaments.job": _("Files and prints that you have asked for"),
}
"""Label of a database table (`app.model`) → the name of its rows."""


def name_tables(counts: Counter[str]) -> list[tuple[Promise | str, int]]:
    """Return (translated name, number of the person's rows) of each table in `counts`."""
    return [(TABLES.get(label, label), counts[label]) for label in sorted(counts, key=_place)]


def _place(label: str) -> tuple[int, str]:
    return ([*TABLES].index(label) if label in TABLES else len(TABLES), label)
