"""An evening with tables of three beside one of four: both verifiers follow games, draws and the ranking."""

import io
from pathlib import Path
from types import ModuleType

import pytest

from engine.variants.coiffeur import FACTORS
from games import sealing
from games.models import User
from games.play.submit import submit
from tests.tournaments import table_play
from tests.verify.evening import NAMES, export
from tests.verify.record import Record
from tests.verify.test_browser_verifier import verified
from tests.verify.test_honest_evenings import audited
from tournaments import regulations
from tournaments.models import Championship, Entry
from tournaments.services.championships import championships, regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import drawing
from tournaments.services.entries import entries
from tournaments.services.referee import corrections
from tournaments.services.rounds import rounds


@pytest.mark.django_db
def test_tables_of_three_verify_scaled_to_four(puur_verify: ModuleType, tmp_path: Path) -> None:
    fredi = User.objects.get_or_create(username="fredi")[0]
    made = championships.create(
        actor=fredi, name="Differenzler", slug="drei", preset="differenzler", changes={"rounds": 2}
    )
    data = {
        **regulations.encode(load_regulations(made)),
        "byes": {"policy": "three", "three": "scaled"},
    }
    regulations_change.change_regulations(made, data, actor=fredi)
    entries.add_entries(
        made, [entries.NewEntry(name, status=Entry.Status.ARRIVED) for name in NAMES[:7]], actor=fredi
    )
    for round_ in made.rounds.order_by("number"):
        drawing.draw_round(round_, actor=fredi)
        for table in round_.tables.all():
            rounds.set_mode(table, "dealt", actor=fredi)
        rounds.open_round(round_, actor=fredi)
        table_play.play_to_the_end(round_)
        rounds.close_round(round_, actor=fredi)
    evening = export(made)

    report = puur_verify.verify(io.BytesIO(evening.public), evening.words[-1])

    assert report.differences == []
    drawn = [line for line in report.checked if "the seats were drawn again" in line]
    assert len(drawn) == 2
    (tmp_path / "drei.zip").write_bytes(evening.public)
    [browser] = verified(tmp_path, evening.words[-1]).values()
    assert browser["differences"] == []


def coiffeur_of_three() -> Championship:
    """A closed round of Coiffeur of three on paper: of each deal the points of who chose, one put right."""
    fredi = User.objects.get_or_create(username="fredi")[0]
    made = championships.create(
        actor=fredi, name="Coiffeur", slug="coiffeur", preset="coiffeur", changes={"rounds": 1}
    )
    data = regulations.encode(load_regulations(made))
    play = {**data["play"], "seats": 3, "format": "solo"}
    regulations_change.change_regulations(made, {**data, "play": play}, actor=fredi)
    people = [entries.NewEntry(name, status=Entry.Status.ARRIVED) for name in NAMES[:3]]
    entries.add_entries(made, people, actor=fredi)
    round_ = drawing.draw_round(made.rounds.get(), actor=fredi)
    for one in round_.tables.all():
        rounds.set_mode(one, "sheet", actor=fredi)
    rounds.open_round(round_, actor=fredi)
    table = round_.tables.get()
    for deal in range(1, 31):
        slot = list(FACTORS)[(deal - 1) // 3]
        written = {"cmd": "enter_result", "seat": 0, "deal": deal, "chooser": deal % 3, "slot": slot}
        own = {"own_points": 157 if deal == 4 else 50 + deal}
        submit(str(table.game_id), {**written, **own}, actor=table_play.refs(table)[0], command_id=f"e{deal}")
        table_play.confirm(table, deal)
    table.refresh_from_db()
    corrections.correct_result(
        table, 2, {"chooser": 2, "slot": "diamonds", "own_points": 25}, actor=fredi, reason="verlesen"
    )
    rounds.close_round(round_, actor=fredi)
    return made


def test_coiffeur_of_three_verifies_with_the_points_of_who_chose_alone(
    db: None, puur_verify: ModuleType, tmp_path: Path
) -> None:
    made = coiffeur_of_three()
    evening = export(made)
    report = puur_verify.verify(io.BytesIO(evening.public), evening.words[-1])
    assert report.differences == []
    (tmp_path / "coiffeur.zip").write_bytes(evening.public)
    [browser] = verified(tmp_path, evening.words[-1]).values()
    assert browser["differences"] == []
    assert audited(made) == []


@pytest.mark.parametrize(
    ("points", "says"),
    [
        ([None, None, 52], "the card points of deal 1 are missing"),
        ([None, 200, None], "of who chose in deal 1 are 200"),
    ],
)
def test_bent_points_of_who_chose_are_named(
    db: None, puur_verify: ModuleType, key_file: Path, points: list[int | None], says: str
) -> None:
    record = Record(export(coiffeur_of_three()).public)
    record.first(record.game(1), "result_entered").body["card_points"] = points
    found = puur_verify.verify(io.BytesIO(record.sealed(sealing.load_key(key_file)))).differences
    assert any(says in line for line in found), found
