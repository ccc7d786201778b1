"""What Celery does for championships: it runs jobs. Everything it needs to know stands in their rows."""

import logging

from celery import shared_task

from engine import Refused
from games.messaging import task_queue
from tournaments import demo, jobs
from tournaments.notices import delivery, occasions, subscriptions
from tournaments.services.audit import auditing, sealing
from tournaments.services.scores import ranking
from tournaments.services.scores.silence import confirm_silent_results

log = logging.getLogger(__name__)


@shared_task(name="tournaments.run_job")
def run_job(job_id: str) -> bool:
    """Do one job. Delivered twice it does nothing the second time."""
    return jobs.run(job_id)


@shared_task(name="tournaments.audit_part")
def audit_part(part_id: int) -> bool:
    """Check a part of an audit. Delivered twice it does nothing the second time."""
    return auditing.check(part_id)


@shared_task(name="tournaments.play_earlier")
def play_earlier() -> None:
    """The demo's earlier championship, a round a task; begun again by the next start of the demo."""
    try:
        left = demo.play_earlier()
    except Refused as refusal:  # another worker was quicker: it goes on
        log.info("the demo's earlier championship: %s", refusal.code)
        return
    if left:
        play_earlier.delay()


@shared_task(name="tournaments.sweep")
def sweep() -> int:
    """Send again what seems to have got lost; how many."""
    waiting = jobs.due()
    jobs.send(waiting)
    auditing.start_nightly()
    parts = auditing.due()
    auditing.send(parts)
    if delivery.waiting_notices().exists():
        task_queue.send(occasions.SEND_TASK)
    return len(waiting) + len(parts) + confirm_silent_results()


@shared_task(name="tournaments.publish_by_new_counting")
def publish_by_new_counting() -> int:
    """After an upgrade that changed the counting; how many rankings. Twice it changes nothing."""
    return ranking.republish_by_new_counting()


@shared_task(name="tournaments.seal")
def seal() -> int:
    """A checkpoint for every championship in which something has moved; how many. Twice, late or never: the
    next one covers what is missing.
    """
    return sum(sealing.seal_if_possible(championship) is not None for championship in sealing.list_unsealed())


@shared_task(name=occasions.SEND_TASK)
def tell() -> int:
    """Tell phones what they asked for; how many letters were written. Twice at once, or late: once each."""
    return delivery.send_due()


@shared_task(name="tournaments.forget_phones")
def forget_phones() -> int:
    """Phones are told no more of championships that are over; how many rows went."""
    return subscriptions.forget_finished()
