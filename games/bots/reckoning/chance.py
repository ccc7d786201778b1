"""Randomness of bots: a keyed hash. The same seed and the same values `what` always give the same choice."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def number(seed: bytes, *what: int | str) -> int:
    """Return a uniform 64-bit number for the purpose `what`."""
    text = "/".join(map(str, what)).encode()
    return int.from_bytes(hashlib.blake2b(text, key=seed[:64], digest_size=8).digest(), "big")


def pick(seed: bytes, among: Sequence[T], *what: int | str) -> T:
    """Return one of `among`, chosen by `seed` and the key `what`."""
    return among[number(seed, *what) % len(among)] if len(among) > 1 else among[0]


def hands(seed: bytes, unseen: Sequence[int], size: int, count: int) -> list[int]:
    """Return `count` samples as masks, each of `size` of the unseen cards."""
    sampled = []
    for sample in range(count):
        pool = list(unseen)
        roll = number(seed, "hand", sample)
        mask = 0
        for _ in range(size):
            roll, at = divmod(roll, len(pool))
            mask |= 1 << pool.pop(at)
        sampled.append(mask)
    return sampled
