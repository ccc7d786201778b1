"""What Celery does for games: it wakes deadlines up. Everything it needs to know stands in the rows."""

from celery import shared_task
from django.utils import timezone

from games import deadlines
from games.models import Deadline


@shared_task(name="games.wake")
def wake(stream_id: str, kind: str) -> bool:
    """Run one deadline, if it is due. Sent again by the sweep if this message gets lost."""
    row = Deadline.objects.filter(stream_id=stream_id, kind=kind).values_list("pk", flat=True).first()
    return row is not None and deadlines.run(row)


@shared_task(name="games.sweep")
def sweep() -> int:
    """Run whatever is overdue; how many were run. Twice at once, or late, it does the same."""
    return sum(deadlines.run(row) for row in deadlines.due(timezone.now()))
