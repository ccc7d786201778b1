"""Evenings that count matches, averages or the last round, and what a forger with the key bends in them."""

import io
from collections.abc import Callable
from fractions import Fraction
from math import floor
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from django.db import transaction

from games import sealing
from games.models import User
from tests.tournaments import table_play
from tests.verify.conftest import BackOut
from tests.verify.evening import Evening, export
from tests.verify.record import Record
from tournaments import regulations
from tournaments.competition import Points, read_number, write_number
from tournaments.models import Championship, Entry
from tournaments.presets import PRESETS
from tournaments.services.championships import championships
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, pairs, presence
from tournaments.services.rounds import rounds

EVENINGS: Final[dict[str, tuple[str, int, dict[str, Any]]]] = {
    "victory_points": ("swiss_pairs", 10, {}),
    "unplayed": ("swiss_pairs", 10, {"counting": {"buchholz_unplayed": 10}, "byes": {"points": "win"}}),
    "matches": (
        "partnerschieber",
        10,
        {
            "counting": {"what": "matches", "tie_breaks": ["buchholz", "lot"]},
            "byes": {"points": "win"},
        },
    ),
    "average": (
        "klubabend",
        17,
        {"counting": {"what": "average", "number": 2, "tie_breaks": ["buchholz", "lot"]}},
    ),
    "own_mean": ("klubabend", 17, {"byes": {"points": "own"}}),
    "absent_worst": ("klubabend", 17, {"absences": {"points": "worst"}}),
    "absent_own": ("klubabend", 17, {"absences": {"points": "own", "most": 2}}),
    "absent_pair": ("partnerschieber", 10, {"absences": {"points": "average"}}),
    "absent_fixed": ("klubabend", 17, {"absences": {"fixed": 30}, "byes": {"points": "own"}}),
    "absent_win": ("klubabend", 17, {"absences": {"points": "win"}}),
    "absent_excused": ("klubabend", 17, {"absences": {"points": "average", "excused": True}}),
    "broken_off": ("klubabend", 17, {"broken_off": {"points": "win"}}),
    "broken_off_own": ("klubabend", 17, {"broken_off": {"points": "own"}, "byes": {"points": "own"}}),
    "unplayed_swiss": (
        "swiss_pairs",
        14,
        {"absences": {"points": "win"}, "broken_off": {"points": "worst", "most": 2}},
    ),
    "last_round": ("klubabend", 17, {"counting": {"what": "last_round"}, "byes": {"points": "win"}}),
}
"""Preset, people and changes of each evening."""


def build(name: str) -> Championship:
    """Play three rounds; somebody, or a pair, leaves after the first."""
    preset, count, changes = EVENINGS[name]
    held = regulations.encode(PRESETS[preset])
    merged = {part: {**held.get(part, {}), **changed} for part, changed in changes.items()}
    merged["play"] = {**held["play"], "mode": "sheet"}
    fredi = User.objects.get_or_create(username="fredi")[0]
    made = championships.create(
        actor=fredi,
        name=name,
        slug=name.replace("_", "-"),
        preset=preset,
        changes={"rounds": 3, "deals": 1, "hand_in": "deals", **merged},
    )
    people = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(count)]
    there = entries.add_entries(made, people, actor=fredi)
    in_pairs = merged["play"]["format"] == "fixed_pairs"
    if in_pairs:
        pairs.pair_up(made, zip(there[::2], there[1::2], strict=True), actor=fredi)
    if name == "absent_excused":
        presence.excuse_absences(there[2], [2, 3], actor=fredi)
        presence.excuse_absences(there[2], [2], actor=fredi)
    if name == "unplayed_swiss":
        presence.excuse_absences(there[2], [2], actor=fredi)
    for round_ in made.rounds.order_by("number"):
        drawing.draw_round(round_, actor=fredi)
        rounds.open_round(round_, actor=fredi)
        left = 2 if "broken_off" in changes and round_.number == 2 else 0
        for table in round_.tables.exclude(number=left).order_by("number"):
            table_play.write_sheet(table, [70 + 11 * table.number + 5 * round_.number])
        rounds.close_round(round_, actor=fredi, force=left > 0)
        if round_.number == 1:
            for gone in there[:2] if in_pairs else there[:1]:
                entries.withdraw_entry(gone, actor=fredi)
        if "absences" in changes:
            miss_rounds(made, there[2:6], round_.number, fredi)
    return made


def miss_rounds(made: Championship, people: list[Entry], number: int, fredi: User) -> None:
    """Let these people miss the second round; the first two come back, the others have left before it."""
    for entry in people:
        if number == 1:
            entries.leave(entry, actor=fredi)
    for entry in people[:2] if number == 2 else ():
        entries.arrive(made.entries.get(pk=entry.pk), actor=fredi)


@pytest.fixture(scope="session")
def _counted_evenings() -> dict[str, Evening]:
    return {}


@pytest.fixture
def evening_by(_counted_evenings: dict[str, Evening], db: None, key_file: Path) -> Callable[[str], Evening]:
    """Return a function to the exported evening of a counting, made once."""

    def find(name: str) -> Evening:
        if name not in _counted_evenings:
            try:
                with transaction.atomic():
                    _counted_evenings[name] = export(build(name))
                    raise BackOut
            except BackOut:
                pass
        return _counted_evenings[name]

    return find


@pytest.mark.parametrize("name", EVENINGS)
def test_an_evening_of_each_counting_has_no_difference(
    puur_verify: ModuleType, evening_by: Callable[[str], Evening], name: str
) -> None:
    made = evening_by(name)
    report = puur_verify.verify(io.BytesIO(made.public), made.words[-1])
    assert report.differences == []
    said = "3 published rankings follow from results of which officials changed some: round 2"
    if "broken_off" not in EVENINGS[name][2]:
        said = "3 published rankings are those of the log"
    assert any(line.endswith(said) for line in (*report.checked, *report.notes)), report.notes


# forgeries


def last_rows(record: Record) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = record.tables["standingssnapshot"][-1]["rows"]
    return rows


def change_counting(record: Record, **changed: Any) -> None:
    """Other regulations than those of the evening, everywhere and from the beginning."""
    for event in record.own:
        if event.type == "regulations_set":
            event.body["regulations"]["counting"].update(changed)
    for row in record.tables["regulations"]:
        row["data"]["counting"].update(changed)


def steepen_scale(record: Record) -> None:
    change_counting(record, scale=[[0, 10, 10], [1, 20, 0]])


def give_more(record: Record) -> None:
    """The winner gets a victory point too many."""
    row = last_rows(record)[0]
    row["rounds"][-1]["points"] += 1
    row["total"] += 1
    record.publish()


def rest_as_winner(record: Record) -> None:
    """A bye counts as much as the greatest victory."""
    for row in last_rows(record):
        for one in row["rounds"]:
            if not one["played"]:
                row["total"] += 20 - one["points"]
                one["points"] = 20
    record.publish()


def round_up(record: Record) -> None:
    """A mean is rounded, where it is exact."""
    row = next(row for row in last_rows(record) if isinstance(row["total"], str))
    numerator, _, denominator = row["total"].partition("/")
    row["total"] = -(-int(numerator) // int(denominator))
    record.publish()


def round_credits(record: Record) -> None:
    """Credits of rounds that were not played are rounded to whole points, half a point up, as formerly."""
    for row in last_rows(record):
        for one in row["rounds"]:
            if isinstance(one["points"], str):
                exact = Fraction(one["points"])
                add(row, one, floor(exact + Fraction(1, 2)) - exact)
    record.publish()


def hide_fractions(record: Record) -> None:
    """The regulations are said to be of the time before averages were exact."""
    for event in record.own:
        if event.type == "regulations_set":
            del event.body["regulations"]["averages"]
    for row in record.tables["regulations"]:
        del row["data"]["averages"]


def name_other_averages(record: Record) -> None:
    for event in record.own:
        if event.type == "regulations_set":
            event.body["regulations"]["averages"] = "rounded down"
    for row in record.tables["regulations"]:
        row["data"]["averages"] = "rounded down"


def rank_by_points(record: Record) -> None:
    """Neighbours in the ranking exchange their places."""
    rows = last_rows(record)
    rows[0], rows[1] = rows[1], rows[0]
    for place, row in enumerate(rows[:2], 1):
        row["place"] = place
    record.publish()


def count_all(record: Record) -> None:
    """Earlier rounds count beside the last one."""
    row = last_rows(record)[0]
    for one in row["rounds"]:
        one["counts"] = True
    row["total"] = sum(one["points"] for one in row["rounds"])
    record.publish()


def add(row: dict[str, Any], one: dict[str, Any], points: Points) -> None:
    """Give more points in a round, and in total."""
    for cell, name in ((one, "points"), (row, "total")):
        cell[name] = write_number(read_number(cell[name]) + points)


def credit_absences(record: Record) -> None:
    """A missed round gives ten points more."""
    for row in last_rows(record):
        for one in row["rounds"]:
            if one.get("absent"):
                add(row, one, 10)
    record.publish()


def credit_broken_off(record: Record) -> None:
    """A table that was broken off counts ten points more."""
    for row in last_rows(record):
        for one in row["rounds"]:
            if one.get("broken_off"):
                add(row, one, 10)
    record.publish()


def say_played(record: Record) -> None:
    """A table broken off is said to have been played to its end."""
    for row in last_rows(record):
        for one in row["rounds"]:
            if one.pop("broken_off", None):
                one["played"] = True
    record.publish()


def draw_by_more(record: Record) -> None:
    """The last draw starts from more points for a friend who missed a round."""
    event = Record.first(record.round(3), "seats_drawn")
    past, seated = event.body["problem"]["past"][1], set()
    for table in past["tables"]:
        seated |= set(table["seats"])
    friends = {one["ref"] for one in event.body["problem"]["entrants"] if not seated & set(one["members"])}
    ref = min(friends & past["given"].keys() - set(past["byes"]))
    past["given"][ref] += 8


def draw_without_notice(record: Record) -> None:
    """The document of the last draw says that an excused pair stayed away without notice."""
    event = Record.first(record.round(3), "seats_drawn")
    past = event.body["problem"]["past"][1]
    [ref] = past["absent"]
    assert ref not in past["no_show"]
    past["absent"], past["no_show"] = [], sorted([ref, *past["no_show"]])


def excuse_late(record: Record) -> None:
    """A friend who missed the second round is excused at the end, and gets what the excused one got."""
    numbers = {row["number"]: row["player_ref"] for row in record.tables["entry"]}
    record.insert(record.own, len(record.own), "absences_excused", {"player": numbers[4], "rounds": [2]})


def credit_unexcused(record: Record) -> None:
    """Somebody gets points for a missed round without having been excused."""
    rows = {row["key"]: row for row in last_rows(record)}
    [given] = [one for one in rows[3]["rounds"] if one.get("absent")]
    rows[4]["rounds"].insert(1, {**given, "points": 0})
    add(rows[4], rows[4]["rounds"][1], read_number(given["points"]))
    record.publish()


def name_bye(record: Record) -> None:
    """A missed round is said to be a bye."""
    for row in last_rows(record):
        for one in row["rounds"]:
            one.pop("absent", None)
    record.publish()


FORGERIES: Final[list[tuple[str, Callable[[Record], None], str]]] = [
    ("victory_points", steepen_scale, "points in round 1 instead of"),
    ("victory_points", give_more, "points in round 3 instead of"),
    ("victory_points", rest_as_winner, "points in round 1 instead of 20"),
    ("victory_points", rank_by_points, "has a wrong place"),
    ("matches", give_more, "points in round 3 instead of"),
    ("average", round_up, "points in total instead of"),
    ("average", rank_by_points, "has a wrong place"),
    ("absent_pair", round_credits, "has 157/2 points in round"),
    ("absent_excused", round_credits, "has 157/2 points in round"),
    ("absent_excused", hide_fractions, "has 79 points in round"),
    ("absent_pair", name_other_averages, "its averages are of a kind that this program does not know"),
    ("absent_worst", credit_absences, "points in round 2 instead of"),
    ("absent_own", credit_absences, "points in round 2 instead of"),
    ("absent_fixed", credit_absences, "has 30 points in round 2 instead of 40"),
    ("absent_pair", name_bye, "did not play the rounds it says"),
    ("absent_win", credit_absences, "points in round 2 instead of"),
    ("absent_excused", excuse_late, "an absence was excused after its round was drawn"),
    ("absent_excused", credit_unexcused, "number 4 did not play the rounds it says"),
    ("absent_excused", credit_absences, "points in round 2 instead of"),
    ("broken_off", credit_broken_off, "points in round 2 instead of"),
    ("broken_off_own", credit_broken_off, "points in round 2 instead of"),
    ("broken_off", say_played, "did not play the rounds it says"),
    ("unplayed_swiss", credit_absences, "points in round 2 instead of"),
    ("unplayed_swiss", credit_broken_off, "points in round 2 instead of"),
    ("unplayed_swiss", draw_by_more, "did not start from the points of the rounds before it"),
    ("unplayed_swiss", draw_without_notice, "did not start from the rounds before it"),
    ("last_round", count_all, "the wrong rounds count"),
    ("last_round", rank_by_points, "has a wrong place"),
]


@pytest.mark.parametrize(("name", "bend", "told"), FORGERIES)
def test_a_forged_counting_is_named(
    puur_verify: ModuleType,
    evening_by: Callable[[str], Evening],
    key_file: Path,
    name: str,
    bend: Callable[[Record], None],
    told: str,
) -> None:
    record = Record(evening_by(name).public)
    bend(record)
    found = puur_verify.verify(io.BytesIO(record.sealed(sealing.load_key(key_file)))).differences
    assert any(told in line for line in found), found
