"""Finite fields of small order as tables of sums and products."""

from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class FiniteField:
    """GF(order) with the elements 0 to order-1. 0 and 1 are the neutral elements.

    plus[a][b] and times[a][b]: sum and product of two elements.
    """

    order: int
    plus: tuple[tuple[int, ...], ...]
    times: tuple[tuple[int, ...], ...]

    def powers(self) -> tuple[int, ...]:
        """Return 1, x, x², … of the smallest primitive element x. Every element but 0 appears once."""
        for x in range(1, self.order):
            found = [1]
            while (following := self.times[found[-1]][x]) != 1:
                found.append(following)
            if len(found) == self.order - 1:
                return tuple(found)
        raise AssertionError("a finite field has a primitive element")


def prime_power(order: int) -> tuple[int, int] | None:
    """Return (p, k) where order = p**k and p is a prime, else None."""
    if order < 2:
        return None
    p = next((d for d in range(2, int(order**0.5) + 1) if order % d == 0), order)
    k, rest = 0, order
    while rest % p == 0:
        k, rest = k + 1, rest // p
    return (p, k) if rest == 1 else None


@lru_cache(maxsize=8)
def field(order: int) -> FiniteField:
    """Return GF(order). Raises ValueError if order is not a prime power."""
    found = prime_power(order)
    if found is None:
        raise ValueError(f"there is no field of {order} elements")
    p, k = found
    digits = [tuple(n // p**i % p for i in range(k)) for n in range(order)]
    plus = tuple(
        tuple(_number([(x + y) % p for x, y in zip(a, b, strict=True)], p) for b in digits) for a in digits
    )
    for low in digits:  # the smallest modulus x^k = low(x) without zero divisors
        times = tuple(tuple(_number(_product(a, b, low, p), p) for b in digits) for a in digits)
        if all(times[a][b] for a in range(1, order) for b in range(a, order)):
            return FiniteField(order, plus, times)
    raise AssertionError("an irreducible polynomial of every degree exists")


def _number(digits: list[int], p: int) -> int:
    return sum(d * p**i for i, d in enumerate(digits))


def _product(a: tuple[int, ...], b: tuple[int, ...], low: tuple[int, ...], p: int) -> list[int]:
    k = len(a)
    raw = [0] * (2 * k - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            raw[i + j] += x * y
    for i in range(len(raw) - 1, k - 1, -1):
        for j in range(k):
            raw[i - k + j] += raw[i] * low[j]
        raw[i] = 0
    return [x % p for x in raw[:k]]
