"""Tables from the queue of a session: an honest heat, and what a forger with the platform's key bends."""

import io
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest
from django.db import transaction

from deploy.environment import BASE_DIR
from games import sealing
from games.models import User
from tests.tournaments import playing
from tests.verify.conftest import BackOut
from tests.verify.evening import Evening, export
from tests.verify.record import Body, Record
from tournaments import regulations
from tournaments.models import Championship
from tournaments.presets import PRESETS
from tournaments.services import championships, rounds
from tournaments.services.sessions import seating, sessions, starts

PAGE = BASE_DIR / "docs" / "verify" / "threats.md"


def build() -> Championship:
    """Two sessions that overlap: people start twice, a table is taken back, the first session is closed."""
    fredi = User.objects.get_or_create(username="fredi")[0]
    play = {**regulations.encode(PRESETS["klubabend"])["play"], "mode": "sheet"}
    made = championships.create(
        actor=fredi,
        name="Ausscheidung",
        slug="ausscheidung",
        preset="klubabend",
        changes={
            "play": play,
            "rounds": 2,
            "deals": 1,
            "hand_in": "deals",
            "starts": 3,
            "counting": {"what": "best", "number": 2, "tie_breaks": ["next_highest"]},
            "pairing": {"system": "open", "options": {}},
        },
    )
    first, second = (sessions.open_session(one, actor=fredi) for one in made.rounds.order_by("number"))
    people = [starts.add_newcomer(first, actor=fredi, name=f"Person {n}") for n in range(10)]
    for table in seating.seat_next(first, actor=fredi):
        playing.write_sheet(table, [90 + 7 * table.number])
    for person in people[:6]:
        starts.add_start(first, person, actor=fredi)
    opened = seating.seat_next(first, actor=fredi)
    seating.take_table_back(first, opened[-1].number, actor=fredi)
    for table in [*opened[:-1], *seating.seat_next(first, actor=fredi, mix=0)]:
        playing.write_sheet(table, [60 + 5 * table.number])
    guests = [starts.add_newcomer(second, actor=fredi, name=f"Gast {n}") for n in range(4)]
    [table] = seating.seat_next(second, actor=fredi)
    playing.write_sheet(table, [111])
    rounds.close_round(first, actor=fredi)
    for person in [*people[:3], *guests[:2]]:
        starts.add_start(second, person, actor=fredi)
    seating.seat_next(second, actor=fredi)
    return made


@pytest.fixture(scope="session")
def _heats() -> list[Evening]:
    return []


@pytest.fixture
def heat(_heats: list[Evening], db: None, key_file: Path) -> Evening:
    """The exported heat, made once."""
    if not _heats:
        try:
            with transaction.atomic():
                _heats.append(export(build()))
                raise BackOut
        except BackOut:
            pass
    return _heats[0]


def test_an_honest_heat_has_no_difference(puur_verify: ModuleType, heat: Evening) -> None:
    report = puur_verify.verify(io.BytesIO(heat.public), heat.words[-1])
    assert report.differences == []
    kept = [line for line in report.checked if "from its queue keep what they have to" in line]
    assert [re.sub(r"\D+", " ", line).split() for line in kept] == [["1", "3"], ["2", "2"]]
    assert any("who waited for a table" in line for line in report.unproven)
    assert any("table 3 was taken back" in line or "was taken back" in line for line in report.notes)


# forgeries


def draws(record: Record) -> list[Body]:
    """The draws from queues, in the order of the sessions."""
    return [
        event.body
        for row in sorted(record.tables["round"], key=lambda row: row["number"])
        for event in record.streams[row["stream"]]
        if event.type == "tables_drawn"
    ]


def sit(record: Record, body: Body, instead: dict[str, str]) -> None:
    """Change people at the tables of a draw, in the rows of seats too."""
    entry = {row["player_ref"]: row["pk"] for row in record.tables["entry"]}
    number = next(
        row["pk"]
        for row in record.tables["round"]
        if any(event.body is body for event in record.streams[row["stream"]])
    )
    body["tables"] = [[instead.get(player, player) for player in table] for table in body["tables"]]
    tables = {row["number"]: row for row in record.rows("table", round=number)}
    for place, people in enumerate(body["tables"], body["first"]):
        for row in record.rows("seating", round=number):
            if row["table"] == tables[place]["pk"]:
                row["entry"] = entry[people[row["seat"]]]
        for row in record.rows("seat", game=tables[place]["game"]):
            row["player_ref"] = people[row["number"]]


def seat_a_friend(record: Record) -> None:
    """The first of the queue waits on, and a friend further back sits down."""
    body = draws(record)[-1]
    first = min(body["problem"]["entrants"], key=lambda one: one["start_rank"])
    player = body["players"][int(first["members"][0])]
    seated = {one for table in body["tables"] for one in table}
    [friend] = set(body["players"]) - seated
    sit(record, body, {player: friend})


def sit_twice(record: Record) -> None:
    body = draws(record)[0]
    sit(record, body, {body["tables"][1][0]: body["tables"][0][0]})


def hide_a_meeting(record: Record) -> None:
    draws(record)[-1]["problem"]["past"].pop()


def skip_the_queue(record: Record) -> None:
    for one in draws(record)[-1]["problem"]["entrants"]:
        one["start_rank"] = 1


def hurry(record: Record) -> None:
    """The tables do not wait for the mixture that the draw names."""
    draws(record)[0]["problem"]["options"]["mix"] = 4


def wait_in_secret(record: Record) -> None:
    draws(record)[-1]["problem"]["options"]["mix"] = -1


def split_a_person(record: Record) -> None:
    """A further start becomes somebody of their own, so that their starts do not count together."""
    for event in record.own:
        if event.body.pop("start_of", None):
            break


def steal_a_start(record: Record) -> None:
    row = next(row for row in record.tables["entry"] if row["start_of"] is not None)
    row["start_of"] = next(one["pk"] for one in record.tables["entry"] if one["pk"] != row["start_of"])


def other_seed(record: Record) -> None:
    draws(record)[0]["seed"] = "ab" * 32


def draw_by(record: Record) -> None:
    draws(record)[-1]["problem"]["system"] = "swiss"


FORGERIES: Final[list[tuple[Callable[[Record], None], str]]] = [
    (seat_a_friend, "would have been better"),
    (sit_twice, "seats somebody twice"),
    (hide_a_meeting, "it did not start from the tables before it"),
    (skip_the_queue, "its entrants are not those of the log"),
    (hurry, "it seats 2 tables, and the queue fills 1"),
    (wait_in_secret, "its pairing system or options are not those of the regulations"),
    (split_a_person, "the starts of people are not those of the log"),
    (steal_a_start, "the starts of people are not those of the log"),
    (other_seed, "draw 1 from the queue did not use the seed of the round"),
    (draw_by, "it was drawn by something else than the regulations"),
]


@pytest.mark.parametrize(("bend", "told"), FORGERIES)
def test_a_forged_draw_from_a_queue_is_named(
    puur_verify: ModuleType,
    heat: Evening,
    key_file: Path,
    bend: Callable[[Record], None],
    told: str,
) -> None:
    record = Record(heat.public)
    bend(record)
    found = puur_verify.verify(io.BytesIO(record.sealed(sealing.load_key(key_file)))).differences
    assert any(told in line for line in found), found


def test_the_page_names_each_forgery_of_a_queue() -> None:
    section = PAGE.read_text().partition("## Tables from a queue")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| .* \| (.*) \|$", section, re.MULTILINE)[1:]
    assert set(rows) == {told for _bend, told in FORGERIES}
