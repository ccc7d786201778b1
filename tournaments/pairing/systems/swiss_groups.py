"""Tables of three or four single entrants who are neighbours in the standing: a bounded search.

The search begins with consecutive entrants and exchanges two entrants of near tables while that is better.
While a table costs more than distance, it then makes random exchanges and keeps those after which it comes to
a better round. Its bounds are numbers of steps, so that the same seed gives the same round everywhere.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Final

from tournaments.pairing.stream import NumberStream
from tournaments.pairing.systems.swiss_field import SwissField

GROUPS_VERSION: Final = 1
"""Raised whenever the same input gives another result."""
MAX_EXCHANGES: Final = 150_000
"""Exchanges that the search looks at."""
MAX_KICKS: Final = 300
NEAR: Final = 2
"""Distance of tables between which entrants are exchanged."""
FAR: Final = 8
"""The same for a table that costs more than distance."""

Group = tuple[int, ...]
GroupCost = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Grouping:
    """Groups of positions, in order of standing. repeats: pairs at one table who have met; spread: sum over
    the tables of the squared difference between highest and lowest doubled rank.
    """

    groups: tuple[Group, ...]
    byes: tuple[int, ...]
    repeats: int
    spread: int


def group_neighbours(swiss: SwissField, size: int, seed: bytes, label: str) -> Grouping:
    """Return groups of `size` with few repeats and near ranks; as few byes as possible."""
    order = sorted(range(swiss.size), key=lambda position: (swiss.bye_classes[position], -position))
    byes = tuple(sorted(order[: swiss.size % size]))
    seated = [position for position in range(swiss.size) if position not in byes]
    search = _GroupSearch(swiss, [tuple(seated[at : at + size]) for at in range(0, len(seated), size)])
    search.improve(NumberStream(seed, label))
    groups = tuple(sorted(tuple(sorted(group)) for group in search.groups))
    costs = [search.cost(group) for group in groups]
    return Grouping(groups, byes, sum(cost[1] for cost in costs), sum(cost[3] for cost in costs))


def halve_distance(distance: int, squared: bool = False) -> Fraction:
    """Return a difference of doubled ranks, or a sum of its squares, in ranks."""
    return Fraction(distance, 4 if squared else 2)


class _GroupSearch:
    def __init__(self, swiss: SwissField, groups: list[Group]) -> None:
        self._swiss = swiss
        self._barriers = [frozenset(one) for one in swiss.barriers]
        self.groups = groups
        self._costs = [self.cost(group) for group in groups]
        self._left = MAX_EXCHANGES
        self._undo: list[tuple[int, Group]] = []

    def cost(self, group: Group) -> GroupCost:
        """Return pairs hard apart, pairs who have met, pairs soft apart, squared spread."""
        hard = met = soft = 0
        for a, b in combinations(group, 2):
            if b in self._barriers[a] or self._swiss.same_team(a, b):
                found = self._swiss.table_cost(a, b)
                hard, met, soft = hard + found.apart, met + found.repeats, soft + found.soft
        ranks = self._swiss.ranks
        return hard, met, soft, (ranks[max(group)] - ranks[min(group)]) ** 2

    def improve(self, numbers: NumberStream) -> None:
        """Exchange entrants while that is better, then try random exchanges."""
        self._descend(range(len(self.groups)))
        for _ in range(MAX_KICKS):
            broken = [at for at, cost in enumerate(self._costs) if any(cost[:3])]
            if not broken or len(self.groups) < 2 or self._left <= 0:
                return
            self._kick(broken[numbers.below(len(broken))], numbers)

    def _kick(self, at: int, numbers: NumberStream) -> None:
        """Exchange two random entrants near a table, go on from there, and go back if nothing is better."""
        near = [other for other in self._window(at) if other != at]
        before, self._undo = self._total(), []
        other = near[numbers.below(len(near))]
        size = len(self.groups[at])
        self._exchange(at, numbers.below(size), other, numbers.below(size))
        self._descend((at, other))
        if self._total() >= before:
            for changed, group in reversed(self._undo):
                self._set(changed, group)

    def _total(self) -> GroupCost:
        hard, met, soft, spread = (sum(column) for column in zip(*self._costs, strict=True))
        return hard, met, soft, spread

    def _window(self, at: int) -> range:
        width = FAR if any(self._costs[at][:3]) else NEAR
        return range(max(0, at - width), min(len(self.groups), at + width + 1))

    def _descend(self, start: Iterable[int]) -> None:
        """Make the best exchange of each table until there is none, or no step is left."""
        waiting = dict.fromkeys(start)
        while waiting and self._left > 0:
            at = next(iter(waiting))
            del waiting[at]
            best = self._find_exchange(at)
            if best is not None:
                self._exchange(at, *best)
                waiting.update(dict.fromkeys((*self._window(at), *self._window(best[1]))))

    def _find_exchange(self, at: int) -> tuple[int, int, int] | None:
        """Return the best exchange of a table with a near one: seat, other table, seat there."""
        best: tuple[GroupCost, tuple[int, int, int]] | None = None
        for other in self._window(at):
            if other == at:
                continue
            one, two = self.groups[at], self.groups[other]
            before = _subtract((0, 0, 0, 0), self._costs[at], self._costs[other])
            for i in range(len(one)):
                for j in range(len(two)):
                    self._left -= 1
                    first = self.cost((*one[:i], two[j], *one[i + 1 :]))
                    second = self.cost((*two[:j], one[i], *two[j + 1 :]))
                    change = _add(before, first, second)
                    if change < (0, 0, 0, 0) and (best is None or change < best[0]):
                        best = change, (i, other, j)
        return best and best[1]

    def _exchange(self, at: int, i: int, other: int, j: int) -> None:
        one, two = self.groups[at], self.groups[other]
        self._undo += ((at, one), (other, two))
        self._set(at, (*one[:i], two[j], *one[i + 1 :]))
        self._set(other, (*two[:j], one[i], *two[j + 1 :]))

    def _set(self, at: int, group: Group) -> None:
        self.groups[at] = group
        self._costs[at] = self.cost(group)


def _add(*costs: Sequence[int]) -> GroupCost:
    hard, met, soft, spread = (sum(column) for column in zip(*costs, strict=True))
    return hard, met, soft, spread


def _subtract(one: GroupCost, *others: GroupCost) -> GroupCost:
    hard, met, soft, spread = (a - sum(rest) for a, *rest in zip(one, *others, strict=True))
    return hard, met, soft, spread
