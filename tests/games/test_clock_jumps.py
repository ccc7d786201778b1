"""A clock that jumps: the sweep detects it, and turns continue by the new time."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from games.models import Deadline, Heartbeat
from games.monitoring import condition
from games.timers import clock_jumps, deadlines, turn_deadlines
from tests.games.cast import table

NOON = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
Tick = Callable[..., None]

pytestmark = pytest.mark.django_db


@pytest.fixture
def tick(monkeypatch: pytest.MonkeyPatch) -> Tick:
    """Let time pass for the machine, and set its clock meanwhile."""
    monkeypatch.setattr(condition, "_recent", condition._Recent())
    running, wall = 100.0, NOON

    def tick(seconds: float, jump: float = 0.0) -> None:
        nonlocal running, wall
        running += seconds
        wall += timedelta(seconds=seconds + jump)

    monkeypatch.setattr(clock_jumps, "monotonic", lambda: running)
    # The database stands on the same machine: its clock jumps along.
    monkeypatch.setattr(condition, "_database_clock_lead", lambda: 0.0)
    monkeypatch.setattr(timezone, "now", lambda: wall)
    return tick


def in_seconds(deadline: Deadline) -> float:
    deadline.refresh_from_db()
    return (deadline.due_at - timezone.now()).total_seconds()


def armed(kind: str, seconds: float) -> Deadline:
    stream = table().pk
    deadlines.arm(kind, stream, timezone.now() + timedelta(seconds=seconds))
    return Deadline.objects.get(stream=stream, kind=kind)


@pytest.mark.parametrize("jump", [-7200, 7200])
def test_bots_and_clocks_go_on_when_the_clock_is_set(tick: Tick, jump: float) -> None:
    assert clock_jumps.record_heartbeat() == 0
    bot, turn, hour = armed(turn_deadlines.BOT, 2), armed(turn_deadlines.CLOCK, 30), armed("round_open", 600)
    tick(1, jump=jump)
    fresh = armed(turn_deadlines.CLOCK, 30)
    assert round(clock_jumps.record_heartbeat()) == jump
    assert [round(in_seconds(one)) for one in (bot, turn, fresh)] == [1, 29, 30]
    assert round(in_seconds(hour)) == 599 - jump, "people agreed on that hour"
    assert clock_jumps.record_heartbeat() == 0
    assert "condition/clock_jumped" in [trouble.code for trouble in condition.find_troubles()]


def test_a_machine_that_wakes_up_in_the_past_is_told_and_goes_on(
    tick: Tick, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock_jumps.record_heartbeat()
    turn = armed(turn_deadlines.CLOCK, 30)
    monkeypatch.setattr(clock_jumps, "_read_boot_id", lambda: "another start")
    monkeypatch.setattr(clock_jumps, "monotonic", lambda: 5.0)
    tick(0, jump=-86400)
    assert [trouble.code for trouble in condition.find_troubles()] == ["condition/clock_behind"]
    assert clock_jumps.record_heartbeat() == -86400
    assert round(in_seconds(turn)) == 30


def test_a_worker_that_stood_still_moves_no_clock(tick: Tick, caplog: pytest.LogCaptureFixture) -> None:
    clock_jumps.record_heartbeat()
    turn = armed(turn_deadlines.CLOCK, 30)
    tick(60)
    assert [trouble.code for trouble in condition.find_troubles()] == [
        "condition/worker_silent",
        "condition/overdue",
    ]
    assert clock_jumps.record_heartbeat() == 0
    assert in_seconds(turn) == -30
    assert "the worker stood still for 60 s" in caplog.text


def test_a_machine_whose_clock_jumps_beside_others_that_are_right_moves_nothing(tick: Tick) -> None:
    clock_jumps.record_heartbeat()
    Heartbeat.objects.create(host="other", boot="b", at=timezone.now(), monotonic=1)
    turn = armed(turn_deadlines.CLOCK, 30)
    due = turn.due_at
    tick(1, jump=-7200)
    assert round(clock_jumps.record_heartbeat()) == -7200
    turn.refresh_from_db()
    assert turn.due_at == due
