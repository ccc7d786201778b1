"""An evening of pairs: both verifiers follow who plays with whom, and find what was bent about it."""

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
from tournaments.models import Championship, Entry
from tournaments.services import championship_seals as seals
from tournaments.services.championships import championships
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, pairs
from tournaments.services.rounds import rounds


def evening_of_pairs() -> Championship:
    """Five pairs, one of which has a bye; after the first round a partner leaves and another one comes."""
    fredi = User.objects.get_or_create(username="fredi")[0]
    changes = {"rounds": 3, "deals": 1, "hand_in": "deals"}
    made = championships.create(
        actor=fredi, name="Paare", slug="paare", preset="partnerschieber", changes=changes
    )
    wanted = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(1, 11)]
    there = entries.add_entries(made, wanted, actor=fredi)
    pairs.pair_up(made, zip(there[::2], there[1::2], strict=True), actor=fredi)
    pairs.pair(there[0], None, actor=fredi)
    pairs.pair(there[1], there[0], actor=fredi)
    _play(made, 1, fredi)
    seals.seal_championship(made)
    entries.withdraw_entry(there[0], actor=fredi)
    newcomer = entries.add_entry(made, actor=fredi, name="Person 11", status=Entry.Status.ARRIVED)
    pairs.pair(there[1], newcomer, actor=fredi)
    _play(made, 2, fredi)
    seals.seal_championship(made)
    return made


def _play(made: Championship, number: int, fredi: User) -> None:
    round_ = drawing.draw_round(made.rounds.get(number=number), actor=fredi)
    rounds.open_round(round_, actor=fredi)
    for table in round_.tables.order_by("number"):
        table_play.write_sheet(table, [90 + table.number])
    rounds.close_round(round_, actor=fredi)


def test_an_evening_of_pairs_has_no_difference(puur_verify: ModuleType, db: None, tmp_path: Path) -> None:
    made = evening_of_pairs()
    assert both(puur_verify, export(made), tmp_path) == []
    assert audited(made) == []


@pytest.fixture
def exported(db: None) -> Evening:
    return export(evening_of_pairs())


def somebody_elses(record: Record) -> None:
    """The winners' line is said to be of others."""
    record.tables["standingssnapshot"][-1]["rows"][0]["members"] = [3, 6]
    record.publish()


def one_by_one(record: Record) -> None:
    """As if everybody had been ranked alone."""
    for row in record.tables["standingssnapshot"][-1]["rows"]:
        del row["members"]
    record.publish()


def in_two(record: Record) -> None:
    players = [record.first(record.own, "entrant_formed").body["players"][0]]
    players.append(record.own[record.place(record.own, "entry_added") + 2].body["player"])
    body = {"entrant": 32 * "a", "number": 1, "players": players}
    record.insert(record.own, record.place(record.own, "standings_published"), "entrant_formed", body)


def parted(record: Record) -> None:
    """After the first round, so that the points of one go another way."""
    pair = record.own[record.place(record.own, "entrant_formed") + 1].body["entrant"]
    record.insert(record.own, len(record.own), "entrant_parted", {"entrant": pair})
    [pk] = [row["pk"] for row in record.rows("entrant", ref=pair)]
    record.tables["entrant"] = [row for row in record.tables["entrant"] if row["pk"] != pk]
    for row in record.rows("entry", entrant=pk):
        row["entrant"] = None


def third(record: Record) -> None:
    """Somebody comes into a pair that is complete."""
    pair = record.own[record.place(record.own, "entrant_formed") + 1].body["entrant"]
    record.first(record.own, "entrant_joined").body["entrant"] = pair


def other_rows(record: Record) -> None:
    one, other = record.tables["entrant"][:2]
    one["ref"], other["ref"] = other["ref"], one["ref"]


@pytest.mark.parametrize(
    ("bend", "told"),
    [
        (somebody_elses, "others are ranked with it than the log says"),
        (one_by_one, "others are ranked with it than the log says"),
        (in_two, "a pair was formed of people who were not free"),
        (parted, "a pair that had played was separated"),
        (third, "a person joined a pair that had no free place"),
        (other_rows, "the pairs are not those of the log"),
    ],
)
def test_what_is_bent_about_pairs_is_found(
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
