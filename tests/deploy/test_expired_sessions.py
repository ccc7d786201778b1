"""Expired sessions do not stay for ever."""

import pytest
from django.contrib.sessions.models import Session

from deploy.celery import app
from deploy.tasks import forget_sign_ins
from games.rights.sessions import SessionStore


@pytest.mark.django_db
def test_expired_sessions_are_deleted() -> None:
    current, expired = SessionStore(), SessionStore()
    expired.set_expiry(-1)
    for session in (current, expired):
        session.save(must_create=True)
    assert Session.objects.count() == 2

    forget_sign_ins()
    forget_sign_ins()
    assert Session.objects.count() == 1
    assert SessionStore().exists(current.session_key or "")


def test_the_task_has_a_schedule() -> None:
    assert app.conf.beat_schedule["deploy.forget_sign_ins"]["task"] == forget_sign_ins.name
