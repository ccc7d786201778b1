"""Difference matrices: rows over a group such that any two rows differ by every element exactly once.

Each column, shifted by all elements of the group, is a parallel class of blocks of a resolvable transversal
design. Sources: multiples in a finite field, and their product (Kronecker); the matrices of orders 12, 21 and
24 were found by search (pairs of orthogonal orthomorphisms).
"""

from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Final

from tournaments.pairing.finite_fields import field, prime_power

Blocks = list[list[int]]
"""The blocks of one parallel class. Row i of a matrix holds the points i * order to (i + 1) * order - 1."""

_LARGEST_FIELD: Final = 128
"""Largest order of a field that is not prime. The tables of a larger field take seconds to build."""
_FOUND: Final[dict[int, tuple[tuple[int, ...], str, str]]] = {
    12: ((2, 6), "3 7 4 2 11 0 5 10 8 1 6 9", "4 1 11 2 6 10 9 3 7 0 8 5"),
    21: (
        (21,),
        "10 14 6 8 11 16 2 9 3 0 13 20 5 7 15 12 1 4 17 19 18",
        "17 11 8 18 5 7 19 4 16 14 1 20 10 6 13 15 2 12 0 9 3",
    ),
    24: (
        (2, 2, 6),
        "17 7 13 22 9 3 15 6 19 20 8 0 16 21 4 12 2 5 14 11 10 18 1 23",
        "19 12 23 18 14 10 15 3 6 11 2 8 17 1 16 5 7 21 13 0 4 20 22 9",
    ),
}
"""By order: moduli of the group, and rows 2 and 3. Row 0 is all zero, row 1 holds the elements in order."""


@dataclass(frozen=True, slots=True)
class DifferenceMatrix:
    """A difference matrix over the group Z_a × Z_b × …

    moduli: a, b, …; an element is a number whose mixed-radix digits have these moduli. rows: elements by
    column.
    """

    moduli: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]

    @property
    def order(self) -> int:
        return prod(self.moduli)

    def parallel_class(self, column: int) -> Blocks:
        """Return the blocks that a column gives when it is shifted by every element."""
        shifted = [translate(self.moduli, row[column]) for row in self.rows]
        return [[at * self.order + values[x] for at, values in enumerate(shifted)] for x in range(self.order)]


def translate(moduli: tuple[int, ...], by: int) -> list[int]:
    """Return x + by for every element x of the group."""
    values = [0]
    size = 1
    for modulus in moduli:
        digit = by // size % modulus
        values = [value + (d + digit) % modulus * size for d in range(modulus) for value in values]
        size *= modulus
    return values


@lru_cache(maxsize=64)
def find_difference_matrix(order: int, rows: int) -> DifferenceMatrix | None:
    """Return a matrix over a group of this order with `rows` rows; None if no construction of this module
    gives one.
    """
    factors = _split(order)
    if min(factors, default=0) >= rows and all(has_quick_field(q) for q in factors):
        found = [_field_matrix(q, rows) for q in factors]
        matrix = found[0]
        for following in found[1:]:
            matrix = _multiply(matrix, following)
        return matrix
    if order in _FOUND and rows <= 4:
        moduli, *packed = _FOUND[order]
        every = [tuple(map(int, row.split())) for row in packed]
        return DifferenceMatrix(moduli, ((0,) * order, tuple(range(order)), *every)[:rows])
    return None


def additive_moduli(order: int) -> tuple[int, ...]:
    """Return the moduli of the additive group of GF(order)."""
    p, k = prime_power(order) or (order, 1)
    return (p,) * k


def has_quick_field(order: int) -> bool:
    """Return whether a field of this order exists, and its tables are built quickly."""
    found = prime_power(order)
    return found is not None and (found[1] == 1 or order <= _LARGEST_FIELD)


def _split(order: int) -> list[int]:
    """Return the prime powers whose product is `order`."""
    factors = []
    p = 2
    while order > 1:
        power = 1
        while order % p == 0:
            order, power = order // p, power * p
        if power > 1:
            factors.append(power)
        p += 1
    return factors


def _field_matrix(order: int, rows: int) -> DifferenceMatrix:
    moduli = additive_moduli(order)
    if len(moduli) == 1:
        return DifferenceMatrix(
            moduli, tuple(tuple(r * c % order for c in range(order)) for r in range(rows))
        )
    return DifferenceMatrix(moduli, field(order).times[:rows])


def _multiply(one: DifferenceMatrix, other: DifferenceMatrix) -> DifferenceMatrix:
    size = one.order
    rows = tuple(
        tuple(x + size * y for y in high for x in low) for low, high in zip(one.rows, other.rows, strict=True)
    )
    return DifferenceMatrix((*one.moduli, *other.moduli), rows)
