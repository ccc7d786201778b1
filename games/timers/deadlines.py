"""Deadlines: rows that are finished in the transaction of the events they cause. Celery only runs them in
time. Work of more than one transaction has a lease (`games.timers.leases`); a deadline may start such work.

    deadlines.register("round_closes", handler)
    deadlines.arm("round_closes", stream_id, due_at)        # one per stream and kind; again: moves it
    deadlines.run(deadline_id) / due(now) / upcoming(now)   # by the tasks

A handler runs in the transaction that has locked the row. If it raises an exception, its work is undone and
the row stays. If the exception is a refusal (`Refused`), the deadline has become pointless, and the row is
deleted.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.utils import timezone

from engine import Refused
from games import store
from games.messaging import task_queue
from games.models import Deadline
from games.store import queries

Handler = Callable[[Deadline], None]
MAX_COUNTDOWN = timedelta(seconds=60)
"""Deadlines due later than this get no message, and a sweep runs them: a message that waits longer may be
delivered twice.
"""

SWEEP_SECONDS = 1.0
WAKE = "games.wake"
"""Name of the task that runs a deadline. Its arguments are stream and kind."""

_handlers: dict[str, Handler] = {}
_mostly_moved: set[str] = set()


def register(kind: str, handler: Handler, *, mostly_moved: bool = False) -> None:
    """Register the handler of a kind of deadline.

    `mostly_moved`: deadlines of this kind hardly ever become due, because another event moves them first. For
    them, arming sends a message only if they are due soon; otherwise the sweep sends it.
    """
    if _handlers.setdefault(kind, handler) is not handler:
        raise ValueError(f"deadlines of kind {kind} have a handler already")
    if mostly_moved:
        _mostly_moved.add(kind)


def arm(kind: str, stream_id: str, due_at: datetime) -> None:
    """Set or move a stream's deadline of this kind. If it is near, workers get a message after the commit."""
    row = Deadline(kind=kind, stream_id=stream_id, due_at=due_at)
    Deadline.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["stream", "kind"],
        update_fields=["due_at"],
    )
    _wake_after_commit(kind, stream_id, due_at)


def arm_statement(kind: str, stream_id: str, due_at: datetime, guard_seq: int) -> store.Statement:
    """Return the statement that sets the deadline of a turn, for callers that send several statements
    together. If it is near, workers get a message after the commit, as with `arm`.

    `guard_seq`: the `turn_seq` of the game; once this turn is over, the handler does nothing.
    """
    _wake_after_commit(kind, stream_id, due_at)
    return queries.upsert_deadline(kind, stream_id, due_at, guard_seq)


def disarm(kind: str, stream_id: str) -> None:
    """Delete a deadline, if there is one."""
    Deadline.objects.filter(kind=kind, stream_id=stream_id).delete()


def due(now: datetime, limit: int = 500) -> list[int]:
    """Return the primary keys of at most `limit` overdue deadlines, the oldest first."""
    return list(
        Deadline.objects.filter(due_at__lte=now).order_by("due_at").values_list("pk", flat=True)[:limit]
    )


def upcoming(now: datetime) -> list[tuple[str, str, datetime]]:
    """Return (stream, kind, time) of the `mostly_moved` deadlines due before the next sweep."""
    until = now + timedelta(seconds=SWEEP_SECONDS)
    rows = Deadline.objects.filter(due_at__gt=now, due_at__lte=until, kind__in=_mostly_moved)
    return list(rows.values_list("stream_id", "kind", "due_at"))


def run(deadline_id: int, now: datetime | None = None) -> bool:
    """Run a deadline, and delete it unless its handler has moved it. Return False if it is not due, is done,
    or another worker runs it. Raises the handler's errors, except Refused.
    """
    now = now or timezone.now()
    with transaction.atomic():
        row = _take(deadline_id, now)
        if row is None:
            return False
        try:
            with transaction.atomic():
                _handlers[row.kind](row)
        except Refused:
            pass
        # The handler may have armed the same row for the next time.
        Deadline.objects.filter(pk=row.pk, due_at=row.due_at, guard_seq=row.guard_seq).delete()
    return True


def _take(deadline_id: int, now: datetime) -> Deadline | None:
    """Lock the row of a deadline and its stream, and return the row; None if it is not due, locked by another
    worker or of an unknown kind. A submitted command locks in the same order, which prevents deadlocks.
    """
    rows = Deadline.objects.filter(pk=deadline_id, due_at__lte=now)
    if connection.features.has_select_for_update_skip_locked:
        rows = rows.select_related("stream")
        rows = rows.select_for_update(skip_locked=True, no_key=True, of=("self", "stream"))
    row = rows.first()
    return row if row is None or row.kind in _handlers else None


def _wake_after_commit(kind: str, stream_id: str, due_at: datetime) -> None:
    left = due_at - timezone.now()
    if left <= (timedelta(seconds=SWEEP_SECONDS) if kind in _mostly_moved else MAX_COUNTDOWN):
        transaction.on_commit(lambda: wake(stream_id, kind, due_at), robust=True)


def wake(stream_id: str, kind: str, due_at: datetime) -> None:
    """Queue a message for the workers that runs this deadline at its time."""
    task_queue.send(WAKE, stream_id, kind, at=due_at)
