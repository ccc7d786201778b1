"""A deterministic number stream that anyone can recompute from the seed.

Block i is HMAC-SHA-256(key = seed, message = label ‖ 0x00 ‖ i as 8 bytes, big-endian); its 32 bytes are eight
32-bit numbers, big-endian. The label separates the uses of one seed.
"""

import hmac
import struct
from collections.abc import MutableSequence
from typing import TypeVar

T = TypeVar("T")

_BLOCKS = 32
_WORDS = struct.Struct(f">{8 * _BLOCKS}I")


class NumberStream:
    """Numbers from `seed` (bytes) for the purpose `label`."""

    def __init__(self, seed: bytes, label: str) -> None:
        self._key = seed
        self._prefix = label.encode() + b"\x00"
        self._counter = 0
        self._words: list[int] = []

    def words(self) -> list[int]:
        """Return the next 256 numbers of 32 bits each."""
        start, self._counter = self._counter, self._counter + _BLOCKS
        blocks = (
            hmac.digest(self._key, self._prefix + i.to_bytes(8, "big"), "sha256")
            for i in range(start, start + _BLOCKS)
        )
        return list(_WORDS.unpack(b"".join(blocks)))

    def below(self, bound: int) -> int:
        """Return a uniform number 0 <= x < bound (bound at most 2**32)."""
        limit = (1 << 32) // bound * bound
        while True:
            if not self._words:
                self._words = self.words()
                self._words.reverse()
            word = self._words.pop()
            if word < limit:
                return word % bound

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle in place (Fisher–Yates)."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
