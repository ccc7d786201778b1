"""Create checkpoints, each with the hash of the previous one, and read them.

A checkpoint belongs to the stream of a championship or series, which the signed body names `championship`.
This body is stored byte for byte.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

import msgspec
from django.db.models import QuerySet
from django.utils import timezone

from games import store
from games.models import Checkpoint as Row
from games.models import Stream
from games.sealing import merkle
from games.sealing.errors import SealKeyError
from games.sealing.keys import SealKey
from games.sealing.merkle import SealedHead

DOMAIN = b"puur/checkpoint/1"
NO_CHECKPOINT = bytes(32)


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The signed content of a checkpoint. `championship`: the id of its stream. `made_at`: UTC, ISO 8601.
    `previous`: hash of the previous checkpoint, zeros for the first one. `root`: Merkle root of the heads.
    `streams`, `events`: how many of each it covers. `key`: the public key. Hashes and key are in hex.
    """

    championship: str
    number: int
    made_at: str
    previous: str
    root: str
    streams: int
    events: int
    key: str


class Checkpoint(msgspec.Struct, frozen=True):
    """One stored checkpoint. `body`: the bytes of its Body, signed in the form of `message`. `heads`: JSON
    object of stream id → last seq that it covers.
    """

    body: bytes
    signature: bytes
    heads: bytes

    @property
    def says(self) -> Body:
        return decode_body(self.body)

    @property
    def hash(self) -> bytes:
        """The hash that the next checkpoint contains. The words on paper encode its first 22 bytes."""
        return hashlib.sha256(message(self.body)).digest()

    @property
    def seqs(self) -> dict[str, int]:
        return decode_heads(self.heads)


decode_body = msgspec.json.Decoder(Body).decode
decode_heads = msgspec.json.Decoder(dict[str, int]).decode
encode = msgspec.json.Encoder().encode


def message(body: bytes) -> bytes:
    """Return the bytes that are signed and hashed for a body."""
    return b"".join(len(field).to_bytes(8, "big") + field for field in (DOMAIN, body))


def seal(stream: str, streams: Iterable[str], key: SealKey, accepted_key: str = "") -> Checkpoint | None:
    """Create a checkpoint of the current heads of `streams` and of `stream`, to which it belongs. Return None
    if neither a head nor the key has changed since the last checkpoint.

    Runs in the caller's transaction; the caller excludes concurrent calls for the same `stream`. A stream
    that was covered once stays in all later checkpoints, even if the caller does not name it.

    Raises SealKeyError if the last checkpoint is signed with another key. Otherwise somebody who can write
    the database, but does not have this platform's key, could replace all checkpoints and would get the
    platform's signature below them. `accepted_key`: the public key of an imported file, which is trusted
    nevertheless.
    """
    last = find_latest_checkpoint(stream)
    if last is not None and last.says.key not in (key.public.hex(), accepted_key):
        raise SealKeyError(
            f"the last checkpoint of {stream} is signed with the key {last.says.key}, which is not "
            f"this platform's. If you trust it: manage.py audit --accept-key {last.says.key}",
            code="sealing/other_key",
        )
    now = timezone.now()  # before the heads are read: they contain all that was stored until then
    heads = heads_of({*streams, stream, *(last.seqs if last is not None else ())})
    root = merkle.root(heads).hex()
    if last is not None and (last.says.root, last.says.key) == (root, key.public.hex()):
        return None
    body = encode(
        Body(
            championship=stream,
            number=last.says.number + 1 if last is not None else 1,
            made_at=now.isoformat(timespec="microseconds").replace("+00:00", "Z"),
            previous=(last.hash if last is not None else NO_CHECKPOINT).hex(),
            root=root,
            streams=len(heads),
            events=sum(head.seq + 1 for head in heads),
            key=key.public.hex(),
        )
    )
    made = Checkpoint(body, key.sign(message(body)), encode({head.stream: head.seq for head in heads}))
    keep_checkpoint(made, now)
    return made


def keep_checkpoint(checkpoint: Checkpoint, made_at: datetime) -> None:
    """Store a checkpoint. Raises IntegrityError if the stream has a checkpoint with this number."""
    says = checkpoint.says
    Row(
        stream_id=says.championship,
        number=says.number,
        body=checkpoint.body,
        signature=checkpoint.signature,
        heads=checkpoint.heads,
        made_at=made_at,
    ).save(force_insert=True)


def heads_of(streams: Iterable[str]) -> list[SealedHead]:
    """Return the heads of these streams, read at one moment, ordered by stream id."""
    rows = Stream.objects.filter(pk__in=set(streams)).order_by("pk")
    return [
        SealedHead(id_, kind, seq, bytes(digest))
        for id_, kind, seq, digest in rows.values_list("id", "kind", "head_seq", "head_hash")
    ]


def read_heads_at(seqs: Mapping[str, int]) -> dict[str, SealedHead]:
    """Return the head of each stream as it was at this seq, by stream; streams without this event are left
    out.
    """
    kinds = dict(Stream.objects.filter(pk__in=seqs).values_list("pk", "kind"))
    hashes = store.read_hashes(seqs)
    return {s: SealedHead(s, kind, seqs[s], hashes[s]) for s, kind in kinds.items() if s in hashes}


def find_latest_checkpoint(stream: str, until: datetime | None = None) -> Checkpoint | None:
    """Return the last checkpoint of a stream, or the last one made by the time `until`; None
    if there is none.
    """
    row = _made_by(until).filter(stream_id=stream).order_by("-number").first()
    return None if row is None else _of(row)


def _made_by(until: datetime | None) -> QuerySet[Row]:
    return Row.objects.all() if until is None else Row.objects.filter(made_at__lte=until)


def after(stream: str, moment: datetime) -> Checkpoint | None:
    """Return the first checkpoint made at or after this moment; None if there is none."""
    row = Row.objects.filter(stream_id=stream, made_at__gte=moment).order_by("number").first()
    return None if row is None else _of(row)


def listed(
    stream: str, since: int = 0, limit: int | None = None, until: datetime | None = None
) -> list[Checkpoint]:
    """Return the checkpoints with a number above `since`, in order and at most `limit`. `until`: only
    checkpoints made by this time.
    """
    rows = _made_by(until).filter(stream_id=stream, number__gt=since).order_by("number")
    return [_of(row) for row in rows[:limit]]


def each(stream: str) -> Iterator[Checkpoint]:
    """Iterate over all checkpoints in order. They are loaded in small groups, because each names every
    stream.
    """
    rows = Row.objects.filter(stream_id=stream).order_by("number")
    return map(_of, rows.iterator(chunk_size=8))


def _of(row: Row) -> Checkpoint:
    return Checkpoint(*(store.as_bytes(column) for column in (row.body, row.signature, row.heads)))
