"""An evening of teams: both verifiers follow who belongs where, and find what was bent about it."""

import hashlib
import io
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import msgspec
import pytest
from django.db import transaction

from games import sealing
from games.models import User
from tests.tournaments import table_play
from tests.verify.conftest import BackOut
from tests.verify.evening import Evening, export
from tests.verify.record import Record
from tests.verify.test_honest_evenings import audited, both
from tournaments.models import Championship, Entry
from tournaments.services import championship_seals as seals
from tournaments.services.championships import championships
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, teams
from tournaments.services.rounds import rounds

SYSTEMS: Final = ("drawn", "swiss")


def evening_of_teams(system: str) -> Championship:
    """Four teams of which three count; one leaves after the first round, and another one comes."""
    fredi = User.objects.get_or_create(username="fredi")[0]
    changes: dict[str, Any] = {"rounds": 3, "deals": 1, "hand_in": "deals", "teams": {"size": 4, "best": 3}}
    if system != "drawn":
        changes["pairing"] = {"system": system, "options": {}}
    made = championships.create(
        actor=fredi, name="Teams", slug=f"teams-{system}", preset="einzelschieber", changes=changes
    )
    wanted = [
        entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED, team=f"Team {n % 4}") for n in range(16)
    ]
    there = entries.add_entries(made, wanted, actor=fredi)
    alone = entries.add_entry(made, actor=fredi, name="Allein", team="Kurz")
    teams.join(made, [alone], "", actor=fredi)
    _play(made, 1, fredi)
    seals.seal_championship(made)
    entries.withdraw_entry(there[0], actor=fredi)
    entries.add_entry(made, actor=fredi, name="Ersatz", status=Entry.Status.ARRIVED, team="Team 0")
    _play(made, 2, fredi)
    teams.join(made, [there[1]], "", actor=fredi, reason="entered by mistake")
    seals.seal_championship(made)
    return made


def _play(made: Championship, number: int, fredi: User) -> None:
    round_ = drawing.draw_round(made.rounds.get(number=number), actor=fredi)
    rounds.open_round(round_, actor=fredi)
    for table in round_.tables.order_by("number"):
        table_play.write_sheet(table, [90 + table.number])
    rounds.close_round(round_, actor=fredi)


@pytest.fixture(scope="session")
def _evenings() -> dict[str, Evening]:
    return {}


@pytest.fixture
def evening_by(_evenings: dict[str, Evening], db: None, key_file: Path) -> Callable[[str], Evening]:
    """Return a function to the exported evening of a system, made once."""

    def find(system: str) -> Evening:
        if system not in _evenings:
            try:
                with transaction.atomic():
                    _evenings[system] = export(evening_of_teams(system))
                    raise BackOut
            except BackOut:
                pass
        return _evenings[system]

    return find


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_evening_of_teams_has_no_difference(
    puur_verify: ModuleType, db: None, tmp_path: Path, system: str
) -> None:
    made = evening_of_teams(system)
    found = export(made)
    assert both(puur_verify, found, tmp_path) == []
    assert audited(made) == []
    notes = puur_verify.verify(io.BytesIO(found.public)).notes
    assert "championship: number 2 changed teams after playing: entered by mistake" in notes


def publish(record: Record) -> None:
    """The digest of a ranking of teams that was bent, in the log too."""
    snapshot = record.tables["standingssnapshot"][-1]
    digest = hashlib.sha256(msgspec.json.encode(snapshot["teams"], order="sorted")).hexdigest()
    [event] = [e for e in record.own if e.type == "standings_published" and e.body["version"] == 2]
    event.body["teams_digest"] = digest


def rows(record: Record) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = record.tables["standingssnapshot"][-1]["teams"]
    return found


def move_quietly(record: Record) -> None:
    """The best member of the second team is said to have always been in the first one."""
    joined = [event for event in record.own if event.type == "team_joined"]
    player = joined[1].body["players"].pop(1)
    joined[0].body["players"].insert(1, player)
    [entry] = record.rows("entry", player_ref=player)
    entry["team"] = next(record.rows("team", number=1))["pk"]


def move_afterwards(record: Record) -> None:
    """After the last ranking a member who has played goes over to another team."""
    joined = [event for event in record.own if event.type == "team_joined"]
    body = {"team": joined[0].body["team"], "players": joined[2].body["players"][:1]}
    record.insert(record.own, len(record.own), "team_joined", body)
    [entry] = record.rows("entry", player_ref=body["players"][0])
    entry["team"] = next(record.rows("team", number=1))["pk"]


def hide_reason(record: Record) -> None:
    del [event for event in record.own if event.type == "team_left"][-1].body["reason"]


def count_all(record: Record) -> None:
    """All members of the best team count, instead of three."""
    row = rows(record)[0]
    for member in row["members"]:
        member["counts"] = True
    row["total"] = sum(member["total"] for member in row["members"])
    publish(record)


def exchange_places(record: Record) -> None:
    one, other = rows(record)[:2]
    one["key"], other["key"] = other["key"], one["key"]
    publish(record)


def leave_out(record: Record) -> None:
    rows(record).pop()
    publish(record)


def hide(record: Record) -> None:
    record.tables["standingssnapshot"][-1]["teams"] = None
    for event in record.own:
        if event.type == "standings_published" and event.body["version"] == 2:
            del event.body["teams_digest"]


def bend_rows(record: Record) -> None:
    rows(record)[0]["total"] += 1


def crowd(record: Record) -> None:
    """A fifth member in a team of four, before anybody has played."""
    joined = [event for event in record.own if event.type == "team_joined"]
    joined[0].body["players"].append(joined[1].body["players"].pop())


def exchange_teams(record: Record) -> None:
    one, other = record.tables["team"][:2]
    one["number"], other["number"] = other["number"], one["number"]


def form_again(record: Record) -> None:
    at = record.place(record.own, "team_formed")
    body = dict(record.own[at].body)
    record.insert(record.own, at, "team_formed", body)


def dissolve(record: Record) -> None:
    team = record.first(record.own, "team_formed").body["team"]
    record.insert(record.own, len(record.own), "team_dissolved", {"team": team})


def stranger(record: Record) -> None:
    record.first(record.own, "team_joined").body["players"].append(32 * "f")


def let_meet(record: Record) -> None:
    """The draw did not know of the teams."""
    for number in (1, 2):
        problem = record.first(record.round(number), "seats_drawn").body["problem"]
        problem["never_meet" if "never_meet" in problem else "apart"] = []


def weaken(record: Record) -> None:
    """The draw kept the teams apart only as far as possible, and the regulations say always."""
    for number in (1, 2):
        problem = record.first(record.round(number), "seats_drawn").body["problem"]
        if "apart" in problem:
            problem["apart"] = [[one, other, "soft"] for one, other, _how in problem["apart"]]
        else:
            problem |= {"never_meet": [], "avoid_meet": problem["never_meet"]}


MEMBERS: Final = "its place, its total or its members are not those of the log"
FORGERIES: Final[list[tuple[Callable[[Record], None], str]]] = [
    (move_quietly, MEMBERS),
    (move_afterwards, "changed teams after playing: no reason"),
    (hide_reason, "changed teams after playing: no reason"),
    (count_all, MEMBERS),
    (exchange_places, MEMBERS),
    (leave_out, "the ranking of teams does not contain each team once"),
    (hide, "the ranking of teams is missing, or the regulations know none"),
    (bend_rows, "the ranking of teams is not the one in the log"),
    (crowd, "people instead of at most"),
    (exchange_teams, "the teams are not those of the log"),
    (form_again, "a team was formed twice"),
    (dissolve, "a team with members, or with a place, was dissolved"),
    (stranger, "a person who was never entered joined a team"),
    (let_meet, "it did not keep the members of a team apart"),
    (weaken, "it did not keep the members of a team apart"),
]


@pytest.mark.parametrize(("bend", "told"), FORGERIES)
def test_what_is_bent_about_teams_is_found(
    puur_verify: ModuleType,
    evening_by: Callable[[str], Evening],
    key_file: Path,
    bend: Callable[[Record], None],
    told: str,
) -> None:
    for system in SYSTEMS if bend in (let_meet, weaken) else SYSTEMS[:1]:
        record = Record(evening_by(system).public)
        bend(record)
        found = puur_verify.verify(io.BytesIO(record.sealed(sealing.load_key(key_file)))).differences
        assert any(told in line for line in found), found
