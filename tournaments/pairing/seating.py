"""Which table gets which number, and who sits on which chair of it.

Comes after it is settled who meets whom, and changes nothing about that: it only keeps people from sitting at
the same table or on the same chair (and so leading first or dealing first) again without need. Moves are
drawn, a fixed number of them, and kept when nothing gets worse.
"""

from collections.abc import Sequence
from itertools import permutations

from tournaments.pairing.problem import PARTNERED, PairingProblem, Seats
from tournaments.pairing.stream import NumberStream

_MOVES = 6_000
"""Plenty for a club; in a large field hardly anybody comes back to a table or chair anyway."""

_IN_PAIRS = tuple(
    order for order in permutations(range(4)) if abs(order[0] - order[2]) == 2
)  # the eight orders of four that keep 0 and 2 together


class SeatingPlan:
    """Numbers and chairs for all rounds of a draw, on top of what everyone has sat on before."""

    def __init__(
        self, problem: PairingProblem, rounds: Sequence[Sequence[Seats]], numbers: NumberStream
    ) -> None:
        self._numbers = numbers
        self._orders = {
            size: _IN_PAIRS if problem.in_pairs and size == PARTNERED else tuple(permutations(range(size)))
            for size in set(problem.sizes)
        }
        self._at_table: list[dict[int, int]] = [{} for _ in range(problem.players)]
        self._on_chair: list[list[int]] = [[0] * problem.table_size for _ in range(problem.players)]
        self._rounds = [self._at_random(one) for one in rounds]
        for one in (*(list(past.tables) for past in problem.past), *self._rounds):
            for number, table in enumerate(one):
                self._put(table, number, 1)

    def _at_random(self, one: Sequence[Seats]) -> list[Seats]:
        """A start that favours nobody: a construction has its own habits about who sits where."""
        numbers = self._numbers
        tables = [self._turned(table, self._orders[len(table)]) for table in one]
        numbers.shuffle(tables)
        return tables

    def _turned(self, table: Seats, orders: Sequence[Seats]) -> Seats:
        return tuple([table[i] for i in orders[self._numbers.below(len(orders))]])

    def _put(self, table: Seats, number: int, times: int) -> None:
        self._put_number(table, number, times)
        self._put_chairs(table, times)

    def _put_number(self, table: Seats, number: int, times: int) -> None:
        for player in table:
            if player >= 0:
                self._at_table[player][number] = self._at_table[player].get(number, 0) + times

    def _put_chairs(self, table: Seats, times: int) -> None:
        for chair, player in enumerate(table):
            if player >= 0:
                self._on_chair[player][chair] += times

    def _at_number(self, table: Seats, number: int) -> int:
        return sum([self._at_table[player].get(number, 0) for player in table])

    def _at_chairs(self, table: Seats) -> int:
        return sum([self._on_chair[player][chair] for chair, player in enumerate(table)])

    def place(self) -> list[tuple[Seats, ...]]:
        """Tables in the order of their numbers, everyone on a chair, round by round."""
        tables = sum(map(len, self._rounds))
        if tables == 0:
            return [()] * len(self._rounds)
        below = self._numbers.below
        for _ in range(_MOVES):
            one = self._rounds[below(len(self._rounds))]
            number = below(len(one))
            orders = self._orders[len(one[number])]
            self._try_chairs(one, number, orders[below(len(orders))])
            self._try_numbers(one, below(len(one)), below(len(one)))
        return [tuple(one) for one in self._rounds]

    def _try_chairs(self, one: list[Seats], number: int, order: Seats) -> None:
        old = one[number]
        new = tuple([old[who] for who in order])
        self._put_chairs(old, -1)
        if self._at_chairs(new) <= self._at_chairs(old):
            one[number] = new
        self._put_chairs(one[number], 1)

    def _try_numbers(self, one: list[Seats], a: int, b: int) -> None:
        if a == b:
            return
        first, second = one[a], one[b]
        stay = self._at_number(first, a) + self._at_number(second, b) - len(first) - len(second)
        go = self._at_number(first, b) + self._at_number(second, a)
        if go <= stay:
            self._put_number(first, a, -1)
            self._put_number(second, b, -1)
            self._put_number(first, b, 1)
            self._put_number(second, a, 1)
            one[a], one[b] = second, first
