"""Local search over all rounds of a draw, in integers, bounded by iterations and never by time.

A move swaps two players of one round at different tables, two opponents of a table, or two pairs (fixed pairs
only move as pairs). It is accepted if the cost rises by no more than a threshold that falls to zero
(threshold accepting, Dueck and Scheuer 1990). Without floating point every machine finds the same draw.

For every two players two marginal costs are stored: of one more round as partners, and of one more round as
opponents. Costs are convex, so undoing the last such round saves its marginal cost minus the weight.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from tournaments.pairing.cost import (
    FORBIDDEN_WEIGHT,
    MEETING_WEIGHT,
    OPPONENT_WEIGHT,
    PARTNER_WEIGHT,
    Cost,
    compute_cost,
    split_into_tables,
)
from tournaments.pairing.least_cost import MAX_SEATED, seat_at_least_cost
from tournaments.pairing.problem import PARTNERED, AvoidedPairs, DrawnRound, PairingProblem
from tournaments.pairing.stream import NumberStream

_TRIES = 24
"""Number of positions tried for one player with repeated meetings, before the next player."""

_PROOF_AFTER = 1_000
"""Number of iterations after which a search of few tables computes the least possible cost."""

_DENSE_LIMIT = 600
"""Number of players above which rows store only pairs that have met, because nearly all pairs have not."""


class CostRow(Protocol):
    def __getitem__(self, player: int, /) -> int: ...
    def __setitem__(self, player: int, cost: int, /) -> None: ...


class _Sparse(dict[int, int]):
    def __missing__(self, player: int) -> int:
        return 0


def _rows(players: int) -> list[CostRow]:
    if players > _DENSE_LIMIT:
        return [_Sparse() for _ in range(players + 1)]
    return [[0] * (players + 1) for _ in range(players + 1)]


@dataclass(frozen=True, slots=True)
class _Layout:
    """Positions of one round: full tables in turn, then tables of three, then byes.

    partner, first, second: by position, the positions that share its table; a missing one is the last
    position, which is empty (player number `players`). table, size: by position, index and size of its table.
    seated: number of positions at tables.
    """

    partner: list[int]
    first: list[int]
    second: list[int]
    table: list[int]
    size: list[int]
    seated: int

    @classmethod
    def of(cls, problem: PairingProblem) -> "_Layout":
        nobody = problem.players
        partner, first, second, table, sizes = [], [], [], [], []
        base = 0
        for number, size in enumerate(problem.sizes):
            for seat in range(size):
                others = [base + (seat + step) % size for step in range(1, size)]
                partner.append(others.pop(1) if size == PARTNERED else nobody)
                first.append(others[0])
                second.append(others[1] if len(others) > 1 else nobody)
            table += [number] * size
            sizes += [size] * size
            base += size
        out = [nobody] * (problem.bye_count + 1)
        return cls(partner + out, first + out, second + out, table, sizes, base)


def compute_floor(problem: PairingProblem, seated: tuple[int, ...]) -> int:
    """Return a lower bound of the cost of any drawn rounds. `seated`: the players of a round.

    With few tables (`has_few_tables`) it is the exact minimum if one round is drawn, or two of a free
    problem, whose first rounds are all equally good. Otherwise it is the cost without a repeat.
    """
    past = Search(problem, [list(seated)] if problem.is_free and problem.rounds == 2 else [])
    if not has_few_tables(problem) or problem.rounds - len(past.rounds) != 1:
        return past.floor
    return past.cost + _seat_exactly(past, seated)[0]


def has_few_tables(problem: PairingProblem) -> bool:
    """Return whether one round can be computed exactly: it has at most four tables, all of four seats."""
    return set(problem.sizes) == {PARTNERED} and problem.seated <= MAX_SEATED


def seat_avoiding(problem: PairingProblem, seated: tuple[int, ...]) -> list[int]:
    """Return the players of one round of few tables, by seat, at the least cost.

    Of several such seatings, one with the fewest meetings of pairs to be avoided is returned; among these the
    first in the order of `seated`.
    """
    return _seat_exactly(Search(problem, [], avoids=True), seated)[1]


def _seat_exactly(past: "Search", seated: tuple[int, ...]) -> tuple[int, list[int]]:
    def partner(a: int, b: int) -> int:
        if a in past.fixed or b in past.fixed:
            return 0 if past.fixed.get(a) == b else FORBIDDEN_WEIGHT * past.scale
        return past.as_partner[a][b]

    def opponent(a: int, b: int) -> int:
        return past.as_opponent[a][b]

    return seat_at_least_cost(seated, partner, opponent)


class Search:
    """The state of one search; `run` and `repair` improve it. start: rounds, as players by position.

    avoids: whether each meeting of a pair to be avoided costs 1. All other costs are then multiplied by
    `scale`, which is more than the number of such meetings.
    """

    def __init__(self, problem: PairingProblem, start: list[list[int]], *, avoids: bool = False) -> None:
        self.problem = problem
        self.avoids = avoids
        self.scale = scale = sum(map(len, problem.avoided)) * problem.rounds + 1 if avoids else 1
        self.layout = _Layout.of(problem)
        self.rounds = [[*one, problem.players] for one in start]
        self.meeting_step = scale * MEETING_WEIGHT
        self.partner_step = scale * (
            (PARTNER_WEIGHT + MEETING_WEIGHT) if problem.in_pairs else MEETING_WEIGHT
        )
        self.opponent_step = scale * (
            (OPPONENT_WEIGHT + MEETING_WEIGHT) if problem.in_pairs else MEETING_WEIGHT
        )
        self.beside = [
            min(size - 1, 2) * self.opponent_step + (size == PARTNERED) * self.partner_step
            for size in range(PARTNERED + 1)
        ]
        """By size of a table: the cost of one more meeting with everyone else at the table."""
        self.as_partner = _rows(problem.players)
        self.as_opponent = _rows(problem.players)
        self.cost = 0
        self.fixed = {a: b for pair in problem.fixed_pairs for a, b in (pair, pair[::-1])}
        if avoids:
            self._avoid(problem.avoided)
        self._forbid(problem)
        for past in problem.past:
            self._count_past(past)
        self.floor = self.cost
        for one in self.rounds:
            self._count(one)

    def _avoid(self, avoided: AvoidedPairs) -> None:
        for a, b in avoided.partner | avoided.meet:
            self.as_partner[a][b] = self.as_partner[b][a] = 1
        for a, b in avoided.meet:
            self.as_opponent[a][b] = self.as_opponent[b][a] = 1

    def _forbid(self, problem: PairingProblem) -> None:
        cost = FORBIDDEN_WEIGHT * self.scale
        for a, b in problem.never_partner:
            self.as_partner[a][b] = self.as_partner[b][a] = cost
        for a, b in problem.never_meet:
            self.as_partner[a][b] = self.as_partner[b][a] = cost
            self.as_opponent[a][b] = self.as_opponent[b][a] = cost

    def _count_past(self, one: DrawnRound) -> None:
        in_pairs = self.problem.in_pairs
        for table in one.tables:
            for i, a in enumerate(table):
                for j in range(i):
                    if a >= 0 and table[j] >= 0:
                        self._meet(a, table[j], in_pairs and len(table) == PARTNERED and i - j == 2)

    def _count(self, one: list[int]) -> None:
        layout = self.layout
        for position in range(layout.seated):
            for other, partners in (
                (layout.partner[position], True),
                (layout.first[position], False),
                (layout.second[position], False),
            ):
                if other < position:
                    self._meet(one[position], one[other], partners)

    def _meet(self, a: int, b: int, partners: bool) -> None:
        if self.fixed.get(a) == b:
            return
        self.cost += (self.as_partner if partners else self.as_opponent)[a][b]
        self._shift(a, b, partners, 1)

    def repair(self, moves: int, numbers: NumberStream) -> None:
        """Move players with repeated meetings where this lowers the cost, in up to `moves` attempts.

        In a large field with few repeats this finds these players at once, unlike `run`.
        """
        seated = self.layout.seated
        while moves > 0:
            troubled = [
                (one, position)
                for one in self.rounds
                for position in range(seated)
                if self._repeat_cost(one, position) > 0
            ]
            if not troubled:
                return
            for one, position in troubled:
                for _ in range(min(_TRIES, moves)):
                    if self._repeat_cost(one, position) <= 0:
                        break
                    self.try_move(one, position, numbers.below(seated), -1)
                    moves -= 1

    def _repeat_cost(self, one: list[int], position: int) -> int:
        layout, player = self.layout, one[position]
        alone = self.beside[layout.size[position]]
        opponents = self.as_opponent[player]
        cost = opponents[one[layout.first[position]]] + opponents[one[layout.second[position]]] - alone
        if self.fixed.get(player) == one[layout.partner[position]]:
            return cost + self.partner_step
        return cost + self.as_partner[player][one[layout.partner[position]]]

    def run(
        self, iterations: int, start: int, numbers: NumberStream, find_floor: Callable[[], int] | None = None
    ) -> None:
        """Try `iterations` moves while the threshold falls from `start` to 0; stop when nothing is left to
        improve.

        `find_floor` returns a lower bound of the cost, at which the search can stop. `rounds` and `cost`
        become the best ones seen. A search that avoids pairs stops when none of them meets.
        """
        best, best_rounds, floor = self.cost, [list(one) for one in self.rounds], self.floor
        words: list[int] = []
        count, places, swaps_pairs = len(self.rounds), self.layout.seated, self.problem.in_pairs
        for i in range(iterations):
            if i == _PROOF_AFTER and find_floor is not None:
                floor = find_floor()
            if best <= floor:
                break
            if len(words) < 3:
                words = numbers.words()
            threshold = start * (iterations - i) // iterations
            one = self.rounds[words.pop() * count >> 32]
            position, drawn = words.pop() * places >> 32, words.pop()
            other = drawn * places >> 32
            if swaps_pairs and drawn & 7 == 0:
                self.swap_pairs(one, position, other, threshold)
            else:
                self.try_move(one, position, other, threshold)
            if self.cost < best:
                best, best_rounds = self.cost, [list(row) for row in self.rounds]
                if self.avoids and not self.count_avoided():
                    break
        self.cost, self.rounds = best, best_rounds

    def try_move(self, one: list[int], x: int, y: int, threshold: int) -> None:
        """Make the move that positions x and y of the round `one` allow, if any, unless the cost rises by
        more than `threshold`.
        """
        fixed, layout = self.fixed, self.layout
        if layout.table[x] == layout.table[y]:
            partners = self.problem.in_pairs and layout.size[x] == PARTNERED
            if partners and (x - y) & 1 and one[x] not in fixed and one[y] not in fixed:
                self._change_partners(one, x, y, threshold)
        elif layout.size[x] != layout.size[y]:
            return  # nobody moves between tables of three and four
        elif fixed and (one[x] in fixed or one[y] in fixed):
            self.swap_pairs(one, x, y, threshold)
        else:
            self._swap(one, x, y, threshold)

    def _swap(self, one: list[int], x: int, y: int, threshold: int) -> None:
        layout = self.layout
        partner, first, second, size = layout.partner, layout.first, layout.second, layout.size[x]
        a, b = one[x], one[y]
        ax, fx, sx = one[partner[x]], one[first[x]], one[second[x]]
        by, fy, sy = one[partner[y]], one[first[y]], one[second[y]]
        pa, oa = self.as_partner[a], self.as_opponent[a]
        pb, ob = self.as_partner[b], self.as_opponent[b]
        rise = (
            2 * self.beside[size]
            + pa[by] + oa[fy] + oa[sy] + pb[ax] + ob[fx] + ob[sx]
            - pa[ax] - oa[fx] - oa[sx] - pb[by] - ob[fy] - ob[sy]
        )  # fmt: skip
        if rise > threshold:
            return
        one[x], one[y] = b, a
        self.cost += rise
        if size == PARTNERED:
            self._exchange(a, b, ax, by, True)
        self._exchange(a, b, fx, fy, False)
        if size > 2:
            self._exchange(a, b, sx, sy, False)

    def _change_partners(self, one: list[int], x: int, y: int, threshold: int) -> None:
        a, b = one[x], one[y]
        c, d = one[self.layout.partner[x]], one[self.layout.partner[y]]
        if c in self.fixed or d in self.fixed:
            return
        partner, opponent = self.as_partner, self.as_opponent
        rise = (
            2 * (self.partner_step + self.opponent_step) - 4 * self.meeting_step
            + partner[a][d] + partner[b][c] + opponent[a][c] + opponent[b][d]
            - partner[a][c] - partner[b][d] - opponent[a][d] - opponent[b][c]
        )  # fmt: skip
        if rise > threshold:
            return
        one[x], one[y] = b, a
        self.cost += rise
        for p, q, sign in ((a, c, -1), (b, d, -1), (a, d, 1), (b, c, 1)):
            self._shift(p, q, True, sign)
            self._shift(p, q, False, -sign)

    def swap_pairs(self, one: list[int], x: int, y: int, threshold: int) -> None:
        """Swap the pairs at positions x and y, if these are at two tables of four, unless the cost rises by
        more than `threshold`.
        """
        layout = self.layout
        if layout.table[x] == layout.table[y] or layout.size[x] + layout.size[y] != 2 * PARTNERED:
            return
        pairs = ((one[x], one[layout.partner[x]]), (one[y], one[layout.partner[y]]))
        against = (
            (one[layout.first[x]], one[layout.second[x]]),
            (one[layout.first[y]], one[layout.second[y]]),
        )
        rise = 8 * self.opponent_step
        for i in (0, 1):
            for p in pairs[i]:
                row = self.as_opponent[p]
                rise += sum(row[q] for q in against[1 - i]) - sum(row[q] for q in against[i])
        if rise > threshold:
            return
        for u, v in ((x, y), (layout.partner[x], layout.partner[y])):
            one[u], one[v] = one[v], one[u]
        self.cost += rise
        for i in (0, 1):
            for p in pairs[i]:
                for q, new in zip(against[i], against[1 - i], strict=True):
                    self._shift(p, q, False, -1)
                    self._shift(p, new, False, 1)

    def _exchange(self, a: int, b: int, beside_a: int, beside_b: int, partners: bool) -> None:
        self._shift(a, beside_a, partners, -1)
        self._shift(b, beside_b, partners, -1)
        self._shift(a, beside_b, partners, 1)
        self._shift(b, beside_a, partners, 1)

    def _shift(self, a: int, b: int, partners: bool, sign: int) -> None:
        """Update the marginal costs of two players for one more meeting (`sign` 1) or one fewer (-1)."""
        p = self.partner_step if partners else self.meeting_step
        o = self.meeting_step if partners else self.opponent_step
        for x, y in ((a, b), (b, a)):
            self.as_partner[x][y] += sign * p
            self.as_opponent[x][y] += sign * o

    def count_avoided(self) -> int:
        """Count the pairs to be avoided that the state contains. Only for a search with `avoids`."""
        return (self.cost - self.floor) % self.scale

    def repeats(self) -> Cost:
        """Return the cost of the rounds in the form recorded with draws, without byes."""
        sizes = self.problem.sizes
        return compute_cost(
            self.problem, [DrawnRound(tuple(split_into_tables(one, sizes))) for one in self.drawn()]
        )

    def drawn(self) -> list[list[int]]:
        """Return the rounds as players by position: those at the tables in turn, then the byes."""
        return [one[:-1] for one in self.rounds]
