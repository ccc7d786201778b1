"""An evening with tables of three beside one of four: both verifiers follow games, draws and the ranking."""

import io
from pathlib import Path
from types import ModuleType

import pytest

from games.models import User
from tests.tournaments import playing
from tests.verify.evening import NAMES, export
from tests.verify.test_browser_verifier import verified
from tournaments import regulations as rules
from tournaments.models import Entry
from tournaments.services import championships, rounds
from tournaments.services.desk import entries
from tournaments.services.draw import drawing


@pytest.mark.django_db
def test_tables_of_three_verify_scaled_to_four(puur_verify: ModuleType, tmp_path: Path) -> None:
    fredi = User.objects.get_or_create(username="fredi")[0]
    made = championships.create(
        actor=fredi, name="Differenzler", slug="drei", preset="differenzler", changes={"rounds": 2}
    )
    data = {
        **rules.encode(championships.regulations_of(made)),
        "byes": {"policy": "three", "three": "scaled"},
    }
    championships.change_regulations(made, data, actor=fredi)
    entries.add_all(
        made, [entries.NewEntry(name, status=Entry.Status.ARRIVED) for name in NAMES[:7]], actor=fredi
    )
    for round_ in made.rounds.order_by("number"):
        drawing.draw(round_, actor=fredi)
        for table in round_.tables.all():
            rounds.set_mode(table, "dealt", actor=fredi)
        rounds.open_(round_, actor=fredi)
        playing.play_to_the_end(round_)
        rounds.close(round_, actor=fredi)
    evening = export(made)

    report = puur_verify.verify(io.BytesIO(evening.public), evening.words[-1])

    assert report.differences == []
    drawn = [line for line in report.checked if "the seats were drawn again" in line]
    assert len(drawn) == 2
    (tmp_path / "drei.zip").write_bytes(evening.public)
    [browser] = verified(tmp_path, evening.words[-1]).values()
    assert browser["differences"] == []
