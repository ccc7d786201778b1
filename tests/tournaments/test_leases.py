"""A row with a lease: one worker at a time, taken over after silence, and always an end."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.encryption import DataKeyError
from games.messaging import task_queue
from games.timers import leases
from tests.games.cast import play, table
from tests.games.databases import in_threads
from tournaments.models import AuditPart
from tournaments.services.audit import auditing

pytestmark = pytest.mark.both

PARTS = auditing._Parts()


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What was handed to Celery."""
    messages: list[tuple[Any, ...]] = []
    monkeypatch.setattr(task_queue, "send", lambda *message: messages.append(message))
    return messages


def part() -> AuditPart:
    play(table(), 3)
    return auditing.start_audit().parts.get()


def fall_silent() -> None:
    AuditPart.objects.update(beat_at=timezone.now() - leases.LEASE_TIMEOUT - timedelta(seconds=1))


def test_of_eight_who_take_a_row_at_once_one_has_it(real_database: str) -> None:
    row = part()
    taken = in_threads([lambda: PARTS.take(row.pk)] * 8)
    assert [type(one) for one in taken].count(leases.Lease) == 1
    assert taken.count(None) == 7
    fall_silent()
    again = in_threads([lambda: PARTS.take(row.pk)] * 8)
    assert again.count(None) == 7
    row.refresh_from_db()
    assert row.tries == 2


@pytest.mark.django_db
def test_nothing_counts_of_one_who_comes_back_after_he_was_taken_for_dead() -> None:
    row = part()
    first = PARTS.take(row.pk)
    assert first is not None
    assert first.live(checked=1)
    fall_silent()
    assert first.held(), "late, and nobody has taken it over"
    second = PARTS.take(row.pk)
    assert second is not None
    assert not first.held()
    assert not first.live(checked=40)
    assert not first.give_back()
    assert not first.end(findings=["forged"])
    assert second.end(checked=2)
    assert not second.end(checked=3), "once"
    row.refresh_from_db()
    assert (row.checked, row.findings) == (2, [])
    assert PARTS.take(row.pk) is None


@pytest.mark.django_db
def test_a_row_is_sent_until_somebody_is_at_it(sent: list[tuple[Any, ...]]) -> None:
    row = part()
    auditing.send(auditing.due())
    assert sent == [("tournaments.audit_part", row.pk)]
    assert auditing.due() == [], "a moment ago"
    AuditPart.objects.update(sent_at=timezone.now() - leases.RESEND_AFTER - timedelta(seconds=1))
    assert auditing.due() == [row.pk]
    lease = PARTS.take(row.pk)
    assert lease is not None
    assert auditing.due() == []
    lease.give_back()
    assert auditing.due() == [row.pk]
    fall_silent()
    assert auditing.due() == [row.pk]


@pytest.mark.django_db
def test_work_that_fails_is_tried_three_times_and_then_ends_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Before, an audit whose part fell over never ended."""
    row = part()

    def crash(*_: Any) -> None:
        raise OSError("disk")

    monkeypatch.setattr(auditing, "_check_part", crash)
    ends = []
    for _ in range(leases.MAX_TRIES):
        assert auditing.check(row.pk)
        row.refresh_from_db()
        ends.append(row.ended_at is not None)
    assert ends == [False, False, True]
    row.audit.refresh_from_db()
    assert row.audit.ended_at is not None
    found = auditing.load_findings(row.audit)
    assert {finding.stream for finding in found} == {*row.games, *row.streams}
    assert {finding.kind for finding in found} == {"crashed"}
    assert not auditing.check(row.pk)


@pytest.mark.django_db
def test_a_key_that_is_away_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    row = part()

    def away(*_: Any) -> None:
        raise DataKeyError("not carried here yet", code="data/key_missing")

    with monkeypatch.context() as without:
        without.setattr(auditing, "_check_part", away)
        for _ in range(leases.MAX_TRIES + 1):
            assert auditing.check(row.pk)
    assert auditing.check(row.pk)
    row.refresh_from_db()
    assert (row.ended_at is not None, row.findings) == (True, [])
