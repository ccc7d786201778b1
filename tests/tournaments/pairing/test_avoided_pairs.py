"""Pairs that a draw avoids as far as possible: kept where that costs no repeat, and never at its cost."""

import io
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import pytest

from tests.tournaments.pairing.played_rounds import Document, pairs, persons, play
from tournaments.competition import decode_competition
from tournaments.pairing import __main__ as command_line
from tournaments.pairing import draw, list_avoided
from tournaments.pairing.constructions import schedule_without_repeats
from tournaments.pairing.problem import DrawnRound, PairingError, PairingProblem
from tournaments.pairing.reasons import explain_search
from tournaments.pairing.repeat_avoidance import Search
from tournaments.pairing.systems import DrawNote, draw_next

Tables = tuple[tuple[int, ...], ...]


def cost_without_wishes(problem: PairingProblem, rounds: tuple[DrawnRound, ...]) -> int:
    """What the search minimises: broken constraints and repeated meetings."""
    full_first = [sorted(one.tables, key=len, reverse=True) for one in rounds]
    seats = [[player for table in tables for player in table] for tables in full_first]
    return Search(problem, seats).cost


def list_seatings(players: tuple[int, ...]) -> Iterator[Tables]:
    """Yield all rounds of tables of four with partners."""
    if not players:
        yield ()
        return
    first, *others = players
    for b, c, d in combinations(others, 3):
        left = tuple(player for player in others if player not in (b, c, d))
        for rest in list_seatings(left):
            for table in ((first, c, b, d), (first, b, c, d), (first, b, d, c)):
                yield (table, *rest)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("players", "played"), [(8, 1), (8, 4), (12, 2)])
def test_one_round_of_few_tables_avoids_exactly_what_can_be_avoided(
    players: int, played: int, seed: int
) -> None:
    chance = random.Random(f"{players} {played} {seed}")
    past = draw(PairingProblem(players, played, chance.randbytes(8))).rounds
    wishes = tuple((a, b) for a, b in (chance.sample(range(players), 2) for _ in range(6)))
    plain = PairingProblem(players, 1, chance.randbytes(8), past=past, never_meet=wishes[:1])
    problem = replace(plain, avoid_meet=wishes[1:4], avoid_partner=wishes[4:])
    found = draw(problem)
    costs: dict[tuple[int, ...], tuple[int, int]] = {}
    state = Search(plain, [])

    def weigh(table: tuple[int, ...]) -> tuple[int, int]:
        if table not in costs:
            a, b, c, d = table
            cost = state.as_partner[a][c] + state.as_partner[b][d]
            cost += sum(state.as_opponent[p][q] for p in (a, c) for q in (b, d))
            costs[table] = cost, len(list_avoided(problem, table))
        return costs[table]

    least = min(
        (sum(weigh(table)[0] for table in tables), sum(weigh(table)[1] for table in tables))
        for tables in list_seatings(tuple(range(players)))
    )
    drawn = cost_without_wishes(plain, found.rounds) - state.cost
    assert (drawn, found.cost.avoided_meetings) == least


@pytest.mark.parametrize("seed", range(10))
def test_no_wish_makes_a_draw_worse(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.pairing.solving._ITERATIONS", 24_000)
    chance = random.Random(seed)
    size = chance.choice((4, 4, 3, 2))
    players = chance.randrange(size + 6, 60)
    plain = PairingProblem(
        players,
        chance.choice((1, 2, 4)),
        chance.randbytes(8),
        format="pairs" if size == 4 else "solo",
        table_size=size,
        threes=-players % 4 if size == 4 and chance.random() < 0.5 else 0,
        never_meet=((0, 1),),
        never_partner=((2, 3),),
    )
    for _ in range(chance.choice((0, 1, 3))):
        past = (*plain.past, draw(replace(plain, rounds=1, seed=chance.randbytes(8))).rounds[0])
        plain = replace(plain, past=past)
    wishes = tuple((a, b) for a, b in (chance.sample(range(players), 2) for _ in range(players // 2)))
    problem = replace(plain, avoid_meet=wishes[::2], avoid_partner=wishes[1::2])
    before, after = draw(plain), draw(problem)
    met = [len(list_avoided(problem, table)) for one in before.rounds for table in one.tables]
    assert after.cost.broken_constraints == before.cost.broken_constraints
    assert cost_without_wishes(plain, after.rounds) <= cost_without_wishes(plain, before.rounds)
    assert after.cost.avoided_meetings <= sum(met)
    assert [one.byes for one in after.rounds] == [one.byes for one in before.rounds]
    assert (before.version, after.version) == ("2", "3")


def test_a_draw_that_keeps_a_wish_already_stays_as_it_is() -> None:
    plain = PairingProblem(40, 3, b"kept")
    drawn = draw(plain)
    together = {pair for one in drawn.rounds for table in one.tables for pair in combinations(table, 2)}
    apart = next(pair for pair in combinations(range(40), 2) if not {pair, pair[::-1]} & together)
    assert draw(replace(plain, avoid_meet=(apart,))).rounds == drawn.rounds


def test_a_construction_keeps_wishes_by_other_numbers_and_repeats_nothing() -> None:
    assert schedule_without_repeats(100, 5) is not None
    wishes = tuple((at, at + 1) for at in range(0, 100, 2))
    cost = draw(PairingProblem(100, 5, b"fifty clubs of two", avoid_meet=wishes)).cost
    assert (cost.meeting_repeats, cost.avoided_meetings) == (0, 0)


def test_in_a_large_field_every_wish_is_kept() -> None:
    past = draw(PairingProblem(400, 3, b"before")).rounds
    wishes = tuple((at, at + 1) for at in range(0, 400, 2))
    cost = draw(PairingProblem(400, 1, b"a hall", past=past, avoid_meet=wishes)).cost
    assert (cost.meeting_repeats, cost.avoided_meetings) == (0, 0)


def test_wishes_that_rules_decide_count_nothing() -> None:
    problem = PairingProblem(
        8,
        1,
        b"",
        fixed_pairs=((0, 1),),
        never_meet=((2, 3),),
        never_partner=((4, 5),),
        avoid_meet=((1, 0), (3, 2), (5, 4)),
        avoid_partner=((5, 4), (6, 7), (3, 2)),
    )
    assert problem.avoided == (frozenset({(6, 7)}), frozenset({(4, 5)}))
    alone = replace(problem, format="solo", fixed_pairs=(), never_partner=())
    assert alone.avoided.partner == frozenset()
    with pytest.raises(PairingError, match="no such pair"):
        replace(problem, avoid_meet=((0, 8),))


def document(**more: object) -> Document:
    return {"system": "drawn", "size": 4, "rounds": 1, "seed": "s", "entrants": persons(4), **more}


def test_the_command_line_names_who_could_not_be_kept_apart(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = json.dumps(document(apart=[["p00", "p01", "soft"]])).encode()
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(told)))
    assert command_line.main(["next"]) == 0
    note = {"code": "pairing/apart", "table": 1, "one": "p00", "other": "p01", "how": "soft"}
    assert json.loads(capsys.readouterr().out)["notes"] == [note]


@pytest.mark.parametrize("when", ["each_round", "at_start"])
def test_drawn_rounds_keep_wishes_and_repeat_nobody_for_them(when: str) -> None:
    apart = [[f"p{at:02}", f"p{at + 1:02}", "soft"] for at in range(0, 40, 2)]
    rounds = play(document(entrants=persons(40), rounds=4, apart=apart, options={"when": when}))
    tables = [set(seats) for one in rounds for seats in one.tables]
    assert not any({one, other} <= table for one, other, _how in apart for table in tables)
    met = [pair for table in tables for pair in combinations(sorted(table), 2)]
    assert len(met) == len(set(met))
    assert not any(one.notes for one in rounds)


def test_pairs_meet_a_friend_before_an_old_opponent() -> None:
    """Four fixed pairs, two rounds played: who has not met is drawn, though it is to be avoided."""
    told = document(system="fixed_pairs", rounds=3, entrants=pairs(4))
    played = play(told, 2)
    met = {frozenset(seat[1:] for seat in seats) for one in played for seats in one.tables}
    left = [pair for pair in combinations("0123", 2) if frozenset(pair) not in met]
    apart = [[f"P000{a}", f"P000{b}", "soft"] for a, b in left]
    drawn = draw_next(decode_competition({**told, "apart": apart}))
    assert drawn is not None
    assert {frozenset(seat[1:] for seat in seats) for seats in drawn.tables} == set(map(frozenset, left))
    assert [(note.code, note.params["how"]) for note in drawn.notes] == [("pairing/apart", "soft")] * 2


def test_the_reasons_count_pairs_that_could_not_be_kept_apart() -> None:
    problem = PairingProblem(8, 1, b"", avoid_meet=((0, 1), (2, 3)), avoid_partner=((4, 5), (4, 6)))
    assert explain_search(problem, [(0, 1, 2, 3), (4, 5, 6, 7)]) == [
        DrawNote("why/avoided", {"table": 1, "pairs": 2}),
        DrawNote("why/avoided", {"table": 2, "pairs": 1}),
        DrawNote("why/new", {"count": 2}),
    ]
