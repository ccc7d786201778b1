"""The Merkle root over the heads of many streams: the tree of RFC 6962, which hashes leaves and nodes with
different prefixes.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

LEAF, NODE = b"\x00", b"\x01"


class SealedHead(NamedTuple):
    """The end of a stream when a checkpoint was made. `seq` is -1 for an empty stream."""

    stream: str
    kind: str
    seq: int
    hash: bytes


def root(heads: Iterable[SealedHead]) -> bytes:
    """Return the root over the heads, sorted by stream id; the SHA-256 of no bytes if there are no heads."""
    return over([leaf(head) for head in sorted(heads)])


def leaf(head: SealedHead) -> bytes:
    """Return the leaf hash of one head."""
    fields = (
        bytes.fromhex(head.stream),
        head.kind.encode(),
        head.seq.to_bytes(8, "big", signed=True),
        head.hash,
    )
    packed = b"".join(len(field).to_bytes(8, "big") + field for field in fields)
    return hashlib.sha256(LEAF + packed).digest()


def over(leaves: Sequence[bytes]) -> bytes:
    """Return the root over leaf hashes, in the given order.

    Pairs are formed from the left, and a single last leaf moves up unchanged, which gives the tree of RFC
    6962.
    """
    level = leaves
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=False)
        above = [hashlib.sha256(NODE + left + right).digest() for left, right in pairs]
        level = [*above, *level[2 * len(above) :]]
    return level[0] if level else hashlib.sha256(b"").digest()
