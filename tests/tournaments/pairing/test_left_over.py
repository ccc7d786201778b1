"""Uneven fields in the draw: byes and tables of three over many rounds."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.pairing import DrawnRound, PairingError, PairingProblem, compute_cost, draw

FEW = settings(max_examples=30, deadline=None)


@pytest.fixture(autouse=True)
def _short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is left over is known before anybody searches."""
    monkeypatch.setattr("tournaments.pairing.solving._ITERATIONS", 400)


def evening(problem: PairingProblem, rounds: int) -> list[DrawnRound]:
    """Rounds drawn one after the other, each on top of those before."""
    played: list[DrawnRound] = []
    for number in range(rounds):
        one = replace(problem, past=tuple(played), seed=problem.seed + bytes([number]))
        played.append(draw(one).rounds[0])
    return played


@pytest.mark.slow
@FEW
@given(st.integers(6, 23).filter(lambda n: n % 4), st.integers(1, 7), st.binary(min_size=1))
def test_with_tables_of_three_nobody_sits_out_nor_at_three_a_second_time_before_all_once(
    players: int, rounds: int, seed: bytes
) -> None:
    threes = -players % 4
    played = evening(PairingProblem(players, 1, seed, format="solo", threes=threes), rounds)
    at_three = [0] * players
    for one in played:
        assert one.byes == ()
        assert sorted(len(table) for table in one.tables)[:threes] == [3] * threes
        assert sorted(p for table in one.tables for p in table) == list(range(players))
        for player in (p for table in one.tables if len(table) == 3 for p in table):
            at_three[player] += 1
    assert max(at_three) - min(at_three) <= 1


@pytest.mark.slow
@FEW
@given(st.integers(5, 19), st.integers(1, 8), st.binary(min_size=1))
def test_nobody_sits_out_twice_before_all_once(players: int, rounds: int, seed: bytes) -> None:
    played = evening(PairingProblem(players, 1, seed), rounds)
    out = [sum(player in one.byes for one in played) for player in range(players)]
    assert max(out) - min(out) <= 1


@FEW
@given(st.integers(9, 19).filter(lambda n: n % 4), st.integers(1, 3), st.binary(min_size=1))
def test_who_was_not_there_for_a_round_has_sat_out_in_it(players: int, rounds: int, seed: bytes) -> None:
    """The last player comes late: all others get as many byes before this player gets another one."""
    others = players - 1
    past = tuple(
        DrawnRound(tuple(tuple(range(at, at + 4)) for at in range(0, others - 3, 4))) for _ in range(rounds)
    )
    sat = {p for table in past[0].tables for p in table}
    [one] = draw(PairingProblem(players, 1, seed, past=past)).rounds
    assert set(one.byes) <= sat if len(sat) >= len(one.byes) else sat <= set(one.byes)


@FEW
@given(st.integers(5, 19).filter(lambda n: n % 4), st.data())
def test_the_leader_sits_out_only_where_it_cannot_be_helped(players: int, chance: st.DataObject) -> None:
    leader = chance.draw(st.integers(0, players - 1))
    tables = tuple(tuple(p for p in range(at, at + 4)) for at in range(0, players - 3, 4))
    everybody = {p for table in tables for p in table}
    past = (DrawnRound(tables, tuple(p for p in range(players) if p not in everybody)),)
    problem = PairingProblem(players, 1, chance.draw(st.binary(min_size=1)), past=past)
    [one] = draw(replace(problem, sit_out_last=(leader,))).rounds
    assert leader not in one.byes


def test_the_first_version_counted_only_rounds_for_which_somebody_was_there() -> None:
    past = (DrawnRound(((0, 1, 2, 3), (4, 5, 6, 7))),)
    problem = PairingProblem(9, 1, b"late", past=past, sit_out_first=(8,))
    assert draw(problem, "1").rounds[0].byes == (8,)
    assert draw(problem).rounds[0].byes != (8,)


def test_at_tables_of_three_everybody_plays_alone() -> None:
    drawn = draw(PairingProblem(7, 1, b"x", threes=1)).rounds[0]
    problem = PairingProblem(7, 1, b"x", threes=1, past=(drawn,))
    cost = compute_cost(problem, [drawn])
    assert (cost.partner_repeats, cost.meeting_repeats) == (2, 6 + 3)


def test_thirteen_meet_as_seldom_as_the_tables_allow() -> None:
    drawn = draw(PairingProblem(13, 4, b"thirteen", format="solo", threes=3))
    assert drawn.cost.meeting_repeats <= 10
    assert all(sorted(map(len, one.tables)) == [3, 3, 3, 4] for one in drawn.rounds)


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 8, "threes": 3},
        {"players": 8, "threes": -1},
        {"players": 8, "threes": 1, "table_size": 3, "format": "solo"},
        {"players": 8, "threes": 1, "fixed_pairs": ((0, 1),)},
    ],
)
def test_tables_of_three_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(PairingError) as refused:
        PairingProblem(**{"rounds": 1, "seed": b"", **wrong})
    assert refused.value.code == "pairing/threes"
