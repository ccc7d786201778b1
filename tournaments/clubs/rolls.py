"""The roll of a club: who is on it, found by three letters, and found again when he is entered.

A club is its keepers' own. At the desk of its championships the roll offers names; all else is for keepers.
"""

from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple, Protocol

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import User
from tournaments.clubs.particulars import birth_year_of, category_of, email_of
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Club, Entry, Keeper, Person
from tournaments.names import TwoNames, clean, folded, name_key, search_pattern
from tournaments.names.spelling import MAX_CLUB_LENGTH
from tournaments.permissions import Actor

NAMES_PER_QUERY: Final = 400
Name = tuple[str, ...]
"""Names in one question."""
MIN_LETTERS: Final = 3
"""Before so many are typed, the roll offers nobody."""
OFFERED: Final = 8
FIELDS: Final = frozenset({"home_club", "licence", "email", "birth_year", "category"})
"""What a roll knows of somebody beside his names."""


class Written(Protocol):
    """What is written down about somebody who is entered."""

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


class WrittenEntry(NamedTuple):
    """The same of somebody who is entered already."""

    names: TwoNames
    club: str
    licence: str
    email: str
    birth_year: int | None
    category: str

    @classmethod
    def of(cls, entry: Entry) -> "WrittenEntry":
        """What is written down about this entry."""
        names = TwoNames(entry.first_name, entry.family_name)
        return cls(names, entry.club, entry.licence, entry.email, entry.birth_year, entry.category)


def club_of(user: User) -> Club:
    """The club whose roll he keeps, the newest of several; whoever keeps none gets one."""
    kept = Keeper.objects.filter(user=user).select_related("club").order_by("-pk").first()
    if kept is not None:
        return kept.club
    club = Club.objects.create(name=(user.get_full_name() or user.get_username())[:80])
    Keeper.objects.create(club=club, user=user)
    return club


def found_club(name: str, *, actor: User) -> Club:
    """A club more, with a roll of its own that he keeps. Raises TournamentError `names/…`."""
    name = clean(name, longest=80, needed=True)
    with transaction.atomic():
        club = Club.objects.create(name=name)
        Keeper.objects.create(club=club, user=actor)
    return club


def rename_club(club: Club, name: str, *, actor: Actor) -> Club:
    """Raises TournamentError `names/…`."""
    require_keeper(actor, club)
    club.name = clean(name, longest=80, needed=True)
    club.save(update_fields=["name"])
    return club


def clubs_kept(user: User) -> QuerySet[Club]:
    """The clubs whose roll he keeps, with how many are on it as `people`."""
    listed = Count("roll", filter=Q(roll__erased_at=None, roll__archived_at=None))
    return Club.objects.filter(keepers__user=user).annotate(people=listed).order_by("name", "pk")


def let_keep(club: Club, user: User, *, actor: Actor) -> None:
    """Somebody more keeps the roll."""
    require_keeper(actor, club)
    Keeper.objects.get_or_create(club=club, user=user)


def keeps_no_longer(club: Club, user: User, *, actor: Actor) -> None:
    """Raises TournamentError `clubs/last_keeper`: a roll is never nobody's."""
    require_keeper(actor, club)
    with transaction.atomic():
        held = Club.objects.select_for_update().get(pk=club.pk)
        if not held.keepers.exclude(user=user).exists():
            raise TournamentError(
                "clubs/last_keeper", _("Somebody has to keep the roll: let another one keep it first.")
            )
        held.keepers.filter(user=user).delete()


def keeps(user: Any, club: Club | None) -> bool:
    """Whether somebody keeps this club's roll."""
    return (
        club is not None
        and user is not None
        and user.is_authenticated
        and club.keepers.filter(user_id=user.pk).exists()
    )


def require_keeper(actor: Actor, club: Club) -> None:
    """Raises NotAllowed `clubs/not_keeper`."""
    if actor is not None and not keeps(actor, club):
        raise NotAllowed("clubs/not_keeper", _("Only who keeps this club's roll may do that."))


def on_roll(club: Club) -> QuerySet[Person]:
    """Everybody on the roll, by family name."""
    return club.roll.filter(erased_at=None).order_by("sort_name", "pk")


def search(club: Club, text: str) -> QuerySet[Person]:
    """Those, without who is archived, whose name holds every word of the text, spelling and order aside."""
    found = on_roll(club).filter(archived_at=None)
    for word in name_key(text):
        found = found.filter(sort_name__regex=search_pattern(word))
    return found


def not_entered(championship: Championship, text: str = "") -> QuerySet[Person]:
    """Those of the club's roll whom one could enter. No query yet."""
    if championship.club is None:
        return Person.objects.none()
    there = championship.entries.exclude(status=Entry.Status.WITHDRAWN).exclude(person=None)
    return search(championship.club, text).exclude(pk__in=there.values("person"))


def offered_persons(championship: Championship, text: str) -> list[Person]:
    """Whom the roll offers while a name is typed at the desk, without those who are entered already."""
    if championship.club is None or len("".join(text.split())) < MIN_LETTERS:
        return []
    return list(not_entered(championship, text)[:OFFERED])


def person_on_roll(championship: Championship, number: int | None) -> Person | None:
    """The person of the roll that was offered and taken; None for nobody of this club."""
    if number is None or championship.club is None:
        return None
    return on_roll(championship.club).filter(pk=number).first()


def written_of(person: Person) -> dict[str, Any]:
    """What is written down where somebody of the roll is entered: fields of a new entry."""
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


def persons_for(
    championship: Championship, written: Sequence[Written], given: Sequence[Person | None]
) -> list[Person | None]:
    """Who on the club's roll each of them is; who is not on it yet is added. `given`: who is known already.

    Somebody of the same name is taken to be the same where nothing that is known of both differs, and where
    there is one such only; of several it is nobody. Two entries of a championship are never one person.
    """
    club = championship.club
    if club is None:
        return [None] * len(written)
    there = championship.entries.exclude(status=Entry.Status.WITHDRAWN).exclude(person=None)
    taken = set(there.values_list("person", flat=True)) | {one.pk for one in given if one is not None}
    known = _of_these_names(club, {_key(one) for one in written})
    found: list[Person | None] = []
    new: list[Person] = []
    changed: list[Person] = []
    for one, person in zip(written, given, strict=True):
        if person is None:
            same = [p for p in known.get(_key(one), ()) if p.pk not in taken and _agrees(p, one)]
            if len(same) > 1:
                found.append(None)
                continue
            person = same[0] if same else _new(club, one)
        if person.pk is None:
            new.append(person)
        else:
            taken.add(person.pk)
            if _learn(person, one) or person.archived_at is not None:
                person.archived_at = None
                changed.append(person)
        found.append(person)
    Person.objects.bulk_create(new)
    Person.objects.bulk_update(changed, [*sorted(FIELDS), "archived_at"], batch_size=100)
    return found


def _key(one: Written) -> Name:
    return name_key(one.names.listed)


def _of_these_names(club: Club, names: Collection[Name]) -> dict[Name, list[Person]]:
    """Name → the people on the roll who are called so, spelling and order of words aside."""
    rows = on_roll(club).values_list("pk", "sort_name")
    keys = {pk: key for pk, sort_name in rows if (key := name_key(sort_name)) in names}
    known: dict[Name, list[Person]] = {}
    asked = list(keys)
    for first in range(0, len(asked), NAMES_PER_QUERY):
        for person in on_roll(club).filter(pk__in=asked[first : first + NAMES_PER_QUERY]):
            known.setdefault(keys[person.pk], []).append(person)
    return known


def _of(one: Written) -> dict[str, Any]:
    return {
        "home_club": one.club,
        "licence": one.licence,
        "email": one.email,
        "birth_year": one.birth_year,
        "category": one.category,
    }


def _agrees(person: Person, one: Written) -> bool:
    """Whether nothing that tells people apart is known to differ."""
    for field in ("home_club", "licence", "birth_year"):
        ours, theirs = getattr(person, field), _of(one)[field]
        if ours and theirs and folded(str(ours)) != folded(str(theirs)):
            return False
    return True


def _new(club: Club, one: Written) -> Person:
    person = Person(club=club, **_of(one))
    person.call(one.names)
    return person


def _learn(person: Person, one: Written) -> bool:
    """Take over what the roll did not know; whether it was anything."""
    news = {field: value for field, value in _of(one).items() if value and not getattr(person, field)}
    for field, value in news.items():
        setattr(person, field, value)
    return bool(news)


def follow(entry: Entry) -> None:
    """An entry was corrected: so is the roll, where nothing else is known of that person."""
    person = entry.person
    if person is None or person.entries.exclude(pk=entry.pk).exists():
        return
    person.call(TwoNames(entry.first_name, entry.family_name))
    person.home_club = entry.club
    for field in FIELDS - {"home_club"}:
        setattr(person, field, getattr(entry, field))
    person.save(update_fields=[*Person.NAMES, *sorted(FIELDS)])


def add_person(club: Club, *, actor: Actor, **fields: Any) -> Person:
    """Somebody more on the roll. Raises TournamentError `clubs/on_roll` where nothing known tells him from
    somebody who is on it, else as `edit`.
    """
    return edit(Person(club=club), actor=actor, **fields)


def archive_person(person: Person, *, actor: Actor, archived: bool = True) -> None:
    """Nobody is offered him any more, or again."""
    require_keeper(actor, person.club)
    person.archived_at = timezone.now() if archived else None
    person.save(update_fields=["archived_at"])


def edit(person: Person, *, actor: Actor, **fields: Any) -> Person:
    """Correct somebody on the roll; entries of evenings past stay as they were written. Raises
    TournamentError `names/…`, `people/bad_email`, `people/bad_year`, and TypeError for an unknown field.
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
    person.email = email_of(now["email"])
    person.birth_year = birth_year_of(now["birth_year"])
    person.category = category_of(now["category"])
    if person.pk is not None:
        person.save(update_fields=[*Person.NAMES, *sorted(FIELDS)])
        return person
    same = name_key(person.sort_name)
    if any(_is_like(known, person) for known in _of_these_names(person.club, {same}).get(same, ())):
        raise TournamentError(
            "clubs/on_roll",
            _("%(name)s is on the roll already; a club or a year of birth tells two people apart."),
            name=person.name,
        )
    person.save()
    return person


def _is_like(one: Person, other: Person) -> bool:
    told = ("home_club", "licence", "birth_year")
    return all(folded(str(getattr(one, f) or "")) == folded(str(getattr(other, f) or "")) for f in told)


def merge(keep: Person, other: Person, *, actor: Actor) -> Person:
    """Two lines of the roll were one person: all entries are his now.

    Raises TournamentError `clubs/two_persons`.
    """
    require_keeper(actor, keep.club)
    with transaction.atomic():
        rows = Person.objects.select_for_update().filter(Q(pk=keep.pk) | Q(pk=other.pk), club=keep.club)
        found = {person.pk: person for person in rows.filter(erased_at=None)}
        if len(found) != 2:
            raise TournamentError("clubs/two_persons", _("Choose two different people of this roll."))
        keep, other = found[keep.pk], found[other.pk]
        Entry.objects.filter(person=other).update(person=keep)
        for field in FIELDS:
            if not getattr(keep, field):
                setattr(keep, field, getattr(other, field))
        if keep.user_id is None:
            keep.user = other.user
        keep.save()
        other.delete()
    return keep


def blank(person: Person) -> None:
    """Take away what the roll knows of somebody; the row stays, because entries refer to it."""
    person.call(TwoNames("", f"№ {person.pk}"))
    person.home_club = person.licence = person.email = person.category = ""
    person.birth_year = person.user = None
    person.erased_at = timezone.now()
    person.save()
