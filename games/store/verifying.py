"""Verification of streams: recompute the hash chain and every commitment from the stored bytes."""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

import msgspec
from django.db import connections, router

from games import encryption
from games.models import Event, Stream
from games.store import layout, queries
from games.store.errors import AlteredLog, UnknownStream
from games.store.types import StoredEvent

Parts = dict[int, dict[str, layout.Closed]]


def verify(stream_id: str) -> list[StoredEvent]:
    """Check a stream, and return its events with their secret parts. Raises UnknownStream, and AlteredLog if
    the stored log differs from the log that was written.
    """
    stream = Stream.objects.filter(pk=stream_id).first()
    if stream is None:
        raise UnknownStream(f"there is no stream {stream_id}", stream=stream_id)
    ring = encryption.keys_in_use()
    parts = _parts(stream_id)
    events: list[StoredEvent] = []
    digest = layout.genesis(stream_id, stream.kind)
    for expected, (seq, type_, envelope, stored) in enumerate(_rows(queries.SELECT_EVENTS, stream_id)):
        if seq != expected:
            raise AlteredLog(stream_id, expected, f"missing, the next one is {seq}")
        raw = layout.as_bytes(envelope)
        digest = layout.chain(stream_id, seq, digest, raw)
        if digest != layout.as_bytes(stored):
            raise AlteredLog(stream_id, seq, "its hash is not that of the stored bytes")
        events.append(_checked(ring, stream_id, seq, type_, raw, digest, parts.pop(seq, {})))
    if parts:
        raise AlteredLog(stream_id, min(parts), "a secret part belongs to no event")
    if stream.head_seq != len(events) - 1 or layout.as_bytes(stream.head_hash) != digest:
        seq = max(0, min(stream.head_seq, len(events) - 1))
        raise AlteredLog(stream_id, seq, "the head of the stream is not the last event")
    _check_receipts(ring, stream_id, [event.command_id for event in events])
    return events


def _checked(
    ring: encryption.Keyring,
    stream_id: str,
    seq: int,
    type_: str,
    envelope: bytes,
    digest: bytes,
    closed: dict[str, layout.Closed],
) -> StoredEvent:
    try:
        letter = layout.decode_envelope(envelope)
    except msgspec.MsgspecError as error:
        raise AlteredLog(stream_id, seq, f"the envelope cannot be read: {error}") from error
    if (letter.seq, letter.type) != (seq, type_):
        raise AlteredLog(stream_id, seq, "the columns do not say what the envelope says")
    parts = {name: layout.decrypt_part(ring, stream_id, seq, name, value) for name, value in closed.items()}
    commitments = {name: layout.commitment(part) for name, part in parts.items()}
    for name in sorted(commitments.keys() | letter.commitments.keys()):
        if commitments.get(name) != letter.commitments.get(name):
            raise AlteredLog(stream_id, seq, f"the secret part {name} is not what was committed to")
    return StoredEvent(
        seq,
        letter.type,
        letter.body,
        {name: layout.decode_json(part.body) for name, part in parts.items()},
        letter.actor,
        letter.command_id,
        letter.recorded_at,
        letter.commitments,
        envelope,
        digest,
    )


def _check_receipts(ring: encryption.Keyring, stream_id: str, commands: list[str]) -> None:
    """Check that each event belongs to exactly one receipt, which names its command and is unaltered. Raises
    AlteredLog.
    """
    receipted: list[str | None] = [None] * len(commands)
    for first, count, command_id, key, closed in _rows(queries.SELECT_RECEIPTS, stream_id):
        layout.decrypt_receipt_hash(ring, stream_id, command_id, first, layout.closed(key, closed))
        for seq in range(first, first + count):
            if not 0 <= seq < len(commands) or receipted[seq] is not None or commands[seq] != command_id:
                raise AlteredLog(stream_id, seq, f"the receipt of {command_id} is not right")
            receipted[seq] = command_id
    if None in receipted:
        raise AlteredLog(stream_id, receipted.index(None), "there is no receipt")


def _parts(stream_id: str) -> Parts:
    return {
        seq: {name: layout.closed(key, closed) for _, name, key, closed in rows}
        for seq, rows in groupby(_rows(queries.SELECT_PARTS, stream_id), key=itemgetter(0))
    }


def _rows(query: str, stream_id: str) -> Iterator[tuple[Any, ...]]:
    with connections[router.db_for_write(Event)].cursor() as cursor:
        cursor.execute(query, [stream_id])
        yield from cursor
