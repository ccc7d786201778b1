"""Numbers of tables and chairs of players."""

from __future__ import annotations

import itertools

from .byes import draw_byes
from .draw_problem import SeededNumbers, split_into_tables
from .table_search import draw_tables


def assign_chairs(problem, rounds):
    """Number the tables and assign chairs: at random, then improved without loss for any player."""
    numbers = SeededNumbers(problem.seed, "seating")
    orders = {size: list(itertools.permutations(range(size))) for size in problem.sizes}
    if problem.in_pairs and 4 in orders:
        orders[4] = [order for order in orders[4] if abs(order[0] - order[2]) == 2]
    at_table = [{} for _ in range(problem.players)]
    on_chair = [[0] * problem.size for _ in range(problem.players)]

    def put_number(table, number, times):
        for p in table:
            if p >= 0:
                at_table[p][number] = at_table[p].get(number, 0) + times

    def put_chairs(table, times):
        for chair, p in enumerate(table):
            if p >= 0:
                on_chair[p][chair] += times

    def at_number(table, number):
        return sum(at_table[p].get(number, 0) for p in table)

    def at_chairs(table):
        return sum(on_chair[p][chair] for chair, p in enumerate(table))

    placed = []
    for one in rounds:
        turned = [(table, orders[len(table)]) for table in one]
        tables = [tuple(table[i] for i in of[numbers.draw_below(len(of))]) for table, of in turned]
        numbers.shuffle(tables)
        placed.append(tables)
    for one in [*(one["tables"] for one in problem.past), *placed]:
        for number, table in enumerate(one):
            put_number(table, number, 1)
            put_chairs(table, 1)
    for _ in range(6000):
        one = placed[numbers.draw_below(len(placed))]
        number = numbers.draw_below(len(one))
        turns = orders[len(one[number])]
        order = turns[numbers.draw_below(len(turns))]
        old, new = one[number], tuple(one[number][who] for who in order)
        put_chairs(old, -1)
        one[number] = new if at_chairs(new) <= at_chairs(old) else old
        put_chairs(one[number], 1)
        a, b = numbers.draw_below(len(one)), numbers.draw_below(len(one))
        first, second = one[a], one[b]
        stay = at_number(first, a) + at_number(second, b) - len(first) - len(second)
        if a != b and at_number(first, b) + at_number(second, a) <= stay:
            for table, before, after in ((first, a, b), (second, b, a)):
                put_number(table, before, -1)
                put_number(table, after, 1)
            one[a], one[b] = second, first
    return placed


def redraw_seats(problem):
    """Return the tables of the first drawn round, by number and chair, and its byes."""
    byes = draw_byes(problem)
    rounds = draw_tables(problem, byes)
    return assign_chairs(problem, [split_into_tables(one, problem) for one in rounds])[0], byes[0]
