"""Archiving, unarchiving and deleting championships.

An archived championship is unlisted and read-only: `locks.require_official` refuses changes. A championship
can be deleted only while all rounds are planned and no money is booked.
"""

from collections.abc import Iterable
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.appending import record
from games.models import Deadline
from tournaments.errors import TournamentError
from tournaments.events import ChampionshipArchived, ChampionshipDeleted, ChampionshipUnarchived
from tournaments.models import Championship, Round
from tournaments.names import name_key
from tournaments.notices.subscriptions import forget_subscriptions
from tournaments.permissions import Actor, require
from tournaments.services import locks
from tournaments.services.current_regulations import round_or_session
from tournaments.services.people.entry_persons import count_people


class Contents(NamedTuple):
    """Contents of a championship on which archiving and deleting depend.

    `people`: number of people with a place; `bookings`: number of bookings.
    """

    people: int
    bookings: int
    on: Round | None
    """The first round that is drawn or open. While there is one, archiving is refused."""
    drawn: Round | None
    """The first round that is not planned. If there is one, deleting is refused."""


def load_contents(championship: Championship) -> Contents:
    """Load the facts on which archiving and deleting depend."""
    rounds = list(championship.rounds.exclude(status=Round.Status.PLANNED).order_by("number"))
    on = (r for r in rounds if r.status in (Round.Status.DRAWN, Round.Status.OPEN))
    return Contents(
        count_people(championship.entries.all()),
        championship.bookings.count(),
        next(on, None),
        rounds[0] if rounds else None,
    )


def require_no_round_on(championship: Championship) -> None:
    """Raise TournamentError `championship/round_on` while a round is drawn or open."""
    on = championship.rounds.filter(status__in=[Round.Status.DRAWN, Round.Status.OPEN]).order_by("number")
    if (first := on.first()) is not None:
        sentence = round_or_session(
            championship,
            _("Round %(round)s is drawn or open: close it first, or undo its draw."),
            _("Session %(round)s is open: close it first, or undo its opening."),
        )
        raise TournamentError("championship/round_on", sentence, round=first.number)


def archive(championship: Championship, *, actor: Actor) -> None:
    """Archive the championship: it becomes unlisted and read-only, planned rounds lose their times, and push
    subscriptions are deleted.

    Idempotent. Raises TournamentError `championship/round_on` while a round is drawn or open.
    """
    require(actor, "edit", championship)
    with transaction.atomic():
        locked = locks.lock_championship(championship.pk)
        ref = require(actor, "edit", locked)
        if locked.archived_at is None:
            require_no_round_on(locked)
            _remove_deadlines(locked)
            locked.rounds.filter(status=Round.Status.PLANNED).update(opens_at=None, closes_at=None)
            locked.archived_at = timezone.now()
            locked.save(update_fields=["archived_at"])
            forget_subscriptions(Q(entry__championship=locked))
            record(locked.stream_id, ChampionshipArchived(), actor=ref)
    championship.archived_at = locked.archived_at


def unarchive(championship: Championship, *, actor: Actor) -> None:
    """Unarchive the championship. Idempotent."""
    require(actor, "edit", championship)
    with transaction.atomic():
        locked = locks.lock_championship(championship.pk)
        ref = require(actor, "edit", locked)
        if locked.archived_at is not None:
            locked.archived_at = None
            locked.save(update_fields=["archived_at"])
            record(locked.stream_id, ChampionshipUnarchived(), actor=ref)
    championship.archived_at = None


def delete(championship: Championship, *, actor: Actor, name: str = "") -> None:
    """Delete the championship with its people, jobs and deadlines. Its streams stay in the log; the
    championship's own stream records the deletion.

    `name`: the name typed as confirmation. Raises TournamentError `championship/played` unless all rounds are
    planned, `championship/money` if money is booked, `championship/name_differs` if people have places and
    `name` is not the championship's.
    """
    require(actor, "edit", championship)
    with transaction.atomic():
        locked = locks.lock_championship(championship.pk)
        ref = require(actor, "edit", locked)
        holds = load_contents(locked)
        if holds.drawn is not None:
            sentence = round_or_session(
                locked,
                _("Round %(round)s was drawn, and draws stay on record. Archive the championship."),
                _("Session %(round)s was opened: it stays on record. Archive the championship."),
            )
            raise TournamentError("championship/played", sentence, round=holds.drawn.number)
        if holds.bookings:
            raise TournamentError(
                "championship/money",
                _("It contains bookings of money, which are kept: archive the championship."),
            )
        if holds.people and name_key(name) != name_key(locked.name):
            raise TournamentError(
                "championship/name_differs",
                _("People are entered: type the name of the championship, “%(name)s”."),
                name=locked.name,
                field="name",
            )
        record(locked.stream_id, ChampionshipDeleted(), actor=ref)
        _remove_deadlines(locked)
        locked.cash_shifts.all().delete()
        locked.delete()


def _remove_deadlines(championship: Championship) -> None:
    """Remove all deadlines of the championship."""
    streams: Iterable[str] = [
        championship.stream_id,
        *championship.rounds.values_list("stream_id", flat=True),
    ]
    Deadline.objects.filter(stream__in=streams).delete()
