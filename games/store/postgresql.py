"""Appending on PostgreSQL: one prepared statement, one round trip, its own transaction where none is open."""

from typing import TYPE_CHECKING

import psycopg
from django.db.backends.base.base import BaseDatabaseWrapper

if TYPE_CHECKING:
    from games.store.append import Batch

# `head` is empty when the stream has moved on or the command is known: then nothing is inserted at all.
WRITE = """
WITH head AS (
    UPDATE games_stream SET head_seq = %(head_seq)s, head_hash = %(head_hash)s
    WHERE id = %(stream)s AND head_seq = %(expected_seq)s AND head_hash = %(expected_hash)s
      AND NOT EXISTS (SELECT FROM games_receipt WHERE stream_id = %(stream)s AND command_id = %(command)s)
    RETURNING id
), receipt AS (
    INSERT INTO games_receipt (stream_id, command_id, body_hash, first_seq, count)
    SELECT id, %(command)s, %(body_hash)s, %(expected_seq)s + 1, %(head_seq)s - %(expected_seq)s FROM head
), part AS (
    INSERT INTO games_secretpart (stream_id, seq, name, nonce, body)
    SELECT head.id, p.* FROM head,
        unnest(%(part_seqs)s::int[], %(names)s::text[], %(nonces)s::bytea[], %(bodies)s::bytea[]) AS p
), event AS (
    INSERT INTO games_event (stream_id, seq, type, envelope, hash)
    SELECT head.id, e.* FROM head,
        unnest(%(seqs)s::int[], %(types)s::text[], %(envelopes)s::bytea[], %(hashes)s::bytea[]) AS e
)
SELECT count(*) FROM head
"""
# Django leaves preparing off; this threshold prepares only what asks for it, never Django's own statements.
ONLY_ON_REQUEST = 2**31 - 1


def write(connection: BaseDatabaseWrapper, batch: "Batch") -> bool:
    with connection.wrap_database_errors:
        connection.ensure_connection()
        raw: psycopg.Connection = connection.connection
        if raw.prepare_threshold is None:
            raw.prepare_threshold = ONLY_ON_REQUEST
        with psycopg.Cursor(raw) as cursor:
            cursor.execute(WRITE, _arguments(batch), prepare=True)
            row = cursor.fetchone()
    return row is not None and row[0] == 1


def _arguments(batch: "Batch") -> dict[str, object]:
    seqs, types, envelopes, hashes = _columns(batch.events)
    part_seqs, names, nonces, bodies = _columns(batch.parts)
    return {
        "stream": batch.stream_id,
        "expected_seq": batch.expected.seq,
        "expected_hash": batch.expected.hash,
        "head_seq": batch.head.seq,
        "head_hash": batch.head.hash,
        "command": batch.command_id,
        "body_hash": batch.body_hash,
        "seqs": seqs,
        "types": types,
        "envelopes": envelopes,
        "hashes": hashes,
        "part_seqs": part_seqs,
        "names": names,
        "nonces": nonces,
        "bodies": bodies,
    }


def _columns(rows: list[tuple[int, str, bytes, bytes]]) -> tuple[list[object], ...]:
    return tuple(map(list, zip(*rows, strict=True))) if rows else ([], [], [], [])
