"""Append events: the new head, the events, their secret parts and the receipt are all written, or none of
them.

On PostgreSQL `lock_game` (`queries`) and `read_head(…, lock=True)` (`reading`) lock a stream; `_write` itself
moves the head only if it is still the expected one. `games.live.command_queues` retries a locked stream.
"""

from collections.abc import Sequence
from typing import Any

from django.db import connections, router, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.utils import IntegrityError
from django.utils import timezone

from games import encryption
from games.models import Event, Stream
from games.store import guard, layout, queries, statements
from games.store.batch import Batch
from games.store.errors import CommandIdReused, ConcurrencyError, UnguardedLog
from games.store.reading import find_receipt, read_head
from games.store.statements import Statement
from games.store.types import Appended, Head, Receipt, Record

_guarded: set[tuple[str, str]] = set()


def create_stream(kind: str) -> Stream:
    """Create an empty stream of the kind `game`, `round`, `championship` or `series`."""
    stream = Stream(kind=Stream.Kind(kind), head_seq=-1)
    stream.head_hash = layout.genesis(stream.id, kind)
    stream.save(force_insert=True)
    return stream


def append(
    stream_id: str,
    expected: Head | int,
    records: Sequence[Record],
    *,
    actor: str,
    command_id: str,
    body_hash: bytes,
) -> Appended:
    """Add the events of one command after `expected`, the head of the stream as the caller knows it, or its
    seq.

    Idempotent: a repeated command returns the original result, for any `expected`. Raises ConcurrencyError if
    the stream has moved on, CommandIdReused if the id was used for another command.
    """
    if isinstance(expected, int):
        known = read_head(stream_id)
        if known.seq != expected:
            return _repeat_or_refuse(stream_id, expected, command_id, body_hash)
        expected = known
    request: dict[str, Any] = {"actor": actor, "command_id": command_id, "body_hash": body_hash}
    batch = prepare(stream_id, expected, records, **request)
    try:
        written = _write([batch])
    except IntegrityError as clash:
        # Happens only when two commands with one id collide; the second finds the receipt on retry.
        _mark_for_rollback()
        raise ConcurrencyError("another command was stored at the same moment") from clash
    if not written:
        return _repeat_or_refuse(stream_id, expected.seq, command_id, body_hash)
    return Appended(expected.seq + 1, len(records), batch.head)


def prepare(
    stream_id: str,
    expected: Head,
    records: Sequence[Record],
    *,
    actor: str,
    command_id: str,
    body_hash: bytes,
) -> Batch:
    """Return the batch that adds the events of one command after `expected`; `write` stores it. Raises
    ValueError without events.
    """
    if not records:
        raise ValueError("a command that causes nothing is not stored")
    recorded_at = timezone.now().isoformat(timespec="microseconds").replace("+00:00", "Z")
    ring = encryption.keys_in_use()
    seq, digest = expected
    events, parts = [], []
    for record in records:
        seq += 1
        sealed = [layout.secret_part(name, value) for name, value in record.parts.items()]
        envelope = layout.write_envelope(
            seq, record.type, record.body, sealed, actor=actor, command_id=command_id, recorded_at=recorded_at
        )
        digest = layout.chain(stream_id, seq, digest, envelope)
        events.append((seq, record.type, envelope, digest))
        parts += [(seq, part.name, *layout.encrypt_part(ring, stream_id, seq, part)) for part in sealed]
    receipt = layout.encrypt_receipt(ring, stream_id, command_id, body_hash)
    return Batch(stream_id, expected, Head(seq, digest), command_id, receipt, events, parts)


def write(batches: Sequence[Batch], *beside: Statement) -> None:
    """Store batches, one after the other, and execute the other statements `beside`, in the caller's
    transaction. On PostgreSQL this is one round trip.

    The caller has locked the streams and knows that no command of a batch is stored yet. Otherwise `write`
    raises ConcurrencyError and marks the transaction for rollback.
    """
    if not _write(batches, beside):
        _mark_for_rollback()
        raise ConcurrencyError("the stream has moved on, or knows the command")


def _require_guard(connection: BaseDatabaseWrapper) -> None:
    """Check once per process and database that the triggers exist. Raises UnguardedLog if one is missing."""
    key = (connection.alias, str(connection.settings_dict["NAME"]))
    if key in _guarded:
        return
    absent = guard.find_missing_triggers(connection)
    if absent:
        raise UnguardedLog(
            "the log is not protected against changes; run `manage.py migrate` (missing: "
            + ", ".join(absent)
            + ")",
            missing=absent,
        )
    _guarded.add(key)


def _write(batches: Sequence[Batch], beside: Sequence[Statement] = ()) -> bool:
    """Write everything and return True. Return False if a head has moved or a command is stored already."""
    connection = connections[router.db_for_write(Event)]
    _require_guard(connection)
    write_to = _write_postgresql if connection.vendor == "postgresql" else _write_sqlite
    return write_to(connection, batches, beside)


def _write_postgresql(
    connection: BaseDatabaseWrapper, batches: Sequence[Batch], other_statements: Sequence[Statement]
) -> bool:
    appending = [
        (queries.append_statement(len(batch.events), len(batch.parts)), _append_arguments(batch))
        for batch in batches
    ]
    answers = statements.send_together(connection, [*appending, *other_statements])
    return all(answer.touched > 0 for answer in answers[: len(batches)])


def _append_arguments(batch: Batch) -> list[object]:
    stream, expected, head = batch.stream_id, batch.expected, batch.head
    return [
        *(head.seq, head.hash, stream, expected.seq, expected.hash, stream, batch.command_id),
        *(batch.command_id, *batch.receipt, expected.seq + 1, head.seq - expected.seq),
        *(value for part in batch.parts for value in part),
        *(value for event in batch.events for value in event),
    ]


def _write_sqlite(
    connection: BaseDatabaseWrapper, batches: Sequence[Batch], other_statements: Sequence[Statement]
) -> bool:
    with transaction.atomic(using=connection.alias, savepoint=False), connection.cursor() as cursor:
        if not all(_append_batch(cursor, batch) for batch in batches):
            return False
        for query, arguments in other_statements:
            cursor.execute(query, arguments)
    return True


def _append_batch(cursor: CursorWrapper, batch: Batch) -> bool:
    stream, expected, head, command = batch.stream_id, batch.expected, batch.head, batch.command_id
    cursor.execute(
        queries.MOVE_HEAD, [head.seq, head.hash, stream, expected.seq, expected.hash, stream, command]
    )
    if cursor.rowcount != 1:
        return False
    moved = (expected.seq + 1, head.seq - expected.seq)
    cursor.execute(queries.INSERT_RECEIPT, [stream, command, *batch.receipt, *moved])
    cursor.executemany(queries.INSERT_EVENT, [(stream, *event) for event in batch.events])
    if batch.parts:
        cursor.executemany(queries.INSERT_PART, [(stream, *part) for part in batch.parts])
    return True


def _mark_for_rollback() -> None:
    """Mark the caller's transaction for rollback, so that nothing of it is stored."""
    connection = connections[router.db_for_write(Event)]
    if connection.in_atomic_block:
        transaction.set_rollback(True, using=connection.alias)


def _repeat_or_refuse(stream_id: str, expected: int, command_id: str, body_hash: bytes) -> Appended:
    receipt = find_receipt(stream_id, command_id)
    if receipt is not None:
        return restore_original_result(stream_id, command_id, receipt, body_hash)
    head = read_head(stream_id)
    raise ConcurrencyError(
        f"expected the stream to end at {expected}, it ends at {head.seq}", expected=expected, head=head.seq
    )


def restore_original_result(stream_id: str, command_id: str, receipt: Receipt, body_hash: bytes) -> Appended:
    """Return the original result of a repeated command, from its receipt. Raises CommandIdReused if the id
    belongs to another command.
    """
    if receipt.body_hash != body_hash:
        raise CommandIdReused(f"command_id {command_id} was used for another command", command_id=command_id)
    return Appended(receipt.first_seq, receipt.count, read_head(stream_id), repeated=True)
