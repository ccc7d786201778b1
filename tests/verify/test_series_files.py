"""The file of a series: an honest season, and what a forger with the platform's key bends."""

import io
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from django.db import transaction
from django.utils import timezone

from games import sealing
from tests.verify.conftest import BackOut
from tests.verify.mutations import listed_again, unzipped, zipped
from tests.verify.series import (
    SeriesRecord,
    build_series,
    build_table_series,
    build_team_series,
    export_with_events,
)
from tournaments.models import ClubSeries

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def _season() -> dict[str, tuple[bytes, str]]:
    return {}


@pytest.fixture
def season(_season: dict[str, tuple[bytes, str]], db: None, key_file: Path) -> tuple[bytes, str]:
    """The file and its words, made once; the database is empty again."""
    if not _season:
        _season["file"] = export_season(build_series)
    return _season["file"]


@pytest.fixture(scope="session")
def _team_season() -> dict[str, tuple[bytes, str]]:
    return {}


@pytest.fixture
def team_season(_team_season: dict[str, tuple[bytes, str]], db: None, key_file: Path) -> tuple[bytes, str]:
    """The file of a season with teams and categories, and its words."""
    if not _team_season:
        _team_season["file"] = export_season(build_team_series)
    return _team_season["file"]


@pytest.fixture(scope="session")
def _table_season() -> dict[str, tuple[bytes, str]]:
    return {}


@pytest.fixture
def table_season(_table_season: dict[str, tuple[bytes, str]], db: None, key_file: Path) -> tuple[bytes, str]:
    """The file of a season with a final for the first of its table, and its words."""
    if not _table_season:
        _table_season["file"] = export_season(build_table_series)
    return _table_season["file"]


def export_season(build: Callable[[Callable[[], None]], ClubSeries]) -> tuple[bytes, str]:
    """Return the file of a season that is played over several days, and its words; undo the season."""
    clock = [datetime(2026, 11, 20, 18, 0, tzinfo=UTC)]

    def wait() -> None:
        clock[0] += timedelta(days=1)

    def now() -> datetime:
        clock[0] += timedelta(milliseconds=1)
        return clock[0]

    found = b"", ""
    try:
        with pytest.MonkeyPatch.context() as patch, transaction.atomic():
            patch.setattr(timezone, "now", now)
            found = export_with_events(build(wait))
            raise BackOut
    except BackOut:
        pass
    return found


def test_an_honest_season_has_no_difference(puur_verify: ModuleType, season: tuple[bytes, str]) -> None:
    data, words = season
    report = puur_verify.verify(io.BytesIO(data), words)
    assert report.differences == []
    assert any("3 published tables follow from the rankings" in line for line in report.checked)
    assert any("your words are those of checkpoint" in line for line in report.checked)
    assert any(
        "the weight of e2 was changed to 2 after a table was published: Beschluss" in line
        for line in report.notes
    )
    assert any(
        "the event e2 was added after a table was published: ging vergessen" in one for one in report.notes
    )


def test_names_of_the_season_stand_in_no_stream(season: tuple[bytes, str]) -> None:
    files = unzipped(season[0])
    [stream] = [data.decode() for name, data in files.items() if name.startswith("streams/")]
    assert "Muster" not in stream
    assert "Anna" not in stream
    assert "Muster" in files["names.json"].decode()


def test_the_files_of_the_evenings_may_stand_beside_that_of_the_season(
    puur_verify: ModuleType, season: tuple[bytes, str], key_file: Path, tmp_path: Path
) -> None:
    files = unzipped(season[0])
    beside = [name for name in files if name.startswith("events/")]
    alone = {name: data for name, data in files.items() if name not in beside}
    paths = []
    for name in beside:
        paths.append(tmp_path / Path(name).name)
        paths[-1].write_bytes(files[name])
    season_path = tmp_path / "jahr.zip"
    season_path.write_bytes(zipped(listed_again(alone, sealing.load_key(key_file))))

    given = [*map(str, reversed(paths)), str(season_path), "--checkpoint", season[1]]
    assert puur_verify.main(given) == 0
    missing = puur_verify.verify(str(season_path)).differences
    assert any("the file of e1 is missing" in line for line in missing)
    with pytest.raises(puur_verify.Unusable):
        puur_verify.verify(str(paths[0]), None, (), [str(paths[1])])


# forgeries


def leave_out(record: SeriesRecord) -> None:
    """The second evening never counted, and the table fits that."""
    first = record.tables["snapshots"][0]
    for version in (2, 3):
        event = record.first("table_published", version=version)
        del event.body["rankings"]["e2"]
        record.tables["snapshots"][version - 1]["table"] = first["table"]
    record.publish()


def weigh(record: SeriesRecord) -> None:
    """The weight of the second evening was always another one, the tables are as they were."""
    record.events = [event for event in record.events if event.type != "event_weight_changed"]
    record.first("event_added", event="e2").body["weight"] = "5"


def weigh_in_silence(record: SeriesRecord) -> None:
    del record.first("event_weight_changed").body["reason"]


def split(record: SeriesRecord) -> None:
    """The best person counts twice, each with one evening."""
    best = dict(record.last["table"][0], total=1, place=8)
    record.last["table"].insert(-1, {**best, "ref": "p999"})
    record.publish()


def split_later(record: SeriesRecord) -> None:
    """A result that counted belongs to somebody else from now on."""
    matched = record.first("persons_matched", event="e1").body["persons"]
    entry = next(iter(matched))
    at = record.place("table_published", version=3)
    record.insert(at, "persons_matched", {"event": "e1", "persons": {**matched, entry: "p999"}})


def match_twice(record: SeriesRecord) -> None:
    """Two results of one evening are one person's."""
    persons = record.first("persons_matched", event="e1").body["persons"]
    one, other = list(persons)[:2]
    persons[one] = persons[other]


def drop_result(record: SeriesRecord) -> None:
    """The result of a rival belongs to nobody."""
    persons = record.first("persons_matched", event="e2").body["persons"]
    del persons[next(iter(persons))]


def give_without_reason(record: SeriesRecord) -> None:
    record.first("wild_card_given").body["reason"] = " "


def exchange_ranking(record: SeriesRecord) -> None:
    """The digest is that of a ranking that the championship never published."""
    record.first("table_published", version=3).body["rankings"]["e1"]["digest"] = "ab" * 32


def exchange_evening(record: SeriesRecord) -> None:
    """The first evening counts with the ranking of the second."""
    rankings = record.first("table_published", version=3).body["rankings"]
    rankings["e1"] = rankings["e2"]


def give_ticket(record: SeriesRecord) -> None:
    """A friend from the waiting list goes to the final."""
    qualification = record.last["qualification"]
    friend = qualification["waiting"].pop()
    qualification["qualified"].append({"ref": friend, "from": "e1", "place": 1, "why": "first"})
    record.publish()


def take_ticket(record: SeriesRecord) -> None:
    record.last["qualification"]["qualified"].pop()
    record.publish()


def draw_again(record: SeriesRecord) -> None:
    """The lots are drawn from a seed that suits better."""
    qualification = record.last["qualification"]
    told = json.dumps(qualification["qualified"])
    refs = [one["ref"] for one in qualification["qualified"]]
    other, waiting = refs[-1], qualification["waiting"][0]
    qualification["qualified"] = json.loads(told.replace(f'"{other}"', f'"{waiting}"'))
    qualification["waiting"][0] = other
    record.publish()
    record.first("series_started").body["seed"] = "0" * 32


def start_twice(record: SeriesRecord) -> None:
    at = record.place("table_published", version=1)
    record.insert(at, "series_started", {"seed": "0" * 32})


def place_first(record: SeriesRecord) -> None:
    table = record.last["table"]
    table[0]["ref"], table[-1]["ref"] = table[-1]["ref"], table[0]["ref"]
    record.publish()


def bend_table(record: SeriesRecord) -> None:
    record.last["table"][0]["total"] = 999


def hide_table(record: SeriesRecord) -> None:
    del record.tables["snapshots"][1]


def change_rules(record: SeriesRecord) -> None:
    rules = record.first("rules_set").body["rules"]
    at = record.place("table_published", version=3)
    versions = [event.body["version"] for event in record.events if event.type == "rules_set"]
    record.insert(at, "rules_set", {"version": versions[-1] + 1, "rules": {**rules, "best": 1}})


def withdraw(record: SeriesRecord) -> None:
    at = record.place("table_published", version=3)
    record.insert(at, "event_state_changed", {"event": "e1", "state": "void"})


def bend_evening(record: SeriesRecord) -> None:
    """A result of an evening itself is bent: its own file tells."""
    name = "events/e1.zip"
    files = unzipped(record.files[name])
    files["championship.json"] = files["championship.json"].replace(b'"place":1', b'"place":2', 1)
    record.files[name] = zipped(files)


# forgeries of a season with teams and categories


def teams_of(record: SeriesRecord, event: str) -> dict[str, str]:
    """Return the team of each entry that counts."""
    found: dict[str, str] = record.first("teams_matched", event=event).body["teams"]
    return found


def add_member(record: SeriesRecord) -> None:
    """A person without a right to it counts for a team, from the first table on."""
    for event in ("e1", "e2"):
        teams = teams_of(record, event)
        teams[next(iter(teams))] = ""


def move_member(record: SeriesRecord) -> None:
    """The best person of one team counts for the other one."""
    teams = teams_of(record, "e2")
    entry = next(iter(teams))
    teams[entry] = next(team for team in teams.values() if team != teams[entry])


def move_later(record: SeriesRecord) -> None:
    teams = teams_of(record, "e1")
    entry, other = next(iter(teams)), set(teams.values())
    [team] = other - {teams[entry]}
    at = record.place("table_published", version=2)
    record.insert(at, "teams_matched", {"event": "e1", "teams": {**teams, entry: team}})


def count_member(record: SeriesRecord) -> None:
    """The published table counts a member of the other team."""
    rows = record.last["teams"]
    rows[0]["members"][0] = rows[1]["members"][0]
    record.publish()


def hide_member(record: SeriesRecord) -> None:
    """An entry of an evening has no team stated at all."""
    teams = teams_of(record, "e2")
    del teams[next(iter(teams))]


def bend_teams(record: SeriesRecord) -> None:
    record.last["teams"][0]["total"] = 999


def exchange_places_of_teams(record: SeriesRecord) -> None:
    rows = record.last["teams"]
    rows[0]["ref"], rows[1]["ref"] = rows[1]["ref"], rows[0]["ref"]
    record.publish()


def hide_teams(record: SeriesRecord) -> None:
    """The last table of teams was never published."""
    record.last["teams"] = None
    record.events = [
        event
        for event in record.events
        if (event.type, event.body.get("version")) != ("team_table_published", 2)
    ]


def leave_teams_out_of_file(record: SeriesRecord) -> None:
    record.last["teams"] = None


def change_category(record: SeriesRecord) -> None:
    """A friend becomes a woman after the first table, in silence."""
    stated = record.first("categories_stated", event="e1").body["categories"]
    entry = next(entry for entry, said in stated.items() if not said)
    at = record.place("table_published", version=2)
    record.insert(at, "categories_stated", {"event": "e1", "categories": {**stated, entry: "Frau"}})


def give_category(record: SeriesRecord) -> None:
    """The categories of the stream are bent from the beginning, the tickets are as they were."""
    for event in ("e1", "e2"):
        stated = record.first("categories_stated", event=event).body["categories"]
        stated.update(dict.fromkeys(stated, ""))


def forget_category(record: SeriesRecord) -> None:
    """The categories of the second evening are not sealed."""
    record.events.remove(record.first("categories_stated", event="e2"))


TEAM_FORGERIES: Final[list[tuple[Callable[[SeriesRecord], None], str]]] = [
    (add_member, "counts for another team than in the file of e1"),
    (move_member, "people of one team of e2 count for several, or those of several for one"),
    (move_later, "people of e1 were moved to other teams after a table was published, without a reason"),
    (count_member, "among its members"),
    (hide_member, "the teams of e2 are not stated for each of its people"),
    (bend_teams, "is not the one in the stream"),
    (exchange_places_of_teams, "does not follow from its rankings"),
    (hide_teams, "its table of teams is missing"),
    (leave_teams_out_of_file, "the teams of version 2 are not in both"),
    (
        change_category,
        "people of e1 were given other categories after a table was published, without a reason",
    ),
    (give_category, "its tickets have other reasons or another order"),
    (forget_category, "the categories of an event are not stated"),
]


# forgeries of a season with a final for the first of its table


def lift_over_the_line(record: SeriesRecord) -> None:
    """The first who waits and the last who qualifies change places."""
    qualification = record.last["qualification"]
    last = qualification["qualified"][-1]
    last["ref"], qualification["waiting"][0] = qualification["waiting"][0], last["ref"]
    record.publish()


def lift_in_the_table(record: SeriesRecord) -> None:
    """A ticket names a better place in the table."""
    [*_, last] = (one for one in record.last["qualification"]["qualified"] if one["why"] == "table")
    last["place"] -= 1
    record.publish()


def lengthen(record: SeriesRecord) -> None:
    """The rules named one place more from the beginning; the tickets are as they were."""
    for event in record.events:
        if event.type == "rules_set" and event.body["rules"]["qualify"]:
            event.body["rules"]["qualify"]["steps"][1]["count"] += 1


def shorten_later(record: SeriesRecord) -> None:
    """The rules name one place less before the last table, in silence, and the tickets fit that."""
    at = record.place("table_published", version=3)
    [*_, last] = (event for event in record.events if event.type == "rules_set")
    rules = json.loads(json.dumps(last.body["rules"]))
    rules["qualify"]["steps"][1]["count"] -= 1
    record.insert(at, "rules_set", {"version": last.body["version"] + 1, "rules": rules})


def qualify_from_one(record: SeriesRecord) -> None:
    """The table of the qualification was always without the second evening; the tickets are as they were."""
    for event in record.events:
        if event.type == "rules_set" and event.body["rules"]["qualify"]:
            event.body["rules"]["qualify"]["from"] = ["e1"]


def keep_old_tickets(record: SeriesRecord) -> None:
    """The second evening counts for the table, not for the tickets, which are those before it."""
    first, second, _ = record.tables["snapshots"]
    second["qualification"] = first["qualification"]
    record.publish()


TABLE_FORGERIES: Final[list[tuple[Callable[[SeriesRecord], None], str]]] = [
    (leave_out, "was over, and was left out"),
    (lift_over_the_line, "has a ticket and has not qualified"),
    (lift_in_the_table, "its tickets have other reasons or another order"),
    (lengthen, "has qualified and has no ticket"),
    (shorten_later, "the rules were changed after a table was published, without a reason"),
    (qualify_from_one, "has a ticket and has not qualified"),
    (keep_old_tickets, "has a ticket and has not qualified"),
    (take_ticket, "has qualified and has no ticket"),
]


Bend = Callable[[SeriesRecord], None]
Verify = Callable[[bytes, str], Any]


@pytest.fixture(scope="session")
def _verified() -> dict[bytes, Any]:
    return {}


@pytest.fixture
def verify(puur_verify: ModuleType, _verified: dict[bytes, Any]) -> Verify:
    """Return the verification of a season that looks at the file of each evening once in all tests."""

    def verify_once(file: io.BytesIO, witness: None, keys: tuple[str, ...]) -> Any:
        data = file.getvalue()
        if data not in _verified:
            _verified[data] = puur_verify.verify_championship(file, witness, keys)
        return _verified[data]

    return lambda data, words: puur_verify.verify_series(io.BytesIO(data), (), verify_once, words)


FORGERIES: Final[list[tuple[Bend, str]]] = [
    (leave_out, "was over, and was left out"),
    (weigh, "does not follow from its rankings"),
    (weigh_in_silence, "the weight of e2 was changed to 2 after a table was published, without a reason"),
    (change_rules, "the rules were changed after a table was published, without a reason"),
    (withdraw, "the event e1 was withdrawn after a table was published, without a reason"),
    (split, "does not follow from its rankings"),
    (split_later, "results of e1 were given to other persons after a table was published, without a reason"),
    (match_twice, "is ranked twice in e1"),
    (drop_result, "of e2 belongs to nobody"),
    (give_without_reason, "a wild card was given without a reason"),
    (exchange_ranking, "is not the one that its championship published"),
    (exchange_evening, "counts with the ranking of another championship"),
    (give_ticket, "has a ticket and has not qualified"),
    (take_ticket, "has qualified and has no ticket"),
    (draw_again, "has a ticket and has not qualified"),
    (start_twice, "a series starts once, with the seed of its lots"),
    (place_first, "does not follow from its rankings"),
    (bend_table, "is not the one in the stream"),
    (hide_table, "is missing in series.json"),
    (bend_evening, "events/e1.zip, "),
]


@pytest.mark.parametrize(("bend", "told"), FORGERIES, ids=[bend.__name__ for bend, _ in FORGERIES])
def test_a_forged_season_is_named(
    verify: Verify, season: tuple[bytes, str], key_file: Path, bend: Bend, told: str
) -> None:
    record = SeriesRecord(season[0])
    bend(record)
    forged = record.sealed(sealing.load_key(key_file))
    found = verify(forged, season[1]).differences
    assert any(told in line for line in found), found
    beside = (bend_table, hide_table, bend_evening)  # the stream is as it was
    assert any("it is not the record of the sheet" in line for line in found) or bend in beside


def test_an_honest_season_of_teams_has_no_difference(verify: Verify, team_season: tuple[bytes, str]) -> None:
    report = verify(*team_season)
    assert report.differences == []
    told = " ".join(report.unproven)
    assert "categories of people are not sealed" not in told
    assert "table of teams was not published" not in told
    assert any("which teams of several evenings are one" in line for line in report.unproven)
    assert any("the category of a person is the word" in line for line in report.unproven)
    record = SeriesRecord(team_season[0])
    assert [len(row["members"]) for row in record.last["teams"]] == [4, 4]
    assert {one["why"] for one in record.last["qualification"]["qualified"]} == {"category", "best_rest"}
    [stream] = [data.decode() for name, data in record.files.items() if name.startswith("streams/")]
    assert "rot" not in stream.casefold(), "a team is a reference, not a name"


@pytest.mark.parametrize(("bend", "told"), TEAM_FORGERIES, ids=[bend.__name__ for bend, _ in TEAM_FORGERIES])
def test_a_forged_season_of_teams_is_named(
    verify: Verify, team_season: tuple[bytes, str], key_file: Path, bend: Bend, told: str
) -> None:
    record = SeriesRecord(team_season[0])
    bend(record)
    found = verify(record.sealed(sealing.load_key(key_file)), team_season[1]).differences
    assert any(told in line for line in found), found


def test_an_honest_season_with_a_final_by_the_table_has_no_difference(
    verify: Verify, table_season: tuple[bytes, str]
) -> None:
    assert verify(*table_season).differences == []
    record = SeriesRecord(table_season[0])
    places = {row["ref"]: row["place"] for row in record.last["table"]}
    tickets = record.last["qualification"]["qualified"]
    assert [one["why"] for one in tickets] == ["holder", "table", "table", "replacement"]
    assert all(one["from"] is None for one in tickets)
    assert all(one["place"] == places[one["ref"]] for one in tickets[1:])
    assert [places[ref] for ref in record.last["qualification"]["waiting"]] == sorted(
        places[ref] for ref in record.last["qualification"]["waiting"]
    )


@pytest.mark.parametrize(
    ("bend", "told"), TABLE_FORGERIES, ids=[bend.__name__ for bend, _ in TABLE_FORGERIES]
)
def test_a_forged_final_by_the_table_is_named(
    verify: Verify, table_season: tuple[bytes, str], key_file: Path, bend: Bend, told: str
) -> None:
    record = SeriesRecord(table_season[0])
    bend(record)
    found = verify(record.sealed(sealing.load_key(key_file)), table_season[1]).differences
    assert any(told in line for line in found), found


def test_the_file_of_a_season_without_names_is_verified(verify: Verify, season: tuple[bytes, str]) -> None:
    files = unzipped(season[0])
    del files["names.json"]
    assert verify(zipped(files), season[1]).differences == []


def test_two_people_of_one_name_are_noted(verify: Verify, season: tuple[bytes, str], key_file: Path) -> None:
    record = SeriesRecord(season[0])
    persons = record.first("persons_matched", event="e2").body["persons"]
    persons[next(iter(persons))] = "p999"
    report = verify(record.sealed(sealing.load_key(key_file)), season[1])
    assert any("Muster counts as 2 persons" in line for line in report.notes)
    assert report.differences, "and the table does not follow"
