"""Seats drawn again by the verifier: the same as the platform draws, from what a draw says of itself."""

import io
import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from games import sealing
from games.models import User
from tests.tournaments import table_play
from tests.verify.evening import Evening, export
from tests.verify.mutations import listed_again, sealed_again, unzipped, zipped
from tests.verify.record import Record
from tournaments import pairing
from tournaments.models import Championship, Entry
from tournaments.services.championships import championships
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import drawing
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds
from tournaments.services.scores import ranking_basis

DRAWS = json.loads((Path(__file__).parent / "draws.json").read_text())


def drawn_again(puur_verify: ModuleType, problem: pairing.PairingProblem, version: str) -> Any:
    told = json.loads(msgspec.json.encode(problem))
    del told["seed"]
    tables, out = puur_verify.redraw_seats(puur_verify.DrawProblem(told, problem.seed, version))
    return [list(table) for table in tables], list(out)


@pytest.mark.long(12)
@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(DRAWS)))
def test_the_vectors_are_what_the_platform_draws_and_what_the_verifier_does(
    puur_verify: ModuleType, place: int
) -> None:
    one = DRAWS[place]
    problem = msgspec.convert({**one["problem"], "seed": b""}, pairing.PairingProblem)
    problem = replace(problem, seed=bytes.fromhex(one["seed"]))
    version = one.get("algorithm", "1")
    drawn = pairing.draw(problem, version).rounds[0]
    assert ([list(table) for table in drawn.tables], list(drawn.byes)) == (one["tables"], one["sit_out"])
    assert drawn_again(puur_verify, problem, version) == (one["tables"], one["sit_out"])


@pytest.fixture
def _short_searches(puur_verify: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.pairing.solving._ITERATIONS", 2_400)
    monkeypatch.setattr(puur_verify, "MAX_MOVES", 2_400)


@pytest.mark.slow
@pytest.mark.usefixtures("_short_searches")
def test_draws_of_every_kind_come_out_the_same(puur_verify: ModuleType) -> None:
    """Any number of players and rounds, wishes, latecomers, people who have gone; short searches."""
    chance = random.Random(5)
    for _ in range(18):
        problem = a_problem(chance)
        version = chance.choice("12") if not (problem.threes or problem.sit_out_last) else "2"
        drawn = pairing.draw(problem, version).rounds[0]
        expected = [list(table) for table in drawn.tables], list(drawn.byes)
        assert drawn_again(puur_verify, problem, version) == expected, problem


@pytest.mark.slow
@pytest.mark.usefixtures("_short_searches")
def test_draws_that_avoid_pairs_come_out_the_same(puur_verify: ModuleType) -> None:
    """Any draw as above; one round of few tables; free draws; a large field."""
    chance = random.Random(8)
    few = pairing.draw(pairing.PairingProblem(12, 3, b"past")).rounds
    problems = [a_problem(chance) for _ in range(6)]
    problems += [pairing.PairingProblem(12, 1, bytes([n]), past=few) for n in range(3)]
    problems += [pairing.PairingProblem(n, 3, b"free", format="pairs") for n in (20, 28)]
    problems += [pairing.PairingProblem(420, 1, b"hall", past=(pairing.DrawnRound(((0, 1, 2, 3),)),))]
    changed = 0
    for plain in problems:
        people = chance.sample(range(plain.players), plain.players // 2 * 2)
        avoided = tuple(zip(people[::2], people[1::2], strict=True))
        problem = replace(plain, avoid_meet=avoided[::2], avoid_partner=avoided[1::2])
        drawn = pairing.draw(problem)
        first = drawn.rounds[0]
        expected = [list(table) for table in first.tables], list(first.byes)
        assert drawn_again(puur_verify, problem, drawn.version) == expected, problem
        changed += drawn.rounds != pairing.draw(plain).rounds
    assert changed > len(problems) // 2


def a_problem(chance: random.Random) -> pairing.PairingProblem:
    size = chance.choice((4, 4, 3, 2))
    players = chance.randrange(size + 4, 40)
    people = chance.sample(range(players), players)
    in_pairs = size == 4 and chance.random() < 0.7
    pairs = [tuple(people[2 * i : 2 * i + 2]) for i in range(chance.choice((0, 0, 3)) if in_pairs else 0)]
    problem = pairing.PairingProblem(
        players=players,
        rounds=chance.choice((1, 3, 6)),
        seed=chance.randbytes(32),
        format="pairs" if in_pairs else "solo",
        table_size=size,
        fixed_pairs=tuple((a, b) for a, b in pairs),
        never_partner=((people[6], people[7]),) if chance.random() < 0.3 else (),
        never_meet=((people[0], people[-1]),) if chance.random() < 0.3 and len(people) > 8 else (),
        sit_out_first=tuple(people[-1:]),
        sit_out_last=tuple(people[:1]) if chance.random() < 0.4 else (),
        threes=-players % 4 if size == 4 and not pairs and chance.random() < 0.6 else 0,
    )
    for _ in range(chance.choice((0, 1, 2))):
        played = pairing.draw(replace(problem, rounds=1, seed=chance.randbytes(32))).rounds[0]
        gone = people[-2]
        tables = tuple(tuple(-1 if p == gone else p for p in table) for table in played.tables)
        problem = replace(problem, past=(*problem.past, pairing.DrawnRound(tables, played.byes)))
    return problem


def test_each_draw_says_that_its_seats_were_drawn_again(puur_verify: ModuleType, evening: Evening) -> None:
    report = puur_verify.verify(io.BytesIO(evening.public), evening.words[-1])
    told = [line for line in (*report.checked, *report.notes) if "the seats were drawn again" in line]
    assert [line.partition(":")[0] for line in told] == [
        "round 1, draw 1",
        "round 2, draw 1",
        "round 2, draw 2",
    ]
    assert ["when that is revealed" in line for line in told] == [False, False, True]
    assert told[-1].endswith("1 draws were undone before it")
    assert told[-1] in report.notes


Rewrite = Callable[[dict[str, Any]], None]


def redrawn(files: dict[str, bytes], key: sealing.SealKey, rewrite: Rewrite) -> bytes:
    """The last draw of the evening written anew by whoever holds the platform's key, and sealed again."""
    return rewritten(files, key, b'\\"draw\\":2', "seats_drawn", rewrite)


def rewritten(
    files: dict[str, bytes], key: sealing.SealKey, mark: bytes, type_: str, rewrite: Rewrite
) -> bytes:
    """The last event of a type in the one stream with this mark, written anew and sealed again."""
    [name] = [n for n, data in files.items() if mark in data and n.startswith("streams/")]
    lines = [json.loads(line) for line in files[name].splitlines()]
    envelopes = [json.loads(line["envelope"]) for line in lines[1:]]
    at = max(place for place, envelope in enumerate(envelopes) if envelope["type"] == type_)
    rewrite(envelopes[at]["body"])
    lines[1 + at]["envelope"] = json.dumps(envelopes[at], separators=(",", ":"))
    made = b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)
    record = Record(zipped({**files, name: made}))
    record.sit_as_drawn()
    return record.sealed(key)


def rechaired(files: dict[str, bytes], key: sealing.SealKey, rewrite: Rewrite) -> bytes:
    """Who sat elsewhere in the first round, written anew and sealed again."""
    return rewritten(files, key, b'\\"seats_exchanged\\"', "seats_exchanged", rewrite)


def friends_together(body: dict[str, Any]) -> None:
    """Two players of different tables exchanged."""
    tables = body["tables"]
    tables[0][0], tables[1][0] = tables[1][0], tables[0][0]


def forget_the_first_round(body: dict[str, Any]) -> None:
    """As if nothing had been played before. Who sits where stays, because people have stepped in since."""
    body["problem"]["past"] = []


@pytest.mark.parametrize(
    ("rewrite", "told"),
    [
        (friends_together, "round 2, draw 2: the seats do not follow from its seed"),
        (forget_the_first_round, "round 2, draw 2: it did not start from the rounds before it"),
    ],
)
def test_seats_that_were_chosen_are_found_though_all_is_sealed(
    puur_verify: ModuleType, evening: Evening, key_file: Path, rewrite: Rewrite, told: str
) -> None:
    data = redrawn(unzipped(evening.public), sealing.load_key(key_file), rewrite)
    assert puur_verify.verify(io.BytesIO(data)).differences == [told]


def somebody_else(body: dict[str, Any]) -> None:
    """The two as if they had not sat there."""
    body["players"].reverse()


def another_chair(body: dict[str, Any]) -> None:
    """Who was drawn to another chair; the event itself fits nothing, and what follows starts elsewhere."""
    body["seats"] = [(seat + 1) % 4 for seat in body["seats"]]


@pytest.mark.parametrize("rewrite", [somebody_else, another_chair])
def test_who_changed_chairs_cannot_be_made_up(
    puur_verify: ModuleType, evening: Evening, key_file: Path, rewrite: Rewrite
) -> None:
    data = rechaired(unzipped(evening.public), sealing.load_key(key_file), rewrite)
    told = puur_verify.verify(io.BytesIO(data)).differences
    assert told[0] == "round 1: a swap of chairs names a person who did not sit there"


def test_what_cannot_be_drawn_again_is_said(
    puur_verify: ModuleType, evening: Evening, key_file: Path
) -> None:
    key, files = sealing.load_key(key_file), unzipped(evening.public)
    by_hand = redrawn(files, key, lambda body: body.update(algorithm="by hand", seed=""))
    told = "round 2, draw 2: made by hand in the hall, nothing to draw again"
    assert told in puur_verify.verify(io.BytesIO(by_hand)).notes
    newer = redrawn(files, key, lambda body: body.update(algorithm="99"))
    told = "round 2, draw 2: only the seed was checked; manage.py verify-deals draws seats of search 99 again"
    assert told in puur_verify.verify(io.BytesIO(newer)).notes


@pytest.fixture
def nearest(db: None) -> Championship:
    """One round, closed; who comes nearest to the sealed number wins."""
    fredi = User.objects.get_or_create(username="fredi")[0]
    counting = {"what": "nearest", "least": 100, "most": 300, "tie_breaks": ["lot"]}
    made = championships.create(
        actor=fredi, name="Preisjassen", slug="preis", changes={"rounds": 1, "deals": 1, "counting": counting}
    )
    people = [entries.NewEntry(name, status=Entry.Status.ARRIVED) for name in ("Anna", "Beat", "Idà", "Köbi")]
    entries.add_entries(made, people, actor=fredi)
    only = made.rounds.get()
    drawing.draw_round(only, actor=fredi)
    rounds.set_mode(only.tables.get(), "sheet", actor=fredi)
    rounds.open_round(only, actor=fredi)
    table_play.write_sheet(only.tables.get(), [100])
    rounds.close_round(only, actor=fredi)
    return made


def test_the_sealed_number_is_drawn_again_and_the_ranking_counts_from_it(
    puur_verify: ModuleType, nearest: Championship, key_file: Path
) -> None:
    number = ranking_basis.sealed_number(nearest, load_regulations(nearest))
    assert number is not None
    data = export(nearest).public
    report = puur_verify.verify(io.BytesIO(data))
    assert report.differences == []
    assert f"the sealed number was drawn again: {number}" in report.checked

    files = unzipped(data)
    rows = json.loads(files["championship.json"])
    for row in rows["standingssnapshot"][-1]["rows"]:
        row["off"] += 1
    digest = puur_verify.sha256(puur_verify.serialize_json(rows["standingssnapshot"][-1]["rows"])).hex()
    own = f"streams/{nearest.stream_id}.jsonl"
    lines = [json.loads(line) for line in files[own].splitlines()]
    for line in lines[1:]:
        envelope = json.loads(line["envelope"])
        if envelope["type"] == "standings_published":
            envelope["body"]["digest"] = digest
            line["envelope"] = json.dumps(envelope, separators=(",", ":"))
    made = b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)
    files = {**files, own: made, "championship.json": json.dumps(rows).encode() + b"\n"}
    key = sealing.load_key(key_file)
    forged = zipped(listed_again(sealed_again(files, key), key))
    [told] = puur_verify.verify(io.BytesIO(forged)).differences
    assert told == "ranking 1: the sealed number it counts from is not the one of the seed"


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("standingssnapshot", "ranking 1: is missing"),
        ("round", "championship.json: it does not list the rounds that exist"),
    ],
)
def test_what_the_log_speaks_of_cannot_be_left_out_of_the_file(
    puur_verify: ModuleType, evening: Evening, key_file: Path, table: str, told: str
) -> None:
    key, files = sealing.load_key(key_file), unzipped(evening.public)
    rows = json.loads(files["championship.json"])
    rows[table] = []
    made = {**files, "championship.json": json.dumps(rows).encode() + b"\n"}
    assert told in puur_verify.verify(io.BytesIO(zipped(listed_again(made, key)))).differences
    cut = {**files, "championship.json": files["championship.json"][:-1]}
    with pytest.raises(puur_verify.Unusable, match="cut off"):
        puur_verify.verify(io.BytesIO(zipped(listed_again(cut, key))))
