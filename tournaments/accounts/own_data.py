"""List, export and erase the stored data of an account's person, for their own page."""

import json
from collections import Counter
from typing import Any, NamedTuple

import structlog
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.messaging.rate_limit import Budget
from games.models import User
from tournaments import personal_data
from tournaments.errors import TournamentError
from tournaments.models import Entry, Official, Person, Seating
from tournaments.models.notice import Subscription
from tournaments.services import locks
from tournaments.services.people import name_visibility

DOWNLOADS = Budget("own-data", most=20, seconds=3600)
"""Limit of downloads. Writing one file reads every log in which the person has acted."""

log = structlog.get_logger(__name__)


class OwnData(NamedTuple):
    """The stored data of a person that their page lists.

    `seats`: the chairs of their entries; `persons`: their rows on club rolls; `offices`: their official
    roles; `counts`: number of rows in the download, by table.
    """

    entries: list[Entry]
    seats: list[Seating]
    persons: list[Person]
    offices: list[Official]
    subscriptions: list[Subscription]
    counts: Counter[str]

    @property
    def unnamed(self) -> bool:
        """Whether no entry and no row on a club roll may be named in public; true if there are none."""
        since = [one.unnamed_since for one in self.entries] + [one.unnamed_since for one in self.persons]
        return None not in since


def list_own_data(user: User) -> OwnData:
    """List the stored data of an account, and of its entries and persons on club rolls."""
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


def set_named(user: User, *, named: bool) -> None:
    """Store or withdraw the person's consent to be named in public.

    Without consent public pages show the number of each entry instead of the name. In both cases stored files
    with names are deleted.
    """
    with transaction.atomic():
        subject = personal_data.load_user_subject(user)
        concerned = sorted({entry.championship_id for entry in subject.entries})
        for championship in concerned:
            locks.lock_championship(championship)
        now = timezone.now()
        changed = {"consented_at": now, "unnamed_since": None} if named else {"consented_at": None}
        for entry in subject.entries:
            since = {} if named else {"unnamed_since": entry.unnamed_since or now}
            Entry.objects.filter(pk=entry.pk).update(**changed, **since)
        for person in subject.persons:
            person.unnamed_since = None if named else person.unnamed_since or now
            person.save(update_fields=["unnamed_since"])
        for championship in concerned:
            name_visibility.update_unnamed(championship)
        personal_data.forget_written_files(concerned)
    log.warning("named_in_public" if named else "consent_withdrawn", user=user.pk)


def erase_own_account(user: User) -> None:
    """Erase the person of this account: games, rankings and seals stay, without the name.

    Raises TournamentError `accounts/last_owner` for the only owner of the installation, and the errors of
    `personal_data.erase_data`.
    """
    with transaction.atomic():
        owners = User.objects.select_for_update().filter(is_superuser=True, is_active=True)
        if user.is_superuser and len(owners) == 1:
            raise TournamentError(
                "accounts/last_owner",
                _("You are the only owner of this installation: name another owner first."),
            )
        personal_data.erase_data(personal_data.load_user_subject(user))
    log.warning("own_account_erased", user=user.pk)
