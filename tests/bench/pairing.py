"""The draw beside the bounds and beside a plain local search: `python -m tests.bench.pairing [--runs N]`.

One JSON line a figure: name, ours and peer (median seconds), ratio (median of peer / ours), runs, smallest,
median and largest ratio; and the repeats in the worst of our draws as partner/opponent/any meeting, in the
peer's best, and at the bound. The peer swaps two players of a round at random and keeps a result that is no
worse, for as many moves as ours may try (at most a minute's worth in all), in the same run.
"""

import argparse
import json
import random
import statistics
import time
from collections import Counter
from itertools import combinations

from tests.bench._quick import add_quick
from tournaments.pairing import DrawnRound, PairingProblem, compute_cost, draw

CASES = (
    (16, 4),
    (16, 8),
    (16, 15),
    (24, 8),
    (28, 9),
    (40, 8),
    (40, 12),
    (64, 12),
    (80, 8),
    (1000, 12),
    (4000, 12),
)
PEER_MOVES = 120_000
PEER_PLAYERS = 100
"""Number of players above which the peer would only measure its own patience."""


def bound(players: int, rounds: int) -> tuple[int, int, int]:
    """The lower bound of repeated partners, opponents and meetings of any draw."""
    pairs = players * (players - 1) // 2
    return (
        max(0, rounds * players // 2 - pairs),
        max(0, rounds * players - pairs),
        max(0, 3 * rounds * players // 2 - pairs),
    )


def repeats(problem: PairingProblem, rounds: tuple[DrawnRound, ...]) -> tuple[int, int, int]:
    cost = compute_cost(problem, rounds)
    return cost.partner_repeats, cost.opponent_repeats, cost.meeting_repeats


def plain_search(players: int, rounds: int, seed: int, moves: int) -> tuple[DrawnRound, ...]:
    """Random swaps, kept when no worse; a partner weighs as much as a hundred meetings."""
    chance = random.Random(seed)
    schedule = [chance.sample(range(players), players) for _ in range(rounds)]
    partner: Counter[frozenset[int]] = Counter()
    meeting: Counter[frozenset[int]] = Counter()

    def table(one: list[int], at: int) -> list[int]:
        return one[at // 4 * 4 : at // 4 * 4 + 4]

    def count(seats: list[int], sign: int) -> int:
        change = 0
        for counts, pairs, weight in (
            (meeting, combinations(seats, 2), 1),
            (partner, ((seats[0], seats[2]), (seats[1], seats[3])), 100),
        ):
            for pair in map(frozenset, pairs):
                change += weight * (counts[pair] if sign > 0 else 1 - counts[pair])
                counts[pair] += sign
        return change

    for one in schedule:
        for at in range(0, players, 4):
            count(table(one, at), 1)
    for _ in range(moves):
        one = schedule[chance.randrange(rounds)]
        x, y = chance.randrange(players), chance.randrange(players)
        if x // 4 == y // 4:
            continue
        change = count(table(one, x), -1) + count(table(one, y), -1)
        one[x], one[y] = one[y], one[x]
        change += count(table(one, x), 1) + count(table(one, y), 1)
        if change > 0:
            for at in (x, y):
                count(table(one, at), -1)
            one[x], one[y] = one[y], one[x]
            for at in (x, y):
                count(table(one, at), 1)
    return tuple(DrawnRound(tuple(tuple(table(one, at)) for at in range(0, players, 4))) for one in schedule)


def measure(players: int, rounds: int, runs: int, moves: int) -> dict[str, object]:
    ours: list[float] = []
    peer: list[float] = []
    found, peers_found = [], []
    for run in range(runs):
        problem = PairingProblem(players, rounds, f"bench {run}".encode())
        start = time.perf_counter()
        found.append(repeats(problem, draw(problem).rounds))
        ours.append(time.perf_counter() - start)
        if players <= PEER_PLAYERS:
            start = time.perf_counter()
            peers_found.append(repeats(problem, plain_search(players, rounds, run, moves)))
            peer.append(time.perf_counter() - start)
    ratios = sorted(theirs / mine for mine, theirs in zip(ours, peer, strict=False))
    return {
        "name": f"draw {players} x {rounds}",
        "ours": round(statistics.median(ours), 4),
        "peer": round(statistics.median(peer), 4) if peer else None,
        "ratio": round(statistics.median(ratios), 2) if ratios else None,
        "runs": runs,
        "min": round(ratios[0], 2) if ratios else None,
        "median": round(statistics.median(ratios), 2) if ratios else None,
        "max": round(ratios[-1], 2) if ratios else None,
        "repeats": "/".join(map(str, max(found))),
        "peer_repeats": "/".join(map(str, min(peers_found))) if peers_found else None,
        "bound": "/".join(map(str, bound(players, rounds))),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.pairing")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--players", type=int, default=CASES[-1][0], help="no more than so many")
    parser.add_argument("--moves", type=int, default=PEER_MOVES, help="of the peer")
    add_quick(parser, players=16, runs=1, moves=1_000)
    asked = parser.parse_args()
    for players, rounds in CASES:
        if players <= asked.players:
            print(json.dumps(measure(players, rounds, asked.runs, asked.moves)), flush=True)


if __name__ == "__main__":
    main()
