"""Celery tasks of the platform itself."""

from celery import shared_task

from deploy.doctor import trouble_alerts
from games.rights.sessions import SessionStore


@shared_task(name="deploy.forget_sign_ins")
def forget_sign_ins() -> None:
    """Delete expired sessions, each with its address and browser; valid sessions stay. Idempotent."""
    SessionStore.clear_expired()


@shared_task(name="deploy.watch")
def watch() -> bool:
    """Log and mail the troubles of this machine that have begun or ended. Return whether the checks ran."""
    return trouble_alerts.watch()
