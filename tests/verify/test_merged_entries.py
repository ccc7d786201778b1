"""An evening on which somebody was entered twice: both verifiers count that person once, and find
forgeries.
"""

import io
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from games import sealing
from games.models import User
from tests.tournaments import table_play
from tests.verify.evening import Evening, export
from tests.verify.record import Record
from tests.verify.test_honest_evenings import audited, both
from tournaments.models import Championship, Entry, Official
from tournaments.services import championship_seals as seals
from tournaments.services.championships import championships, officials
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, merging
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.both


def evening_with_one_entered_twice() -> Championship:
    """Nine numbers, eight people: 2 plays the first round, the same person as 9 the second; then on."""
    fredi = User.objects.get_or_create(username="fredi")[0]
    made = championships.create(actor=fredi, name="Abend", slug="abend", changes={"rounds": 4, "deals": 1})
    officials.appoint(made, fredi, Official.Role.REFEREE, actor=fredi)
    wanted = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(1, 10)]
    there = entries.add_entries(made, wanted, actor=fredi)
    entries.leave(there[8], actor=fredi)
    _play(made, 1, fredi)
    entries.leave(there[1], actor=fredi)
    entries.arrive(there[8], actor=fredi)
    _play(made, 2, fredi)
    merging.merge_entries(there[1], there[8], actor=fredi, reason="zweimal")
    seals.seal_championship(made)
    _play(made, 3, fredi)
    merging.part_entries(made.entries.get(number=9), actor=fredi)
    merging.merge_entries(made.entries.get(number=9), made.entries.get(number=2), actor=fredi, reason="doch")
    seals.seal_championship(made)
    return made


def _play(made: Championship, number: int, fredi: User) -> None:
    round_ = drawing.draw_round(made.rounds.get(number=number), actor=fredi)
    round_.tables.update(mode="sheet")
    rounds.open_round(round_, actor=fredi)
    for table in round_.tables.order_by("number"):
        table_play.write_sheet(table, [90 + table.number + number])
    rounds.close_round(round_, actor=fredi)


@pytest.mark.long
def test_an_evening_with_one_entered_twice_has_no_difference(
    puur_verify: ModuleType, db: None, tmp_path: Path
) -> None:
    made = evening_with_one_entered_twice()
    assert both(puur_verify, export(made), tmp_path) == []
    assert audited(made) == []


@pytest.fixture
def exported(db: None) -> Evening:
    return export(evening_with_one_entered_twice())


def forgotten(record: Record) -> None:
    """The log says that they are one, the table of entries does not."""
    for row in record.tables["entry"]:
        row["merged_into"] = None


def with_somebody_else(record: Record) -> None:
    """The leader is made one with somebody who sat elsewhere in the same round."""
    body = record.first(record.own, "entries_merged").body
    players = [e.body["player"] for e in record.own if e.type == "entry_added"]
    body["player"] = next(p for p in players if p not in (body["player"], body["other"]))


def never_one(record: Record) -> None:
    record.first(record.own, "entries_parted").body["player"] = 32 * "a"


def of_a_stranger(record: Record) -> None:
    record.first(record.own, "entries_merged").body["other"] = 32 * "a"


@pytest.mark.parametrize(
    ("bend", "told"),
    [
        (forgotten, "the merged entries are not those of the log"),
        (with_somebody_else, "two entries were merged that both played in"),
        (never_one, "two entries were separated that were not merged"),
        (of_a_stranger, "two entries were merged that must not be merged"),
    ],
)
def test_what_is_bent_about_entries_that_are_one_is_found(
    puur_verify: ModuleType,
    exported: Evening,
    key_file: Path,
    bend: Callable[[Record], None],
    told: str,
) -> None:
    record = Record(exported.public)
    bend(record)
    data = record.sealed(sealing.load_key(key_file))
    found = puur_verify.verify(io.BytesIO(data)).differences
    assert any(told in line for line in found), found
