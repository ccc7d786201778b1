"""Buchholz: the strength of the opponents that an entry has met, from their totals."""

from __future__ import annotations

import fractions


def list_opponents(tables):
    """Return, by number, the numbers of the opponents at each table. Tables are numbers by side."""
    met = {}
    for sides in tables:
        for side, mine in enumerate(sides):
            for key in set(mine):
                others = {k for at, keys in enumerate(sides) if at != side for k in keys} - {key}
                met.setdefault(key, []).append(others)
    return met


def sum_strengths(totals, as_opponent, met, byes):
    """Return the sum of the opponents' totals by number, of their mean at tables with several.

    A bye counts like an opponent with the own total.
    """
    found = {}
    for key, total in totals.items():
        found[key] = byes[key] * total
        for others in met.get(key, []):
            there = [as_opponent[other] for other in others if other in as_opponent]
            if there:
                found[key] += fractions.Fraction(sum(there)) / len(there)
    return found
