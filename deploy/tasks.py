"""Celery tasks of the platform itself: what is forgotten after a time."""

from celery import shared_task

from games.rights.sessions import SessionStore


@shared_task(name="deploy.forget_sign_ins")
def forget_sign_ins() -> None:
    """Delete expired sessions, with the address and browser of each. Idempotent."""
    SessionStore.clear_expired()
