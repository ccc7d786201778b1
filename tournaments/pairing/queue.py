"""Tables from a queue: groups of waiting people, formed so that the same people rarely meet again.

The criteria, most important first: pairs who must not meet; whole tables that have met before; a seat for the
first in the queue; repeated meetings; repeated partners; the queue positions of the people seated. Short
queues are solved exactly, longer ones by exchanges from several starts, with bounded work.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import Final

from tournaments.competition import PARTNERED, list_partners, ordered
from tournaments.pairing.stream import NumberStream

MAX_EXACT_QUEUE: Final = 11
"""Longest queue that is solved exactly. It has at most 17,325 groupings."""
QUEUE_STARTS: Final = 4
MAX_EXCHANGES: Final = 40_000
"""Largest number of exchanges tried from all starts together."""
_LEVEL: Final = 1 << 40
"""Factor between the weights of two neighbouring criteria of the cost."""

Unit = tuple[str, ...]
"""Persons seated together: one person, or a pair that stays together."""

Between = tuple[int, int, int]
"""For two units: number of their pairs that must not meet, of past meetings, and of past partnerships."""
_NOTHING: Final = (0, 0, 0)


@dataclass(slots=True)
class QueueHistory:
    """Past meetings of the waiting persons, and pairs to keep apart.

    met, partnered: numbers of meetings and partnerships by pair. tables: persons of each past table. hard,
    soft: pairs that must not meet, and pairs that should not.
    """

    met: Counter[tuple[str, str]] = field(default_factory=Counter)
    partnered: Counter[tuple[str, str]] = field(default_factory=Counter)
    tables: set[frozenset[str]] = field(default_factory=set)
    hard: set[tuple[str, str]] = field(default_factory=set)
    soft: set[tuple[str, str]] = field(default_factory=set)

    def add_table(self, seats: Sequence[str], waiting: set[str], partners: bool) -> None:
        """Add a past table, if one of its persons is in `waiting`."""
        if waiting.isdisjoint(seats):
            return
        self.tables.add(frozenset(seats))
        together = set(list_partners(tuple(seats), partners))
        self.partnered.update(together)
        self.met.update(ordered(a, b) for a, b in combinations(seats, 2))


def seat_table(units: Sequence[Unit], history: QueueHistory, partners: bool, numbers: NumberStream) -> Unit:
    """Return the persons of a table in order of play: with the fewest repeated partners, then by lot.

    If there are two units of two persons, each unit sits on opposite seats.
    """
    if len(units) == 2 and len(units[0]) == 2:
        turned = [list(unit) for unit in units]
        numbers.shuffle(turned)
        for pair in turned:
            numbers.shuffle(pair)
        (a, c), (b, d) = turned
        return a, b, c, d
    persons = [person for unit in units for person in unit]
    orders = sorted(permutations(sorted(persons)))
    numbers.shuffle(orders)
    if not partners or len(persons) != PARTNERED:
        return orders[0]
    return min(orders, key=lambda seats: _count_partners(seats, history))


def _count_partners(seats: Unit, history: QueueHistory) -> int:
    return sum(history.partnered[pair] for pair in list_partners(seats, partners=True))


def group_queue(
    units: Sequence[Unit], tables: int, heads: int, history: QueueHistory, partners: bool, seed: bytes
) -> list[tuple[int, ...]]:
    """Return `tables` groups of `heads` units each. A unit is given by its index in the queue."""
    cost = _GroupCost(units, history, partners)
    if len(units) <= MAX_EXACT_QUEUE:
        return _solve_exactly(len(units), tables, heads, cost)
    best: tuple[int, list[tuple[int, ...]]] | None = None
    tried = 0
    for start in range(QUEUE_STARTS):
        if tried >= MAX_EXCHANGES:
            break
        numbers = NumberStream(seed, f"queue/{start}")
        exchange = _Exchange(len(units), tables, heads, cost, numbers, MAX_EXCHANGES - tried)
        tried += exchange.improve()
        found = (exchange.total, exchange.groups)
        best = found if best is None or found < best else best
        if not any(cost.is_bad(group) for group in found[1]):
            break
    return best[1] if best is not None else []


def is_kept_apart(persons: Iterable[str], history: QueueHistory) -> bool:
    """Return whether any two of these persons must not meet."""
    return any(ordered(a, b) in history.hard for a, b in combinations(persons, 2))


class _GroupCost:
    """The cost of a group as one integer. The cost of several groups is the sum."""

    def __init__(self, units: Sequence[Unit], history: QueueHistory, partners: bool) -> None:
        self._units = units
        self._history = history
        self._splits = partners and all(len(unit) == 1 for unit in units)
        self._between = _count_between(units, history)
        self._known: dict[tuple[int, ...], int] = {}

    def __call__(self, group: tuple[int, ...]) -> int:
        """Return the cost of a group, given as unit indices in ascending order."""
        found = self._known.get(group)
        if found is None:
            found = self._known[group] = self._compute(group)
        return found

    def is_bad(self, group: tuple[int, ...]) -> bool:
        """Return whether two units of a group have met before, or are to be kept apart."""
        return any(b in self._between[a] for a, b in combinations(group, 2))

    def _compute(self, group: tuple[int, ...]) -> int:
        hard = met = same = again = 0
        for one, other in combinations(group, 2):
            apart, times, _together = self._between[one].get(other, _NOTHING)
            hard += apart
            met += times
        if met:
            persons = tuple(person for n in group for person in self._units[n])
            same = frozenset(persons) in self._history.tables
            if self._splits and len(persons) == PARTNERED:
                a, b, c, d = group
                again = min(
                    self._count_together(*one) + self._count_together(*other)
                    for one, other in (((a, c), (b, d)), ((a, b), (c, d)), ((a, d), (b, c)))
                )
        found = 0
        for level in (hard, same, -(group[0] == 0), met, again, sum(group)):
            found = found * _LEVEL + level
        return found

    def _count_together(self, one: int, other: int) -> int:
        return self._between[one].get(other, _NOTHING)[2]


def _count_between(units: Sequence[Unit], history: QueueHistory) -> list[dict[int, Between]]:
    """Return, for each unit, the units that have met it or are kept apart from it, with the numbers.

    A pair that should not meet (soft) counts as one more meeting.
    """
    number_of = {person: n for n, unit in enumerate(units) for person in unit}
    between: list[dict[int, Between]] = [{} for _ in units]
    for pairs, apart in ((history.hard, True), (history.soft, False), (history.met, False)):
        for pair in pairs:
            one, other = (number_of.get(person) for person in pair)
            if one is None or other is None or one == other:
                continue
            times = 0 if apart else history.met[pair] if pairs is history.met else 1
            known = between[one].get(other, _NOTHING)
            found = known[0] + apart, known[1] + times, history.partnered[pair]
            between[one][other] = between[other][one] = found
    return between


def _solve_exactly(count: int, tables: int, heads: int, cost: _GroupCost) -> list[tuple[int, ...]]:
    """Return the grouping of least cost. All are tried: the first unit that is left waits, or joins the next
    group.
    """
    best: list[tuple[int, list[tuple[int, ...]]]] = []

    def go_on(left: tuple[int, ...], groups: list[tuple[int, ...]], total: int) -> None:
        if len(groups) == tables:
            if not best or (total, groups) < best[0]:
                best[:] = [(total, list(groups))]
            return
        first, others = left[0], left[1:]
        for rest in combinations(others, heads - 1):
            group = (first, *rest)
            go_on(tuple(n for n in others if n not in rest), [*groups, group], total + cost(group))
        if len(others) >= heads * (tables - len(groups)):
            go_on(others, groups, total)

    go_on(tuple(range(count)), [], 0)
    return best[0][1]


class _Exchange:
    """Groups that are improved by exchanging two units at a time."""

    def __init__(
        self, count: int, tables: int, heads: int, cost: _GroupCost, numbers: NumberStream, most: int
    ) -> None:
        self._cost = cost
        self._most = most
        self._tried = 0
        self._order = list(range(count))
        numbers.shuffle(self._order)
        seated = [n for n in self._order if n < tables * heads]
        self._groups = [tuple(sorted(seated[at : at + heads])) for at in range(0, len(seated), heads)]
        self._place = {n: at for at, group in enumerate(self._groups) for n in group}

    @property
    def total(self) -> int:
        return sum(map(self._cost, self._groups))

    @property
    def groups(self) -> list[tuple[int, ...]]:
        return sorted(self._groups)

    def improve(self) -> int:
        """Exchange units while the cost falls, within the bound. Return the number of exchanges tried."""
        better = True
        while better and self._tried < self._most:
            better = sum(map(self._improve_unit, self._order)) > 0
        return self._tried

    def _improve_unit(self, one: int) -> bool:
        """Exchange a unit with the first other unit that lowers the cost; return whether one was found.

        A unit whose group is not bad (`is_bad`) is left alone.
        """
        place = self._place.get(one)
        if place is not None and not self._cost.is_bad(self._groups[place]):
            return False
        for other in self._order:
            if self._tried >= self._most:
                return False
            if self._place.get(other) != place and self._try(one, other):
                return True
        return False

    def _try(self, one: int, other: int) -> bool:
        self._tried += 1
        changed: dict[int, tuple[int, ...]] = {}
        for leaving, coming in ((one, other), (other, one)):
            place = self._place.get(leaving)
            if place is not None:
                changed[place] = tuple(sorted((*(n for n in self._groups[place] if n != leaving), coming)))
        before = sum(self._cost(self._groups[place]) for place in changed)
        if sum(map(self._cost, changed.values())) >= before:
            return False
        for place, group in changed.items():
            self._groups[place] = group
        places = self._place.pop(one, None), self._place.pop(other, None)
        for n, place in ((other, places[0]), (one, places[1])):
            if place is not None:
                self._place[n] = place
        return True
