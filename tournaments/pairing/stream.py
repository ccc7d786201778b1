"""A deterministic number stream that anyone can recompute from the seed.

Block i is HMAC-SHA-256(key = seed, message = label ‖ 0x00 ‖ i as 8 bytes, big-endian); its 32 bytes are eight
32-bit numbers, big-endian. The label separates the uses of one seed.
"""

import hashlib
import struct
from collections.abc import MutableSequence
from typing import TypeVar

T = TypeVar("T")

_BLOCKS = 32
_WORDS = struct.Struct(f">{8 * _BLOCKS}I")
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
"""The two pads of HMAC (RFC 2104), as translations of the key."""
_BLOCK_SIZE = 64


class NumberStream:
    """Random numbers from `seed` (bytes) for the purpose `label`."""

    def __init__(self, seed: bytes, label: str) -> None:
        # hmac.digest() looks the algorithm up for each message, which takes four times as long.
        key = seed if len(seed) <= _BLOCK_SIZE else hashlib.sha256(seed).digest()
        key = key.ljust(_BLOCK_SIZE, b"\x00")
        self._inner = hashlib.sha256(key.translate(_INNER) + label.encode() + b"\x00")
        self._outer = hashlib.sha256(key.translate(_OUTER))
        self._counter = 0
        self._words: list[int] = []

    def words(self) -> list[int]:
        """Return the next 256 numbers of 32 bits each."""
        start, self._counter = self._counter, self._counter + _BLOCKS
        blocks = b"".join(self._block(i) for i in range(start, start + _BLOCKS))
        return list(_WORDS.unpack(blocks))

    def _block(self, number: int) -> bytes:
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(number.to_bytes(8, "big"))
        outer.update(inner.digest())
        return outer.digest()

    def below(self, bound: int) -> int:
        """Return a uniform random number x with 0 <= x < bound. `bound` is at most 2**32."""
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
