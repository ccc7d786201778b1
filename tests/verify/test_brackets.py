"""The ranking of a knock-out: the program derives the places, and names what was bent in them."""

import dataclasses
import io
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import msgspec
import pytest
from django.db import transaction

from games import sealing
from games.models import User
from tests.tournaments import table_play
from tests.verify.conftest import BackOut
from tests.verify.evening import Evening, export
from tests.verify.record import Record
from tournaments.bracket import build_bracket
from tournaments.competition import Competition, EntrantRecord, PlayedRound, PlayedTable
from tournaments.models import Championship, Entry
from tournaments.pairing import systems
from tournaments.pairing.systems.system import NextRound
from tournaments.services.championships import championships
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, pairs
from tournaments.services.rounds import rounds

FIELDS: Final[list[tuple[str, int, dict[str, Any]]]] = [
    ("pair", 8, {}),
    ("pair", 8, {"third": True}),
    ("pair", 11, {"third": True}),
    ("pair", 6, {"best_of": 3, "third": True}),
    ("pair", 9, {"best_of": 3}),
    ("pair", 8, {"places": True}),
    ("pair", 13, {"places": True, "seeded": False}),
    ("person", 16, {}),
    ("person", 13, {}),
    ("person", 14, {"advance": 1}),
    ("person", 2, {}),
]


def play_out(
    kind: str, count: int, options: dict[str, Any], chance: random.Random, *, absences: float
) -> Iterator[tuple[Competition, NextRound]]:
    """Play a knock-out: yield each document that a round is drawn from, and that round.

    Tables are level now and then; with this probability a table has no result, or somebody is not there for a
    draw, for good or once.
    """
    in_pairs = kind == "pair"
    refs = [f"n{n:04}" for n in range(1, count + 1)]
    members = {ref: (f"{ref[1:]}a", f"{ref[1:]}b") if in_pairs else (ref[1:],) for ref in refs}
    ranks = dict(zip(refs, chance.sample(range(1, count + 1), count), strict=True))
    apart = tuple((*chance.sample(refs, 2), chance.choice(("hard", "soft"))) for _ in range(count // 4))
    last: dict[str, int] = {}
    gone: set[str] = set()
    past: tuple[PlayedRound, ...] = ()
    for number in range(1, 30):
        away = {ref for ref in refs if number > 1 and chance.random() < absences}
        gone |= {ref for ref in away if chance.random() < 0.5}
        asked = Competition(
            system="knock_out",
            seed="ab",
            plan_seed="ab",
            options=options,
            entrants=tuple(
                EntrantRecord(
                    ref=ref,
                    members=members[ref],
                    start_rank=ranks[ref] if at % 3 else None,
                    from_round=1,
                    until_round=last.get(ref, number - 1) if ref in away | gone else None,
                )
                for at, ref in enumerate(refs)
            ),
            past=past,
            apart=apart,  # type: ignore[arg-type]  # a choice of the two words
        )
        drawn = systems.draw_next(asked)
        if drawn is None:
            return
        yield asked, drawn
        tables = []
        for seats in drawn.tables:
            points: list[int | None] = [chance.choice((60, 78, chance.randrange(157))) for _ in seats]
            if in_pairs:
                points = [points[0], 156 - (points[0] or 0)] * 2
            if chance.random() < absences / 2:
                points = [None] * len(seats)
            tables.append(PlayedTable(seats=seats, points=tuple(points)))
        past = (*past, PlayedRound(round=number, tables=tuple(tables), byes=drawn.byes))
        took_part = {asked.ref_of[person] for seats in drawn.tables for person in seats} | {*drawn.byes}
        last.update(dict.fromkeys(took_part, number))


def find_faults(puur_verify: ModuleType, asked: Competition, drawn: NextRound) -> list[str]:
    """Return what the program finds wrong in a round."""
    told = msgspec.to_builtins(asked)
    out = [person for ref in drawn.byes for person in asked.by_ref[ref].persons]
    round_ = puur_verify.SystemRound(told, [list(seats) for seats in drawn.tables], out)
    found: list[str] = puur_verify.find_faults(round_)
    assert round_.unproven == []
    return found


def derive(puur_verify: ModuleType, asked: Competition) -> dict[str, int]:
    """Return the places by ref as the program derives them."""
    told = msgspec.to_builtins(asked)
    out = puur_verify.SystemRound(told, [], [])
    played = [(out.list_points(at), set(one.byes)) for at, one in enumerate(asked.past)]
    heads = 2 if len(asked.entrants[0].persons) > 1 else asked.size
    away = {one.ref for one in asked.entrants if one.until_round is not None}
    found: dict[str, int] = puur_verify.build_bracket(told, heads, played, 1, "ab", away).list_places()
    return found


@pytest.mark.parametrize("absences", [0, 0.15, 0.4])
@pytest.mark.parametrize(("kind", "count", "options"), FIELDS)
def test_the_draws_and_places_are_those_of_the_bracket(
    puur_verify: ModuleType, kind: str, count: int, options: dict[str, Any], absences: float
) -> None:
    walkovers = 0
    for seed in range(4):
        chance = random.Random(f"{kind}{count}{seed}")
        for asked, drawn in play_out(kind, count, options, chance, absences=absences):
            assert find_faults(puur_verify, asked, drawn) == []
            found = build_bracket(asked)
            assert derive(puur_verify, asked) == found.places
            walkovers += any(match.decision == "walkover" for match in found.current_matches)
    assert walkovers or not absences or kind == "person"


def test_a_better_opponent_or_a_bye_for_a_friend_is_found(puur_verify: ModuleType) -> None:
    found = set()
    for seed in range(4):
        for asked, drawn in play_out("pair", 8, {}, random.Random(seed), absences=0.1):
            if len(drawn.tables) > 1:
                (a, b, c, d), (e, f, g, h), *others = drawn.tables
                other = ((e, b, g, d), (a, f, c, h), *others)
                found |= set(find_faults(puur_verify, asked, dataclasses.replace(drawn, tables=other)))
            if asked.past and drawn.tables:
                through = {*drawn.byes, asked.ref_of[drawn.tables[0][0]]}
                bent = dataclasses.replace(drawn, tables=drawn.tables[1:], byes=tuple(sorted(through)))
                found |= set(find_faults(puur_verify, asked, bent))
    told = " ".join(found)
    for words in ("do not meet in the bracket", "has won and does not go on", "have a bye, and not"):
        assert words in told


# evenings


def build(preset: str, *, leaving: bool = False) -> Championship:
    """Play a cup of pairs to its end.

    leaving: a pair with a bye withdraws after the first round, and the desk marks a finalist as absent, so
    that nothing is left to draw after the second one.
    """
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
            decisive = leaving and round_.number == 2  # whoever leaves would be first by the highest round
            table_play.write_sheet(table, [2 if decisive else 50 + 9 * table.number + round_.number])
        if leaving and round_.number == 2:
            for seating in round_.tables.get().seatings.filter(seat__in=(1, 3)):
                entries.leave(seating.entry, actor=fredi)
        rounds.close_round(round_, actor=fredi)
        if leaving and round_.number == 1:
            for one in round_.byes.all():
                entries.withdraw_entry(one.entry, actor=fredi)
        elif leaving and round_.number == 2:
            return made
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


def test_a_cup_with_a_walkover_has_no_difference(puur_verify: ModuleType, db: None, key_file: Path) -> None:
    evening = export(build("partnerschieber", leaving=True))
    report = puur_verify.verify(io.BytesIO(evening.public), evening.words[-1])
    assert report.differences == []
    assert not [line for line in report.unproven if "bracket" in line or "goes on" in line]
    assert (
        "ranking 2: who was no longer there after the last round is the word of the desk" in report.unproven
    )
    record = Record(evening.public)
    exchange_rows(record, 1, 2)
    found = puur_verify.verify(io.BytesIO(record.sealed(sealing.load_key(key_file)))).differences
    assert any("has a wrong place" in line for line in found), found


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
