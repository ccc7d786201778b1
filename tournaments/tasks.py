"""Celery tasks of championships. Their arguments are ids of rows."""

import logging

from celery import shared_task

from engine import Refused
from games.messaging import task_queue
from tournaments import demo, jobs
from tournaments.accounts import mails as account_mails
from tournaments.notices import delivery, occasions, subscriptions
from tournaments.services import championship_seals
from tournaments.services.audit import auditing
from tournaments.services.championships import retention
from tournaments.services.entries import entry_mails
from tournaments.services.scores import published_ranking
from tournaments.services.scores.silent_confirmation import confirm_silent_results
from tournaments.services.series import outside_files, stream

log = logging.getLogger(__name__)


@shared_task(name="tournaments.run_job")
def run_job(job_id: str) -> bool:
    """Run one job (`tournaments.jobs`); return whether it was free."""
    return jobs.run(job_id)


@shared_task(name="tournaments.audit_part")
def audit_part(part_id: int) -> bool:
    """Check one part of an audit; return whether it was free."""
    return auditing.check(part_id)


@shared_task(
    name="tournaments.verify_outside",
    soft_time_limit=outside_files.WALL_SECONDS + 60,
    time_limit=outside_files.WALL_SECONDS + 90,
)
def verify_outside(file_id: int) -> bool:
    """Verify the public file of a championship on another installation. Idempotent."""
    return outside_files.verify(file_id)


@shared_task(name="tournaments.play_earlier")
def play_earlier() -> None:
    """Play one round of the demo's earlier championship, and schedule the next."""
    try:
        left = demo.play_earlier()
    except Refused as refusal:  # another worker was faster, and continues
        log.info("the demo's earlier championship: %s", refusal.code)
        return
    if left:
        play_earlier.delay()


@shared_task(name="tournaments.sweep")
def sweep() -> int:
    """Send lost jobs, parts of audits and verifications of files again. Start the nightly audit and the
    sending of due messages. Confirm results by silence.

    Returns the number of lost tasks and confirmed results.
    """
    waiting = jobs.due()
    jobs.send(waiting)
    auditing.start_nightly()
    parts = auditing.due()
    auditing.send(parts)
    outside_files.send(files := outside_files.due())
    if delivery.waiting_notices().exists():
        task_queue.send(occasions.SEND_TASK)
    if entry_mails.list_due().exists():
        task_queue.send(entry_mails.SEND_TASK)
    if account_mails.list_due_account_mails().exists():
        task_queue.send(account_mails.SEND_TASK)
    return len(waiting) + len(parts) + len(files) + confirm_silent_results()


@shared_task(name="tournaments.publish_by_new_counting")
def publish_by_new_counting() -> int:
    """Republish rankings after an upgrade that changed the counting; return their number. Idempotent."""
    return published_ranking.republish_by_new_counting()


@shared_task(name="tournaments.seal")
def seal() -> int:
    """Seal every championship and series that has changed; return their number.

    The next run seals what a missed run did not.
    """
    unsealed = championship_seals.list_unsealed()
    made = sum(championship_seals.seal_if_possible(championship) is not None for championship in unsealed)
    return made + stream.seal_changed()


@shared_task(name=occasions.SEND_TASK)
def tell() -> int:
    """Send the due push messages; return their number. Concurrent runs send each message only once."""
    return delivery.send_due()


@shared_task(name=entry_mails.SEND_TASK)
def mail() -> int:
    """Send the due mails to people who have entered; return how many the mail server accepted.

    Concurrent runs send each mail only once.
    """
    return entry_mails.send_mails()


@shared_task(name=account_mails.SEND_TASK)
def account_mail() -> int:
    """Send the due mails about accounts; return how many the mail server accepted.

    Concurrent runs send each mail only once.
    """
    return account_mails.send_account_mails()


@shared_task(name="tournaments.erase_expired")
def erase_expired() -> int:
    """Erase personal data whose retention time is over; return the number of championships concerned."""
    return retention.erase_expired()


@shared_task(name="tournaments.forget_phones")
def forget_phones() -> int:
    """Delete subscriptions of finished or archived championships, and old ones; return the number of rows."""
    return subscriptions.forget_finished()
