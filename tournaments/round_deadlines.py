"""Deadlines of rounds: scheduled opening and closing, and the writing of notices.

The deadlines are rows; Celery only triggers their processing.
"""

from datetime import timedelta

from django.utils import timezone

from games.models import Deadline
from games.timers import deadlines
from tournaments import jobs
from tournaments.models import Job, Round
from tournaments.notices import occasions
from tournaments.services.rounds import rounds

RETRY_INTERVAL = timedelta(seconds=30)


def register_handlers() -> None:
    """Register the handlers of round deadlines. Called once when the app is ready."""
    deadlines.register(rounds.OPEN, open_scheduled_round)
    deadlines.register(rounds.CLOSE, close_scheduled_round)
    deadlines.register(occasions.KIND, occasions.write_notices)


def open_scheduled_round(deadline: Deadline) -> None:
    """Start the job that opens an unopened round, drawn first if necessary."""
    round_ = Round.objects.select_related("championship").get(stream=deadline.stream_id)
    if round_.status in (Round.Status.PLANNED, Round.Status.DRAWN):
        jobs.start_job(Job.Kind.OPEN, round_, actor=None, draw=True)


def close_scheduled_round(deadline: Deadline) -> None:
    """Start the job that closes an open round; while tables are unfinished, retry after RETRY_INTERVAL."""
    round_ = Round.objects.select_related("championship").get(stream=deadline.stream_id)
    if round_.status != Round.Status.OPEN:
        return
    if rounds.list_unfinished(round_):
        deadlines.arm(rounds.CLOSE, deadline.stream_id, timezone.now() + RETRY_INTERVAL)
    else:
        jobs.start_job(Job.Kind.CLOSE, round_, actor=None)
