"""A table that people who came late make with those who sat out: both verifiers follow it."""

import io
from pathlib import Path
from types import ModuleType

import pytest

from games.models import User
from tests.tournaments import playing
from tests.verify.evening import NAMES, export
from tests.verify.test_browser_verifier import verified
from tournaments.services import championships, rounds
from tournaments.services.desk import entries
from tournaments.services.draw import drawing, stepping_in


@pytest.mark.django_db
def test_a_table_that_was_added_after_the_draw_verifies(puur_verify: ModuleType, tmp_path: Path) -> None:
    fredi = User.objects.get_or_create(username="fredi")[0]
    made = championships.create(
        actor=fredi, name="Spät", slug="spaet", preset="differenzler", changes={"rounds": 1}
    )
    people = [entries.NewEntry(name, status="arrived") for name in NAMES[:6]]
    entries.add_all(made, people, actor=fredi)
    round_ = drawing.draw(made.rounds.get(number=1), actor=fredi, left_over="sit_out")
    entries.add_all(made, [entries.NewEntry(n, status="arrived") for n in ("Zita", "Zeno")], actor=fredi)
    offered = stepping_in.new_table_of(round_)
    assert offered is not None
    stepping_in.add_table(round_, [entry.number for entry in offered.people], actor=fredi)
    round_.refresh_from_db()
    for table in round_.tables.all():
        rounds.set_mode(table, "dealt", actor=fredi)
    rounds.open_(round_, actor=fredi)
    playing.play_to_the_end(round_)
    rounds.close(round_, actor=fredi)
    evening = export(made)

    report = puur_verify.verify(io.BytesIO(evening.public), evening.words[-1])

    assert report.differences == []
    (tmp_path / "spaet.zip").write_bytes(evening.public)
    [browser] = verified(tmp_path, evening.words[-1]).values()
    assert browser["differences"] == []
