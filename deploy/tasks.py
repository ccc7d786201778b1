"""Celery tasks of the platform itself."""

from datetime import timedelta
from typing import Final

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from celery import shared_task
from django.utils import timezone

from deploy.doctor import watching
from games.rights.sessions import SessionStore

DAYS: Final = 90
"""Days after which a record of a sign-in (name, address, browser) is deleted."""


@shared_task(name="deploy.forget_sign_ins")
def forget_sign_ins() -> int:
    """Delete old records of sign-ins and expired sessions; returns the number of records. Idempotent."""
    before = timezone.now() - timedelta(days=DAYS)
    records = (AccessAttempt, AccessFailureLog, AccessLog)
    deleted: int = sum(model.objects.filter(attempt_time__lt=before).delete()[0] for model in records)
    SessionStore.clear_expired()
    return deleted


@shared_task(name="deploy.watch")
def watch() -> bool:
    """Log and mail troubles of this machine that have begun or ended; returns whether it has looked."""
    return watching.watch()
