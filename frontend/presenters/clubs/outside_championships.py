"""Championships played on other installations: their files in a series, and the match of their people to the
club's roll.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext

from frontend.presenters.words.errors import stored_error_text
from frontend.presenters.words.figures import format_figure
from tournaments.clubs import rolls
from tournaments.models import Club, ClubEvent, ClubSeries, OutsideEvent, OutsidePerson, Person
from tournaments.services.series.outside_matching import compare_versions, is_real_name, list_candidates

PEOPLE_PER_PAGE: Final = 100
LARGEST_LIST: Final = 2000
"""Largest number of persons for which a page suggests the names of the roll while the keeper types."""


@dataclass(frozen=True, slots=True)
class FileLine:
    """A file of a series. state: `counts` if it is in use, `replaced` if a newer version is, else the state
    of the file.
    """

    file: OutsideEvent
    state: str

    @property
    def title(self) -> str:
        return self.file.name or self.file.source


def file_lines(series: ClubSeries) -> list[FileLine]:
    """Return the files of a series, newest first. One query."""
    files = list(series.outside.defer("data", "ranking", "notes"))
    replaced = {one.replaces_id for one in files if one.counts}
    return [
        FileLine(one, "counts" if one.counts else "replaced" if one.pk in replaced else one.state)
        for one in files
    ]


def list_planned(series: ClubSeries) -> list[ClubEvent]:
    """Return the events of a series for which a file can be sent: those with neither a championship nor a
    file in use that are not cancelled or void.
    """
    taken = series.outside.filter(counts=True, event__isnull=False).values("event")
    return list(
        series.events.filter(championship=None).exclude(pk__in=taken).exclude(state__in=ClubEvent.WITHDRAWN)
    )


def describe_file_refusal(file: OutsideEvent) -> dict[str, str] | None:
    """Return why a file was refused, in the language of the page; None if it was not refused."""
    if file.state != OutsideEvent.State.FAILED:
        return None
    said = stored_error_text(file.message, file.message_params or {})
    return {"sentence": said, "code": file.message}


@dataclass(frozen=True, slots=True)
class OfferedChoice:
    """One choice that the keeper has for a person of a file."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A row of the form that matches people of a file to the club's roll.

    options: the choices for this person. typed: the text that the keeper typed instead of a choice. is_open:
    no choice is stored yet.
    """

    person: OutsidePerson
    total: str
    options: tuple[OfferedChoice, ...]
    typed: str
    is_open: bool


def describe_person(person: Person) -> str:
    """Describe a person by name, year of birth, home club and licence, as far as they are known."""
    more = [str(one) for one in (person.birth_year, person.home_club, person.licence) if one]
    return ", ".join([person.listed, *more])


def match_lines(club: Club, people: Sequence[OutsidePerson], posted: Mapping[str, str]) -> list[MatchLine]:
    """Return a row of the form for each of these people. `posted`: the fields of a form that was refused, to
    be shown again.
    """
    offered = list_candidates(club, people)
    lines = []
    for one in people:
        stored = f"p{one.person_id}" if one.person_id else one.choice
        chosen = posted.get(f"who-{one.number}", stored)
        choices = [
            ("", gettext("– choose –")),
            *((f"p{p.pk}", describe_person(p)) for p in offered[one.number]),
        ]
        if is_real_name(one.name):
            choices.append(("new", gettext("new on the roll")))
        choices.append(("nobody", gettext("not on the roll, not counted")))
        lines.append(
            MatchLine(
                person=one,
                total=format_figure(one.total),
                options=tuple(OfferedChoice(value, label, value == chosen) for value, label in choices),
                typed=posted.get(f"other-{one.number}", ""),
                is_open=not one.choice,
            )
        )
    return lines


def roll_options(club: Club) -> list[str]:
    """Return the names of the roll as suggestions for typing; none for a roll of more than LARGEST_LIST
    persons.
    """
    found = list(rolls.list_persons(club)[: LARGEST_LIST + 1])
    return [f"{describe_person(one)} #{one.pk}" for one in found] if len(found) <= LARGEST_LIST else []


@dataclass(frozen=True, slots=True)
class VersionLine:
    """A person who differs in a newer version of the file: what the old and the new version say."""

    name: str
    before: str
    now: str


def version_lines(before: OutsideEvent, now: OutsideEvent) -> list[VersionLine]:
    """List the changes that a newer version of a file makes."""

    def say(standing: tuple[int, int | str] | None) -> str:
        if standing is None:
            return "–"
        return gettext("place %(place)d, %(total)s") % {
            "place": standing[0],
            "total": format_figure(standing[1]),
        }

    return [
        VersionLine(one.name or f"№ {one.number}", say(one.before), say(one.now))
        for one in compare_versions(before, now)
    ]
