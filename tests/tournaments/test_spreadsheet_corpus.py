"""Lists from real clubs: each file of the corpus has the people that a human reads in it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.models import User
from tournaments.models import Championship, Entry
from tournaments.services.championships import championships
from tournaments.services.entries import importing, pairs

CORPUS = sorted(
    path
    for path in Path(__file__).with_name("lists_corpus").iterdir()
    if path.suffix in (".csv", ".tsv", ".txt", ".xlsx")
)
NOTHING: dict[str, Any] = {
    **dict.fromkeys(("club", "email", "note", "licence", "category"), ""),
    **dict.fromkeys(("number", "birth_year", "start_rank")),
    "paid": False,
}


def expected(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.with_suffix(".json").read_text())
    return found


@pytest.fixture
def evenings(fredi: User) -> dict[bool, Championship]:
    """Where partners change, and where they stay together."""
    return {
        partnered: championships.create(actor=fredi, name=preset, preset=preset)
        for partnered, preset in ((False, "santiago"), (True, "partnerschieber"))
    }


def read_people(looked: importing.Preview, wanted: dict[str, Any]) -> Iterator[str]:
    """What the preview reads otherwise than a person does."""
    fields = {field for one in wanted["people"] for field in one} - {"first", "family"}
    people = [(one.first_name, one.family_name) for one in looked.people]
    if people != [(one["first"], one["family"]) for one in wanted["people"]]:
        yield f"people {people}"
        return
    for one, other in zip(looked.people, wanted["people"], strict=True):
        for field in sorted(fields):
            if getattr(one, field) != other.get(field, NOTHING[field]):
                yield f"{one.name}: {field} {getattr(one, field)!r}"


def said_about(looked: importing.Preview, wanted: dict[str, Any]) -> Iterator[str]:
    couples = [[looked.people[one].name, looked.people[other].name] for one, other in looked.pairs]
    if couples != wanted.get("pairs", []):
        yield f"pairs {couples}"
    said = {problem.code for line in looked.lines for problem in line.problems}
    usual = {"import/partner_too"}
    if said - usual != set(wanted.get("said", ())):
        yield f"said {sorted(said)}"
    left = {column.heading for column in looked.described if not column.kind}
    if not set(wanted.get("left_out", ())) <= left:
        yield f"left out {sorted(left)}"


@pytest.mark.django_db
def test_each_list_is_read_as_a_person_reads_it_and_the_press_does_what_was_shown(
    evenings: dict[bool, Championship], fredi: User
) -> None:
    offenders = []
    for path in CORPUS:
        wanted, data = expected(path), path.read_bytes()
        evening = evenings[wanted["partnered"]]
        looked = importing.preview(evening, data)
        faults = [*read_people(looked, wanted), *said_about(looked, wanted)]
        made = importing.import_entries(evening, data, actor=fredi, digest=looked.digest)
        faults += entered_otherwise(looked, made)
        offenders += [f"{path.name}: {fault}" for fault in faults]
        evening.entries.all().delete()
        evening.entrants.all().delete()
    assert len(CORPUS) >= 40
    assert offenders == []


def entered_otherwise(looked: importing.Preview, made: list[Entry]) -> Iterator[str]:
    """What the press has done otherwise than the preview said."""
    for one, entry in zip(looked.people, made, strict=True):
        entry.refresh_from_db()
        for field in importing.ENTERED:
            if field in ("consents", "paid_by") or (field == "number" and one.number is None):
                continue
            value = getattr(entry, field)
            if field == "team":
                value = "" if value is None else value.name
            if value != getattr(one, field):
                yield f"entered {entry.name}: {field} {value!r}"
    couples = {frozenset((made[one].pk, made[other].pk)) for one, other in looked.pairs}
    of = {entry.pk: partner.pk for entry in made if (partner := pairs.find_partner(entry)) is not None}
    if couples != {frozenset(couple) for couple in of.items()}:
        yield "other pairs"


def test_a_list_is_the_same_when_it_is_put_right_in_the_form(evenings: dict[bool, Championship]) -> None:
    """The preview gives the list as text; read again with the same columns it is the same list."""
    offenders = []
    for path in CORPUS:
        evening = evenings[expected(path)["partnered"]]
        looked = importing.preview(evening, path.read_bytes())
        reading = importing.Reading(looked.columns, looked.headed, len(looked.above), looked.family_first)
        if importing.preview(evening, looked.text.encode(), reading).digest != looked.digest:
            offenders.append(path.name)
    assert offenders == []
