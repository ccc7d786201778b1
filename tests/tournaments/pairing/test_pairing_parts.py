"""Parts of the draw: numbers, fields, constructions, search, command line."""

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any

import pytest

from tournaments.pairing import DrawnRound, PairingProblem, compute_cost, repeat_avoidance
from tournaments.pairing.__main__ import main
from tournaments.pairing.constructions import Schedule, circle_schedule, schedule_without_repeats
from tournaments.pairing.finite_fields import field, prime_power
from tournaments.pairing.least_cost import seat_at_least_cost
from tournaments.pairing.repeat_avoidance import Search
from tournaments.pairing.solving import draw
from tournaments.pairing.stream import NumberStream
from tournaments.pairing.subspaces import subspace_schedule


def test_the_numbers_are_those_of_the_published_recipe() -> None:
    # openssl: printf 'names\0\0\0\0\0\0\0\0\0' | openssl dgst -sha256 -hmac puur
    first = NumberStream(b"puur", "names").words()[0]
    assert first == KNOWN_WORD


KNOWN_WORD = 0xB7FCF605


def test_numbers_below_a_bound_stay_below_it_and_all_come() -> None:
    numbers = NumberStream(b"seed", "test")
    seen = Counter(numbers.below(5) for _ in range(2_000))
    assert sorted(seen) == [0, 1, 2, 3, 4]
    assert min(seen.values()) > 300


def test_numbers_that_would_be_uneven_are_thrown_away() -> None:
    class Fixed(NumberStream):
        def words(self) -> list[int]:
            return [0xFFFFFFFF, 7]

    assert Fixed(b"", "").below(3 * 2**30) == 7


def test_two_purposes_of_one_seed_have_nothing_in_common() -> None:
    assert not set(NumberStream(b"s", "a").words()) & set(NumberStream(b"s", "b").words())


@pytest.mark.parametrize("order", [2, 3, 4, 5, 7, 8, 9, 16, 25, 27])
def test_a_field_has_inverses_and_distributes(order: int) -> None:
    f = field(order)
    assert sorted(f.powers()) == list(range(1, order))
    for a in range(1, order):
        assert sorted(f.times[a]) == list(range(order))
        assert sorted(f.plus[a]) == list(range(order))
        b, c = f.plus[a][1], f.times[a][a]
        assert f.times[a][f.plus[b][c]] == f.plus[f.times[a][b]][f.times[a][c]]


@pytest.mark.parametrize("order", [0, 1, 6, 10, 12, 15])
def test_there_is_no_field_of_other_orders(order: int) -> None:
    assert prime_power(order) is None
    with pytest.raises(ValueError, match="no field"):
        field(order)


def most_meetings(schedule: Schedule) -> int:
    return max(
        Counter(
            frozenset(two) for one in schedule for table in one for two in combinations(table, 2)
        ).values()
    )


@pytest.mark.parametrize(
    ("players", "rounds"),
    [(4, 1), (8, 1), (12, 2), (16, 5), (20, 5), (28, 9), (40, 13), (52, 17), (64, 16), (76, 25), (100, 9)],
)
def test_a_known_schedule_seats_everyone_and_repeats_nobody(players: int, rounds: int) -> None:
    schedule = schedule_without_repeats(players, rounds)
    if (players, rounds) == (12, 2):
        assert schedule is None  # twelve cannot have two
        return
    assert schedule is not None
    assert len(schedule) == rounds
    assert all(sorted(p for table in one for p in table) == list(range(players)) for one in schedule)
    assert most_meetings(schedule) == 1


def test_no_schedule_is_known_for_numbers_that_leave_somebody_out() -> None:
    assert schedule_without_repeats(18, 2) is None


@pytest.mark.parametrize("players", [4, 8, 12, 20, 40])
def test_partners_in_turn_has_every_two_together_once(players: int) -> None:
    pairs = Counter(
        frozenset(pair)
        for one in circle_schedule(players, players - 1)
        for table in one
        for pair in (table[0::2], table[1::2])
    )
    assert len(pairs) == players * (players - 1) // 2
    assert set(pairs.values()) == {1}


@pytest.mark.parametrize(
    "problem",
    [
        PairingProblem(16, 4, b"a"),
        PairingProblem(
            18, 4, b"b", fixed_pairs=((0, 1), (4, 7)), never_meet=((2, 3),), never_partner=((5, 6),)
        ),
        PairingProblem(16, 3, b"c", format="solo"),
        PairingProblem(14, 3, b"d", table_size=3),
        PairingProblem(11, 5, b"e", table_size=2),
        PairingProblem(640, 2, b"f"),
    ],
)
def test_the_search_keeps_its_cost_right_move_by_move(problem: PairingProblem) -> None:
    singles = [p for p in range(problem.players) if all(p not in pair for pair in problem.fixed_pairs)]
    start = [q for a, b in problem.fixed_pairs for q in (a, singles.pop(), b, singles.pop())] + singles
    search = Search(problem, [list(start) for _ in range(problem.rounds)])
    before = search.cost
    search.repair(500, NumberStream(problem.seed, "repair"))
    search.run(3_000, 6, NumberStream(problem.seed, "run"))
    assert search.cost < before
    assert search.cost == Search(problem, search.drawn()).cost


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tournaments.pairing", "draw", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("players", "rounds"), [(8, 7), (16, 8), (32, 9), (32, 31), (64, 16)])
def test_a_schedule_of_planes_is_at_the_bound(players: int, rounds: int) -> None:
    found = subspace_schedule(players, rounds, NumberStream(b"planes", "test"))
    assert found is not None
    assert found.best
    told = tuple(DrawnRound(tuple(tuple(table) for table in one)) for one in found.schedule)
    cost = compute_cost(PairingProblem(players, rounds, b""), told)
    pairs = players * (players - 1) // 2
    assert all(sorted(p for t in one for p in t) == list(range(players)) for one in found.schedule)
    assert cost.partner_repeats == 0
    assert cost.opponent_repeats == max(0, rounds * players - pairs)
    assert cost.meeting_repeats == max(0, 3 * rounds * players // 2 - pairs)


def test_a_schedule_of_planes_that_repeats_more_says_so() -> None:
    found = subspace_schedule(8, 3, NumberStream(b"planes", "test"))
    assert found is not None
    assert not found.best
    assert subspace_schedule(16, 16, NumberStream(b"planes", "test")) is None
    assert subspace_schedule(12, 3, NumberStream(b"planes", "test")) is None


def test_the_command_line_prints_a_draw_as_json() -> None:
    done = run("--players", "17", "--rounds", "2", "--format", "pairs", "--seed", "7", "--json")
    told = json.loads(done.stdout)
    assert done.returncode == 0
    assert sorted(told) == ["byes", "cost", "rounds", "version"]
    assert [len(one) for one in told["rounds"]] == [4, 4]
    assert [len(out) for out in told["byes"]] == [1, 1]
    assert told["cost"]["partner_repeats"] == 0


def test_the_command_line_prints_a_draw_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", "--players", "7", "--rounds", "1", "--table-size", "3", "--seed", "x"]) == 0
    printed = capsys.readouterr().out
    assert "round 1\n  table    1:" in printed
    assert "byes:" in printed
    assert "meeting_repeats=0" in printed


def test_the_command_line_refuses_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", "--players", "3", "--rounds", "1", "--seed", "x"]) == 2
    assert capsys.readouterr().err == "pairing/players: 3 players: a draw needs 4 to 5000\n"


def test_the_least_cost_of_a_round_is_the_smallest_of_all_its_seatings() -> None:
    numbers = NumberStream(b"seed", "costs")
    for _ in range(5):
        costs = {pair: (numbers.below(50), numbers.below(50)) for pair in combinations(range(8), 2)}

        def cost(a: int, b: int, partners: bool, costs: dict[Any, Any] = costs) -> int:
            return int(costs[min(a, b), max(a, b)][not partners])

        def cost_seats(seats: tuple[int, ...]) -> int:
            a, b, c, d = seats
            opponents = sum(cost(p, q, False) for p in (a, c) for q in (b, d))
            return cost(a, c, True) + cost(b, d, True) + opponents

        tables: dict[tuple[int, ...], int] = {seats: cost_seats(seats) for seats in permutations(range(8), 4)}
        least = min(
            tables[seats] + min(tables[others] for others in permutations(set(range(8)) - set(seats)))
            for seats in permutations(range(8), 4)
            if seats[0] == 0
        )
        computed = seat_at_least_cost(
            tuple(range(8)), lambda a, b: cost(a, b, True), lambda a, b: cost(a, b, False)
        )
        assert computed[0] == least == cost_seats(tuple(computed[1][:4])) + cost_seats(tuple(computed[1][4:]))


FEW = [
    PairingProblem(players=9, rounds=1, seed=b"nine"),
    PairingProblem(players=8, rounds=1, seed=b"pairs", fixed_pairs=((0, 1), (2, 3), (4, 5), (6, 7))),
    PairingProblem(players=12, rounds=1, seed=b"apart", never_partner=((0, 1),), never_meet=((2, 3),)),
    PairingProblem(players=10, rounds=1, seed=b"alone", format="solo"),
    PairingProblem(players=8, rounds=1, seed=b"free"),
]


@pytest.mark.parametrize("first", FEW, ids=lambda first: first.seed.decode())
def test_a_search_that_stops_at_the_least_cost_draws_what_it_would_have_drawn(
    first: PairingProblem, monkeypatch: pytest.MonkeyPatch
) -> None:
    past: tuple[DrawnRound, ...] = ()
    for number in range(4):
        problem = replace(first, past=past, seed=first.seed + bytes([number]))
        drawn = draw(problem)
        past += drawn.rounds
    assert drawn.cost.meeting_repeats  # the search cannot stop for lack of repeats
    both = replace(first, rounds=2)
    drawn_both = draw(both)
    monkeypatch.setattr(repeat_avoidance, "_PROOF_AFTER", None)
    assert draw(problem) == drawn
    assert draw(both) == drawn_both
