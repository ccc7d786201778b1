"""What a draw starts from beside its seed is compared with regulations and rankings of its own moment."""

import io
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from games import sealing
from games.models import User
from tests.tournaments import table_play
from tests.verify.evening import Evening, export
from tests.verify.record import Record
from tests.verify.test_honest_evenings import both
from tournaments import pairing, regulations
from tournaments.models import Championship, Entry
from tournaments.services.championships import championships, regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import draw_undoing, drawing
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds


def evening_of_seventeen() -> Championship:
    """Drawn for three rounds, undone, drawn for two; then the last one, in which the leader stays in."""
    fredi = User.objects.get_or_create(username="fredi")[0]
    made = championships.create(
        actor=fredi, name="Siebzehn", slug="siebzehn", changes={"rounds": 3, "deals": 1}
    )
    people = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(17)]
    entries.add_entries(made, people, actor=fredi)
    first = drawing.draw_round(made.rounds.get(number=1), actor=fredi)
    draw_undoing.undo_draw(first, actor=fredi, reason="anew")
    fewer = {**regulations.encode(load_regulations(made)), "rounds": 2}
    regulations_change.change_regulations(made, fewer, actor=fredi)
    drawing.draw_round(first, actor=fredi)
    first.tables.update(mode="sheet")
    rounds.open_round(first, actor=fredi)
    for table in first.tables.order_by("number"):
        table_play.write_sheet(table, [90 + table.number])
    rounds.close_round(first, actor=fredi)
    drawing.draw_round(made.rounds.get(number=2), actor=fredi)
    return made


@pytest.fixture
def exported(db: None) -> Evening:
    return export(evening_of_seventeen())


def leader_not_kept(record: Record) -> None:
    """The last round drawn from its true seed as if nobody led."""
    body = record.first(record.round(2), "seats_drawn").body
    assert body["problem"]["sit_out_last"]
    body["problem"]["sit_out_last"] = []
    seed = bytes.fromhex(body["seed"])
    problem = msgspec.convert({**body["problem"], "seed": b""}, pairing.PairingProblem)
    drawn = pairing.draw(replace(problem, seed=seed)).rounds[0]
    body["tables"] = [[body["players"][place] for place in table] for table in drawn.tables]
    body["sit_out"] = [body["players"][place] for place in drawn.byes]
    record.sit_as_drawn()
    [out] = body["sit_out"]
    [entry] = record.rows("entry", player_ref=out)
    [round_] = record.rows("round", number=2)
    [row] = record.rows("sitout", round=round_["pk"])
    row["entry"] = entry["pk"]


@pytest.mark.slow
def test_draws_before_and_after_other_regulations_and_one_with_a_leader_have_no_difference(
    puur_verify: ModuleType, exported: Evening, tmp_path: Path
) -> None:
    assert both(puur_verify, exported, tmp_path) == []
    report = puur_verify.verify(io.BytesIO(exported.public))
    told = [*report.checked, *report.notes]
    assert sum("the seats were drawn again" in line for line in told) == 3
    assert any(line.endswith("1 draws were undone before it") for line in report.notes)


@pytest.mark.long
def test_a_leader_who_is_not_kept_from_sitting_out_is_missed(
    puur_verify: ModuleType, exported: Evening, key_file: Path
) -> None:
    record = Record(exported.public)
    leader_not_kept(record)
    data = record.sealed(sealing.load_key(key_file))
    told = puur_verify.verify(io.BytesIO(data)).differences
    assert told == ["round 2, draw 1: it did not refuse a bye to the leaders"]
