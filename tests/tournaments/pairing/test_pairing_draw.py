"""The draw: meetings of players, recomputed from the rounds alone."""

from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.pairing import DrawnRound, PairingError, PairingProblem, compute_cost, draw

pytestmark = pytest.mark.slow


def naive_cost(problem: PairingProblem, rounds: tuple[DrawnRound, ...]) -> dict[str, int]:
    """The cost counted the slow way: for every two players, every round looked at."""

    def again(times: int) -> int:
        return max(0, times - 1)

    played = [*problem.past, *rounds]
    partner = opponent = meeting = 0
    for a, b in combinations(range(problem.players), 2):
        if (a, b) in problem.fixed_pairs or (b, a) in problem.fixed_pairs:
            continue
        together = with_partner = 0
        for one in played:
            for table in one.tables:
                if a in table and b in table:
                    together += 1
                    gap = abs(table.index(a) - table.index(b))
                    with_partner += problem.in_pairs and gap == 2 and len(table) == 4
        meeting += again(together)
        partner += again(with_partner)
        opponent += again(together - with_partner)
    seat = table_again = 0
    for player in range(problem.players):
        seats: Counter[int] = Counter()
        tables: Counter[int] = Counter()
        for one in played:
            for number, table in enumerate(one.tables):
                if player in table:
                    seats[table.index(player)] += 1
                    tables[number] += 1
        seat += sum(map(again, seats.values()))
        table_again += sum(map(again, tables.values()))
    out = [sum(player in one.byes for one in played) for player in range(problem.players)]
    return {
        "partner_repeats": partner,
        "meeting_repeats": meeting,
        "opponent_repeats": opponent,
        "seat_repeats": seat,
        "table_repeats": table_again,
        "bye_spread": max(out) - min(out),
    }


@st.composite
def problems(choose: st.DrawFn) -> PairingProblem:
    size = choose(st.sampled_from([2, 3, 4, 4, 4]))
    players = choose(st.integers(size, 22))
    mixed = size == 4 and players != 5 and choose(st.booleans())
    # Who leads is spared in the last round, which is drawn alone.
    leaders = choose(st.sets(st.integers(0, players - 1), max_size=1))
    return PairingProblem(
        players=players,
        rounds=1 if leaders else choose(st.integers(1, 4)),
        seed=choose(st.binary(min_size=1, max_size=32)),
        format=choose(st.sampled_from(["pairs", "solo"])),
        table_size=size,
        sit_out_first=tuple(choose(st.sets(st.integers(0, players - 1), max_size=2))),
        threes=-players % 4 if mixed else 0,
        sit_out_last=tuple(leaders),
    )


@pytest.fixture(autouse=True)
def _short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.pairing.solving._ITERATIONS", 12_000)


FEW = settings(max_examples=25, deadline=None)


@FEW
@given(problems())
def test_every_player_is_at_one_table_or_out_in_every_round(problem: PairingProblem) -> None:
    for one in draw(problem).rounds:
        assert sorted([*(p for table in one.tables for p in table), *one.byes]) == list(
            range(problem.players)
        )
        sizes = sorted(len(table) for table in one.tables)
        assert sizes == sorted(problem.sizes)
        assert sizes.count(3) == (problem.threes or (len(sizes) if problem.table_size == 3 else 0))
        assert len(one.byes) == (0 if problem.threes else problem.players % problem.table_size)


@FEW
@given(problems())
def test_the_same_seed_gives_the_same_draw(problem: PairingProblem) -> None:
    assert draw(problem) == draw(problem)


@FEW
@given(problems())
def test_the_cost_is_what_a_slow_count_finds(problem: PairingProblem) -> None:
    drawn = draw(problem)
    told = drawn.cost.as_dict()
    assert told.pop("broken_constraints") == 0
    assert told == naive_cost(problem, drawn.rounds)


@FEW
@given(problems())
def test_nobody_sits_out_twice_before_everybody_has(problem: PairingProblem) -> None:
    assert draw(problem).cost.bye_spread <= 1


@FEW
@given(problems(), st.integers(1, 3))
def test_rounds_already_played_count(problem: PairingProblem, rounds: int) -> None:
    first = draw(problem)
    more = PairingProblem(
        problem.players, rounds, problem.seed + b"2", problem.format, problem.table_size, first.rounds
    )
    told = draw(more)
    assert told.cost.as_dict() | naive_cost(more, told.rounds) == told.cost.as_dict()


@pytest.mark.long(6)
@pytest.mark.parametrize("players", [4, 8, 12, 16, 20, 24])
@pytest.mark.parametrize("part", [1, 2, 3])
def test_no_partner_is_repeated_while_that_is_possible(players: int, part: int) -> None:
    rounds = max(1, (players - 1) * part // 3)
    assert draw(PairingProblem(players, rounds, b"partners")).cost.partner_repeats == 0


@pytest.mark.parametrize("players", [28, 44])
def test_no_partner_is_repeated_in_the_longest_schedule(players: int) -> None:
    assert draw(PairingProblem(players, players - 1, b"longest")).cost.partner_repeats == 0


@pytest.mark.parametrize(
    ("players", "rounds"), [(16, 5), (20, 5), (28, 9), (40, 13), (32, 8), (36, 9), (64, 12), (1000, 12)]
)
def test_nobody_meets_anybody_twice_where_a_construction_has_it(players: int, rounds: int) -> None:
    cost = draw(PairingProblem(players, rounds, b"records")).cost
    assert (cost.broken_constraints, cost.partner_repeats, cost.meeting_repeats) == (0, 0, 0)


def test_sixteen_people_play_four_rounds_on_four_different_chairs() -> None:
    assert draw(PairingProblem(16, 4, b"santiago")).cost.seat_repeats == 0


@pytest.mark.parametrize("rounds", [4, 6, 8, 11, 15])
def test_sixteen_people_repeat_no_more_than_they_must(rounds: int) -> None:
    cost = draw(PairingProblem(16, rounds, b"sixteen")).cost
    pairs = 16 * 15 // 2
    assert cost.partner_repeats == 0
    assert cost.meeting_repeats == max(0, 24 * rounds - pairs)
    assert cost.opponent_repeats == max(0, 16 * rounds - pairs)


def test_twenty_four_people_meet_nobody_twice_as_opponents_in_eight_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tournaments.pairing.solving._ITERATIONS", 480_000)
    cost = draw(PairingProblem(24, 8, b"twenty-four")).cost
    assert (cost.partner_repeats, cost.opponent_repeats) == (0, 0)
    assert cost.meeting_repeats <= 40  # the bound is 12


def test_drawing_one_round_after_another_repeats_no_partner() -> None:
    past: tuple[DrawnRound, ...] = ()
    for number in range(6):
        past += draw(PairingProblem(16, 1, bytes([number]), past=past)).rounds
    assert compute_cost(PairingProblem(16, 1, b"", past=past), []).partner_repeats == 0


def test_a_large_field_is_mended_round_by_round() -> None:
    past: tuple[DrawnRound, ...] = ()
    for number in range(3):
        past += draw(PairingProblem(1502, 1, bytes([number]), past=past)).rounds
    cost = compute_cost(PairingProblem(1502, 1, b"", past=past), [])
    assert (cost.partner_repeats, cost.meeting_repeats, cost.bye_spread) == (0, 0, 1)


def test_fixed_pairs_stay_together_and_forbidden_ones_apart() -> None:
    problem = PairingProblem(
        players=18,
        rounds=4,
        seed=b"constraints",
        fixed_pairs=((0, 1), (2, 3), (4, 5)),
        never_partner=((6, 7), (8, 9)),
        never_meet=((10, 11), (0, 12)),
    )
    drawn = draw(problem)
    assert drawn.cost.broken_constraints == 0
    for one in drawn.rounds:
        for table in one.tables:
            if 0 in table:
                assert abs(table.index(0) - table.index(1)) == 2
            assert not {10, 11} <= set(table)
            assert not {0, 12} <= set(table)


def test_a_broken_constraint_is_counted() -> None:
    problem = PairingProblem(4, 1, b"s", fixed_pairs=((0, 1),), never_partner=((2, 3),), never_meet=((0, 2),))
    cost = compute_cost(problem, [DrawnRound(((0, 1, 2, 3),))])
    assert cost.broken_constraints == 2  # 0 and 1 are no partners, 0 and 2 meet
    assert draw(problem).cost.broken_constraints == 2  # at one table no better one exists


def test_a_fixed_pair_sits_out_together() -> None:
    drawn = draw(PairingProblem(6, 3, b"out", fixed_pairs=((0, 1), (2, 3), (4, 5))))
    assert {one.byes for one in drawn.rounds} == {(0, 1), (2, 3), (4, 5)}


def test_latecomers_sit_out_first() -> None:
    drawn = draw(PairingProblem(9, 2, b"late", sit_out_first=(7, 3)))
    assert [one.byes for one in drawn.rounds] == [(7,), (3,)]


def test_who_has_left_is_not_counted() -> None:
    past = (DrawnRound(((0, -1, 1, 2), (3, 4, 5, 6)), (-1, 7)),)
    cost = compute_cost(PairingProblem(8, 1, b"", past=past), [DrawnRound(((0, 3, 1, 4), (2, 5, 7, 6)))])
    assert (cost.partner_repeats, cost.meeting_repeats, cost.bye_spread) == (1, 3, 1)
    assert draw(PairingProblem(8, 1, b"x", past=past)).cost.partner_repeats == 0


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"players": 3}, "pairing/players"),
        ({"players": 5001}, "pairing/players"),
        ({"rounds": 0}, "pairing/rounds"),
        ({"rounds": 101}, "pairing/rounds"),
        ({"format": "knockout"}, "pairing/unknown_format"),
        ({"table_size": 5}, "pairing/table_size"),
        ({"never_meet": ((0, 0),)}, "pairing/unknown_player"),
        ({"never_partner": ((0, 8),)}, "pairing/unknown_player"),
        ({"fixed_pairs": ((0, 1), (1, 2))}, "pairing/fixed_pairs"),
        ({"fixed_pairs": ((0, 1),), "format": "solo"}, "pairing/fixed_pairs"),
        ({"fixed_pairs": ((0, 1),), "never_meet": ((1, 0),)}, "pairing/contradiction"),
    ],
)
def test_a_problem_that_makes_no_sense_is_refused(change: dict[str, Any], code: str) -> None:
    with pytest.raises(PairingError) as refused:
        PairingProblem(**{"players": 8, "rounds": 1, "seed": b"s", **change})
    assert refused.value.code == code
