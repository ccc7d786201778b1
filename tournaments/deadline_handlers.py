"""What is due by the clock: rounds that open and close on time. Rows; Celery only wakes them up."""

from datetime import timedelta

from django.utils import timezone

from games.models import Deadline
from games.timers import deadlines
from tournaments import jobs
from tournaments.models import Job, Round
from tournaments.notices import occasions
from tournaments.services import rounds

LOOK_AGAIN = timedelta(seconds=30)


def register_handlers() -> None:
    """Called once, when the app is ready."""
    deadlines.register(rounds.OPEN, open_round)
    deadlines.register(rounds.CLOSE, close_round)
    deadlines.register(occasions.KIND, occasions.write_notices)


def open_round(deadline: Deadline) -> None:
    """The hour has come: a round that nobody has opened is drawn, if need be, and opened."""
    round_ = Round.objects.select_related("championship").get(stream=deadline.stream_id)
    if round_.status in (Round.Status.PLANNED, Round.Status.DRAWN):
        jobs.start(Job.Kind.OPEN, round_, actor=None, draw=True)


def close_round(deadline: Deadline) -> None:
    """The time is up: a round closes by itself as soon as all its tables are done; longer play is the
    director's business."""
    round_ = Round.objects.select_related("championship").get(stream=deadline.stream_id)
    if round_.status != Round.Status.OPEN:
        return
    if rounds.list_unfinished(round_):
        deadlines.arm(rounds.CLOSE, deadline.stream_id, timezone.now() + LOOK_AGAIN)
    else:
        jobs.start(Job.Kind.CLOSE, round_, actor=None)
