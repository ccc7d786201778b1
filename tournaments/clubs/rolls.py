"""Rolls of clubs: listing, searching, suggesting and matching persons.

Keepers manage a club. The desk of the club's championships gets suggestions from the roll, and its entries
add and update persons.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple, Protocol

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import User
from tournaments.clubs.particulars import parse_birth_year, parse_category, parse_email
from tournaments.clubs.public import public_clubs
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Club, Entry, Keeper, OutsidePerson, Person, SeriesTicket
from tournaments.names import TwoNames, clean, fold, name_key, search_pattern
from tournaments.names.spelling import MAX_CLUB_LENGTH
from tournaments.permissions import Actor

NAMES_PER_QUERY: Final = 400
Name = tuple[str, ...]
"""Comparable form of a name (`name_key`): its words."""
MIN_LETTERS: Final = 3
"""Least number of typed letters for which the roll suggests persons."""
OFFERED: Final = 8
FIELDS: Final = frozenset({"home_club", "licence", "email", "birth_year", "category"})
"""Fields of a person besides the names."""


class Written(Protocol):
    """The data of a person as typed or imported for an entry."""

    @property
    def names(self) -> TwoNames: ...
    @property
    def club(self) -> str: ...
    @property
    def licence(self) -> str: ...
    @property
    def email(self) -> str: ...
    @property
    def birth_year(self) -> int | None: ...
    @property
    def category(self) -> str: ...
    @property
    def unnamed_since(self) -> datetime | None: ...


class WrittenEntry(NamedTuple):
    """The data of a person as stored in an entry."""

    names: TwoNames
    club: str
    licence: str
    email: str
    birth_year: int | None
    category: str
    unnamed_since: datetime | None

    @classmethod
    def of(cls, entry: Entry) -> "WrittenEntry":
        """Return the data of the entry's person."""
        names = TwoNames(entry.first_name, entry.family_name)
        own = entry.club, entry.licence, entry.email, entry.birth_year, entry.category, entry.unnamed_since
        return cls(names, *own)


def default_club(user: User) -> Club:
    """Return the club whose keeper the user became last. Creates one with their name if there is none."""
    keeper = Keeper.objects.filter(user=user).select_related("club").order_by("-pk").first()
    if keeper is not None:
        return keeper.club
    club = Club.objects.create(name=_founder_name(user), named=False)
    Keeper.objects.create(club=club, user=user)
    return club


def _founder_name(user: User) -> str:
    return user.display_name[:80]


def found_club(name: str, *, actor: User) -> Club:
    """Create a club that the actor keeps. Raises TournamentError `names/…`."""
    name = clean(name, longest=80, needed=True)
    with transaction.atomic():
        club = Club.objects.create(name=name)
        Keeper.objects.create(club=club, user=actor)
    return club


def rename_club(club: Club, name: str, *, actor: Actor) -> Club:
    """Rename a club and its logo. The slug changes too, unless the club has a public page.

    Raises NotAllowed, TournamentError `names/…`.
    """
    require_keeper(actor, club)
    known = public_clubs().filter(pk=club.pk).exists()
    club.name, club.named = clean(name, longest=80, needed=True), True
    if not known:
        club.slug = club.find_free_slug()
    with transaction.atomic():
        club.pictures = Club.objects.select_for_update().get(pk=club.pk).pictures
        club.name_logo()
        club.save(update_fields=["name", "named", "slug", "pictures"])
    return club


def list_kept_clubs(user: User) -> QuerySet[Club]:
    """Return the clubs that the user keeps, by name.

    Annotation: `people`, the number of persons on the roll, without archived ones.
    """
    listed = Count("roll", filter=Q(roll__erased_at=None, roll__archived_at=None))
    return Club.objects.filter(keepers__user=user).annotate(people=listed).order_by("name", "pk")


def add_keeper(club: Club, user: User, *, actor: Actor) -> None:
    """Add a keeper of the club's roll."""
    require_keeper(actor, club)
    Keeper.objects.get_or_create(club=club, user=user)


def remove_keeper(club: Club, user: User, *, actor: Actor) -> None:
    """Remove a keeper. Raises NotAllowed, TournamentError `clubs/last_keeper` for the last one."""
    require_keeper(actor, club)
    with transaction.atomic():
        locked_club = Club.objects.select_for_update().get(pk=club.pk)
        if not locked_club.keepers.exclude(user=user).exists():
            raise TournamentError(
                "clubs/last_keeper", _("The roll needs a keeper: add another keeper first.")
            )
        locked_club.keepers.filter(user=user).delete()


def is_keeper(user: Any, club: Club | None) -> bool:
    """Return whether the user keeps this club's roll."""
    return (
        club is not None
        and user is not None
        and user.is_authenticated
        and club.keepers.filter(user_id=user.pk).exists()
    )


def require_keeper(actor: Actor, club: Club) -> None:
    """Raise NotAllowed `clubs/not_keeper` unless the actor keeps the club or is None (the server)."""
    if actor is not None and not is_keeper(actor, club):
        raise NotAllowed("clubs/not_keeper", _("Only a keeper of this club's roll may do that."))


def list_persons(club: Club) -> QuerySet[Person]:
    """Return the persons on the roll, by family name."""
    return club.roll.filter(erased_at=None).order_by("sort_name", "pk")


def search_persons(club: Club, text: str, *, archived: bool = False) -> QuerySet[Person]:
    """Return the persons on the roll whose name contains every word of the text, in any order. Case,
    accents and the spelling of umlauts do not matter.

    Archived persons are left out unless `archived` is set.
    """
    found = list_persons(club)
    if not archived:
        found = found.filter(archived_at=None)
    for word in name_key(text):
        found = found.filter(sort_name__regex=search_pattern(word))
    return found


def list_not_entered(championship: Championship, text: str = "") -> QuerySet[Person]:
    """Return the persons of the club's roll who match the text and are not entered in the championship.

    Withdrawn entries count only on the waiting list.
    """
    if championship.club is None:
        return Person.objects.none()
    there = championship.entries.exclude(Entry.GONE).exclude(person=None)
    return search_persons(championship.club, text).exclude(pk__in=there.values("person"))


def suggest_persons(championship: Championship, text: str) -> list[Person]:
    """Return up to OFFERED persons of `list_not_entered` for a name typed at the desk; none for fewer than
    MIN_LETTERS characters.
    """
    if championship.club is None or len("".join(text.split())) < MIN_LETTERS:
        return []
    return list(list_not_entered(championship, text)[:OFFERED])


def find_person(championship: Championship, number: int | None) -> Person | None:
    """Return the person with this primary key; None if they are not on the roll of the club."""
    if number is None or championship.club is None:
        return None
    return list_persons(championship.club).filter(pk=number).first()


def entry_fields(person: Person) -> dict[str, Any]:
    """Return the fields of a new entry for a person of the roll, as keyword arguments."""
    return {
        "family_name": person.family_name,
        "first_name": person.first_name,
        "club": person.home_club,
        "licence": person.licence,
        "email": person.email,
        "birth_year": person.birth_year,
        "category": person.category,
        "person": person,
    }


def match_persons(
    championship: Championship, written: Sequence[Written], given: Sequence[Person | None]
) -> list[Person | None]:
    """Match written people to persons of the club's roll; add missing persons and missing data to it.

    `given`: for each of `written` the person if known already, else None. A person of the same name who is
    not entered yet matches if no known club, licence or year of birth differs. In the order of `written`;
    None if several match or there is no club.
    """
    club = championship.club
    if club is None:
        return [None] * len(written)
    there = championship.entries.exclude(Entry.GONE).exclude(person=None)
    taken = set(there.values_list("person", flat=True)) | {one.pk for one in given if one is not None}
    known = _find_by_names(club, {_name_key(one) for one in written})
    found: list[Person | None] = []
    new: list[Person] = []
    changed: list[Person] = []
    for one, person in zip(written, given, strict=True):
        if person is None:
            same = [p for p in known.get(_name_key(one), ()) if p.pk not in taken and _is_compatible(p, one)]
            if len(same) > 1:
                found.append(None)
                continue
            person = same[0] if same else _build_person(club, one)
        if person.pk is None:
            new.append(person)
        else:
            taken.add(person.pk)
            if _fill_missing(person, one) or person.archived_at is not None:
                person.archived_at = None
                changed.append(person)
        found.append(person)
    Person.objects.bulk_create(new)
    Person.objects.bulk_update(changed, [*sorted(FIELDS), "archived_at"], batch_size=100)
    return found


def _name_key(one: Written) -> Name:
    return name_key(one.names.listed)


def _find_by_names(club: Club, names: Collection[Name]) -> dict[Name, list[Person]]:
    """Return the persons on the roll with these names, by name."""
    rows = list_persons(club).values_list("pk", "sort_name")
    keys = {pk: key for pk, sort_name in rows if (key := name_key(sort_name)) in names}
    known: dict[Name, list[Person]] = {}
    asked = list(keys)
    for first in range(0, len(asked), NAMES_PER_QUERY):
        for person in list_persons(club).filter(pk__in=asked[first : first + NAMES_PER_QUERY]):
            known.setdefault(keys[person.pk], []).append(person)
    return known


def _person_fields(one: Written) -> dict[str, Any]:
    return {
        "home_club": one.club,
        "licence": one.licence,
        "email": one.email,
        "birth_year": one.birth_year,
        "category": one.category,
    }


def _is_compatible(person: Person, one: Written) -> bool:
    """Return whether the person and the written data differ in no data that distinguishes people."""
    for field in ("home_club", "licence", "birth_year"):
        ours, theirs = getattr(person, field), _person_fields(one)[field]
        if ours and theirs and fold(str(ours)) != fold(str(theirs)):
            return False
    return True


def _build_person(club: Club, one: Written) -> Person:
    person = Person(club=club, unnamed_since=one.unnamed_since, **_person_fields(one))
    person.call(one.names)
    return person


def _fill_missing(person: Person, one: Written) -> bool:
    """Fill in data that the person lacks on the roll; return whether anything changed."""
    news = {
        field: value for field, value in _person_fields(one).items() if value and not getattr(person, field)
    }
    for field, value in news.items():
        setattr(person, field, value)
    return bool(news)


def update_from_entry(entry: Entry) -> None:
    """Copy an edited entry to its person on the roll, unless they have entries besides it and its further
    starts.
    """
    person = entry.person
    if person is None or person.entries.exclude(pk=entry.pk).exclude(start_of=entry.pk).exists():
        return
    person.call(TwoNames(entry.first_name, entry.family_name))
    person.home_club = entry.club
    for field in FIELDS - {"home_club"}:
        setattr(person, field, getattr(entry, field))
    person.save(update_fields=[*Person.NAMES, *sorted(FIELDS)])


def add_person(club: Club, *, actor: Actor, **fields: Any) -> Person:
    """Add a person to the club's roll.

    Raises TournamentError `clubs/on_roll` if the person cannot be told apart from another one on the roll,
    and the errors of `edit_person`.
    """
    return edit_person(Person(club=club), actor=actor, **fields)


def archive_person(person: Person, *, actor: Actor, archived: bool = True) -> None:
    """Exclude a person from suggestions, or include them again."""
    require_keeper(actor, person.club)
    person.archived_at = timezone.now() if archived else None
    person.save(update_fields=["archived_at"])


def edit_person(person: Person, *, actor: Actor, **fields: Any) -> Person:
    """Set fields of a person on the roll; past entries do not change.

    Raises NotAllowed, TournamentError `names/…`, `people/bad_email`, `people/bad_year`, and TypeError for an
    unknown field.
    """
    require_keeper(actor, person.club)
    if unknown := set(fields) - FIELDS - {"family_name", "first_name"}:
        raise TypeError(f"not to be edited: {sorted(unknown)}")
    now = {field: getattr(person, field) for field in (*FIELDS, "family_name", "first_name")} | fields
    names = TwoNames(clean(now["first_name"], field="first_name"), clean(now["family_name"], needed=True))
    clean(names.running)
    person.call(names)
    person.home_club = clean(now["home_club"], longest=MAX_CLUB_LENGTH, field="club")
    person.licence = clean(now["licence"], longest=20, field="licence")
    person.email = parse_email(now["email"])
    person.birth_year = parse_birth_year(now["birth_year"])
    person.category = parse_category(now["category"])
    if person.pk is not None:
        person.save(update_fields=[*Person.NAMES, *sorted(FIELDS)])
        return person
    same = name_key(person.sort_name)
    if any(
        _is_indistinguishable(known, person) for known in _find_by_names(person.club, {same}).get(same, ())
    ):
        raise TournamentError(
            "clubs/on_roll",
            _("%(name)s is already on the roll; a club or a year of birth distinguishes two people."),
            name=person.name,
        )
    person.save()
    return person


def _is_indistinguishable(one: Person, other: Person) -> bool:
    told = ("home_club", "licence", "birth_year")
    return all(fold(str(getattr(one, f) or "")) == fold(str(getattr(other, f) or "")) for f in told)


def merge_persons(keep: Person, other: Person, *, actor: Actor) -> Person:
    """Move the entries and results of `other` to `keep`, add tickets and data missing there, and delete
    `other`.

    If either has withdrawn the consent to be named, that holds for all their entries. Returns `keep`. Raises
    NotAllowed, TournamentError `clubs/two_persons` unless they are two persons on one roll.
    """
    require_keeper(actor, keep.club)
    with transaction.atomic():
        rows = Person.objects.select_for_update().filter(Q(pk=keep.pk) | Q(pk=other.pk), club=keep.club)
        found = {person.pk: person for person in rows.filter(erased_at=None)}
        if len(found) != 2:
            raise TournamentError("clubs/two_persons", _("Choose two different people of this roll."))
        keep, other = found[keep.pk], found[other.pk]
        Entry.objects.filter(person=other).update(person=keep)
        OutsidePerson.objects.filter(person=other).update(person=keep)
        said = set(SeriesTicket.objects.filter(person=keep).values_list("series", "kind"))
        for ticket in SeriesTicket.objects.filter(person=other):
            if (ticket.series_id, ticket.kind) not in said:
                SeriesTicket.objects.filter(pk=ticket.pk).update(person=keep)
        for field in FIELDS:
            if not getattr(keep, field):
                setattr(keep, field, getattr(other, field))
        if keep.user_id is None:
            keep.user = other.user
        keep.unnamed_since = keep.unnamed_since or other.unnamed_since
        keep.save()
        other.delete()
        if keep.unnamed_since is not None:
            named = Entry.objects.filter(person=keep, unnamed_since=None)
            Championship.objects.filter(entries__in=named).update(someone_unnamed=True)
            named.update(consented_at=None, unnamed_since=keep.unnamed_since)
    return keep


def erase_founder(user: User) -> None:
    """Erase the user's name from the clubs that they keep and no keeper has named."""
    for club in Club.objects.filter(keepers__user=user, named=False, name=_founder_name(user)):
        club.name = f"№ {club.pk}"
        club.slug = club.find_free_slug()
        club.save(update_fields=["name", "slug"])


def erase_person(person: Person) -> None:
    """Erase a person's data; the row stays, because entries refer to it."""
    person.call(TwoNames("", f"№ {person.pk}"))
    person.home_club = person.licence = person.email = person.category = ""
    person.birth_year = person.user = None
    person.erased_at = timezone.now()
    person.save()
    OutsidePerson.objects.filter(person=person).update(name="", club="", licence="", birth_year=None)
