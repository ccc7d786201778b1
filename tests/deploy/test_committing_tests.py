"""Tests that commit leave nothing behind, and the log's triggers stay in force while they do."""

import threading

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", ["first", "second"])
def test_what_a_test_commits_is_gone_in_the_next(turn: str) -> None:
    assert not Session.objects.exists(), turn
    Session.objects.create(session_key="a" * 32, session_data="", expire_date=timezone.now())


@pytest.mark.django_db(transaction=True)
def test_another_thread_sees_what_was_committed() -> None:
    Session.objects.create(session_key="b" * 32, session_data="", expire_date=timezone.now())
    seen: list[int] = []

    def look() -> None:
        seen.append(Session.objects.count())
        connection.close()

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [1]
