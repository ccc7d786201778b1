"""Celery tasks of games. They run deadlines and other work whose state is in rows of the database."""

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
    """Run one deadline, if it is due; return whether it ran. If the message is lost, the sweep runs the
    deadline.
    """
    if clock_jumps.has_clock_jumped():
        clock_jumps.record_heartbeat()
    row = Deadline.objects.filter(stream_id=stream_id, kind=kind).values_list("pk", flat=True).first()
    return row is not None and deadlines.run(row)


@shared_task(name="games.sweep")
def sweep() -> int:
    """Run overdue deadlines, at most 500, and queue other work; return the number of deadlines that ran. It
    may run concurrently or late.
    """
    clock_jumps.record_heartbeat()
    for stream_id, kind, due_at in deadlines.upcoming(timezone.now()):
        deadlines.wake(stream_id, kind, due_at)
    best_card_gains.send(best_card_gains.unsent_rows())
    return sum(_run(row) for row in deadlines.due(timezone.now()))


@shared_task(name="games.sweep_guests")
def sweep_guests() -> int:
    """Delete abandoned guest tables, and return how many. It may run concurrently or late."""
    return guests.delete_idle_tables(timezone.now())


@shared_task(name="games.estimate")
def estimate(row: int) -> bool:
    """Continue the DealEstimate with this primary key. Return False if it is done, or a worker computes an
    estimate now.
    """
    return best_card_gains.run(row)


def _run(row: int) -> bool:
    """Run one deadline. An exception is logged, so that other deadlines do not wait; the next sweep tries
    again.
    """
    try:
        return deadlines.run(row)
    except Exception:
        log.exception("deadline %d failed", row)
        return False
