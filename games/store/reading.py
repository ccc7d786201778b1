"""Reading the log: heads, receipts and events."""

from collections.abc import Iterator

from django.db import connections, router

from games.models import Event
from games.store import layout, postgresql
from games.store.errors import UnknownStream
from games.store.types import Head, Receipt, StoredEvent

# One query brings the secret parts along; almost every event has at most one, so nothing is read twice.
WITH_PARTS = """
SELECT e.seq, e.envelope, e.hash, p.name, p.body FROM games_event e
LEFT JOIN games_secretpart p ON p.stream_id = e.stream_id AND p.seq = e.seq
WHERE e.stream_id = %s AND e.seq > %s AND e.seq <= %s ORDER BY e.seq
"""
BARE = """
SELECT seq, envelope, hash, NULL, NULL FROM games_event
WHERE stream_id = %s AND seq > %s AND seq <= %s ORDER BY seq
"""
LAST_SEQ = 2**31 - 1
Row = tuple[int, bytes, bytes, str | None, bytes | None]


def head_of(stream_id: str, *, lock: bool = False) -> Head:
    """Where the stream ends; with `lock` (inside a transaction) nobody else can append until it is over."""
    connection = connections[router.db_for_write(Event)]
    query = "SELECT head_seq, head_hash FROM games_stream WHERE id = %s"
    if lock and connection.features.has_select_for_update:
        query += " FOR NO KEY UPDATE"
    with connection.cursor() as cursor:
        cursor.execute(query, [stream_id])
        row = cursor.fetchone()
    if row is None:
        raise UnknownStream(f"there is no stream {stream_id}", stream=stream_id)
    return Head(row[0], bytes(row[1]))


def receipt_of(stream_id: str, command_id: str) -> Receipt | None:
    """Which events the command caused, or None if it was never stored."""
    query = "SELECT body_hash, first_seq, count FROM games_receipt WHERE stream_id = %s AND command_id = %s"
    with connections[router.db_for_write(Event)].cursor() as cursor:
        cursor.execute(query, [stream_id, command_id])
        row = cursor.fetchone()
    return None if row is None else Receipt(bytes(row[0]), row[1], row[2])


def read(
    stream_id: str, since: int = -1, upto: int | None = None, *, parts: bool = True
) -> list[StoredEvent]:
    """The events with since < seq <= upto, in order; with `parts` the values of their secret parts too."""
    query = WITH_PARTS if parts else BARE
    arguments = (stream_id, since, LAST_SEQ if upto is None else upto)
    connection = connections[router.db_for_write(Event)]
    if connection.vendor == "postgresql":
        return list(_events(postgresql.rows(connection, query, arguments)))
    with connection.cursor() as cursor:
        cursor.execute(query, arguments)
        return list(_events(cursor.fetchall()))


def open_parts(stream_id: str, seq: int) -> list[layout.Part]:
    """Nonce and bytes of an event's secret parts: what is handed out when they become public."""
    query = "SELECT name, nonce, body FROM games_secretpart WHERE stream_id = %s AND seq = %s ORDER BY name"
    with connections[router.db_for_write(Event)].cursor() as cursor:
        cursor.execute(query, [stream_id, seq])
        return [layout.Part(name, bytes(nonce), bytes(body)) for name, nonce, body in cursor.fetchall()]


def _events(rows: list[Row]) -> Iterator[StoredEvent]:
    """Rows come one a part: those of one event follow each other."""
    parts: dict[str, object] = {}
    for index, (seq, envelope, digest, name, body) in enumerate(rows):
        if name is not None and body is not None:
            parts[name] = layout.decode_json(bytes(body))
        if index + 1 < len(rows) and rows[index + 1][0] == seq:
            continue
        raw = bytes(envelope)
        letter = layout.decode_envelope(raw)
        yield StoredEvent(
            seq,
            letter.type,
            letter.body,
            parts,
            letter.actor,
            letter.command_id,
            letter.recorded_at,
            letter.commitments,
            raw,
            bytes(digest),
        )
        parts = {}
