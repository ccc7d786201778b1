"""Read the log: heads, receipts and events."""

from collections.abc import Collection

from django.db import connections, router

from games import encryption
from games.models import Event
from games.store import layout, queries, statements
from games.store.errors import UnknownStream
from games.store.queries import ReceiptRow
from games.store.types import Head, Receipt, StoredEvent

LAST_SEQ = 2**31 - 1
Row = tuple[int, bytes | None, bytes | None, str | None, str | None, bytes | None]


def read_head(stream_id: str, *, lock: bool = False) -> Head:
    """Return the head of the stream. With `lock`, in a transaction, nobody else can append until the
    transaction ends. Raises UnknownStream.
    """
    connection = connections[router.db_for_write(Event)]
    query = queries.SELECT_HEAD
    if lock and connection.features.has_select_for_update:
        query += queries.LOCK_CLAUSE
    with connection.cursor() as cursor:
        cursor.execute(query, [stream_id])
        row = cursor.fetchone()
    if row is None:
        raise UnknownStream(f"there is no stream {stream_id}", stream=stream_id)
    return Head(row[0], bytes(row[1]))


def find_receipt(stream_id: str, command_id: str) -> Receipt | None:
    """Return the receipt of the command, or None if it was never stored."""
    with connections[router.db_for_write(Event)].cursor() as cursor:
        cursor.execute(*queries.select_receipt(stream_id, command_id))
        row = cursor.fetchone()
    return None if row is None else decrypt_receipt(stream_id, command_id, ReceiptRow._make(row))


def decrypt_receipt(stream_id: str, command_id: str, row: ReceiptRow) -> Receipt:
    """Decrypt the receipt of a command. Raises AlteredLog if it was changed."""
    key, closed, first, count = row
    body_hash = layout.decrypt_receipt_hash(
        encryption.keys_in_use(), stream_id, command_id, first, layout.closed(key, closed)
    )
    return Receipt(body_hash, first, count)


def read(
    stream_id: str, since: int = -1, upto: int | None = None, *, parts: bool = True
) -> list[StoredEvent]:
    """Return the events with since < seq <= upto, in order. With `parts` they contain the values of their
    secret parts.
    """
    which: list[str | int] = [stream_id, since, LAST_SEQ if upto is None else upto]
    query, arguments = (queries.READ_EVENTS_AND_PARTS, which * 2) if parts else (queries.READ_EVENTS, which)
    connection = connections[router.db_for_write(Event)]
    if connection.vendor == "postgresql":
        [result] = statements.send_together(connection, [(query, arguments)])
        return _events(stream_id, result.rows)
    with connection.cursor() as cursor:
        cursor.execute(query, arguments)
        return _events(stream_id, cursor.fetchall())


def read_types(stream_ids: Collection[str], types: Collection[str]) -> list[tuple[str, StoredEvent]]:
    """Return (stream id, event) for the events of these types in these streams, without secret parts. One
    query.
    """
    events = Event.objects.filter(stream_id__in=stream_ids, type__in=types).order_by("stream_id", "seq")
    rows = events.values_list("stream_id", "seq", "envelope", "hash")
    return [
        (stream, event)
        for stream, seq, envelope, digest in rows
        for event in _events(stream, [(seq, bytes(envelope), bytes(digest), None, None, None)])
    ]


def count_events(stream_id: str, type_: str) -> int:
    """Count the events of a type in a stream. One query."""
    return Event.objects.filter(stream_id=stream_id, type=type_).count()


def decrypt_parts(stream_id: str, seq: int) -> list[layout.Part]:
    """Return the secret parts of an event with their nonces, which are needed to publish them."""
    with connections[router.db_for_write(Event)].cursor() as cursor:
        cursor.execute(queries.SELECT_PARTS_OF_EVENT, [stream_id, seq])
        rows = cursor.fetchall()
    ring = encryption.keys_in_use()
    return [
        layout.decrypt_part(ring, stream_id, seq, name, layout.closed(key, value))
        for name, key, value in rows
    ]


def _events(stream_id: str, rows: list[Row]) -> list[StoredEvent]:
    """Assemble events from rows: one row per event, followed by one row for each of its secret parts."""
    events: list[StoredEvent] = []
    ring: encryption.Keyring | None = None
    for seq, envelope, digest, name, key, closed in rows:
        if envelope is None or digest is None:
            if name and key and closed is not None and events and events[-1].seq == seq:
                ring = ring or encryption.keys_in_use()
                part = layout.decrypt_part(ring, stream_id, seq, name, layout.closed(key, closed))
                events[-1].parts[name] = layout.decode_json(part.body)
            continue
        raw = bytes(envelope)
        letter = layout.decode_envelope(raw)
        events.append(
            StoredEvent(
                seq,
                letter.type,
                letter.body,
                {},
                letter.actor,
                letter.command_id,
                letter.recorded_at,
                letter.commitments,
                raw,
                bytes(digest),
            )
        )
    return events
