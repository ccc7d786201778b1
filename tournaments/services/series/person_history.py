"""A person of a roll across evenings: the evenings that a reader may connect with the person, places, and
partners.

Keepers of the roll and the person themself see all evenings. Other readers see only evenings whose full names
they may read. An evening with initials or numbers is never connected with another one for them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, F, OuterRef, Q

from games.models import User
from tournaments import regulation_checks
from tournaments.models import Championship, Entry, Official, Person, Regulations, Round, Seating
from tournaments.names import TwoNames
from tournaments.names.public_names import FULL, numbered_name
from tournaments.regulations import PARTNERS_NEED
from tournaments.services.series.places import PlaceOf, load_places_of

PARTNERS_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class Partner:
    """A partner of the person. person: id on the roll of this club, None if not on it; rounds: rounds played
    together.
    """

    person: int | None
    name: str
    rounds: int


@dataclass(frozen=True, slots=True)
class PersonEvening:
    """An evening of the person. number: of their entry; row: their row in the latest published ranking, None
    without one.
    """

    championship: Championship
    number: int
    row: PlaceOf | None
    partners: Sequence[Partner]


@dataclass(frozen=True, slots=True)
class AcrossEvenings:
    """The evenings of a person, as far as a reader may see them.

    evenings: latest first; partners: those with the most rounds together; own: the reader is this person.
    """

    evenings: Sequence[PersonEvening]
    partners: Sequence[Partner]
    own: bool

    @property
    def best(self) -> PersonEvening | None:
        """The evening with the best place, None without a result. Among equal places, the one with the most
        people.
        """
        ranked = [one for one in self.evenings if one.row is not None and one.row.total is not None]
        return min(ranked, key=_rank, default=None)


def load_across_evenings(
    person: Person, reader: User | AnonymousUser, *, keeper: bool
) -> AcrossEvenings | None:
    """Return the person's evenings as this reader may see them. For a reader who is neither keeper nor this
    person, None if there is nothing to see.

    The number of queries is constant.
    """
    own = reader.is_authenticated and (
        person.user_id == reader.pk or person.entries.filter(user=reader.pk).exists()
    )
    if person.unnamed_since is not None and not (keeper or own):
        return None
    entries = _load_entries(person, reader, all_of_them=keeper or own)
    if not entries and not (keeper or own):
        return None
    rows = load_places_of({pk: number for pk, (_entry, number) in entries.items()})
    championships = Championship.objects.in_bulk(list(entries))
    partners = _load_partners(
        person, [pk for pk, _number in entries.values()], championships, everybody=keeper or own
    )
    evenings = [
        PersonEvening(championships[pk], number, rows.get(pk), _list_partners(partners.get(pk, Counter())))
        for pk, (_entry, number) in entries.items()
    ]
    evenings.sort(key=_when, reverse=True)
    together: Counter[tuple[int | None, str]] = sum(partners.values(), Counter())
    return AcrossEvenings(evenings, _list_partners(together)[:PARTNERS_SHOWN], own)


def _rank(one: PersonEvening) -> tuple[int, int]:
    return (one.row.place, -one.row.people) if one.row is not None else (0, 0)


def _when(one: PersonEvening) -> tuple[float, int]:
    championship = one.championship
    return (championship.starts_at or championship.created_at).timestamp(), championship.pk


def _load_entries(
    person: Person, reader: User | AnonymousUser, *, all_of_them: bool
) -> dict[int, tuple[int, int]]:
    """Return championship → id and number of the person's entry. Entries withdrawn before playing are left
    out.
    """
    played = Exists(Seating.objects.filter(entry=OuterRef("pk")))
    found = Entry.objects.filter(
        ~Q(status=Entry.Status.WITHDRAWN) | Q(merged_into__isnull=False) | played, person=person
    )
    if not all_of_them:
        seen = Q(championship__public=True, championship__public_names=FULL)
        if reader.is_authenticated:
            seen |= Q(championship__in=Official.objects.filter(user=reader.pk).values("championship"))
            seen |= Q(championship__in=Entry.objects.filter(user=reader.pk).values("championship"))
        found = found.filter(seen, unnamed_since=None)
    rows = found.order_by("championship", "-number").values_list(
        "championship", "pk", "number", "merged_into", "merged_into__number"
    )
    return {
        championship: (merged or pk, merged_number or number)
        for championship, pk, number, merged, merged_number in rows
    }


def _load_partners(
    person: Person, entries: Iterable[int], championships: Mapping[int, Championship], *, everybody: bool
) -> dict[int, Counter[tuple[int | None, str]]]:
    """Return championship → (person, name) of each partner, with the number of closed rounds together.

    `everybody`: show also the names of people who have withdrawn their consent to be named.
    """
    own = Q(entry__in=list(entries)) | Q(entry__merged_into__in=list(entries))
    closed = Seating.objects.filter(own, round__status=Round.Status.CLOSED)
    seats = dict(closed.values_list("table", "seat"))
    alone = _load_alone(championships)
    columns = ("table", "seat", "round__championship", "entry__person", "entry__person__club")
    erased, unnamed = "entry__person__erased_at", "entry__unnamed_since"
    rows = Seating.objects.filter(table__in=closed.values("table")).values_list(
        *columns, erased, unnamed, "entry__number", "entry__first_name", "entry__family_name"
    )
    tables: dict[int, list[tuple[int, int, int | None, str]]] = {}
    for table, seat, championship, other, club, gone, unnamed_since, number, *names in rows:
        on_roll = other if club == person.club_id and gone is None else None
        name = TwoNames(*names).running
        if unnamed_since is not None and not everybody:
            on_roll, name = None, numbered_name(number)
        tables.setdefault(table, []).append((seat, championship, on_roll, name))
    found: dict[int, Counter[tuple[int | None, str]]] = {}
    for table, chairs in tables.items():
        own_seat = seats[table]
        for seat, championship, other, name in chairs if len(chairs) == PARTNERS_NEED else ():
            if seat != own_seat and seat % 2 == own_seat % 2 and championship not in alone:
                found.setdefault(championship, Counter())[other, name] += 1
    return found


def _load_alone(championships: Mapping[int, Championship]) -> set[int]:
    """Return the primary keys of the championships in which everybody plays alone."""
    current = Regulations.objects.filter(
        championship__in=championships, version=F("championship__regulations_version")
    )
    return {
        pk
        for pk, data in current.values_list("championship", "data")
        if regulation_checks.decode_stored(data).play.format == "solo"
    }


def _list_partners(rounds: Counter[tuple[int | None, str]]) -> list[Partner]:
    """Return the partners, ordered by the number of rounds together, most first, then by name."""
    ordered = sorted(rounds.items(), key=lambda pair: (-pair[1], pair[0][1], pair[0][0] or 0))
    return [Partner(person, name, count) for (person, name), count in ordered]
