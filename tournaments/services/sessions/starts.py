"""Starts: buying one at the till, putting it into the queue of a session, taking it out or back.

A start is an entry with a number of its own. The first entry of a person is their first start; each further
one names it (`start_of`). Seats, results and codes belong to the start.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.appending import record
from tournaments.errors import TournamentError
from tournaments.events import EntryAdded
from tournaments.models import Booking, Championship, Entry, QueuePlace, Round, Seating
from tournaments.permissions import Actor, require
from tournaments.services import locks
from tournaments.services.current_regulations import regulations_of
from tournaments.services.entries import entries
from tournaments.services.persons import load_persons
from tournaments.services.session_queue import mark_away, require_here

COPIED = (*Entry.NAMES, "club", "licence", "birth_year", "category", "consented_at", "person", "fee", "house")
"""Fields that a further start has from the person's first entry."""


class OwnStart(NamedTuple):
    """A start of a person. `used`: it has had a seat, or waits in a queue."""

    entry: Entry
    used: bool


def list_starts(person: Entry) -> list[OwnStart]:
    """List the starts of a person in the order of their numbers. Four queries."""
    own = [pk for pk, first in load_persons(person.championship_id).items() if first == person.pk]
    used = set(Seating.objects.filter(entry__in=own).values_list("entry_id", flat=True))
    waiting = QueuePlace.objects.filter(entry__in=own, entry__status=Entry.Status.ARRIVED)
    used.update(waiting.values_list("entry_id", flat=True))
    rows = Entry.objects.filter(pk__in=own, merged_into=None).select_related("championship")
    return [OwnStart(entry, entry.pk in used) for entry in rows.order_by("number")]


class StartOffer(NamedTuple):
    """The effect that `add_start` would have for a person.

    used: starts at tables and in queues; left: one is bought already; may_more: whether the regulations
    allow a further one; waits: on the waiting list, so there is no start before they have a place.
    """

    person: Entry
    used: int
    left: bool
    may_more: bool
    waits: bool = False


def list_start_offers(championship: Championship, people: Sequence[Entry]) -> list[StartOffer]:
    """List the offers for these first entries. Five queries, regardless of their number."""
    most = regulations_of(championship).most_starts
    person_of = load_persons(championship.pk)
    wanted = {person.pk for person in people}
    own = [pk for pk, person in person_of.items() if person in wanted]
    rows = list(Entry.objects.filter(pk__in=own, merged_into=None).only("pk", "status", "championship"))
    sat = set(Seating.objects.filter(entry__in=own).values_list("entry_id", flat=True))
    waiting = QueuePlace.objects.filter(entry__in=own, entry__status=Entry.Status.ARRIVED)
    used = sat | set(waiting.values_list("entry_id", flat=True))
    found = []
    for person in people:
        mine = [row for row in rows if person_of[row.pk] == person.pk]
        standing = [row for row in mine if row.status != Entry.Status.WITHDRAWN]
        found.append(
            StartOffer(
                person,
                used=sum(row.pk in used for row in mine),
                left=any(row.pk not in used for row in standing),
                may_more=len(standing) < most,
                waits=person.waits,
            )
        )
    return found


def add_start(
    round_: Round,
    entry: Entry,
    *,
    actor: Actor,
    method: str = Booking.Method.CASH,
    seen: int | None = None,
) -> Entry:
    """Put a start of a person into the queue of an open session: one that is left, else a new one.

    A new one is bought now. `entry`: any entry of the person; method: of `Booking.Method`, empty: unpaid so
    far; seen: number of starts in queues and at tables that the caller was told of, so that a double press
    buys nothing twice. Returns the start. Raises TournamentError `sessions/not_open`, `starts/…`,
    `entries/withdrawn`, `entries/waits`.
    """
    require(actor, "enter", round_.championship)
    with transaction.atomic():
        held = lock_session(round_, actor)
        person = load_first_entry(entry)
        entries.refuse_waiting(person)
        own = list_starts(person)
        if seen is not None and seen != sum(one.used for one in own):
            raise TournamentError(
                "starts/changed_since",
                _("%(name)s has got another start meanwhile: look at the queue as it is now."),
                name=person.name,
            )
        require_here(held, person)
        left = [one.entry for one in own if not one.used]
        left.sort(key=lambda one: (one.status == Entry.Status.WITHDRAWN, one.number))
        if not left or left[0].status == Entry.Status.WITHDRAWN:
            _require_more(person, own)
        start = left[0] if left else _buy(person, actor)
        if start.status == Entry.Status.WITHDRAWN:
            start = entries.reinstate(start, actor=actor)
        if method and not start.paid:
            entries.pay(start, actor=actor, method=method)
        start.refresh_from_db()
        now = timezone.now()
        start.status, start.arrived_at = Entry.Status.ARRIVED, now
        start.save(update_fields=["status", "arrived_at"])
        QueuePlace.objects.update_or_create(entry=start, defaults={"round": held, "queued_at": now})
    return start


def add_newcomer(round_: Round, *, actor: Actor, method: str = Booking.Method.CASH, **fields: Any) -> Entry:
    """Enter somebody new, sell them a start and put it into the queue; all or nothing.

    `fields`: those of `entries.NewEntry`. Raises what `entries.add_entry` and `add_start` raise.
    """
    with transaction.atomic():
        entry = entries.add_entry(round_.championship, actor=actor, **fields)
        return add_start(round_, entry, actor=actor, method=method)


def leave_queue(start: Entry, *, actor: Actor) -> None:
    """Take a start out of the queue; it stays bought, for later or another session.

    Raises TournamentError `starts/seated`, `starts/not_waiting`.
    """
    with transaction.atomic():
        locks.require_official(start.championship, actor, "enter")
        _remove_place(start)
        start.refresh_from_db()
        mark_away(start)


def take_back_start(start: Entry, *, actor: Actor) -> None:
    """Take a start back that has not been seated: it is withdrawn, and what was paid for it is paid back.

    Raises TournamentError `starts/seated`.
    """
    with transaction.atomic():
        locks.require_official(start.championship, actor, "enter")
        start.refresh_from_db()
        if QueuePlace.objects.filter(entry=start).exists():
            _remove_place(start)
        elif start.seatings.exists():
            raise _seated_error(start)
        mark_away(start)
        if start.paid:
            entries.pay(start, actor=actor, paid=False)
        entries.withdraw_entry(start, actor=actor)


def lock_session(round_: Round, actor: Actor) -> Round:
    """Lock an open session to change its queue. Raises TournamentError `sessions/not_open`."""
    locks.require_official(round_.championship, actor, "enter")
    held = locks.lock_round(round_.pk)
    if held.status != Round.Status.OPEN or not regulations_of(held.championship).has_queue:
        raise TournamentError("sessions/not_open", _("Session %(round)s is not open."), round=round_.number)
    return held


def load_first_entry(entry: Entry) -> Entry:
    """Load the first entry of the person whose start or merged entry this is."""
    first = load_persons(entry.championship_id)[entry.pk]
    return entry if first == entry.pk else Entry.objects.select_related("championship").get(pk=first)


def _require_more(person: Entry, own: Sequence[OwnStart]) -> None:
    """Refuse a start beyond those that the regulations allow."""
    most = regulations_of(person.championship).most_starts
    if sum(one.entry.status != Entry.Status.WITHDRAWN for one in own) >= most:
        raise TournamentError(
            "starts/most",
            _("%(name)s has had all starts that the regulations allow: %(most)s."),
            name=person.name,
            most=most,
        )


def _buy(person: Entry, actor: Actor) -> Entry:
    """Add a further start of a person."""
    ref = require(actor, "enter", person.championship)
    last = person.championship.entries.aggregate(last=Max("number"))["last"] or 0
    copied = {name: getattr(person, name) for name in COPIED}
    made = Entry.objects.create(championship=person.championship, number=last + 1, start_of=person, **copied)
    event = EntryAdded(player=made.player_ref, number=made.number, start_of=person.player_ref)
    record(person.championship.stream_id, event, actor=ref)
    return made


def _remove_place(start: Entry) -> None:
    place = QueuePlace.objects.select_related("round").filter(entry=start).first()
    if place is None:
        raise TournamentError(
            "starts/not_waiting", _("Number %(number)s waits in no queue."), number=start.number
        )
    if start.seatings.exists():
        raise _seated_error(start)
    place.delete()


def _seated_error(start: Entry) -> TournamentError:
    sits = start.seatings.select_related("table", "round").order_by("-round__number").first()
    return TournamentError(
        "starts/seated",
        _("Number %(number)s has a seat already, at table %(table)s of session %(round)s."),
        number=start.number,
        table=sits.table.number if sits is not None else 0,
        round=sits.round.number if sits is not None else 0,
    )
