"""Matching the people of another installation's file with the club's roll, and counting the file in its
series.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournaments.clubs import rolls
from tournaments.errors import TournamentError
from tournaments.models import Club, ClubEvent, ClubSeries, OutsideEvent, OutsidePerson, Person
from tournaments.names import clean, fold, given_first, name_key
from tournaments.names.public_names import initials
from tournaments.permissions import Actor
from tournaments.services.series.editing import append_event
from tournaments.services.series.stream import changing

OFFERED: Final = 6
"""Largest number of persons of the roll that are offered for one person of a file."""
Choice = OutsidePerson.Choice


def is_real_name(name: str) -> bool:
    """Return whether a name in a file is more than a number or initials."""
    return any(sum(letter.isalpha() for letter in word) > 1 for word in name.split())


class _Roll:
    """The persons of a roll, found by licence, name or initials."""

    def __init__(self, club: Club) -> None:
        self.persons = list(rolls.list_persons(club))
        self._by_licence: dict[str, list[Person]] = {}
        self._by_name: dict[tuple[str, ...], list[Person]] = {}
        self._by_initials: dict[str, list[Person]] = {}
        for one in self.persons:
            if one.licence:
                self._by_licence.setdefault(fold(one.licence), []).append(one)
            self._by_name.setdefault(name_key(one.sort_name), []).append(one)
            self._by_initials.setdefault(initials(one.first_name, one.family_name), []).append(one)

    def find(self, one: OutsidePerson) -> tuple[list[Person], bool]:
        """Return the candidates for a person of a file, the best first, and whether the first one is certain.

        It is certain if only this candidate has the licence, else the name and year of birth, else the name
        without contradicting data.
        """
        if one.licence and len(same := self._by_licence.get(fold(one.licence), [])) == 1:
            return same, True
        if not is_real_name(one.name):
            short = one.name.partition(" (")[0]
            return self._by_initials.get(short, []) if any(map(str.isalpha, short)) else [], False
        named = self._by_name.get(name_key(one.name), [])
        of_year = [p for p in named if one.birth_year and p.birth_year == one.birth_year]
        if len(of_year) == 1:
            return of_year, True
        fitting = [p for p in named if _fits(p, one)]
        return fitting or named, len(named) == 1 and bool(fitting)

    def has(self, one: Person) -> bool:
        """Return whether the roll has a person with the same name, club, licence and year of birth."""
        return any(_tell(one) == _tell(known) for known in self._by_name.get(name_key(one.sort_name), ()))


def _fits(person: Person, one: OutsidePerson) -> bool:
    pairs = (
        (person.home_club, one.club),
        (person.licence, one.licence),
        (str(person.birth_year or ""), str(one.birth_year or "")),
    )
    return all(not ours or not theirs or fold(ours) == fold(theirs) for ours, theirs in pairs)


def _tell(person: Person) -> tuple[str, ...]:
    return fold(person.home_club), fold(person.licence), str(person.birth_year or "")


def propose(club: Club, people: Iterable[OutsidePerson]) -> None:
    """Set the choice of people without one: the matching person of the roll, or a new person. Unclear ones
    stay open. Nothing is saved.
    """
    roll = _Roll(club)
    for one in people:
        if one.choice != Choice.OPEN:
            continue
        found, sure = roll.find(one)
        if sure:
            one.choice, one.person = Choice.PERSON, found[0]
        elif not found and is_real_name(one.name):
            one.choice = Choice.NEW


def carry_over(before: OutsideEvent, people: Iterable[OutsidePerson]) -> None:
    """Copy the choices of the version `before` to people with the same number and name. Nothing is saved."""
    known = {(one.number, one.name): one for one in before.people.select_related("person")}
    for one in people:
        earlier = known.get((one.number, one.name))
        if earlier is not None and earlier.choice != Choice.OPEN:
            one.choice, one.person = Choice(earlier.choice), earlier.person


def list_candidates(club: Club, people: Sequence[OutsidePerson]) -> Mapping[int, list[Person]]:
    """Return number of each of these people → persons of the roll to offer. The chosen person comes first."""
    roll = _Roll(club)
    found = {}
    for one in people:
        offered = roll.find(one)[0][:OFFERED]
        chosen = one.person
        if chosen is not None:
            offered = [chosen, *(person for person in offered if person.pk != chosen.pk)]
        found[one.number] = offered
    return found


def find_typed_persons(club: Club, typed: Mapping[int, str]) -> dict[int, Person]:
    """Return key → person of the roll, for the texts that a keeper has typed: names, or numbers after “#”.
    One query.

    Raises TournamentError `series/no_such_person` if a text fits nobody, or several.
    """
    if not typed:
        return {}
    persons = list(rolls.list_persons(club))
    by_number = {person.pk: person for person in persons}
    by_name: dict[tuple[str, ...], list[Person]] = {}
    for person in persons:
        by_name.setdefault(name_key(person.sort_name), []).append(person)
    found = {}
    for key, text in typed.items():
        _name, hash_, number = text.rpartition("#")
        if hash_ and number.strip().isdecimal():
            same = [by_number[pk] for pk in [int(number.strip()[:9])] if pk in by_number]
        else:
            same = by_name.get(name_key(text), [])
        if len(same) != 1:
            raise TournamentError(
                "series/no_such_person",
                _("“%(name)s” matches nobody on the roll, or several people: choose from the list."),
                name=text[:80],
            )
        found[key] = same[0]
    return found


@dataclass(frozen=True, slots=True)
class PersonAnswer:
    """The keeper's answer about one person of a file. choice: of `OutsidePerson.Choice`; person: of the roll,
    if chosen.
    """

    choice: str
    person: Person | None = None


def save_choices(outside: OutsideEvent, answers: Mapping[int, PersonAnswer], *, actor: Actor) -> None:
    """Store the keeper's answers (number of the person → answer). If the file counts, the table changes at
    once.

    Raises NotAllowed `clubs/not_keeper`, TournamentError `series/person_twice`, and if the file counts
    `series/person_open`, `clubs/on_roll`.
    """
    rolls.require_keeper(actor, outside.series.club)
    with changing(outside.series, actor=actor):
        people = list(outside.people.filter(number__in=answers))
        for one in people:
            answer = answers[one.number]
            one.choice = Choice(answer.choice)
            one.person = answer.person if one.choice == Choice.PERSON else None
            if one.choice == Choice.PERSON and one.person is None:
                one.choice = Choice.OPEN
        OutsidePerson.objects.bulk_update(people, ["choice", "person"], 500)
        outside.refresh_from_db(fields=["counts"])
        _require_once(outside)
        if outside.counts:
            _settle(outside)


def take_event(outside: OutsideEvent, *, actor: Actor, rest_nobody: bool = False, reason: str = "") -> None:
    """Count the file as an event of its series. If an earlier version counts, the file replaces it.

    `rest_nobody`: treat people without a choice as not on the roll. `reason`: needed for a new event once a
    table is published (`series/event_after_seal`). Raises NotAllowed `clubs/not_keeper`, TournamentError
    `series/not_verified`, `series/person_open`, `series/person_twice`, `clubs/on_roll`, `series/event_taken`,
    `series/event_withdrawn`, `series/too_many_events`.
    """
    rolls.require_keeper(actor, outside.series.club)
    with changing(outside.series, actor=actor, reason=reason) as locked_series:
        outside.refresh_from_db(fields=["counts", "state", "event"])
        if outside.counts:
            return
        if outside.state != OutsideEvent.State.DONE:
            raise TournamentError("series/not_verified", _("This file is not verified yet."))
        if rest_nobody:
            outside.people.filter(choice=Choice.OPEN).update(choice=Choice.NOBODY)
        _require_once(outside)
        _settle(outside)
        before = locked_series.outside.select_for_update().filter(stream=outside.stream, counts=True).first()
        if before is not None:
            before.counts = False
            before.save(update_fields=["counts"])
            outside.replaces, outside.event = before, before.event
        elif outside.event is None:
            outside.event = append_event(locked_series, name=clean(outside.name, longest=80, needed=True))
        _fill_event(outside)
        outside.counts = True
        outside.save(update_fields=["counts", "replaces", "event"])


def require_free(event: ClubEvent) -> None:
    """Raise TournamentError `series/event_taken` if the event has a championship or a file that counts
    already, `series/event_withdrawn` if it is cancelled or does not count.
    """
    if event.championship_id is not None or event.outside.filter(counts=True).exists():
        raise TournamentError(
            "series/event_taken",
            _("“%(name)s” has already been played: choose another one."),
            name=event.name,
        )
    if event.state in ClubEvent.WITHDRAWN:
        raise TournamentError(
            "series/event_withdrawn",
            _("“%(name)s” is cancelled or does not count: choose another one."),
            name=event.name,
        )


def _fill_event(outside: OutsideEvent) -> None:
    """Set place and time of the event from the file, unless the keeper has set them."""
    event = outside.event
    if event is None:
        return
    require_free(event)
    event.place = event.place or outside.place
    event.starts_at = event.starts_at or outside.starts_at
    event.save(update_fields=["place", "starts_at"])


def _require_once(outside: OutsideEvent) -> None:
    """Raise TournamentError `series/person_twice` if two people of the file are the same
    person of the roll.
    """
    people = list(outside.people.exclude(person=None).select_related("person"))
    times = Counter(one.person_id for one in people)
    twice = [one for one in people if times[one.person_id] > 1]
    if twice:
        first, other = [one for one in twice if one.person_id == twice[0].person_id][:2]
        raise TournamentError(
            "series/person_twice",
            _("Places %(first)s and %(other)s are both given to %(name)s: correct one of them."),
            first=first.place,
            other=other.place,
            name=str(first.person),
        )


def _settle(outside: OutsideEvent) -> None:
    """Add the people with the choice "new" to the roll.

    Raises TournamentError `series/person_open` if somebody has no choice, `clubs/on_roll`.
    """
    people = list(outside.people.exclude(choice=Choice.NOBODY).filter(person=None))
    open_ones = [one for one in people if one.choice != Choice.NEW]
    if open_ones:
        raise TournamentError(
            "series/person_open",
            _("Choose a person for each line: %(n)d are missing, first at place %(place)d."),
            n=len(open_ones),
            place=open_ones[0].place,
        )
    if not people:
        return
    club = outside.series.club
    roll = _Roll(club)
    made = []
    for one in people:
        person = Person(club=club, home_club=one.club, licence=one.licence, birth_year=one.birth_year)
        person.call(given_first(one.name))
        if not is_real_name(one.name) or roll.has(person):
            raise TournamentError(
                "clubs/on_roll",
                _("%(name)s is already on the roll; a club or a year of birth distinguishes two people."),
                name=one.name,
            )
        made.append(person)
    Person.objects.bulk_create(made)
    for one, person in zip(people, made, strict=True):
        one.choice, one.person = Choice.PERSON, person
    OutsidePerson.objects.bulk_update(people, ["choice", "person"], 500)


def take_out(outside: OutsideEvent, *, actor: Actor, reason: str = "") -> None:
    """Stop counting the file. Its earlier version counts again; if there is none, the event is a planned one
    again.

    Raises TournamentError `series/withdrawn_after_counting` if no earlier version counts and there is no
    `reason`.
    """
    rolls.require_keeper(actor, outside.series.club)
    with changing(outside.series, actor=actor, reason=reason):
        outside.refresh_from_db(fields=["counts", "replaces"])
        if not outside.counts:
            return
        outside.counts = False
        before, outside.replaces = outside.replaces, None
        outside.save(update_fields=["counts", "replaces"])
        if before is not None:
            before.counts, before.event = True, outside.event
            before.save(update_fields=["counts", "event"])


def discard_file(outside: OutsideEvent, *, actor: Actor) -> None:
    """Delete a file that does not count. Raises TournamentError `series/file_counts`."""
    rolls.require_keeper(actor, outside.series.club)
    with transaction.atomic():
        ClubSeries.objects.select_for_update().get(pk=outside.series_id)
        outside.refresh_from_db(fields=["counts"])
        if outside.counts:
            raise TournamentError(
                "series/file_counts", _("%(name)s counts: take it out first."), name=outside.name
            )
        outside.delete()


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """A person whose place or total differs between two versions of a file.

    before, now: (place, total); None if the person is missing in that version.
    """

    number: int
    name: str
    before: tuple[int, int | str] | None
    now: tuple[int, int | str] | None


def compare_versions(before: OutsideEvent, now: OutsideEvent) -> list[ChangedLine]:
    """Return the people whose place or total differs in a newer version of a file, in the order of that
    version; people missing in it come last.
    """
    old = {one.number: one for one in before.people.all()}
    new = {one.number: one for one in now.people.all()}
    lines = []
    for number in [*new, *(number for number in old if number not in new)]:
        was, now_is = old.get(number), new.get(number)
        told = tuple(None if one is None else (one.place, one.total) for one in (was, now_is))
        if told[0] != told[1]:
            named = now_is or was
            lines.append(ChangedLine(number, named.name if named else "", told[0], told[1]))
    return lines
