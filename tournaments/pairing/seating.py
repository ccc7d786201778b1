"""Numbers of tables, and chairs of their players.

This step does not change who meets. It avoids that people get the same table or chair again, and so lead or
deal first again. A fixed number of random moves is tried; a move is kept if nothing gets worse.
"""

from collections.abc import Sequence
from itertools import permutations

from tournaments.pairing.problem import PARTNERED, PairingProblem, Seats
from tournaments.pairing.stream import NumberStream

_MOVES = 6_000
"""Number of moves tried: enough for a club; in a large field few people repeat a table or chair anyway."""

_IN_PAIRS = tuple(
    order for order in permutations(range(4)) if abs(order[0] - order[2]) == 2
)  # the eight orders of four that keep 0 and 2 together


class SeatingPlan:
    """Table numbers and chairs for all rounds of a draw, given those of past rounds."""

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
        self._rounds = [self._shuffle_round(one) for one in rounds]
        for one in (*(list(past.tables) for past in problem.past), *self._rounds):
            for number, table in enumerate(one):
                self._count_table(table, number, 1)

    def _shuffle_round(self, one: Sequence[Seats]) -> list[Seats]:
        """Shuffle tables and chairs, since constructions do not balance them."""
        numbers = self._numbers
        tables = [self._random_order(table, self._orders[len(table)]) for table in one]
        numbers.shuffle(tables)
        return tables

    def _random_order(self, table: Seats, orders: Sequence[Seats]) -> Seats:
        return tuple([table[i] for i in orders[self._numbers.below(len(orders))]])

    def _count_table(self, table: Seats, number: int, times: int) -> None:
        self._count_number(table, number, times)
        self._count_chairs(table, times)

    def _count_number(self, table: Seats, number: int, times: int) -> None:
        for player in table:
            if player >= 0:
                self._at_table[player][number] = self._at_table[player].get(number, 0) + times

    def _count_chairs(self, table: Seats, times: int) -> None:
        for chair, player in enumerate(table):
            if player >= 0:
                self._on_chair[player][chair] += times

    def _number_cost(self, table: Seats, number: int) -> int:
        return sum([self._at_table[player].get(number, 0) for player in table])

    def _chairs_cost(self, table: Seats) -> int:
        return sum([self._on_chair[player][chair] for chair, player in enumerate(table)])

    def place(self) -> list[tuple[Seats, ...]]:
        """Return, for each round, the tables by number, with the players by chair."""
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
        self._count_chairs(old, -1)
        if self._chairs_cost(new) <= self._chairs_cost(old):
            one[number] = new
        self._count_chairs(one[number], 1)

    def _try_numbers(self, one: list[Seats], a: int, b: int) -> None:
        if a == b:
            return
        first, second = one[a], one[b]
        stay = self._number_cost(first, a) + self._number_cost(second, b) - len(first) - len(second)
        go = self._number_cost(first, b) + self._number_cost(second, a)
        if go <= stay:
            self._count_number(first, a, -1)
            self._count_number(second, b, -1)
            self._count_number(first, b, 1)
            self._count_number(second, a, 1)
            one[a], one[b] = second, first
