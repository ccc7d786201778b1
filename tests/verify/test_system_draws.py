"""Draws by a pairing system: an honest evening of each, and what a forger with the platform's key bends."""

import hashlib
import io
import json
import random
from collections.abc import Callable, Iterator
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
from tests.verify.record import Body, Record
from tournaments.competition import Competition, EntrantRecord, PlayedRound, PlayedTable
from tournaments.models import Championship, Entry
from tournaments.pairing import systems
from tournaments.services.championships import championships
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, pairs
from tournaments.services.rounds import rounds

PEOPLE: Final = {
    "fixed_pairs": 10,
    "round_robin": 10,
    "whist": 8,
    "king": 12,
    "knock_out": 8,
}
"""People of each evening, in pairs but for whist."""


def build(system: str) -> Championship:
    """Play two rounds, or one of a knock-out, and draw the next."""
    fredi = User.objects.get_or_create(username="fredi")[0]
    in_pairs = system != "whist"
    made = championships.create(
        actor=fredi,
        name=system,
        slug=system.replace("_", "-"),
        preset="partnerschieber" if in_pairs else "einzelschieber",
        changes={"rounds": 4, "deals": 1, "hand_in": "deals", "pairing": {"system": system}},
    )
    people = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(PEOPLE[system])]
    there = entries.add_entries(made, people, actor=fredi)
    if in_pairs:
        pairs.pair_up(made, zip(there[::2], there[1::2], strict=True), actor=fredi)
    last = 2 if system == "knock_out" else 3
    for number in range(1, last + 1):
        round_ = drawing.draw_round(made.rounds.get(number=number), actor=fredi)
        if number < last:
            rounds.open_round(round_, actor=fredi)
            for table in round_.tables.order_by("number"):
                table_play.write_sheet(table, [90 + 7 * table.number + number])
            rounds.close_round(round_, actor=fredi)
    return made


@pytest.fixture(scope="session")
def _system_evenings() -> dict[str, Evening]:
    return {}


@pytest.fixture
def evening_by(_system_evenings: dict[str, Evening], db: None, key_file: Path) -> Callable[[str], Evening]:
    """Return a function to the exported evening of a system, made once."""

    def find(system: str) -> Evening:
        if system not in _system_evenings:
            try:
                with transaction.atomic():
                    _system_evenings[system] = export(build(system))
                    raise BackOut
            except BackOut:
                pass
        return _system_evenings[system]

    return find


@pytest.mark.parametrize("system", PEOPLE)
def test_an_evening_by_a_system_has_no_difference(
    puur_verify: ModuleType, evening_by: Callable[[str], Evening], system: str
) -> None:
    made = evening_by(system)
    report = puur_verify.verify(io.BytesIO(made.public), made.words[-1])
    assert report.differences == []
    kept = [line for line in report.checked if f"{system}/1 keeps what it has to" in line]
    assert len(kept) == (2 if system == "knock_out" else 3)
    assert any("python -m tournaments.pairing next draws them again" in line for line in report.unproven)


# forgeries


def last_draw(record: Record) -> Body:
    """Return the draw of the last round that is drawn."""
    return next(
        event.body
        for row in sorted(record.tables["round"], key=lambda row: -row["number"])
        for event in record.streams[row["stream"]]
        if event.type == "seats_drawn"
    )


def last_round(record: Record) -> int:
    """Return the key of the last round that is drawn."""
    return int(max(record.tables["round"], key=lambda row: (row["draws"], row["number"]))["pk"])


def exchange(record: Record, one: list[str], other: list[str]) -> None:
    """Exchange people in the last draw, at tables and in the bye."""
    body = last_draw(record)
    instead = dict(zip([*one, *other], [*other, *one], strict=True))
    body["tables"] = [[instead.get(player, player) for player in table] for table in body["tables"]]
    body["sit_out"] = [instead.get(player, player) for player in body["sit_out"]]
    record.sit_as_drawn()
    entry = {row["player_ref"]: row["pk"] for row in record.tables["entry"]}
    for row, player in zip(record.rows("sitout", round=last_round(record)), body["sit_out"], strict=True):
        row["entry"] = entry[player]


def list_sides(table: list[str]) -> list[list[str]]:
    return [table[0::2], table[1::2]]


def past_seats(record: Record) -> list[list[str]]:
    """Return the tables of the rounds before the last draw, as players."""
    body = last_draw(record)
    return [
        [body["players"][int(person)] for person in table["seats"]]
        for one in body["problem"]["past"]
        for table in one["tables"]
    ]


def meet_again(record: Record) -> None:
    """The friends get an opponent whom they have beaten before."""
    tables = last_draw(record)["tables"]
    sides = [side for table in tables for side in list_sides(table)]
    met = {frozenset(map(frozenset, list_sides(table))) for table in past_seats(record)}
    for one, other in map(list_sides, tables):
        for third in sides:
            if frozenset((frozenset(one), frozenset(third))) in met:
                exchange(record, other, third)
                return
    raise AssertionError("nobody seated now has met before")


def rest_again(record: Record) -> None:
    """Who has had a bye, with its points, has the next one too."""
    body = last_draw(record)
    [ref] = body["problem"]["past"][0]["byes"]
    [members] = [one["members"] for one in body["problem"]["entrants"] if one["ref"] == ref]
    friends = [body["players"][int(person)] for person in members]
    exchange(record, body["sit_out"], friends)


def leave_out(record: Record) -> None:
    last_draw(record)["sit_out"] = []
    kept = [row for row in record.tables["sitout"] if row["round"] != last_round(record)]
    record.tables["sitout"] = kept


def forget(record: Record) -> None:
    """Somebody who has played is not even in the document."""
    leave_out(record)
    body = last_draw(record)
    seated = {player for table in body["tables"] for player in table}
    body["players"] = [player for player in body["players"] if player in seated]


def sit_twice(record: Record) -> None:
    tables = last_draw(record)["tables"]
    tables[0][0] = tables[1][0]
    record.sit_as_drawn()


def draw_by(record: Record, **changed: Any) -> None:
    body = last_draw(record)
    body["problem"].update(changed)
    if "system" in changed:
        body["algorithm"] = changed["system"] + "/1"


def draw_by_search(record: Record) -> None:
    """The draw of championships whose regulations name no system."""
    body = last_draw(record)
    lists: Body = {
        name: [] for name in ("fixed_pairs", "never_partner", "never_meet", "sit_out_first", "past")
    }
    body["problem"] = {"players": 10, "rounds": 2, "format": "pairs", "table_size": 4, **lists}
    body["algorithm"] = "2"


def turn_points(record: Record) -> None:
    last_draw(record)["problem"]["past"][-1]["tables"][0]["points"].reverse()


def turn_seats(record: Record) -> None:
    last_draw(record)["problem"]["past"][0]["tables"][0]["seats"].reverse()


def split_pair(record: Record) -> None:
    table = last_draw(record)["tables"][0]
    exchange(record, table[:1], table[1:2])


def mix_pairs(record: Record) -> None:
    one, other = last_draw(record)["problem"]["entrants"][:2]
    one["members"], other["members"] = other["members"], one["members"]


def lose_and_go_on(record: Record) -> None:
    """The final is played by who lost the semi-final, instead of who won it."""
    winners = last_draw(record)["tables"][0][0::2]
    [semi] = [table for table in past_seats(record) if winners[0] in table]
    exchange(record, winners, next(side for side in list_sides(semi) if winners[0] not in side))


def stay_up(record: Record) -> None:
    """The losers of the first table stay there, instead of the winners of the second."""
    tables = last_draw(record)["tables"]
    first = past_seats(record)[-len(tables)]
    [losers] = [side for side in list_sides(first) if side[0] not in tables[0]]
    second = past_seats(record)[1 - len(tables)]
    risen = next(side for side in list_sides(tables[0]) if side[0] in second)
    exchange(record, risen, losers)


def partner_again(record: Record) -> None:
    tables = last_draw(record)["tables"]
    one, other = past_seats(record)[0][0::2]
    [opposite] = [t[(t.index(one) + 2) % 4] for t in tables if one in t]
    exchange(record, [opposite], [other])


Bend = Callable[[Record], None]
OTHER_SYSTEM: Final = "its pairing system or options are not those of the regulations"
FORGERIES: Final[list[tuple[str, Bend, str]]] = [
    ("fixed_pairs", meet_again, "would have been better"),
    ("round_robin", meet_again, "meet again"),
    ("fixed_pairs", rest_again, "has the bye, which was due to"),
    ("round_robin", rest_again, "has another bye before everybody had one"),
    ("whist", partner_again, "are partners again"),
    ("king", stay_up, "does not sit where the results of the round before say"),
    ("knock_out", lose_and_go_on, "has lost and goes on"),
    ("knock_out", lose_and_go_on, "has won and does not go on"),
    ("fixed_pairs", leave_out, "somebody who was there has neither a table nor a bye"),
    ("fixed_pairs", forget, "somebody who has played is missing"),
    ("whist", sit_twice, "does not seat each player once"),
    ("king", split_pair, "a pair does not sit together"),
    ("king", mix_pairs, "its entrants are not those of the log"),
    ("fixed_pairs", lambda r: draw_by(r, system="round_robin"), OTHER_SYSTEM),
    ("knock_out", lambda r: draw_by(r, options={"third": True}), OTHER_SYSTEM),
    ("round_robin", draw_by_search, OTHER_SYSTEM),
    ("king", lambda r: draw_by(r, direction=-1), "it was drawn by something else than the regulations"),
    ("king", turn_points, "it did not start from the points of the rounds before it"),
    ("whist", turn_seats, "it did not start from the rounds before it"),
    ("whist", lambda r: draw_by(r, plan_seed="ab" * 32), "its plan is not from the seed of the first draw"),
]


@pytest.mark.parametrize(("system", "bend", "told"), FORGERIES)
def test_a_forged_draw_is_named(
    puur_verify: ModuleType,
    evening_by: Callable[[str], Evening],
    key_file: Path,
    system: str,
    bend: Bend,
    told: str,
) -> None:
    record = Record(evening_by(system).public)
    bend(record)
    found = puur_verify.verify(io.BytesIO(record.sealed(sealing.load_key(key_file)))).differences
    assert any(told in line for line in found), found


# documents


def play_systems(
    rng: random.Random, system: str, count: int, *, apart: bool = False
) -> Iterator[tuple[Competition, Any]]:
    """Yield document and draw of each round; now and then entrants are away, level, or without a result.

    apart: a third of them should not meet if possible, and two must not.
    """
    in_pairs = system != "whist"
    past: list[PlayedRound] = []
    took_part: dict[str, list[int]] = {}
    away: set[str] = set()
    for number in range(1, count + 1):
        people = []
        for at in range(count):
            ref, members = (
                (f"p{at:04}", (f"{2 * at:04}", f"{2 * at + 1:04}")) if in_pairs else (f"{at:04}", ())
            )
            rounds_of = took_part.get(ref, [])
            away |= {ref} if rounds_of and rng.random() < 0.03 else set()
            until = max(rounds_of) if ref in away else None
            first = min(rounds_of, default=number)
            people.append(EntrantRecord(ref=ref, members=members, from_round=first, until_round=until))
        seeds = [hashlib.sha256(f"{count}/{n}".encode()).hexdigest() for n in (1, number)]
        asked = Competition(
            system=system,
            rounds=count,
            seed=seeds[1],
            plan_seed=seeds[0] if past else "",
            entrants=tuple(people),
            past=tuple(past),
            partners=True,
            apart=keep_apart(rng, people) if apart else (),
        )
        drawn = systems.draw_next(asked) if len(asked.present()) > 3 else None
        if drawn is None:
            return
        yield asked, drawn
        tables = []
        for seats in drawn.tables:
            points = rng.choice((rng.randrange(158), 78, None))
            both = (None, None) if points is None else (points, 156 - points)
            tables.append(PlayedTable(seats=seats, points=(both * 2)[: len(seats)]))
        past.append(
            PlayedRound(
                round=number, tables=tuple(tables), byes=drawn.byes, given=dict.fromkeys(drawn.byes, 78)
            )
        )
        for ref in {*drawn.byes, *(asked.ref_of[p] for seats in drawn.tables for p in seats)}:
            took_part.setdefault(ref, []).append(number)


def keep_apart(rng: random.Random, people: list[EntrantRecord]) -> Any:
    two = [sorted(rng.sample([one.ref for one in people], 2)) for _ in range(len(people) // 3 + 1)]
    return tuple((a, b, "soft" if at else "hard") for at, (a, b) in enumerate(two))


def read_round(puur_verify: ModuleType, asked: Competition, tables: Any, byes: Any) -> Any:
    told = json.loads(msgspec.json.encode(asked))
    out = [person for ref in byes for person in asked.by_ref[ref].persons]
    return puur_verify.SystemRound(told, [list(seats) for seats in tables], out, seed=asked.seed)


@pytest.mark.parametrize("system", sorted({*PEOPLE, "swiss"} & set(systems.SYSTEMS)))
@pytest.mark.parametrize("count", [8, 9, 12, 13])
@pytest.mark.parametrize("apart", [False, True])
def test_what_a_system_draws_keeps_what_it_has_to(
    puur_verify: ModuleType, system: str, count: int, apart: bool
) -> None:
    for asked, drawn in play_systems(random.Random(count), system, count, apart=apart):
        assert puur_verify.find_faults(read_round(puur_verify, asked, drawn.tables, drawn.byes)) == []


def ask_swiss(count: int) -> Competition:
    """Return a field of pairs after a round in which pair 0 won most, pair 1 less, and so on."""
    people = [EntrantRecord(ref=f"p{n}", members=(f"{n}a", f"{n}b")) for n in range(count)]
    tables = tuple(
        PlayedTable(
            seats=tuple(f"{pair}{member}" for member in "ab" for pair in (n, n + 2)),
            points=(1000 - n, 900 - n) * 2,
        )
        for n in (0, 1)
    )
    byes = ("p4",) if count == 5 else ()
    past = (PlayedRound(round=1, tables=tables, byes=byes, given=dict.fromkeys(byes, 500)),)
    return Competition(system="swiss", rounds=3, entrants=tuple(people), past=past, partners=True)


SWISS_FORGERIES: Final[list[tuple[str, str]]] = [
    ("02 13", "would have been better"),
    ("03 12", "would have been nearer"),
    ("02 13 4", "has the bye, which was due to"),
]
"""Pairs at each table, with a bye last."""


@pytest.mark.parametrize(("draw", "told"), [*SWISS_FORGERIES, ("01 23", ""), ("01 24 3", "")])
def test_a_swiss_round_has_no_better_exchange(puur_verify: ModuleType, draw: str, told: str) -> None:
    parts = draw.split()
    tables = [[f"{pair}{member}" for member in "ab" for pair in part] for part in parts if len(part) == 2]
    byes = [f"p{part}" for part in parts if len(part) == 1]
    asked = ask_swiss(5 if byes else 4)
    found = puur_verify.find_faults(read_round(puur_verify, asked, tables, byes))
    assert any(told in line for line in found) if told else found == [], found


@pytest.mark.parametrize(("draw", "told"), [("01 23", "would have been better"), ("03 12", "")])
def test_a_swiss_round_separates_whom_it_can(puur_verify: ModuleType, draw: str, told: str) -> None:
    """The first two are to be kept apart as far as possible: then 0 meets 3, though 1 is nearer."""
    asked = msgspec.structs.replace(ask_swiss(4), apart=(("p0", "p1", "soft"),))
    tables = [[f"{pair}{member}" for member in "ab" for pair in part] for part in draw.split()]
    found = puur_verify.find_faults(read_round(puur_verify, asked, tables, []))
    assert any(told in line for line in found) if told else found == [], found
    drawn = systems.draw_next(asked)
    assert drawn is not None
    assert {frozenset(seats) for seats in drawn.tables} == set(
        map(frozenset, [["0a", "3a", "0b", "3b"], ["1a", "2a", "1b", "2b"]])
    )
