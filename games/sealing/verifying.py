"""Verify checkpoints against the stored streams, in audits and before an imported file is trusted."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from games.sealing import merkle
from games.sealing.checkpoints import NO_CHECKPOINT, Body, Checkpoint, message, read_heads_at
from games.sealing.errors import BrokenSeal
from games.sealing.keys import is_signed


def verify_checkpoints(championship: str, checkpoints: Sequence[Checkpoint], ends: Mapping[str, int]) -> None:
    """Check the checkpoints against the stored streams. Raises BrokenSeal for the first faulty one, or if
    there is a last one and it does not cover exactly `ends`: stream id → last seq.
    """
    for number, (_, wrong) in enumerate(compared(championship, checkpoints), 1):
        if wrong:
            raise BrokenSeal(number, wrong)
    if checkpoints and checkpoints[-1].seqs != dict(ends):
        raise BrokenSeal(len(checkpoints), "it does not cover what is there")


def compared(championship: str, checkpoints: Iterable[Checkpoint]) -> Iterator[tuple[Checkpoint, str]]:
    """Yield each checkpoint with a description of its fault, "" if it has none. A checkpoint is faulty if it
    is unreadable, wrongly signed, out of place in the chain of checkpoints, or does not match the streams: a
    stream is shorter or lacks the event, or the root or the numbers differ.

    Only streams that have grown since the previous checkpoint are read. Whether the stored hashes of the
    streams are right is checked by `store.verify`.
    """
    sealed = _Sealed()
    previous = NO_CHECKPOINT
    for number, checkpoint in enumerate(checkpoints, 1):
        try:
            says, seqs = checkpoint.says, checkpoint.seqs
            signed = is_signed(bytes.fromhex(says.key), message(checkpoint.body), checkpoint.signature)
        except (msgspec.MsgspecError, ValueError) as error:
            wrong = f"it cannot be read: {error}"
        else:
            wrong = sealed.move_to(seqs, says)
            if not signed:
                wrong = "its signature is not right"
            elif (says.championship, says.number, says.previous) != (championship, number, previous.hex()):
                wrong = "it does not follow from the one before"
        yield checkpoint, wrong
        previous = checkpoint.hash


class _Sealed:
    """The seqs and leaf hashes of the streams at one checkpoint, updated from one checkpoint to the next."""

    def __init__(self) -> None:
        self._seqs: dict[str, int] = {}
        self._leaves: dict[str, bytes] = {}

    def move_to(self, seqs: dict[str, int], says: Body) -> str:
        """Update to the state that the next checkpoint covers. Returns a description of its fault, or ""."""
        before, self._seqs = self._seqs, seqs
        moved = {stream: seq for stream, seq in seqs.items() if before.get(stream) != seq}
        found = {stream: merkle.leaf(head) for stream, head in read_heads_at(moved).items()}
        kept = {s: leaf for s, leaf in self._leaves.items() if s in seqs and s not in moved}
        self._leaves = dict(sorted((kept | found).items()))
        if any(seqs.get(stream, -2) < seq for stream, seq in before.items()):
            return "a stream has become shorter"
        if gone := sorted(seqs.keys() - self._leaves.keys()):
            return f"stream {gone[0]} has no event {seqs[gone[0]]}"
        if says.root != merkle.over(list(self._leaves.values())).hex():
            return "the streams are not what was sealed"
        if (says.streams, says.events) != (len(seqs), sum(seqs.values()) + len(seqs)):
            return "it counts other streams or events"
        return ""
