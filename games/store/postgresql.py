"""The log on PostgreSQL: appended by one prepared statement, in its own transaction where none is open, and
in one round trip with what lies beside it.
"""

from collections.abc import Sequence
from functools import lru_cache

from django.db.backends.base.base import BaseDatabaseWrapper

from games.store import statements
from games.store.batch import Batch
from games.store.statements import Question

# `head` is empty when the stream has moved on or the command is known: then nothing is inserted at all.
WRITE = """
WITH head AS (
    UPDATE games_stream SET head_seq = %s, head_hash = %s
    WHERE id = %s AND head_seq = %s AND head_hash = %s
      AND NOT EXISTS (SELECT FROM games_receipt WHERE stream_id = %s AND command_id = %s)
    RETURNING id
), receipt AS (
    INSERT INTO games_receipt (stream_id, command_id, key, closed, first_seq, count)
    SELECT id, %s, %s, %s, %s, %s FROM head
)"""
PARTS = """, part AS (
    INSERT INTO games_secretpart (stream_id, seq, name, key, closed) SELECT head.id, row.* FROM head, {rows}
)"""
EVENTS = """
INSERT INTO games_event (stream_id, seq, type, envelope, hash) SELECT head.id, row.* FROM head, {rows}
"""
PART = "(%s::int, %s::text, %s::text, %s::bytea)"
EVENT = "(%s::int, %s::text, %s::bytea, %s::bytea)"


def write(connection: BaseDatabaseWrapper, batches: Sequence[Batch], beside: Sequence[Question]) -> bool:
    appending = [(_statement(len(batch.events), len(batch.parts)), _arguments(batch)) for batch in batches]
    answers = statements.send_together(connection, [*appending, *beside])
    return all(answer.touched > 0 for answer in answers[: len(batches)])


@lru_cache(maxsize=64)
def _statement(events: int, parts: int) -> str:
    """The statement for so many events and parts. Plain values are half the cost of arrays for the few
    there are.
    """
    sealed = PARTS.format(rows=_rows(PART, parts)) if parts else ""
    return WRITE + sealed + EVENTS.format(rows=_rows(EVENT, events))


def _rows(row: str, count: int) -> str:
    return f"(VALUES {', '.join([row] * count)}) AS row"


def _arguments(batch: Batch) -> list[object]:
    stream, expected, head = batch.stream_id, batch.expected, batch.head
    return [
        *(head.seq, head.hash, stream, expected.seq, expected.hash, stream, batch.command_id),
        *(batch.command_id, *batch.receipt, expected.seq + 1, head.seq - expected.seq),
        *(value for part in batch.parts for value in part),
        *(value for event in batch.events for value in event),
    ]
