"""Team against team: both verifiers follow the encounters, and find what was bent about them."""

import io
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Final

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
from tournaments.services.draw import drawing, seat_exchanges, substitutions
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds

SYSTEMS: Final = ("swiss", "knock_out", "round_robin")
NAMES: Final = ("Blitz", "Eichle", "Rose", "Schilte", "Schälle")


def evening_of_encounters(system: str) -> Championship:
    """Five teams of four with a reserve, three rounds; members change, a team or a result is missing."""
    fredi = User.objects.get_or_create(username="fredi")[0]
    changes = {
        "rounds": 3,
        "deals": 1,
        "hand_in": "deals",
        "pairing": {"system": system},
        "byes": {"points": "average"},
    }
    made = championships.create(
        actor=fredi, name="Liga", slug=f"league-{system}", preset="team_league", changes=changes
    )
    wanted = [
        entries.NewEntry(f"{place} {name}", status=Entry.Status.ARRIVED, team=name)
        for place in range(5)
        for name in NAMES
    ]
    entries.add_entries(made, wanted, actor=fredi)
    first = drawing.draw_round(made.rounds.get(number=1), actor=fredi)
    sits = dict(first.seatings.values_list("entry__name", "entry__number"))
    team = next(name for name in NAMES if f"0 {name}" in sits)
    seat_exchanges.exchange_seats(first, sits[f"0 {team}"], sits[f"2 {team}"], actor=fredi)
    reserve = made.entries.get(name=f"4 {team}").number
    substitutions.take_chair(first, reserve, sits[f"1 {team}"], bye=False, actor=fredi)
    play(made, 1, fredi)
    seals.seal_championship(made)
    if system == "round_robin":
        for entry in made.entries.filter(team__name="Rose"):
            entries.leave(entry, actor=fredi)
    else:
        other = next(name for name in NAMES if name != team)
        entries.withdraw_entry(made.entries.get(name=f"2 {other}"), actor=fredi)
    drawing.draw_round(made.rounds.get(number=2), actor=fredi)
    play(made, 2, fredi, written=3 if system == "round_robin" else 4)
    seals.seal_championship(made)
    drawing.draw_round(made.rounds.get(number=3), actor=fredi)
    return made


def play(made: Championship, number: int, fredi: User, written: int = 4) -> None:
    """Play a round; only so many tables hand in a result."""
    round_ = rounds.open_round(made.rounds.get(number=number), actor=fredi)
    for table in round_.tables.order_by("number")[:written]:
        table_play.write_sheet(table, [60 + (37 * table.number * number) % 41])
    rounds.close_round(round_, actor=fredi, force=True)


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
                    _evenings[system] = export(evening_of_encounters(system))
                    raise BackOut
            except BackOut:
                pass
        return _evenings[system]

    return find


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_evening_of_encounters_has_no_difference(
    puur_verify: ModuleType, db: None, key_file: Path, tmp_path: Path, system: str
) -> None:
    made = evening_of_encounters(system)
    found = export(made)
    assert both(puur_verify, found, tmp_path) == []
    assert audited(made) == []


def sit_for_the_others(record: Record) -> None:
    """The second round is said to be drawn by hand, and one of the first table sits with the opponents."""
    body = record.first(record.round(2), "seats_drawn").body
    body.update(algorithm="by hand", problem={}, cost={}, seed="")
    seats = body["tables"][0]
    seats[0], seats[1] = seats[1], seats[0]
    record.sit_as_drawn()


def move_reserve(record: Record) -> None:
    """The draw of the third round counts the reserve of one team with another one."""
    entrants = record.first(record.round(3), "seats_drawn").body["problem"]["entrants"]
    one, other = [entrant for entrant in entrants if entrant["reserves"]][:2]
    other["reserves"] = sorted([*other["reserves"], one["reserves"].pop()])


def line_up_otherwise(record: Record) -> None:
    """The weakest two of a team meet other opponents than its list says."""
    entrant = record.first(record.round(3), "seats_drawn").body["problem"]["entrants"][0]
    entrant["members"] = [*entrant["members"][2:], *entrant["members"][:2]]


def set_apart(record: Record) -> None:
    """The second table of an encounter stands elsewhere in the hall."""
    tables = record.first(record.round(3), "seats_drawn").body["tables"]
    tables[1], tables[2] = tables[2], tables[1]
    record.sit_as_drawn()


def break_up(record: Record) -> None:
    """Two of a team change places with two of another one."""
    tables = record.first(record.round(3), "seats_drawn").body["tables"]
    tables[1][0::2], tables[2][0::2] = tables[2][0::2], tables[1][0::2]
    record.sit_as_drawn()


def count_one_table(record: Record) -> None:
    """The ranking gives a team more than its encounter did, and its total agrees with that."""
    row = record.tables["standingssnapshot"][-1]["rows"][-1]
    row["rounds"][0]["points"] += 3
    row["total"] += 3
    record.publish()


def change_sides(record: Record) -> None:
    """A member who has played goes over to another team, with a reason."""
    joined = [event for event in record.own if event.type == "team_joined"]
    player = record.first(record.round(1), "seats_drawn").body["tables"][0][0]
    other = next(event for event in joined if player not in event.body["players"])
    body = {"team": other.body["team"], "players": [player], "reason": "stronger there"}
    record.insert(record.own, len(record.own), "team_joined", body)
    [entry] = record.rows("entry", player_ref=player)
    entry["team"] = next(record.rows("team", ref=other.body["team"]))["pk"]


FORGERIES: Final[list[tuple[Callable[[Record], None], str]]] = [
    (sit_for_the_others, "people of one team do not play for it"),
    (move_reserve, "a team is not the one of the log"),
    (line_up_otherwise, "a team does not line up in the order of its numbers"),
    (set_apart, "are not side by side"),
    (break_up, "a team does not play as it lines up"),
    (count_one_table, "points in round"),
    (change_sides, "somebody changed teams after playing for one"),
]


@pytest.mark.parametrize(("bend", "told"), FORGERIES)
def test_what_is_bent_about_encounters_is_found(
    puur_verify: ModuleType,
    evening_by: Callable[[str], Evening],
    key_file: Path,
    bend: Callable[[Record], None],
    told: str,
) -> None:
    record = Record(evening_by("swiss").public)
    bend(record)
    found = puur_verify.verify(io.BytesIO(record.sealed(sealing.load_key(key_file)))).differences
    assert any(told in line for line in found), found
