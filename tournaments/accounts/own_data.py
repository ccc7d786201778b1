"""What is stored of the person of an account, for their own page: listed, written into a file, erased."""

import json
from collections import Counter
from typing import Any, NamedTuple

import structlog
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.messaging.rate_limit import Budget
from games.models import User
from tournaments import personal_data
from tournaments.errors import TournamentError
from tournaments.models import Entry, Official, Person, Seating
from tournaments.models.notice import Subscription

DOWNLOADS = Budget("own-data", most=20, seconds=3600)
"""A file reads every log in which the person has acted."""

log = structlog.get_logger(__name__)


class OwnData(NamedTuple):
    """What the page shows in words; `counts`: the number of rows by table, and the rest is in the file."""

    entries: list[Entry]
    seats: list[Seating]
    persons: list[Person]
    offices: list[Official]
    subscriptions: list[Subscription]
    counts: Counter[str]


def list_own_data(user: User) -> OwnData:
    """List what is stored of an account and of its entries and persons on club rolls."""
    subject = personal_data.load_user_subject(user)
    seats = Seating.objects.filter(entry__in=subject.entries)
    subscriptions = Subscription.objects.filter(user=user) | Subscription.objects.filter(
        entry__in=subject.entries
    )
    return OwnData(
        entries=sorted(subject.entries, key=lambda one: one.pk, reverse=True),
        seats=list(seats.select_related("round__championship", "table", "entry").order_by("-pk")),
        persons=list(subject.persons),
        offices=list(Official.objects.filter(user=user).select_related("championship").order_by("-pk")),
        subscriptions=list(subscriptions.select_related("entry__championship").order_by("-pk")),
        counts=Counter(personal_data.count_rows(subject)),
    )


def write_own_data(user: User) -> str:
    """Return everything about the person of an account as JSON, as `export-person` writes it."""
    found: dict[str, Any] = personal_data.export_data(personal_data.load_user_subject(user))
    log.warning("own_data_written", user=user.pk)
    return json.dumps(found, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)


def erase_own_account(user: User) -> None:
    """Erase the person of this account: games, rankings and seals stay, without the name.

    Raises TournamentError `accounts/last_owner` for the only owner of the installation, and what
    `personal_data.erase_data` raises.
    """
    with transaction.atomic():
        owners = User.objects.select_for_update().filter(is_superuser=True, is_active=True)
        if user.is_superuser and len(owners) == 1:
            raise TournamentError(
                "accounts/last_owner",
                _("You are the only owner of this installation: it needs another one first."),
            )
        personal_data.erase_data(personal_data.load_user_subject(user))
    log.warning("own_account_erased", user=user.pk)
