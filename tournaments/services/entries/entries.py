"""Entries of a championship: adding, editing, payment, presence, withdrawal, and side constraints of the
draw.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import count
from typing import Any, Final, NamedTuple

from django.db.models import Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.appending import record
from games.models import User
from tournaments.clubs import rolls
from tournaments.clubs.particulars import parse_birth_year, parse_category, parse_email
from tournaments.errors import TournamentError
from tournaments.events import EntryAdded, EntryReturned, EntryWithdrawn
from tournaments.models import (
    Booking,
    Championship,
    Entry,
    Fee,
    Person,
    Round,
    Seating,
    SideConstraint,
)
from tournaments.names import TwoNames, clean, name_key, read_name
from tournaments.names.spelling import MAX_CLUB_LENGTH
from tournaments.permissions import Actor, require
from tournaments.services import locks
from tournaments.services.entries import pairs, teams, waiting_list
from tournaments.services.money import bookings
from tournaments.services.open_heat_queue import drop_places, mark_away
from tournaments.services.people import name_visibility
from tournaments.services.seats import seat_changes, table_rights

MAX_DIGITS: Final = 9
"""Most digits of a search text that is read as an entry number."""
HIGHEST: Final = 999_999
"""Highest entry number."""
EDITED: Final = frozenset(
    {"name", "family_name", "first_name", "club", "licence", "note", "house"}
    | {"email", "birth_year", "category", "consents"}
)
"""The fields of an entry that can be edited."""


class NewEntry(NamedTuple):
    """Fields of a new entry, most of them as in `Entry`.

    The name is given as `family_name` and `first_name`, or in one text as `name`. `number`: None: the next
    after the highest. `paid_by`: method of a payment made before; empty: a bank transfer. `consents`: the
    person consents to be named; `unnamed_since`: when this consent was withdrawn, ignored if `consents`.
    `person`: the person on the club's roll, None: found by name. `team`: name of the team. `waits`: the
    person goes to the waiting list.
    """

    name: str = ""
    club: str = ""
    licence: str = ""
    note: str = ""
    house: bool = False
    user: User | None = None
    status: str = Entry.Status.REGISTERED
    family_name: str = ""
    first_name: str = ""
    number: int | None = None
    paid: bool = False
    paid_by: str = ""
    email: str = ""
    birth_year: int | None = None
    category: str = ""
    start_rank: int | None = None
    consents: bool = False
    unnamed_since: datetime | None = None
    person: Person | None = None
    team: str = ""
    fee: Fee | None = None
    waits: bool = False

    @property
    def names(self) -> TwoNames:
        """First and family name, also if they were given in one text."""
        if self.family_name or self.first_name:
            return TwoNames(self.first_name, self.family_name)
        return read_name(self.name)


def add_entry(
    championship: Championship, *, actor: Actor, allow_double: bool = False, **fields: Any
) -> Entry:
    """Add an entry. `fields`: fields of NewEntry; `allow_double`: accept a name that is entered already.

    Raises what `add_entries` raises.
    """
    return add_entries(championship, [NewEntry(**fields)], actor=actor, allow_doubles=allow_double)[0]


def add_entries(
    championship: Championship, entries: Iterable[NewEntry], *, actor: Actor, allow_doubles: bool = False
) -> list[Entry]:
    """Add several entries, all or none.

    `allow_doubles`: accept names that are entered already. The fees of paid entries are booked. Raises
    TournamentError `names/…`, `people/…`, `entries/double`, `entries/number_taken`, and what `teams.join`
    raises.
    """
    ref = require(actor, "enter", championship)
    wanted = [_validate(entry) for entry in entries]
    with locks.locked_for(championship, actor, "enter") as locked:
        if not allow_doubles:
            _refuse_doubles(locked, wanted)
        numbers = _numbers(locked, wanted)
        persons = rolls.match_persons(locked, wanted, [entry.person for entry in wanted])
        next_round = _next_round(locked) if any(entry.waits for entry in wanted) else 1
        rows = Entry.objects.bulk_create(
            _build_entry(entry, next_round, championship=locked, number=number, person=person)
            for entry, number, person in zip(wanted, numbers, persons, strict=True)
        )
        if rows:
            events: list[EntryAdded | EntryWithdrawn] = [
                EntryAdded(player=entry.player_ref, number=entry.number) for entry in rows
            ]
            events += [
                EntryWithdrawn(player=entry.player_ref, from_round=entry.withdrawn_from)
                for entry in rows
                if entry.withdrawn_from is not None
            ]
            record(locked.stream_id, *events, actor=ref)
            _book_paid_before(rows, wanted, actor)
            _join_teams(locked, rows, wanted, actor)
            if any(entry.unnamed_since for entry in rows):
                name_visibility.update_unnamed(locked.pk)
    return rows


def _join_teams(
    championship: Championship, entries: Sequence[Entry], wanted: Sequence[NewEntry], actor: Actor
) -> None:
    """Put each new entry into the team that it names."""
    by_team: dict[str, list[Entry]] = {}
    for entry, said in zip(entries, wanted, strict=True):
        if said.team:
            by_team.setdefault(said.team, []).append(entry)
    if by_team:
        teams.join_several(championship, by_team, actor=actor)


def _book_paid_before(entries: Sequence[Entry], wanted: Sequence[NewEntry], actor: Actor) -> None:
    """Book the payments that were made before the entry. They are not part of a till."""
    by_way: dict[str, list[Entry]] = {}
    for entry, said in zip(entries, wanted, strict=True):
        if entry.paid:
            by_way.setdefault(said.paid_by or Booking.Method.TRANSFER, []).append(entry)
    for way, people in by_way.items():
        bookings.book_fees(people, actor=actor, method=way, through_till=False)


def enter_persons(championship: Championship, persons: Iterable[Person], *, actor: Actor) -> list[Entry]:
    """Enter persons of the club's roll with the data of the roll, all or none.

    Persons who are archived or entered already are skipped.
    """
    with locks.locked_for(championship, actor, "enter") as locked:
        wanted = rolls.list_not_entered(locked).filter(pk__in=[person.pk for person in persons])
        new = [NewEntry(**rolls.entry_fields(person)) for person in wanted]
        return add_entries(locked, new, actor=actor, allow_doubles=True)


def _numbers(championship: Championship, wanted: list[NewEntry]) -> list[int]:
    """Return the number of each new entry: the number that it asks for, otherwise the next after the highest.

    Raises TournamentError `entries/number_taken`, also for a number above HIGHEST.
    """
    given = [entry.number for entry in wanted if entry.number is not None]
    if given:
        taken = set(championship.entries.filter(number__in=given).values_list("number", flat=True))
        for number in given:
            if number in taken or not 0 < number <= HIGHEST:
                raise TournamentError(
                    "entries/number_taken", _("Number %(number)s is not free."), number=number
                )
            taken.add(number)
    last = championship.entries.aggregate(last=Max("number"))["last"] or 0
    free = count(max(last, *given) + 1 if given else last + 1)
    return [next(free) if entry.number is None else entry.number for entry in wanted]


def _next_round(championship: Championship) -> int:
    """Return the number of the first round that has not been opened."""
    played = championship.rounds.exclude(status__in=[Round.Status.PLANNED, Round.Status.DRAWN])
    return (played.aggregate(last=Max("number"))["last"] or 0) + 1


def _build_entry(
    entry: NewEntry, next_round: int, *, championship: Championship, number: int, person: Person | None
) -> Entry:
    fields = entry._asdict()
    del fields["paid_by"], fields["team"], fields["waits"]
    consents, unnamed = fields.pop("consents"), fields.pop("unnamed_since")
    if unnamed is None and person is not None:
        unnamed = person.unnamed_since
    paid = fields["paid"] or entry.status == Entry.Status.PAID
    if paid and entry.status == Entry.Status.REGISTERED:
        fields["status"] = Entry.Status.PAID
    now = timezone.now()
    fields |= {"number": number, "person": person, "paid": paid}
    if entry.waits:
        fields |= {"status": Entry.Status.WITHDRAWN, "waiting_since": now, "withdrawn_from": next_round}
    row = Entry(
        championship=championship,
        arrived_at=now if fields["status"] == Entry.Status.ARRIVED else None,
        consented_at=now if consents else None,
        unnamed_since=None if consents else unnamed,
        **fields,
    )
    row.call(entry.names)
    return row


def _validate(entry: NewEntry) -> NewEntry:
    """Return the entry with clean fields and the name split in two. A single name is stored as the family
    name.
    """
    first, family = entry.names
    checked = TwoNames(clean(first, field="first_name"), clean(family, field="family_name"))
    if not checked.family:
        checked = TwoNames("", checked.first)
    return entry._replace(
        name=clean(checked.running, needed=True),
        family_name=checked.family,
        first_name=checked.first,
        club=clean(entry.club, longest=MAX_CLUB_LENGTH, field="club"),
        licence=clean(entry.licence, longest=20, field="licence"),
        note=clean(entry.note, longest=80, field="note"),
        team=clean(entry.team, longest=MAX_CLUB_LENGTH, field="team"),
        email=parse_email(entry.email),
        birth_year=parse_birth_year(entry.birth_year),
        category=parse_category(entry.category),
    )


def _refuse_doubles(championship: Championship, wanted: list[NewEntry]) -> None:
    known = load_entered_name_keys(championship)
    for entry in wanted:
        key = name_key(entry.name)
        if key in known:
            raise TournamentError("entries/double", _("%(name)s is already entered."), name=entry.name)
        known.add(key)


def load_entered_name_keys(championship: Championship) -> set[tuple[str, ...]]:
    """Load the name keys of all entries that have not withdrawn, including people on the waiting list.

    Names that differ only in case, accents or word order have the same key.
    """
    entered = championship.entries.exclude(Entry.GONE)
    return {name_key(name) for name in entered.values_list("name", flat=True)}


def edit_entry(entry: Entry, *, actor: Actor, **fields: Any) -> Entry:
    """Change the given fields of an entry.

    Further starts get the same values except the note. So does the person on the club's roll if this is their
    only entry. If `consents` becomes false, the consent to be named is withdrawn. Raises TypeError for a
    field not in EDITED, and TournamentError `names/…`, `people/…`, `entries/house_fixed` if `house` changes
    after the person has played.
    """
    require(actor, "enter", entry.championship)
    if unknown := set(fields) - EDITED:
        raise TypeError(f"not to be edited: {sorted(unknown)}")
    names = {} if "name" in fields else {"family_name": entry.family_name, "first_name": entry.first_name}
    checked = _validate(NewEntry(**{**names, **fields}))
    with locks.locked_for(entry.championship, actor, "enter"):
        if fields.get("house", entry.house) != entry.house and pairs.have_played([entry]):
            raise TournamentError(
                "entries/house_fixed",
                _("%(name)s has played: mark helpers of the house before they play."),
                name=entry.name,
            )
        entry.call(checked.names)
        plain = sorted(fields.keys() - {*Entry.NAMES, "consents"})
        for field in plain:
            setattr(entry, field, getattr(checked, field))
        asked = fields.get("consents", entry.consented_at is not None) != (entry.consented_at is not None)
        if asked:
            now = timezone.now()
            entry.consented_at, entry.unnamed_since = (now, None) if fields["consents"] else (None, now)
        changed = [*Entry.NAMES, *plain, "consented_at", "unnamed_since"]
        if asked and entry.person_id is not None:
            Person.objects.filter(pk=entry.person_id).update(unnamed_since=entry.unnamed_since)
        entry.save(update_fields=changed)
        entry.starts.update(**{name: getattr(entry, name) for name in changed if name != "note"})
        name_visibility.update_unnamed(entry.championship_id)
        rolls.update_from_entry(entry)
    return entry


def pay(entry: Entry, *, actor: Actor, paid: bool = True, method: str = Booking.Method.CASH) -> Entry:
    """Mark an entry as paid, and book its fee if it has one. `paid` False: mark it as unpaid, and cancel the
    booking.

    method: one of `Booking.Method`. Raises TournamentError `entries/waits` for payment by a waiting person.
    """
    with locks.for_official(entry.championship, actor, "enter"):
        entry.refresh_from_db()
        if paid:
            refuse_waiting(entry)
        entry.paid = paid
        if paid and entry.status == Entry.Status.REGISTERED:
            entry.status = Entry.Status.PAID
        elif not paid and entry.status == Entry.Status.PAID:
            entry.status = Entry.Status.REGISTERED
        entry.save(update_fields=["paid", "status"])
        if paid:
            bookings.book_fees([entry], actor=actor, method=method)
        else:
            bookings.cancel_fee(entry, actor=actor)
    return entry


def arrive(entry: Entry, *, actor: Actor) -> Entry:
    """Mark the entry as present, so that it is drawn. Raises TournamentError `entries/withdrawn`,
    `entries/waits`.
    """
    with locks.for_official(entry.championship, actor, "enter"):
        entry.refresh_from_db()
        refuse_waiting(entry)
        if entry.status == Entry.Status.WITHDRAWN:
            raise TournamentError(
                "entries/withdrawn",
                _("%(name)s has withdrawn; restore the entry first."),
                name=entry.name,
            )
        if entry.status != Entry.Status.ARRIVED:
            entry.status = Entry.Status.ARRIVED
            entry.arrived_at = timezone.now()
            entry.save(update_fields=["status", "arrived_at"])
    return entry


def leave(entry: Entry, *, actor: Actor) -> Entry:
    """Mark a present entry as absent again. It stays entered, and leaves the queue of a session."""
    with locks.for_official(entry.championship, actor, "enter"):
        entry.refresh_from_db()
        if entry.status == Entry.Status.ARRIVED:
            mark_away(entry)
            drop_places([entry])
    return entry


def withdraw_entry(entry: Entry, *, actor: Actor, after_round: bool = False) -> Entry:
    """Withdraw the entry from the next round on; its results stay.

    Until a round is drawn, its place goes to the waiting list. An entry on the waiting list is removed from
    it. Raises TournamentError `entries/seated` if the entry has a seat in a drawn or open round.
    `after_round`: accept a seat in an open round, which the entry plays to its end.
    """
    with locks.for_official(entry.championship, actor, "enter") as (locked, ref):
        entry.refresh_from_db()
        if entry.status == Entry.Status.WITHDRAWN:
            if entry.waits:
                waiting_list.leave_list(locked, entry)
            return entry
        sits = (
            Seating.objects.filter(entry=entry, round__status__in=[Round.Status.DRAWN, Round.Status.OPEN])
            .select_related("round", "table")
            .first()
        )
        if sits is not None and not (after_round and sits.round.status == Round.Status.OPEN):
            raise TournamentError(
                "entries/seated",
                _("%(name)s sits at table %(table)s in round %(round)s."),
                name=entry.name,
                table=sits.table.number,
                round=sits.round.number,
                open=int(sits.round.status == Round.Status.OPEN),
            )
        entry.withdrawn_from = _next_round(locked)
        entry.status, entry.waiting_since = Entry.Status.WITHDRAWN, None
        entry.save(update_fields=["status", "withdrawn_from", "waiting_since"])
        drop_places([entry])
        event = EntryWithdrawn(player=entry.player_ref, from_round=entry.withdrawn_from)
        record(locked.stream_id, event, actor=ref)
        waiting_list.forget_partner(entry)
        waiting_list.fill_free_places(locked)
    return entry


def reinstate(entry: Entry, *, actor: Actor) -> Entry:
    """Undo the withdrawal of an entry. An entry on the waiting list gets a place instead.

    Raises TournamentError `merge/is_one`, `pairs/place_taken`.
    """
    with locks.for_official(entry.championship, actor, "enter") as (locked, ref):
        entry.refresh_from_db()
        if entry.waits:
            return waiting_list.move_up(entry, actor=actor)
        if entry.status == Entry.Status.WITHDRAWN:
            _refuse_merged(entry)
            _refuse_third(entry)
            entry.status = Entry.Status.PAID if entry.paid else Entry.Status.REGISTERED
            entry.withdrawn_from = None
            entry.save(update_fields=["status", "withdrawn_from"])
            record(locked.stream_id, EntryReturned(player=entry.player_ref), actor=ref)
    return entry


def refuse_waiting(entry: Entry) -> None:
    """Raise TournamentError `entries/waits` if the person is on the waiting list."""
    if entry.waits:
        raise TournamentError(
            "entries/waits", _("%(name)s is on the waiting list: move them up first."), name=entry.name
        )


def _refuse_merged(entry: Entry) -> None:
    if entry.merged_into is not None:
        raise TournamentError(
            "merge/is_one",
            _("Number %(number)s is merged with number %(kept)s: separate them first."),
            number=entry.number,
            kept=entry.merged_into.number,
        )


def _refuse_third(entry: Entry) -> None:
    """Raise TournamentError `pairs/place_taken` if the pair of a withdrawn entry is complete without it."""
    present = Entry.objects.filter(entrant=entry.entrant_id).exclude(status=Entry.Status.WITHDRAWN)
    if entry.entrant_id is not None and present.count() >= pairs.PARTNERS:
        raise TournamentError(
            "pairs/place_taken",
            _("Somebody else plays in the place of %(name)s: %(names)s."),
            name=entry.name,
            names=pairs.pair_name(present.order_by("number")),
        )


def link_account(entry: Entry, user: User | None, *, actor: Actor) -> Entry:
    """Link the account with which the person plays online; None removes the link.

    From then on the account sees the hand of a running deal; the table is notified (`seat_changes`). Raises
    TournamentError `entries/user_taken`, `entries/has_looked`.
    """
    with locks.for_official(entry.championship, actor, "enter") as (_locked, ref):
        if user is not None and entry.championship.entries.filter(user=user).exclude(pk=entry.pk).exists():
            raise TournamentError(
                "entries/user_taken", _("%(user)s plays under another entry."), user=user.get_username()
            )
        if user is not None:
            seat_changes.require_not_looked(entry, user)
        told = user is not None or entry.user is not None
        entry.user = user
        entry.save(update_fields=["user"])
        table_rights.move_seats_to_account(entry)
        if told:
            seat_changes.record_account_change(entry, actor=actor, ref=ref)
    return entry


def search_entries(championship: Championship, text: str) -> QuerySet[Entry]:
    """Find entries by number, or by the name as the current reader sees it, if it contains every word of the
    text. Order, case and accents do not matter.
    """
    entries = championship.entries.order_by("sort_name", "number")
    digits = text.strip()
    if digits.isascii() and digits.isdecimal() and len(digits) <= MAX_DIGITS:
        return entries.filter(number=int(digits))
    return name_visibility.filter_by_name(entries, championship, text)


def add_constraint(
    championship: Championship, kind: str, one: Entry, other: Entry, *, actor: Actor, soft: bool = False
) -> SideConstraint:
    """Add a side constraint of the draw between two entries. `kind`: `never_partner` or `never_meet`.

    soft: the draw keeps the constraint only as far as possible. If the two people already have a constraint
    of this kind, its `soft` is changed. Raises TournamentError `entries/constraint`.
    """
    locks.require_official_unlocked(championship, actor, "enter")
    first, second = sorted((one, other), key=lambda entry: entry.number)
    if first.pk == second.pk or {first.championship_id, second.championship_id} != {championship.pk}:
        raise TournamentError(
            "entries/constraint", _("A constraint is about two people of this championship.")
        )
    found, _created = SideConstraint.objects.update_or_create(
        championship=championship,
        kind=SideConstraint.Kind(kind),
        one=first,
        other=second,
        defaults={"soft": soft},
    )
    return found


def list_constraints(entry: Entry) -> list[tuple[SideConstraint, Entry]]:
    """List the side constraints of an entry, each with the other person. One query."""
    found = SideConstraint.objects.filter(championship=entry.championship_id).exclude(
        kind=SideConstraint.Kind.FIXED_PAIR
    )
    found = found.filter(Q(one=entry) | Q(other=entry)).select_related("one", "other").order_by("pk")
    return [(wish, wish.other if wish.one_id == entry.pk else wish.one) for wish in found]


def remove_constraint(constraint: SideConstraint, *, actor: Actor) -> None:
    """Remove a side constraint of the draw."""
    locks.require_official_unlocked(constraint.championship, actor, "enter")
    constraint.delete()
