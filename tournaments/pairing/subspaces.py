"""Schedules for 8, 16, 32 or 64 players: players are the vectors over GF(2), a round is a plane.

A plane is {0, p, a, b} with p = a + b; its cosets are the tables of a round. Players who differ by p are
partners, players who differ by a or b are opponents. So a round is one choice of (p, a, b), and these three
numbers describe its effect on all pairs of players. Nobody has a partner twice as long as no p repeats. The
planes are chosen greedily from many random orders.
"""

from dataclasses import dataclass

from tournaments.pairing.constructions import Schedule
from tournaments.pairing.stream import NumberStream

SIZES = (8, 16, 32, 64)
_CHOICES = 400_000
"""Total number of planes compared, independent of the number of players."""

Plane = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class SubspaceSchedule:
    """A schedule. best: whether its numbers of repeated meetings and opponents are minimal."""

    schedule: Schedule
    best: bool


def subspace_schedule(players: int, rounds: int, numbers: NumberStream) -> SubspaceSchedule | None:
    """Return the best schedule of planes found; None unless `players` is in SIZES and more than `rounds`."""
    if players not in SIZES or rounds >= players:
        return None
    planes = [(p, a, a ^ p) for p in range(1, players) for a in range(1, players) if p != a < a ^ p]
    bound = (_excess(3 * rounds, players - 1), _excess(2 * rounds, players - 1))
    best: tuple[tuple[int, int], list[Plane]] | None = None
    for _ in range(max(1, _CHOICES // (len(planes) * rounds))):
        numbers.shuffle(planes)
        chosen, repeats = _greedy(planes, players, rounds)
        if best is None or repeats < best[0]:
            best = repeats, chosen
            if repeats == bound:
                break
    if best is None:
        return None
    return SubspaceSchedule([_tables(plane, players) for plane in best[1]], best[0] == bound)


def _excess(uses: int, vectors: int) -> int:
    return max(0, uses - vectors)


def _greedy(planes: list[Plane], players: int, rounds: int) -> tuple[list[Plane], tuple[int, int]]:
    """Choose planes one by one, each time the first plane with the fewest repeats.

    Returns the chosen planes, and (repeated meetings, repeated opponents).
    """
    met, opposed, partnered = [0] * players, [0] * players, [False] * players
    chosen = []
    for _ in range(rounds):
        weights = [
            (met[p] + met[a] + met[b], opposed[a] + opposed[b]) if not partnered[p] else (3 * rounds + 1, 0)
            for p, a, b in planes
        ]
        p, a, b = planes[weights.index(min(weights))]
        chosen.append((p, a, b))
        partnered[p] = True
        for vector in (p, a, b):
            met[vector] += 1
        opposed[a] += 1
        opposed[b] += 1
    return chosen, (sum(max(0, n - 1) for n in met), sum(max(0, n - 1) for n in opposed))


def _tables(plane: Plane, players: int) -> list[list[int]]:
    p, a, b = plane
    seen: set[int] = set()
    tables = []
    for x in range(players):
        if x not in seen:
            table = [x, x ^ a, x ^ p, x ^ b]
            seen.update(table)
            tables.append(table)
    return tables
