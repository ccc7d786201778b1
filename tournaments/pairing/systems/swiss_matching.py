"""The tables of a Swiss round: a matching of least cost, solved whole by rustworkx.

Order of the criteria: those of `swiss_field.RoundCost`, then the sum of squared distances of positions (level
entrants stand in the order of their lots), then a random number of each pair. One integer weighs all of them.
Who leaves a score group of odd size follows from these distances.

Candidates. Let (a, b) be a table of the best round and c an entrant between them, at a table with d. If d >
a, the tables (a, c) and (b, d) instead of (a, b) and (c, d) change the sum of squares by 2(a - d)(b - c) < 0;
if d < a, (a, d) and (b, c) change it by 2(a - c)(b - d) < 0. Ranks never fall with the position, so the
distance does not rise. A round that cannot be improved therefore has a barrier at one of the two new tables,
for each c (for both exchanges if d is between a and b, too). Each entrant f beyond a barrier of a explains
one entrant c at most: f itself if it is between a and b, the opponent of f if f < a; for b alike. The entrant
with the bye explains one more. So there are at most as many entrants between a and b as such barriers, and
wider tables need not be looked at: the bound is exact, and becomes narrower when it is applied again.
"""

import hmac
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.pairing.systems.swiss_field import Pair, RoundCost, SwissField

MAX_CANDIDATES: Final = 100_000
"""Largest number of candidates of the exact bound.

Large teams can cause more. Then few candidates are tried, and more as long as a criterion above distance is
violated and the result changes."""
FIRST_WIDTH: Final = 6
BYE_CANDIDATES: Final = 32
TIE_BITS: Final = (32, 16, 0)
MAX_WEIGHT_BITS: Final = 110
"""Largest size of a weight in bits. The solver computes in 128 bits; sums in its search need the rest."""


@dataclass(frozen=True, slots=True)
class Matching:
    """The tables of a round as pairs of positions, in ascending order, the lower position first.

    bye: position with the bye, or None. proven: whether no round is better; False if there were too many
    candidates for the exact bound.
    """

    tables: tuple[Pair, ...]
    bye: int | None
    cost: RoundCost
    proven: bool = True


def match_nearest(swiss: SwissField, seed: bytes, label: str) -> Matching:
    """Return the round of least cost, or one near it (not `proven`). seed and label break ties."""
    tie = _tie_breaker(seed, label)
    reach = find_reach(swiss)
    if reach * swiss.size <= MAX_CANDIDATES:
        return solve_candidates(swiss, find_candidates(swiss, reach), tie)
    width, before = FIRST_WIDTH, None
    while True:
        candidates = _find_nearest(swiss, width)
        found = solve_candidates(swiss, candidates, tie, proven=False)
        kept = not (found.cost.apart or found.cost.repeats or found.cost.soft)
        if kept or found.cost == before or width >= swiss.size or len(candidates) > MAX_CANDIDATES:
            return found
        width, before = 2 * width, found.cost


def solve_candidates(
    swiss: SwissField, candidates: Sequence[Pair], tie: Callable[[int, int], int], proven: bool = True
) -> Matching:
    """Return the round of least cost whose tables are among the candidates.

    It first tries only tables without a repeat and without entrants kept apart `hard`, and for the bye only
    the entrants who are first in line. A complete round of these is the best one.
    """
    costs = {pair: swiss.table_cost(*pair) for pair in candidates}
    clean = [pair for pair in candidates if not (costs[pair].apart or costs[pair].repeats)]
    byes = sorted(range(swiss.size), key=swiss.bye_classes.__getitem__) if swiss.size % 2 else []
    if byes:
        last = swiss.bye_classes[byes[min(BYE_CANDIDATES, len(byes)) - 1]]
        first_byes = [position for position in byes if swiss.bye_classes[position] <= last]
    for pairs, free in ((clean, first_byes if byes else []), (candidates, byes)):
        found = _solve(swiss, {pair: costs[pair] for pair in pairs}, free, tie)
        if 2 * len(found) >= swiss.size:
            break
    tables = tuple(sorted(pair for pair in found if pair[1] < swiss.size))
    bye = next((a for a, b in found if b == swiss.size), None)
    return Matching(tables, bye, swiss.cost_of(tables, () if bye is None else (bye,)), proven)


def find_reach(swiss: SwissField) -> int:
    """Return an upper bound for the difference of the two positions at any table of the best round."""
    reach, odd = swiss.size - 1, swiss.size % 2
    while True:
        counts = sorted(
            len(swiss.barriers_within(position, position - reach, position + reach))
            for position in range(swiss.size)
        )
        found = min(reach, 1 + odd + sum(counts[-2:]))
        if found == reach:
            return reach
        reach = found


def find_candidates(swiss: SwissField, reach: int) -> list[Pair]:
    """Return the tables that the exact bound allows in the best round, in ascending order. reach: as
    `find_reach` returns it.
    """
    size, odd = swiss.size, swiss.size % 2
    barriers = [swiss.barriers_within(a, a - reach, a + reach) for a in range(size)]
    up = [min(size - 1, a + reach) for a in range(size)]
    down = [max(0, a - reach) for a in range(size)]
    before = None
    while True:
        # barriers that explain an entrant above a, and below b
        above = [[f for f in barriers[a] if f > a or up[f] > a] for a in range(size)]
        below = [[f for f in barriers[b] if f < b or down[f] < b] for b in range(size)]
        found = [
            (a, b)
            for a in range(size)
            for b in range(a + 1, up[a] + 1)
            if down[b] <= a
            and (
                b - a - 1 <= odd
                or b - a - 1 - odd <= sum(f < b for f in above[a]) + sum(f > a for f in below[b])
            )
        ]
        if before is not None and 10 * len(found) >= 9 * before:
            return found
        before = len(found)
        up, down = list(range(size)), list(range(size))
        for a, b in found:
            up[a] = max(up[a], b)
            down[b] = min(down[b], a)


def _find_nearest(swiss: SwissField, width: int) -> list[Pair]:
    """Return candidates: all pairs at most `width` positions apart, and for each entrant, on each side, the
    `width` nearest entrants without a barrier.
    """
    size = swiss.size
    found = {(a, b) for a in range(size) for b in range(a + 1, min(size, a + 1 + width))}
    for a in range(size):
        for way in (range(a - 1, -1, -1), range(a + 1, size)):
            wanted = width
            for b in way:
                cost = swiss.table_cost(a, b)
                if not (cost.apart or cost.repeats or cost.soft):
                    found.add((min(a, b), max(a, b)))
                    wanted -= 1
                    if not wanted:
                        break
    return sorted(found)


def _tie_breaker(seed: bytes, label: str) -> Callable[[int, int], int]:
    """Return a function from a pair to a 32-bit number: the start of HMAC-SHA-256(seed, label ‖ 0x00 ‖ a ‖
    b).
    """
    prefix = label.encode() + b"\x00"

    def tie(a: int, b: int) -> int:
        message = prefix + a.to_bytes(4, "big") + b.to_bytes(4, "big")
        return int.from_bytes(hmac.digest(seed, message, "sha256")[:4], "big")

    return tie


def _solve(
    swiss: SwissField, costs: dict[Pair, RoundCost], byes: Sequence[int], tie: Callable[[int, int], int]
) -> list[Pair]:
    """Return a largest matching of least cost. The number `size` as an entrant stands for the bye."""
    import rustworkx  # Only draws need its megabyte.

    nobody = swiss.size
    pairs = [*costs, *((position, nobody) for position in byes)]
    rows = [
        *((*cost, (b - a) ** 2, tie(a, b)) for (a, b), cost in costs.items()),
        *((*swiss.bye_cost(position), 0, tie(position, nobody)) for position in byes),
    ]
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(swiss.size + bool(byes)))
    graph.add_edges_from([(*pair, -weight) for pair, weight in zip(pairs, _weigh(pairs, rows), strict=True)])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return [(min(pair), max(pair)) for pair in matched]


def _weigh(pairs: Sequence[Pair], rows: Sequence[tuple[int, ...]]) -> list[int]:
    """Return one integer for each row, so that sums over a matching compare like sums of rows, from the left.

    If the criteria leave too few bits, the ties lose theirs first, then the distance of positions.
    """
    weights: list[int] = []
    *criteria, ties = zip(*rows, strict=True) if rows else ((),)
    columns = [(column, _bound_sum(pairs, column)) for column in criteria]
    for kept, bits in (*((len(columns), bits) for bits in TIE_BITS), (len(columns) - 1, 0)):
        weights = [value >> TIE_BITS[0] - bits for value in ties]
        unit = _bound_sum(pairs, weights) + 1
        for column, bound in reversed(columns[:kept]):
            if bound:
                weights = [value * unit + weight for value, weight in zip(column, weights, strict=True)]
                unit *= bound + 1
        if unit.bit_length() <= MAX_WEIGHT_BITS:
            break
    return weights


def _bound_sum(pairs: Iterable[Pair], column: Iterable[int]) -> int:
    """Return an upper bound for the sum of a column over a matching: half the sum of each entrant's largest
    value.
    """
    most: dict[int, int] = {}
    for (a, b), value in zip(pairs, column, strict=True):
        if value > most.get(a, 0):
            most[a] = value
        if value > most.get(b, 0):
            most[b] = value
    return sum(most.values()) // 2
