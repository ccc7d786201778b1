"""Appending on SQLite: four statements in one transaction, which IMMEDIATE lets only one writer begin."""

from collections.abc import Sequence

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from games.store.batch import Batch
from games.store.statements import Question

MOVE_HEAD = """
UPDATE games_stream SET head_seq = %s, head_hash = %s
WHERE id = %s AND head_seq = %s AND head_hash = %s
  AND NOT EXISTS (SELECT 1 FROM games_receipt WHERE stream_id = %s AND command_id = %s)
"""
RECEIPT = """
INSERT INTO games_receipt (stream_id, command_id, key, closed, first_seq, count)
VALUES (%s, %s, %s, %s, %s, %s)
"""
EVENT = "INSERT INTO games_event (stream_id, seq, type, envelope, hash) VALUES (%s, %s, %s, %s, %s)"
PART = "INSERT INTO games_secretpart (stream_id, seq, name, key, closed) VALUES (%s, %s, %s, %s, %s)"


def write(connection: BaseDatabaseWrapper, batches: Sequence[Batch], beside: Sequence[Question]) -> bool:
    with transaction.atomic(using=connection.alias, savepoint=False), connection.cursor() as cursor:
        if not all(_is_appended(cursor, batch) for batch in batches):
            return False
        for query, arguments in beside:
            cursor.execute(query, arguments)
    return True


def _is_appended(cursor: CursorWrapper, batch: Batch) -> bool:
    stream, expected, head, command = batch.stream_id, batch.expected, batch.head, batch.command_id
    cursor.execute(MOVE_HEAD, [head.seq, head.hash, stream, expected.seq, expected.hash, stream, command])
    if cursor.rowcount != 1:
        return False
    moved = (expected.seq + 1, head.seq - expected.seq)
    cursor.execute(RECEIPT, [stream, command, *batch.receipt, *moved])
    cursor.executemany(EVENT, [(stream, *event) for event in batch.events])
    if batch.parts:
        cursor.executemany(PART, [(stream, *part) for part in batch.parts])
    return True
