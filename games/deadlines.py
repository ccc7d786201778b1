"""Things that are due: rows, finished in the transaction of the events they cause. Celery only wakes them up.

    deadlines.register("round_closes", handler)
    deadlines.arm("round_closes", stream_id, due_at)        # one of a kind a stream; again: moved
    deadlines.run(deadline_id) / deadlines.due(now)         # by the tasks

A handler runs inside the transaction that holds the row. What it raises undoes its work and keeps the row,
except a refusal (IllegalCommand, ConcurrencyError, Refused): then what was due has become pointless, and
the row goes.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from engine import IllegalCommand
from games import store
from games.errors import Refused
from games.models import Deadline

Handler = Callable[[Deadline], None]
POINTLESS = (IllegalCommand, store.ConcurrencyError, Refused)
LONGEST_COUNTDOWN = timedelta(seconds=60)
"""What is due later is left to the sweep: a message that waits longer may be delivered twice."""

_handlers: dict[str, Handler] = {}


def register(kind: str, handler: Handler) -> None:
    """Name what happens when a deadline of this kind is due."""
    if _handlers.setdefault(kind, handler) is not handler:
        raise ValueError(f"deadlines of kind {kind} have a handler already")


def arm(
    kind: str,
    stream_id: str,
    due_at: datetime,
    *,
    guard_seq: int | None = None,
    payload: dict[str, Any] | None = None,
) -> None:
    """Set the stream's deadline of this kind, or move it."""
    row = Deadline(kind=kind, stream_id=stream_id, due_at=due_at, guard_seq=guard_seq, payload=payload or {})
    Deadline.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["stream", "kind"],
        update_fields=["due_at", "guard_seq", "payload"],
    )
    if due_at - timezone.now() <= LONGEST_COUNTDOWN:
        transaction.on_commit(lambda: _wake(stream_id, kind, due_at), robust=True)


def disarm(kind: str, stream_id: str) -> None:
    """Take a deadline back, if it is there."""
    Deadline.objects.filter(kind=kind, stream_id=stream_id).delete()


def due(now: datetime, limit: int = 500) -> list[int]:
    """The rows that should have happened by now, the oldest first."""
    return list(
        Deadline.objects.filter(due_at__lte=now).order_by("due_at").values_list("pk", flat=True)[:limit]
    )


def run(deadline_id: int, now: datetime | None = None) -> bool:
    """Do what is due, once. False: it is not due, is done, or somebody else has it in hand."""
    now = now or timezone.now()
    with transaction.atomic():
        row = _take(deadline_id, now)
        if row is None:
            return False
        try:
            with transaction.atomic():
                _handlers[row.kind](row)
        except POINTLESS:
            pass
        # The handler may have armed the same row for the next time.
        Deadline.objects.filter(pk=row.pk, due_at=row.due_at, guard_seq=row.guard_seq).delete()
    return True


def _take(deadline_id: int, now: datetime) -> Deadline | None:
    """The row, and its stream before it: a submit takes them in the same order, so nobody waits in a
    circle.
    """
    rows = Deadline.objects.filter(pk=deadline_id, due_at__lte=now)
    if connection.features.has_select_for_update_skip_locked:
        rows = rows.select_related("stream")
        rows = rows.select_for_update(skip_locked=True, no_key=True, of=("self", "stream"))
    row = rows.first()
    return row if row is None or row.kind in _handlers else None


def _wake(stream_id: str, kind: str, due_at: datetime) -> None:
    from games import tasks

    seconds = max(0.0, (due_at - timezone.now()).total_seconds())
    tasks.wake.apply_async((stream_id, kind), countdown=seconds, retry=False)
