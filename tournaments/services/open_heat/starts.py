"""Starts of an open heat: buying one at the till, putting it into the queue of a session, taking it out or
back.

A start is an entry with a number of its own. The first entry of a person is their first start. Each further
start refers to the first one (`start_of`). Seats, results and codes belong to the start. If pairs start, a
start is two such entries, one of each person, joined by their entrant.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.appending import record
from tournaments.errors import TournamentError
from tournaments.events import EntryAdded
from tournaments.models import Booking, Championship, Entry, QueuePlace, Round, Seating
from tournaments.permissions import Actor, require
from tournaments.services import locks
from tournaments.services.current_regulations import load_regulations
from tournaments.services.entries import entries
from tournaments.services.entries.pairs import (
    FORMAT,
    PARTNERS,
    find_partner,
    form_pair,
    has_fixed_pairs,
    pair_name,
)
from tournaments.services.open_heat_queue import mark_away, require_here
from tournaments.services.people.entry_persons import load_persons

COPIED = (
    *Entry.NAMES,
    *("club", "licence", "birth_year", "category", "consented_at", "unnamed_since", "person", "fee", "house"),
)
"""Fields of the person's first entry that are copied to a further start."""


class OwnStart(NamedTuple):
    """A start of a person. `used`: it has had a seat, or waits in a queue."""

    entry: Entry
    used: bool


def list_starts(person: Entry) -> list[OwnStart]:
    """List the starts of a person by number. `person`: their first entry. Four queries."""
    own = [pk for pk, first in load_persons(person.championship_id).items() if first == person.pk]
    used = set(Seating.objects.filter(entry__in=own).values_list("entry_id", flat=True))
    waiting = QueuePlace.objects.filter(entry__in=own, entry__status=Entry.Status.ARRIVED)
    used.update(waiting.values_list("entry_id", flat=True))
    rows = Entry.objects.filter(pk__in=own, merged_into=None).select_related("championship")
    return [OwnStart(entry, entry.pk in used) for entry in rows.order_by("number")]


class StartOffer(NamedTuple):
    """The effect that `add_start` would have for a person.

    person: their first entry; used: number of starts at tables and in queues; left: whether a bought start
    (for pairs: one without a partner) is not used yet; may_more: whether the regulations allow a further
    start; waits: the person is on the waiting list, and can get no start before they have a place; mates:
    primary keys of their partners' first entries; bought_with: those with whom a bought start is not used
    yet.
    """

    person: Entry
    used: int
    left: bool
    may_more: bool
    waits: bool = False
    mates: tuple[int, ...] = ()
    bought_with: frozenset[int] = frozenset()


def list_start_offers(championship: Championship, people: Sequence[Entry]) -> list[StartOffer]:
    """List the offers for persons, given by their first entries. At most four queries, regardless of their
    number.
    """
    regulations = load_regulations(championship)
    most, in_pairs = regulations.most_starts, regulations.play.format == FORMAT
    person_of = load_persons(championship.pk)
    wanted = {person.pk for person in people}
    own = [pk for pk, person in person_of.items() if person in wanted]
    columns = ("pk", "status", "championship", "entrant")
    seated = Exists(Seating.objects.filter(entry=OuterRef("pk")))
    queued = Exists(QueuePlace.objects.filter(entry=OuterRef("pk")))
    own_entries = Entry.objects.filter(pk__in=own, merged_into=None).only(*columns)
    rows = list(own_entries.annotate(is_used=seated | Q(queued, status=Entry.Status.ARRIVED)))
    used = {row.pk for row in rows if row.is_used}
    members = _load_members(rows) if in_pairs else {}
    rows_of: dict[int, list[Entry]] = {}
    for row in rows:
        rows_of.setdefault(person_of[row.pk], []).append(row)
    found = []
    for person in people:
        mine = rows_of.get(person.pk, [])
        standing = [row for row in mine if row.status != Entry.Status.WITHDRAWN]
        unused = [row for row in standing if row.pk not in used]
        mates = {
            row.pk: [person_of[pk] for pk in members.get(row.entrant_id, ()) if pk != row.pk]
            for row in standing
        }
        bought_with = [mate for row in unused for mate in mates[row.pk]]
        found.append(
            StartOffer(
                person,
                used=sum(row.pk in used for row in mine),
                left=any(not in_pairs or row.entrant_id is None for row in unused),
                may_more=len(standing) < most,
                waits=person.waits,
                mates=tuple(dict.fromkeys([*bought_with, *(m for row in standing for m in mates[row.pk])])),
                bought_with=frozenset(bought_with),
            )
        )
    return found


def _load_members(rows: Iterable[Entry]) -> dict[int | None, list[int]]:
    """Return entrant → its entries that have not withdrawn, for the entrants of these rows. One query."""
    found: dict[int | None, list[int]] = {}
    together = Entry.objects.filter(entrant__in={row.entrant_id for row in rows} - {None})
    there = together.exclude(status=Entry.Status.WITHDRAWN).order_by("number")
    for pk, entrant in there.values_list("pk", "entrant_id"):
        found.setdefault(entrant, []).append(pk)
    return found


def add_start(
    round_: Round,
    entry: Entry,
    *,
    actor: Actor,
    partner: Entry | None = None,
    method: str = Booking.Method.CASH,
    seen: int | None = None,
) -> Entry:
    """Put a start of a person, or of a pair, into the queue of an open session. Return its entry, for a pair
    the one with the lower number.

    If no bought start is left, a new one is bought. `entry`, `partner`: any entries of the persons; a partner
    is given only if pairs start. `method`: of `Booking.Method`, empty: no payment. `seen`: number of starts
    of both persons, in queues and at tables, that the caller's page showed, so that a double press buys
    nothing twice. Raises TournamentError `sessions/not_open`, `starts/…`, `pairs/oneself`,
    `entries/withdrawn`, `entries/waits`.
    """
    require(actor, "enter", round_.championship)
    with transaction.atomic():
        locked_round = lock_session(round_, actor)
        people = [load_first_entry(one) for one in (entry, partner) if one is not None]
        people.sort(key=lambda one: one.number)
        _require_number(locked_round, people)
        for person in people:
            entries.refuse_waiting(person)
        own = [list_starts(person) for person in people]
        if seen is not None and seen != sum(one.used for of_person in own for one in of_person):
            raise TournamentError(
                "starts/changed_since",
                _("%(name)s has got another start in the meantime: check the queue as it is now."),
                name=pair_name(people),
            )
        for person in people:
            require_here(locked_round, person)
        found = [
            _take_start(person, of_person, chosen, actor=actor)
            for person, (of_person, chosen) in zip(people, _choose(own), strict=True)
        ]
        found.sort(key=lambda one: one.number)
        if len(found) == PARTNERS and found[0].entrant_id is None:
            form_pair(*found, ref=require(actor, "enter", locked_round.championship))
        now = timezone.now()
        for start in found:
            if method and not start.paid:
                entries.pay(start, actor=actor, method=method)
            start.refresh_from_db()
            start.status, start.arrived_at = Entry.Status.ARRIVED, now
            start.save(update_fields=["status", "arrived_at"])
            QueuePlace.objects.update_or_create(
                entry=start, defaults={"round": locked_round, "queued_at": now}
            )
    return found[0]


def _require_number(round_: Round, people: Sequence[Entry]) -> None:
    """Refuse a start of one person if pairs start, and a start of two persons if people start alone."""
    in_pairs = has_fixed_pairs(round_.championship)
    if in_pairs and len(people) < PARTNERS:
        raise TournamentError(
            "starts/no_partner",
            _("%(name)s starts with a partner: choose both."),
            name=people[0].name,
        )
    if not in_pairs and len(people) == PARTNERS:
        raise TournamentError("starts/alone", _("In this heat people start alone."))
    if len(people) == PARTNERS and people[0].pk == people[1].pk:
        raise TournamentError("pairs/oneself", _("Nobody can be their own partner."))


def _choose(own: Sequence[Sequence[OwnStart]]) -> list[tuple[Sequence[OwnStart], Entry | None]]:
    """Choose a bought start that is left for each person, None if a new one is needed.

    Two persons get a start that they have together, otherwise starts without a partner.
    """
    unused = [[one.entry for one in of_person if not one.used] for of_person in own]
    for left in unused:
        left.sort(key=lambda one: (one.status == Entry.Status.WITHDRAWN, one.number))
    if len(unused) == PARTNERS:
        one, other = ({entry.entrant_id: entry for entry in reversed(left)} for left in unused)
        together = [entry.entrant_id for entry in unused[0] if entry.entrant_id in other.keys() - {None}]
        if together:
            return [(own[0], one[together[0]]), (own[1], other[together[0]])]
        unused = [[entry for entry in left if entry.entrant_id is None] for left in unused]
    return [(of_person, left[0] if left else None) for of_person, left in zip(own, unused, strict=True)]


def _take_start(person: Entry, own: Sequence[OwnStart], start: Entry | None, *, actor: Actor) -> Entry:
    """Return this start of a person; a withdrawn one is reinstated. None: buy a new one, if the regulations
    allow it.
    """
    if start is None or start.status == Entry.Status.WITHDRAWN:
        _require_more(person, own)
    if start is None:
        return _buy(person, actor)
    if start.status == Entry.Status.WITHDRAWN:
        return entries.reinstate(start, actor=actor)
    return start


def add_newcomer(
    round_: Round,
    *,
    actor: Actor,
    partner: Entry | None = None,
    method: str = Booking.Method.CASH,
    **fields: Any,
) -> Entry:
    """Enter a new person, sell them a start and put it into the queue. If one of these steps fails, none is
    done.

    `partner`: an entry of the other person, for a start of a pair. `fields`: fields of `entries.NewEntry`.
    Raises what `entries.add_entry` and `add_start` raise.
    """
    with transaction.atomic():
        entry = entries.add_entry(round_.championship, actor=actor, **fields)
        return add_start(round_, entry, actor=actor, partner=partner, method=method)


def leave_queue(start: Entry, *, actor: Actor) -> None:
    """Take a start out of the queue, for a pair both of its entries. The start stays bought, and can be
    queued again.

    Raises TournamentError `starts/seated`, `starts/not_waiting`.
    """
    with locks.locked_for(start.championship, actor, "enter"):
        for one in _list_together(start):
            _remove_place(one)
            one.refresh_from_db()
            mark_away(one)


def take_back_start(start: Entry, *, actor: Actor) -> None:
    """Withdraw a start that has had no seat, and pay back its fee. For a pair, do so with both of its
    entries.

    Raises TournamentError `starts/seated`.
    """
    with locks.locked_for(start.championship, actor, "enter"):
        for one in _list_together(start):
            one.refresh_from_db()
            if QueuePlace.objects.filter(entry=one).exists():
                _remove_place(one)
            elif one.seatings.exists():
                raise _seated_error(one)
            mark_away(one)
            if one.paid:
                entries.pay(one, actor=actor, paid=False)
            entries.withdraw_entry(one, actor=actor)


def _list_together(start: Entry) -> list[Entry]:
    """List the entries of a start: one, or both of a pair."""
    if not has_fixed_pairs(start.championship):
        return [start]
    partner = find_partner(start)
    return [start] if partner is None else [start, partner]


def lock_session(round_: Round, actor: Actor) -> Round:
    """Lock an open session to change its queue. Raises TournamentError `sessions/not_open`."""
    locks.require_official(round_.championship, actor, "enter")
    locked_round = locks.lock_round(round_.pk)
    if locked_round.status != Round.Status.OPEN or not load_regulations(locked_round.championship).has_queue:
        raise TournamentError("sessions/not_open", _("Session %(round)s is not open."), round=round_.number)
    return locked_round


def load_first_entry(entry: Entry) -> Entry:
    """Load the first entry of a person. `entry`: any entry of the person, also one merged into another."""
    first = load_persons(entry.championship_id)[entry.pk]
    return entry if first == entry.pk else Entry.objects.select_related("championship").get(pk=first)


def _require_more(person: Entry, own: Sequence[OwnStart]) -> None:
    """Raise TournamentError `starts/most` if the person has all starts that the regulations allow."""
    most = load_regulations(person.championship).most_starts
    if sum(one.entry.status != Entry.Status.WITHDRAWN for one in own) >= most:
        raise TournamentError(
            "starts/most",
            _("%(name)s has used all starts that the regulations allow: %(most)s."),
            name=person.name,
            most=most,
        )


def _buy(person: Entry, actor: Actor) -> Entry:
    """Add a further start of a person."""
    ref = require(actor, "enter", person.championship)
    last = person.championship.entries.aggregate(last=Max("number"))["last"] or 0
    copied = {name: getattr(person, name) for name in COPIED}
    start = Entry.objects.create(championship=person.championship, number=last + 1, start_of=person, **copied)
    event = EntryAdded(player=start.player_ref, number=start.number, start_of=person.player_ref)
    record(person.championship.stream_id, event, actor=ref)
    return start


def _remove_place(start: Entry) -> None:
    place = QueuePlace.objects.select_related("round").filter(entry=start).first()
    if place is None:
        raise TournamentError(
            "starts/not_waiting", _("Number %(number)s is not in a queue."), number=start.number
        )
    if start.seatings.exists():
        raise _seated_error(start)
    place.delete()


def _seated_error(start: Entry) -> TournamentError:
    sits = start.seatings.select_related("table", "round").order_by("-round__number").first()
    return TournamentError(
        "starts/seated",
        _("Number %(number)s already has a seat, at table %(table)s of session %(round)s."),
        number=start.number,
        table=sits.table.number if sits is not None else 0,
        round=sits.round.number if sits is not None else 0,
    )
