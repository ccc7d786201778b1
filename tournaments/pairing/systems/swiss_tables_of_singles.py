"""Tables of three or four single entrants who are neighbours in the standing: a bounded search.

The search begins with consecutive entrants, and exchanges two entrants of near tables while the cost falls.
While a table has a cost above distance (a repeat, or entrants kept apart), the search then makes random
exchanges, and keeps those that lead to a better round. Its bounds are numbers of steps, so that the same seed
gives the same round everywhere.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Final

from tournaments.pairing.stream import NumberStream
from tournaments.pairing.systems.swiss_field import SwissField

GROUPS_VERSION: Final = 1
"""Version of this search. It is raised whenever the same input gives another result."""
EXCHANGES_PER_ENTRANT: Final = 100
"""Bound of the first descent: exchanges looked at, per entrant."""
KICK_EXCHANGES: Final = 20_000
"""Bound of the search after random exchanges: exchanges looked at."""
NEAR: Final = 2
"""Largest distance of two tables, in positions of tables, between which entrants are exchanged."""
FAR: Final = 8
"""Largest distance of two tables between which entrants are exchanged, if one has a cost above distance."""

Group = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Grouping:
    """Groups of positions in order of standing, each for one table, and the positions with a bye.

    repeats: number of pairs at one table who have met before. spread: sum over the tables of the squared
    difference between highest and lowest doubled rank.
    """

    groups: tuple[Group, ...]
    byes: tuple[int, ...]
    repeats: int
    spread: int


def group_neighbours(swiss: SwissField, size: int, seed: bytes, label: str) -> Grouping:
    """Return groups of `size` with few repeats and near ranks, and as few byes as possible."""
    order = sorted(range(swiss.size), key=lambda position: (swiss.bye_classes[position], -position))
    byes = tuple(sorted(order[: swiss.size % size]))
    seated = [position for position in range(swiss.size) if position not in byes]
    search = _GroupSearch(swiss, [tuple(seated[at : at + size]) for at in range(0, len(seated), size)])
    search.improve(NumberStream(seed, label))
    groups = tuple(sorted(tuple(sorted(group)) for group in search.groups))
    pairs = [pair for group in groups for pair in combinations(group, 2)]
    spread = sum((swiss.ranks[group[-1]] - swiss.ranks[group[0]]) ** 2 for group in groups)
    return Grouping(groups, byes, sum(pair in swiss.met for pair in pairs), spread)


def halve_distance(distance: int, squared: bool = False) -> Fraction:
    """Convert a difference of doubled ranks to ranks; with `squared`, a sum of squared differences."""
    return Fraction(distance, 4 if squared else 2)


class _GroupSearch:
    """Groups and their costs. A cost is one integer: pairs kept apart hard, then repeats, pairs kept apart
    soft, and spread.
    """

    def __init__(self, swiss: SwissField, groups: list[Group]) -> None:
        self._ranks, self._teams = swiss.ranks, swiss.teams
        pairs = len(groups) * 6 + 1
        self._soft = len(groups) * ((swiss.ranks[-1] - swiss.ranks[0]) ** 2 if groups else 0) + 1
        met, hard = self._soft * pairs, self._soft * pairs**2
        self._barriers: list[dict[int, int]] = [{} for _ in swiss.refs]
        for a, known in enumerate(swiss.barriers):
            for b in known:
                cost = swiss.table_cost(a, b)
                self._barriers[a][b] = cost.apart * hard + cost.repeats * met + cost.soft * self._soft
        self.groups = groups
        self._costs = [self._cost(group) for group in groups]
        self._left = EXCHANGES_PER_ENTRANT * swiss.size
        self._undo: list[tuple[int, Group]] = []

    def _cost(self, group: Group) -> int:
        total = (self._ranks[max(group)] - self._ranks[min(group)]) ** 2
        for a, b in combinations(group, 2):
            known = self._barriers[a].get(b)
            if known is not None:
                total += known
            elif self._teams and self._teams[a] is not None and self._teams[a] == self._teams[b]:
                total += self._soft
        return total

    def improve(self, numbers: NumberStream) -> None:
        """Exchange entrants while that lowers the cost, then try random exchanges."""
        self._descend(range(len(self.groups)))
        self._left = KICK_EXCHANGES
        while self._left > 0 and len(self.groups) > 1:
            broken = [at for at, cost in enumerate(self._costs) if cost >= self._soft]
            if not broken:
                return
            self._kick(broken[numbers.below(len(broken))], numbers)

    def _kick(self, at: int, numbers: NumberStream) -> None:
        """Exchange two random entrants near a table, descend from there, and undo all if the cost has not
        fallen.
        """
        near = [other for other in self._window(at) if other != at]
        before, self._undo = sum(self._costs), []
        other = near[numbers.below(len(near))]
        size = len(self.groups[at])
        self._exchange(at, numbers.below(size), other, numbers.below(size))
        self._descend((at, other))
        if sum(self._costs) >= before:
            for changed, group in reversed(self._undo):
                self._set(changed, group)

    def _window(self, at: int) -> range:
        width = FAR if self._costs[at] >= self._soft else NEAR
        return range(max(0, at - width), min(len(self.groups), at + width + 1))

    def _descend(self, start: Iterable[int]) -> None:
        """Make the best exchange of each table until none lowers the cost, or no step is left."""
        waiting = dict.fromkeys(start)
        while waiting and self._left > 0:
            at = next(iter(waiting))
            del waiting[at]
            best = self._find_exchange(at)
            if best is not None:
                self._exchange(at, *best)
                waiting.update(dict.fromkeys((*self._window(at), *self._window(best[1]))))

    def _find_exchange(self, at: int) -> tuple[int, int, int] | None:
        """Return a table's best exchange with a near table, as (its seat, other table, seat there); None if
        none lowers the cost.
        """
        best, least = None, 0
        for other in self._window(at):
            if other == at:
                continue
            one, two = self.groups[at], self.groups[other]
            before = self._costs[at] + self._costs[other]
            for i in range(len(one)):
                for j in range(len(two)):
                    self._left -= 1
                    first = self._cost((*one[:i], two[j], *one[i + 1 :]))
                    if first - before >= least:
                        continue
                    change = first + self._cost((*two[:j], one[i], *two[j + 1 :])) - before
                    if change < least:
                        best, least = (i, other, j), change
        return best

    def _exchange(self, at: int, i: int, other: int, j: int) -> None:
        one, two = self.groups[at], self.groups[other]
        self._undo += ((at, one), (other, two))
        self._set(at, (*one[:i], two[j], *one[i + 1 :]))
        self._set(other, (*two[:j], one[i], *two[j + 1 :]))

    def _set(self, at: int, group: Group) -> None:
        self.groups[at] = group
        self._costs[at] = self._cost(group)
