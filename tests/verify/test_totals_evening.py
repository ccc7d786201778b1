"""An evening of totals: no difference for both verifiers and the audit, and what is forged in it is found."""

import io
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from games import sealing
from games.models import User
from tests.verify.evening import export
from tests.verify.record import Record
from tests.verify.test_honest_evenings import audited, both
from tournaments.models import Championship, Entry
from tournaments.services.championships import championships
from tournaments.services.draw import drawing, seating_by_hand
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds
from tournaments.services.scores import desk_results

pytestmark = pytest.mark.both


def evening_of_totals(confirmation: str = "paper") -> Championship:
    """One closed round of two tables, typed by the desk."""
    fredi = User.objects.get_or_create(username="fredi")[0]
    changes = {"rounds": 1, "hand_in": "totals", "confirmation": confirmation}
    made = championships.create(actor=fredi, name="Zettel", slug="zettel", changes=changes)
    people = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(8)]
    entries.add_entries(made, people, actor=fredi)
    first = made.rounds.get()
    seating_by_hand.seat_by_hand(first, [range(1, 5), range(5, 9)], actor=fredi)
    for table in first.tables.all():
        rounds.set_mode(table, "sheet", actor=fredi)
    rounds.open_round(first, actor=fredi)
    lines: dict[int, dict[str, Any]] = {
        1: {"scores": [812, 564], "sweeps": [1, 0], "stoecks": [0, 1]},
        2: {"scores": [712, 544]},
    }
    for again in range(2 if confirmation == "second_typing" else 1):
        for row in desk_results.desk_rows(first):
            typed = desk_results.Typed(
                id=f"t{row.table}.{again}",
                people=row.people,
                seen=row.head,
                signed=True,
                **lines[row.table],
            )
            desk_results.save_line(first, row.table, typed, actor=fredi)
    rounds.close_round(first, actor=fredi)
    return made


@pytest.mark.parametrize("confirmation", ["paper", "second_typing"])
def test_an_evening_of_totals_has_no_difference(
    confirmation: str, puur_verify: ModuleType, db: None, tmp_path: Path
) -> None:
    made = evening_of_totals(confirmation)
    assert both(puur_verify, export(made), tmp_path) == []
    assert audited(made) == []


def more_cards(record: Record) -> None:
    record.first(record.game(1), "result_entered").body["card_points"] = [713, 544]


def hidden_sweep(record: Record) -> None:
    del record.first(record.game(1), "result_entered").body["sweeps"]


def by_silence(record: Record) -> None:
    record.first(record.game(1), "result_confirmed").body["by"] = "silence"


def signed_for_a_side(record: Record) -> None:
    record.first(record.game(1), "result_confirmed").body.update(seat=0, side=0)


def by_deals(record: Record) -> None:
    record.first(record.game(1), "game_started").body["hand_in"] = "deals"


@pytest.mark.parametrize(
    ("forge", "script"),
    [
        (more_cards, "do not add up to the points of the cards"),
        (hidden_sweep, "do not add up with their sweeps"),
        (by_silence, "not confirmed in the agreed way"),
        (signed_for_a_side, "was signed by the side that wrote it"),
        (by_deals, "it was not played by the regulations"),
    ],
)
def test_a_forged_total_is_found(
    forge: Callable[[Record], None],
    script: str,
    puur_verify: ModuleType,
    db: None,
    key_file: Path,
) -> None:
    record = Record(export(evening_of_totals()).public)
    forge(record)
    data = record.sealed(sealing.load_key(key_file))
    assert any(script in one for one in puur_verify.verify(io.BytesIO(data)).differences)


def evening_of_differences() -> Championship:
    """One closed round of Differenzler at a table of four and one of three, a total a person."""
    fredi = User.objects.get_or_create(username="fredi")[0]
    made = championships.create(
        actor=fredi,
        name="Differenzler",
        slug="diff",
        preset="differenzler",
        changes={"rounds": 1, "hand_in": "totals"},
    )
    people = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(7)]
    entries.add_entries(made, people, actor=fredi)
    first = drawing.draw_round(made.rounds.get(), actor=fredi, left_over="three")
    for table in first.tables.all():
        rounds.set_mode(table, "sheet", actor=fredi)
    rounds.open_round(first, actor=fredi)
    for row in desk_results.desk_rows(first):
        scores: list[int | None] = [*([33, 60, 0, 47][: len(row.sides)])]
        typed = desk_results.Typed(
            id=f"t{row.table}", people=row.people, seen=row.head, scores=scores, signed=True
        )
        desk_results.save_line(first, row.table, typed, actor=fredi)
    rounds.close_round(first, actor=fredi)
    return made


def test_an_evening_of_one_total_a_person_has_no_difference(
    puur_verify: ModuleType, db: None, tmp_path: Path
) -> None:
    made = evening_of_differences()
    report = puur_verify.verify(io.BytesIO(export(made).public))
    assert report.differences == []
    assert not any("what deal 1 counts" in line for line in report.unproven)
    assert both(puur_verify, export(made), tmp_path) == []
    assert audited(made) == []
    first = made.snapshots.latest("version").rows[0]
    assert first["total"] == 0


def beyond_all_deals(record: Record) -> None:
    record.first(record.game(1), "result_entered").body["scores"][0] = 700


def with_cards(record: Record) -> None:
    record.first(record.game(1), "result_entered").body["card_points"][0] = 100


@pytest.mark.parametrize(
    ("bend", "says"),
    [
        (beyond_all_deals, "are more or less than so many deals can give"),
        (with_cards, "hold card points that no total tells"),
    ],
)
def test_a_bent_total_of_one_person_is_named(
    puur_verify: ModuleType, db: None, key_file: Path, bend: Callable[[Record], None], says: str
) -> None:
    record = Record(export(evening_of_differences()).public)
    bend(record)
    found = puur_verify.verify(io.BytesIO(record.sealed(sealing.load_key(key_file)))).differences
    assert any(says in line for line in found), found
