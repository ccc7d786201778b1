"""A table that people who came late make with those who had byes: both verifiers follow it."""

import io
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from games import sealing
from games.models import User
from tests.tournaments import table_play
from tests.verify.evening import NAMES, Evening, export
from tests.verify.record import Event, Record
from tests.verify.test_browser_verifier import verified
from tournaments.services.championships import championships
from tournaments.services.draw import drawing, late_people
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds


@pytest.mark.django_db
def test_a_table_that_was_added_after_the_draw_verifies(puur_verify: ModuleType, tmp_path: Path) -> None:
    fredi = User.objects.get_or_create(username="fredi")[0]
    made = championships.create(
        actor=fredi, name="Spät", slug="spaet", preset="differenzler", changes={"rounds": 1}
    )
    people = [entries.NewEntry(name, status="arrived") for name in NAMES[:6]]
    entries.add_entries(made, people, actor=fredi)
    round_ = drawing.draw_round(made.rounds.get(number=1), actor=fredi, left_over="sit_out")
    entries.add_entries(made, [entries.NewEntry(n, status="arrived") for n in ("Zita", "Zeno")], actor=fredi)
    offered = late_people.propose_table(round_)
    assert offered is not None
    late_people.add_table(round_, [entry.number for entry in offered.people], actor=fredi)
    round_.refresh_from_db()
    for table in round_.tables.all():
        rounds.set_mode(table, "dealt", actor=fredi)
    rounds.open_round(round_, actor=fredi)
    table_play.play_to_the_end(round_)
    rounds.close_round(round_, actor=fredi)
    evening = export(made)

    report = puur_verify.verify(io.BytesIO(evening.public), evening.words[-1])

    assert report.differences == []
    (tmp_path / "spaet.zip").write_bytes(evening.public)
    [browser] = verified(tmp_path, evening.words[-1]).values()
    assert browser["differences"] == []


@pytest.fixture
def joined(db: None) -> Evening:
    """An open round to which people come late: one more at a table of three on paper, one table more with
    dealt cards."""
    fredi = User.objects.get_or_create(username="fredi")[0]
    made = championships.create(
        actor=fredi, name="Spät", slug="spaet", preset="differenzler", changes={"rounds": 1}
    )
    entries.add_entries(made, [entries.NewEntry(name, status="arrived") for name in NAMES[:7]], actor=fredi)
    round_ = drawing.draw_round(made.rounds.get(number=1), actor=fredi, left_over="three")
    short = next(table for table in round_.tables.all() if table.seatings.count() == 3)
    rounds.set_mode(short, "sheet", actor=fredi)
    rounds.open_round(round_, actor=fredi)
    zita = entries.add_entry(made, actor=fredi, name="Zita", status="arrived")
    late_people.join_table(round_, zita.number, short.number, actor=fredi)
    names = ("Zeno", "Zora", "Zoé", "Zack")
    entries.add_entries(made, [entries.NewEntry(n, status="arrived") for n in names], actor=fredi)
    offered = late_people.propose_table(round_)
    assert offered is not None
    late_people.add_table(round_, [entry.number for entry in offered.people], actor=fredi)
    rounds.close_round(round_, actor=fredi, force=True)
    return export(made)


def test_people_who_come_late_to_an_open_round_are_followed_and_noted(
    joined: Evening, puur_verify: ModuleType, tmp_path: Path
) -> None:
    report = puur_verify.verify(io.BytesIO(joined.public), joined.words[-1])
    assert report.differences == []
    assert len([note for note in report.notes if "came late" in note]) == 2
    (tmp_path / "spaet.zip").write_bytes(joined.public)
    [browser] = verified(tmp_path, joined.words[-1]).values()
    assert browser["differences"] == []


def opened(record: Record) -> Event:
    """The new table's; the one that was begun again comes before it."""
    return [event for event in record.round(1) if event.type == "table_opened"][-1]


def never_opened(record: Record) -> None:
    record.round(1).remove(opened(record))


def after_the_seed_is_public(record: Record) -> None:
    event = opened(record)
    never_opened(record)
    record.round(1).append(event)


def said_to_be_a_sheet(record: Record) -> None:
    opened(record).body["mode"] = "sheet"


def begun_again_after_a_result(record: Record) -> None:
    """A game that was played is put aside for one without a result: the dealt table's."""
    at = record.place(record.round(1), "round_closed")
    games = record.games(1)
    body = {"table": 3, "game": games[0], "mode": "sheet"}
    record.insert(record.round(1), at, "table_opened", body)


@pytest.mark.parametrize(
    ("bend", "says"),
    [
        (never_opened, "two of them have one game|its tables have other games than the log says"),
        (after_the_seed_is_public, "a table was opened late although the seed was public|a table was opened"),
        (said_to_be_a_sheet, "was not played as the round says"),
        (begun_again_after_a_result, "a game with entries was started again at table 3"),
    ],
)
def test_a_late_table_that_was_bent_is_named(
    joined: Evening, puur_verify: ModuleType, key_file: Path, bend: Callable[[Record], None], says: str
) -> None:
    record = Record(joined.public)
    bend(record)
    report = puur_verify.verify(io.BytesIO(record.sealed(sealing.load_key(key_file))))
    assert any(re.search(says, told) for told in report.differences), report.differences
