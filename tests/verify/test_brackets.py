"""The ranking of a knock-out: the program derives the places, and names what was bent in them."""

import io
import random
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from django.db import transaction

from games import sealing
from games.models import User
from tests.tournaments import playing
from tests.verify.conftest import BackOut
from tests.verify.evening import Evening, export
from tests.verify.record import Record
from tournaments.bracket import build_bracket
from tournaments.competition import Competition, EntrantRecord, PlayedRound, PlayedTable
from tournaments.models import Championship, Entry
from tournaments.pairing import systems
from tournaments.services import championships, rounds
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, pairs

FIELDS: Final = [
    ("pair", 8, {}),
    ("pair", 8, {"third": True}),
    ("pair", 11, {"third": True}),
    ("pair", 6, {"best_of": 3, "third": True}),
    ("person", 16, {}),
    ("person", 13, {}),
    ("person", 14, {"advance": 1}),
]


def play_out(kind: str, count: int, options: dict[str, Any], chance: random.Random) -> list[Competition]:
    """Play a knock-out to its end; now and then a table is level. Return the document after each round."""
    in_pairs = kind == "pair"
    people = tuple(
        EntrantRecord(ref=f"n{n:04}", members=(f"{n:04}a", f"{n:04}b") if in_pairs else (f"{n:04}",))
        for n in range(1, count + 1)
    )
    asked = Competition(system="knock_out", seed="ab", plan_seed="ab", options=options, entrants=people)
    after = []
    while (drawn := systems.draw_next(asked)) is not None:
        tables = []
        for seats in drawn.tables:
            points = [chance.choice((60, 78, chance.randrange(157))) for _ in seats]
            if in_pairs:
                points = [points[0], 156 - points[0]] * 2
            tables.append(PlayedTable(seats=seats, points=tuple(points)))
        one = PlayedRound(round=len(asked.past) + 1, tables=tuple(tables), byes=drawn.byes)
        asked = Competition(
            system="knock_out",
            seed="ab",
            plan_seed="ab",
            options=options,
            entrants=people,
            past=(*asked.past, one),
        )
        after.append(asked)
    return after


def derive(puur_verify: ModuleType, asked: Competition, kind: str) -> dict[str, int]:
    """Return the places by ref as the program derives them."""
    held = {
        "pairing": {"system": "knock_out", "options": asked.options},
        "play": {"format": "fixed_pairs" if kind == "pair" else "solo", "seats": asked.size},
    }
    played = []
    for one in asked.past:
        tables = [
            {
                int(asked.ref_of[person][1:]): points
                for person, points in zip(table.seats, table.points, strict=True)
            }
            for table in one.tables
        ]
        played.append((tables, {int(ref[1:]) for ref in one.byes}))
    found = puur_verify.build_bracket(held, played, asked.direction, asked.plan_seed).list_places()
    return {f"n{number:04}": place for number, place in found.items()}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("kind", "count", "options"), FIELDS)
def test_the_places_are_those_of_the_bracket(
    puur_verify: ModuleType, kind: str, count: int, options: dict[str, Any], seed: int
) -> None:
    after = play_out(kind, count, options, random.Random(f"{kind}{count}{seed}"))
    assert len(after) > 1
    for asked in after:
        assert derive(puur_verify, asked, kind) == build_bracket(asked).places


def test_an_absence_leaves_the_places_open(puur_verify: ModuleType) -> None:
    [first, *_] = play_out("pair", 8, {}, random.Random(1))
    held = {"pairing": {"system": "knock_out"}, "play": {"format": "fixed_pairs", "seats": 4}}
    tables = [{1: 90, 2: 66}, {3: 90, 4: 66}, {5: 90, 6: 66}, {7: 90, 8: 66}]
    bracket = puur_verify.build_bracket(held, [(tables, set())], 1, first.plan_seed)
    assert bracket.list_places()[2] == 5
    with pytest.raises(puur_verify.OpenPlaces, match="absent"):
        bracket.play(2, [{1: 90, 3: 66}], {5})


# evenings


def build(preset: str) -> Championship:
    """Play a cup of pairs to its end; in the last round the second table is level."""
    fredi = User.objects.get_or_create(username="fredi")[0]
    changes = {
        "rounds": 3,
        "deals": 1,
        "hand_in": "deals",
        "pairing": {"system": "knock_out", "options": {"third": True}},
    }
    made = championships.create(actor=fredi, name="Cup", slug="cup", preset=preset, changes=changes)
    people = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(14)]
    there = entries.add_entries(made, people, actor=fredi)
    pairs.pair_up(made, zip(there[::2], there[1::2], strict=True), actor=fredi)
    for round_ in made.rounds.order_by("number"):
        drawing.draw_round(round_, actor=fredi)
        rounds.open_round(round_, actor=fredi)
        for table in round_.tables.order_by("number"):
            playing.write_sheet(table, [50 + 9 * table.number + round_.number])
        rounds.close_round(round_, actor=fredi)
    return made


@pytest.fixture
def cup(_cups: dict[str, Evening], db: None, key_file: Path) -> Evening:
    """The exported cup, made once."""
    if not _cups:
        try:
            with transaction.atomic():
                _cups["cup"] = export(build("partnerschieber"))
                raise BackOut
        except BackOut:
            pass
    return _cups["cup"]


@pytest.fixture(scope="session")
def _cups() -> dict[str, Evening]:
    return {}


def test_a_cup_has_no_difference(puur_verify: ModuleType, cup: Evening) -> None:
    report = puur_verify.verify(io.BytesIO(cup.public), cup.words[-1])
    assert report.differences == []
    assert "3 published rankings are those of the log" in report.checked
    assert not [line for line in report.unproven if "places of its bracket" in line]


def exchange_rows(record: Record, one: int, other: int) -> None:
    """Two rows exchange their places."""
    rows = record.tables["standingssnapshot"][-1]["rows"]
    rows[one], rows[other] = rows[other], rows[one]
    for at in (one, other):
        rows[at]["place"] = at + 1
    record.publish()


def exchange_third(record: Record) -> None:
    exchange_rows(record, 2, 3)


def exchange_final(record: Record) -> None:
    exchange_rows(record, 0, 1)


def lose_and_be_third(record: Record) -> None:
    """Who lost the first game is third."""
    exchange_rows(record, 2, 5)


@pytest.mark.parametrize("bend", [exchange_third, exchange_final, lose_and_be_third])
def test_a_forged_place_in_a_bracket_is_named(
    puur_verify: ModuleType, cup: Evening, key_file: Path, bend: Callable[[Record], None]
) -> None:
    record = Record(cup.public)
    bend(record)
    found = puur_verify.verify(io.BytesIO(record.sealed(sealing.load_key(key_file)))).differences
    assert any("has a wrong place" in line for line in found), found
