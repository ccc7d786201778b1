"""The record of a draw by hand: its repeats are counted again, and its comparison has to be possible."""

import io
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.db import transaction

from games import sealing
from games.models import User
from tests.tournaments import table_play
from tests.verify.conftest import BackOut
from tests.verify.evening import Evening, export
from tests.verify.record import Record
from tournaments import regulations
from tournaments.models import Championship, Entry
from tournaments.presets import PRESETS
from tournaments.services.championships import championships
from tournaments.services.draw import seating_by_hand
from tournaments.services.entries import entries, pairs
from tournaments.services.rounds import rounds

SEATS = {
    "klubabend": ([[1, 2, 3, 4], [5, 6, 7, 8]], [[1, 6, 3, 2], [5, 4, 7, 9]]),
    "swiss_pairs": ([[1, 3, 2, 4], [5, 7, 6, 8]], [[1, 3, 2, 4], [5, 7, 6, 8]]),
}
"""Two rounds by preset: some people meet twice."""


def hold(preset: str) -> Championship:
    held = regulations.encode(PRESETS[preset])
    changes = {"rounds": 3, "deals": 1, "hand_in": "deals", "play": {**held["play"], "mode": "sheet"}}
    fredi = User.objects.get_or_create(username="fredi")[0]
    slug = f"hand-{preset}".replace("_", "-")
    made = championships.create(actor=fredi, name=preset, slug=slug, preset=preset, changes=changes)
    count = 9 if preset == "klubabend" else 8
    people = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(count)]
    there = entries.add_entries(made, people, actor=fredi)
    if preset == "swiss_pairs":
        pairs.pair_up(made, zip(there[::2], there[1::2], strict=True), actor=fredi)
    for round_, tables in zip(made.rounds.order_by("number"), SEATS[preset], strict=False):
        seating_by_hand.seat_by_hand(round_, tables, actor=fredi)
        rounds.open_round(round_, actor=fredi)
        for table in round_.tables.order_by("number"):
            table_play.write_sheet(table, [70 + 11 * table.number + 5 * round_.number])
        rounds.close_round(round_, actor=fredi)
    return made


@pytest.fixture(scope="session")
def _held() -> dict[str, Evening]:
    return {}


@pytest.fixture
def find_evening(_held: dict[str, Evening], db: None, key_file: Path) -> Callable[[str], Evening]:
    """Return a function to the exported evening of a preset, made once."""

    def find(preset: str) -> Evening:
        if preset not in _held:
            try:
                with transaction.atomic():
                    _held[preset] = export(hold(preset))
                    raise BackOut
            except BackOut:
                pass
        return _held[preset]

    return find


@pytest.mark.parametrize(("preset", "here"), [("klubabend", 4), ("swiss_pairs", 2)])
def test_an_honest_draw_by_hand_has_no_difference_and_its_comparison_is_unproven(
    puur_verify: ModuleType, find_evening: Callable[[str], Evening], preset: str, here: int
) -> None:
    made = find_evening(preset)
    cost = Record.first(Record(made.public).round(2), "seats_drawn").body["cost"]
    assert cost["meeting_repeats"] == cost["notes"][0]["here"] == here
    report = puur_verify.verify(io.BytesIO(made.public))
    assert report.differences == []
    assert any("round 2, draw 1: that the draw by the regulations had" in line for line in report.unproven)


def change_cost(cost: dict[str, Any], **changed: int) -> None:
    cost.update(changed)


def change_note(cost: dict[str, Any], **changed: int) -> None:
    cost["notes"][0].update(changed)


FORGERIES: list[tuple[Callable[..., None], dict[str, int], str]] = [
    (change_cost, {"meeting_repeats": 0}, "it does not repeat what it says: meeting_repeats"),
    (change_cost, {"partner_repeats": 7}, "it does not repeat what it says: partner_repeats"),
    (change_note, {"here": 0}, "is not of its tables"),
    (change_note, {"tables": 3}, "is not of its tables"),
    (change_note, {"alike": 3}, "cannot be right"),
    (change_note, {"own": -1}, "cannot be right"),
    (change_note, {"alike": 2, "own": 99}, "cannot be right"),
]


@pytest.mark.parametrize("preset", SEATS)
@pytest.mark.parametrize(("bend", "changed", "told"), FORGERIES)
def test_forged_figures_of_a_draw_by_hand_are_named(
    puur_verify: ModuleType,
    find_evening: Callable[[str], Evening],
    key_file: Path,
    preset: str,
    bend: Callable[..., None],
    changed: dict[str, int],
    told: str,
) -> None:
    record = Record(find_evening(preset).public)
    bend(Record.first(record.round(2), "seats_drawn").body["cost"], **changed)
    found = puur_verify.verify(io.BytesIO(record.sealed(sealing.load_key(key_file)))).differences
    assert any(told in line for line in found), found
