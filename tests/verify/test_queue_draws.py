"""Tables from the queue of a session: an honest heat, and what a forger with the platform's key bends."""

import io
import re
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
from tests.verify.record import Body, Record
from tournaments import regulations
from tournaments.models import Championship
from tournaments.presets import PRESETS
from tournaments.services.championships import championships
from tournaments.services.entries import entries
from tournaments.services.open_heat import seating, sessions, starts
from tournaments.services.rounds import rounds


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
        table_play.write_sheet(table, [90 + 7 * table.number])
    for person in people[:6]:
        starts.add_start(first, person, actor=fredi)
    opened = seating.seat_next(first, actor=fredi)
    seating.take_table_back(first, opened[-1].number, actor=fredi)
    for table in [*opened[:-1], *seating.seat_next(first, actor=fredi, mix=0)]:
        table_play.write_sheet(table, [60 + 5 * table.number])
    guests = [starts.add_newcomer(second, actor=fredi, name=f"Gast {n}") for n in range(4)]
    [table] = seating.seat_next(second, actor=fredi)
    table_play.write_sheet(table, [111])
    rounds.close_round(first, actor=fredi)
    for person in [*people[:3], *guests[:2]]:
        starts.add_start(second, person, actor=fredi)
    seating.seat_next(second, actor=fredi)
    return made


def build_pairs() -> Championship:
    """Pairs start, some of them twice, some people with another partner; the first session is closed."""
    fredi = User.objects.get_or_create(username="fredi")[0]
    made = championships.create(
        actor=fredi,
        name="Paare",
        slug="paare",
        preset="open_heat_pairs",
        changes={"rounds": 2, "deals": 1, "hand_in": "deals"},
    )
    first, second = (sessions.open_session(one, actor=fredi) for one in made.rounds.order_by("number"))
    people = [entries.add_entry(made, actor=fredi, name=f"Person {n}") for n in range(12)]
    queues = ((0, 1, 2, 3, 4, 5), (4, 5, 0, 1, 2, 3, 6, 7, 8, 9), (0, 2, 10, 11, 1, 3))
    for session, queue in zip((first, second, second), queues, strict=True):
        for one, other in zip(queue[::2], queue[1::2], strict=True):
            starts.add_start(session, people[one], partner=people[other], actor=fredi)
        for table in seating.seat_next(session, actor=fredi):
            table_play.write_sheet(table, [60 + 9 * table.number])
        if session == first:
            rounds.close_round(first, actor=fredi)
    return made


def make_once(kept: dict[str, Evening], build_one: Callable[[], Championship]) -> Evening:
    """Return the exported heat, made once."""
    if build_one.__name__ not in kept:
        try:
            with transaction.atomic():
                kept[build_one.__name__] = export(build_one())
                raise BackOut
        except BackOut:
            pass
    return kept[build_one.__name__]


@pytest.fixture(scope="session")
def _heats() -> dict[str, Evening]:
    return {}


@pytest.fixture
def heat(_heats: dict[str, Evening], db: None, key_file: Path) -> Evening:
    return make_once(_heats, build)


@pytest.fixture
def pair_heat(_heats: dict[str, Evening], db: None, key_file: Path) -> Evening:
    return make_once(_heats, build_pairs)


def test_an_honest_heat_has_no_difference(puur_verify: ModuleType, heat: Evening) -> None:
    report = puur_verify.verify(io.BytesIO(heat.public), heat.words[-1])
    assert report.differences == []
    kept = [line for line in report.checked if "from its queue keep what they have to" in line]
    assert [re.sub(r"\D+", " ", line).split() for line in kept] == [["1", "3"], ["2", "2"]]
    assert any("who waited for a table" in line for line in report.unproven)
    assert any("table 3 was taken back" in line or "was taken back" in line for line in report.notes)


def test_an_honest_heat_of_pairs_has_no_difference(puur_verify: ModuleType, pair_heat: Evening) -> None:
    report = puur_verify.verify(io.BytesIO(pair_heat.public), pair_heat.words[-1])
    assert report.differences == []
    assert any("2 draws from its queue keep what they have to" in line for line in report.checked)
    assert "1 published rankings are those of the log" in report.checked


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


def separate_a_pair(record: Record) -> None:
    """Two partners play against each other."""
    body = draws(record)[-1]
    first, second, *_ = body["tables"][0]
    sit(record, body, {first: second, second: first})


def exchange_partners(record: Record) -> None:
    """The document names other pairs than the log."""
    one, other = draws(record)[0]["problem"]["entrants"][:2]
    one["members"][1], other["members"][1] = other["members"][1], one["members"][1]


def meet_again(record: Record) -> None:
    """Two pairs that have met sit down together again, though others wait for the same tables."""
    body = draws(record)[1]
    added = [event.body for event in record.own if event.type == "entry_added"]
    person = {one["player"]: one.get("start_of") or one["player"] for one in added}
    met = {person[player] for player in draws(record)[0]["tables"][0]}
    sides = [table[at::2] for table in body["tables"] for at in (0, 1)]
    sides.sort(key=lambda side: person[side[0]] not in met)
    wanted = [sides[0][0], sides[1][0], sides[0][1], sides[1][1]]
    wanted += [sides[2][0], sides[3][0], sides[2][1], sides[3][1]]
    sit(record, body, dict(zip([p for table in body["tables"] for p in table], wanted, strict=True)))


def part_after_playing(record: Record) -> None:
    """A pair that has played is parted, so that its result is nobody's."""
    formed = next(event for event in record.own if event.type == "entrant_formed")
    parted = record.own[-1].copy()
    parted.envelope |= {"type": "entrant_parted", "body": {"entrant": formed.body["entrant"]}}
    record.own.append(parted)
    row = next(one for one in record.tables["entrant"] if one["ref"] == formed.body["entrant"])
    record.tables["entrant"].remove(row)
    for entry in record.tables["entry"]:
        if entry["entrant"] == row["pk"]:
            entry["entrant"] = None


PAIR_FORGERIES: Final[list[tuple[Callable[[Record], None], str]]] = [
    (separate_a_pair, "it separates a pair"),
    (exchange_partners, "its entrants are not those of the log"),
    (meet_again, "would have been better"),
    (part_after_playing, "a pair that had played was separated"),
]
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


@pytest.mark.parametrize(("bend", "told"), PAIR_FORGERIES)
def test_a_forged_draw_of_pairs_is_named(
    puur_verify: ModuleType,
    pair_heat: Evening,
    key_file: Path,
    bend: Callable[[Record], None],
    told: str,
) -> None:
    record = Record(pair_heat.public)
    bend(record)
    found = puur_verify.verify(io.BytesIO(record.sealed(sealing.load_key(key_file)))).differences
    assert any(told in line for line in found), found
