"""Celery tasks of games: they wake up deadlines. All state is in the rows."""

import logging

from celery import shared_task
from django.utils import timezone

from games import guests
from games.analysis import best_card_gains
from games.models import Deadline
from games.timers import clock_jumps, deadlines

log = logging.getLogger(__name__)


@shared_task(name=deadlines.WAKE)
def wake(stream_id: str, kind: str) -> bool:
    """Run one deadline, if it is due. The sweep repeats a lost message."""
    if clock_jumps.jumped():
        clock_jumps.beat()
    row = Deadline.objects.filter(stream_id=stream_id, kind=kind).values_list("pk", flat=True).first()
    return row is not None and deadlines.run(row)


@shared_task(name="games.sweep")
def sweep() -> int:
    """Run all overdue deadlines; returns their number. Idempotent, also concurrently or late."""
    clock_jumps.beat()
    for stream_id, kind, due_at in deadlines.upcoming(timezone.now()):
        deadlines.wake(stream_id, kind, due_at)
    best_card_gains.send(best_card_gains.unsent_rows())
    return sum(_run(row) for row in deadlines.due(timezone.now()))


@shared_task(name="games.sweep_guests")
def sweep_guests() -> int:
    """Delete abandoned guest tables; returns their number. Idempotent, also concurrently or late."""
    return guests.sweep(timezone.now())


@shared_task(name="games.estimate")
def estimate(row: int) -> bool:
    """Estimate the gains of the best cards for the cards of a finished deal that one row names."""
    return best_card_gains.run(row)


def _run(row: int) -> bool:
    """Run one row; a failure is logged and tried again next time, so that other rows do not wait for it."""
    try:
        return deadlines.run(row)
    except Exception:
        log.exception("deadline %d failed", row)
        return False
