"""Records of sign-ins and expired sessions do not stay for ever."""

from datetime import timedelta

import pytest
from axes.models import AccessLog
from django.contrib.sessions.models import Session
from django.utils import timezone

from deploy.celery import app
from deploy.tasks import DAYS, forget_sign_ins
from games.rights.sessions import SessionStore


@pytest.mark.django_db
def test_old_records_of_sign_ins_and_expired_sessions_are_deleted() -> None:
    for days in (1, DAYS + 1):
        record = AccessLog.objects.create(username="fredi", ip_address="192.0.2.7", user_agent="Phone")
        AccessLog.objects.filter(pk=record.pk).update(attempt_time=timezone.now() - timedelta(days=days))
    current, expired = SessionStore(), SessionStore()
    expired.set_expiry(-1)
    for session in (current, expired):
        session.save(must_create=True)
    assert Session.objects.count() == 2

    assert forget_sign_ins() == 1
    assert forget_sign_ins() == 0
    assert AccessLog.objects.count() == 1
    assert Session.objects.count() == 1
    assert SessionStore().exists(current.session_key or "")


def test_the_task_has_a_schedule() -> None:
    assert app.conf.beat_schedule["deploy.forget_sign_ins"]["task"] == forget_sign_ins.name
