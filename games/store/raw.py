"""Streams as raw bytes: read a stream for an export, and store a stream from elsewhere."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter

import msgspec
from django.db import connections, router

from engine import Fault
from games import encryption
from games.models import Event, Receipt, SecretPart, Stream
from games.store import layout, queries
from games.store.errors import AlteredLog
from games.store.reading import LAST_SEQ
from games.store.types import Head

BATCH_SIZE = 2000


class RawEvent(msgspec.Struct, frozen=True):
    """The bytes of an event's envelope, and its secret parts."""

    envelope: bytes
    parts: tuple[layout.Part, ...] = ()


class RawReceipt(msgspec.Struct, frozen=True):
    """The events that a command caused: `count` from `first_seq` on. `body_hash`: 64 hex characters."""

    command_id: str
    body_hash: str
    first_seq: int
    count: int


class StreamExists(Fault):
    """A stream with this id is stored already."""

    code = "games/stream_exists"


def read_raw_events(stream_id: str, upto: int = LAST_SEQ) -> Iterator[RawEvent]:
    """Yield the events up to and including `upto` with all their secret parts. The caller removes parts that
    must stay secret.
    """
    ring = encryption.keys_in_use()
    with connections[router.db_for_write(Event)].cursor() as cursor:
        cursor.execute(queries.SELECT_RAW_EVENTS, [stream_id, upto])
        for seq, rows in groupby(cursor.fetchall(), key=itemgetter(0)):
            rows_of_event = list(rows)
            parts = tuple(
                layout.decrypt_part(ring, stream_id, seq, name, layout.closed(key, closed))
                for *_, name, key, closed in rows_of_event
                if name
            )
            yield RawEvent(bytes(rows_of_event[0][1]), parts)


def read_raw_receipts(stream_id: str, upto: int = LAST_SEQ) -> list[RawReceipt]:
    """Return the receipts of the commands whose first event is at most `upto`, ordered by this event."""
    ring = encryption.keys_in_use()
    rows = Receipt.objects.filter(stream_id=stream_id, first_seq__lte=upto).order_by("first_seq")
    receipts = []
    for command_id, key, closed, first, count in rows.values_list(
        "command_id", "key", "closed", "first_seq", "count"
    ):
        body_hash = layout.decrypt_receipt_hash(
            ring, stream_id, command_id, first, layout.closed(key, closed)
        )
        receipts.append(RawReceipt(command_id, body_hash.hex(), first, count))
    return receipts


def read_hashes(seqs: Mapping[str, int]) -> dict[str, bytes]:
    """Return, by stream, the hash of the event with the seq in `seqs`; for seq -1 the hash before the first
    event. Streams without this event are left out.
    """
    empty = Stream.objects.filter(pk__in=[stream for stream, seq in seqs.items() if seq == -1])
    hash_by_stream = {
        stream: layout.genesis(stream, kind) for stream, kind in empty.values_list("pk", "kind")
    }
    places = [(stream, seq) for stream, seq in seqs.items() if 0 <= seq <= LAST_SEQ]
    with connections[router.db_for_write(Event)].cursor() as cursor:
        for at in range(0, len(places), BATCH_SIZE):
            cursor.execute(*queries.select_hashes(places[at : at + BATCH_SIZE]))
            hash_by_stream |= {stream: layout.as_bytes(digest) for stream, digest in cursor.fetchall()}
    return hash_by_stream


def restore_stream(
    stream_id: str, kind: str, events: Iterable[RawEvent], receipts: Iterable[RawReceipt]
) -> Head:
    """Store a whole stream from elsewhere, in the caller's transaction, and return its head. The caller then
    runs `verify` on it.

    Raises AlteredLog for an unreadable envelope or a receipt without its event, StreamExists if the stream is
    stored.
    """
    if Stream.objects.filter(pk=stream_id).exists():
        raise StreamExists(f"the stream {stream_id} is stored already", stream=stream_id)
    ring = encryption.keys_in_use()
    digest = layout.genesis(stream_id, kind)
    rows: list[Event] = []
    parts: list[SecretPart] = []
    for seq, event in enumerate(events):
        try:
            type_ = layout.decode_envelope(event.envelope).type
        except msgspec.MsgspecError as error:
            raise AlteredLog(stream_id, seq, f"the envelope cannot be read: {error}") from None
        digest = layout.chain(stream_id, seq, digest, event.envelope)
        rows.append(Event(stream_id=stream_id, seq=seq, type=type_, envelope=event.envelope, hash=digest))
        for part in event.parts:
            key, closed = layout.encrypt_part(ring, stream_id, seq, part)
            parts.append(SecretPart(stream_id=stream_id, seq=seq, name=part.name, key=key, closed=closed))
    head = Head(len(rows) - 1, digest)
    Stream.objects.create(id=stream_id, kind=Stream.Kind(kind), head_seq=head.seq, head_hash=head.hash)
    Event.objects.bulk_create(rows, BATCH_SIZE)
    SecretPart.objects.bulk_create(parts, BATCH_SIZE)
    answers = []
    for receipt in receipts:
        command_id = receipt.command_id
        if not 0 <= receipt.first_seq <= head.seq:
            raise AlteredLog(stream_id, receipt.first_seq, f"the receipt of {command_id} is not right")
        key, closed = layout.encrypt_receipt(ring, stream_id, command_id, bytes.fromhex(receipt.body_hash))
        answers.append(
            Receipt(
                stream_id=stream_id,
                command_id=command_id,
                key=key,
                closed=closed,
                first_seq=receipt.first_seq,
                count=receipt.count,
            )
        )
    Receipt.objects.bulk_create(answers, BATCH_SIZE)
    return head
