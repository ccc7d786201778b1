"""Schedules by construction: rounds of tables of four, partners on chairs 0 and 2."""

from __future__ import annotations

import functools

from .draw_problem import SeededNumbers
from .report import Unusable


def build_schedule_without_repeats(players, rounds):
    """Return a schedule in which no two players meet twice, or None if no construction has it."""
    if players % 4:
        return None
    tables, points = players // 4, (players - 1) // 3
    if 3 * (rounds - 1) < tables:
        return [
            [[c * tables + (i + c * r) % tables for c in range(4)] for i in range(tables)]
            for r in range(rounds)
        ]
    if 4 <= tables <= 64 and rounds <= tables and factor_prime_power(tables):
        plus, times = build_finite_field(tables)
        return [
            [[c * tables + plus[i][times[c][r]] for c in range(4)] for i in range(tables)]
            for r in range(rounds)
        ]
    if players % 12 == 4 and rounds <= points <= 64 and factor_prime_power(points):
        plus, times = build_finite_field(points)
        first = build_bose_round(points, plus, times)
        return [
            [
                [p if p == players - 1 else p // points * points + plus[p % points][r] for p in t]
                for t in first
            ]
            for r in range(rounds)
        ]
    return None


def build_bose_round(q, plus, times):
    """Return the first round of R. C. Bose's resolvable design (1939)."""
    x = next(
        found for found in (list_powers(times, element) for element in range(1, q)) if len(found) == q - 1
    )
    log = {value: i for i, value in enumerate(x)}
    minus_one, t = plus[1].index(0), (q - 1) // 4
    for shift in range(1, q - 1, 2):
        above, below = plus[x[shift]][1], plus[x[shift]][minus_one]
        if above and below and (log[above] - log[below]) % 2:
            break
    tables = [[0, q, 2 * q, 3 * q]]
    for layer in range(3):
        near, far = layer * q, (layer + 1) % 3 * q
        for i in range(t):
            a, b = 2 * i, 2 * i + 2 * t
            tables.append(
                [near + x[a], far + x[(shift + a) % (q - 1)], near + x[b], far + x[(shift + b) % (q - 1)]]
            )
    return tables


def list_powers(times, element):
    """Return the powers of an element of a finite field, from 1 on."""
    found = [1]
    while (following := times[found[-1]][element]) != 1:
        found.append(following)
    return found


def factor_prime_power(order):
    """Return (p, k) if the order is p to the power of k and p is a prime, else None."""
    p = next((d for d in range(2, order) if order % d == 0), order)
    k = 0
    while order % p == 0 and order > 1:
        order, k = order // p, k + 1
    return (p, k) if order == 1 and k else None


@functools.lru_cache(maxsize=8)
def build_finite_field(order):
    """Return the tables of sums and products of a finite field.

    The modulus is the first without zero divisors.
    """
    p, k = factor_prime_power(order)
    digits = [[n // p**i % p for i in range(k)] for n in range(order)]

    def number(found):
        return sum(digit % p * p**i for i, digit in enumerate(found))

    def product(a, b, low):
        raw = [0] * (2 * k)
        for i, x in enumerate(a):
            for j, y in enumerate(b):
                raw[i + j] += x * y
        for i in range(2 * k - 1, k - 1, -1):
            for j in range(k):
                raw[i - k + j] += raw[i] * low[j]
        return number(raw[:k])

    plus = [[number([x + y for x, y in zip(a, b)]) for b in digits] for a in digits]
    for low in digits:
        times = [[product(a, b, low) for b in digits] for a in digits]
        if all(times[a][b] for a in range(1, order) for b in range(a, order)):
            return plus, times
    raise Unusable("there is no field of %d elements" % order)


def build_schedule_from_planes(problem):
    """Return the first schedule of planes over GF(2) with the fewest repeats, or None.

    Players are vectors, and each round is a plane.
    """
    players, rounds = problem.players, problem.rounds
    if players not in (8, 16, 32, 64) or rounds >= players:
        return None
    numbers = SeededNumbers(problem.seed, "planes")
    planes = [(p, a, a ^ p) for p in range(1, players) for a in range(1, players) if p != a < a ^ p]
    bound = [max(0, 3 * rounds - players + 1), max(0, 2 * rounds - players + 1)]
    for _ in range(max(1, 400000 // (len(planes) * rounds))):
        numbers.shuffle(planes)
        met, opposed, partnered, chosen = [0] * players, [0] * players, set(), []
        for _ in range(rounds):
            weights = [
                (3 * rounds + 1, 0) if p in partnered else (met[p] + met[a] + met[b], opposed[a] + opposed[b])
                for p, a, b in planes
            ]
            p, a, b = planes[weights.index(min(weights))]
            chosen.append((p, a, b))
            partnered.add(p)
            for vector in (p, a, b):
                met[vector] += 1
            opposed[a] += 1
            opposed[b] += 1
        if [sum(max(0, n - 1) for n in counted) for counted in (met, opposed)] == bound:
            return [
                [[x, x ^ a, x ^ p, x ^ b] for x in range(players) if x == min(x, x ^ a, x ^ p, x ^ b)]
                for p, a, b in chosen
            ]
    return None


def shuffle_names(problem, schedule, numbers):
    """Give the players of a schedule random numbers, and its rounds a random order."""
    names = list(range(problem.players))
    numbers.shuffle(names)
    rounds = [[names[player] for table in one for player in table] for one in schedule]
    numbers.shuffle(rounds)
    return rounds
