"""A thread sends messages to the workers, so that a missing or hanging Redis delays nothing."""

import os
import signal
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from celery import Celery
from django.conf import settings
from django.utils import timezone

from games.messaging import task_queue
from games.messaging.outgoing import Outgoing
from games.models import Deadline
from tests import servers
from tests.games.cast import next_command, play, seated, table, turn_of
from tests.games.live_server import web_process


@pytest.fixture(autouse=True)
def _own_sender(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_queue, "_outgoing", Outgoing("errands", task_queue._send_all))


def came(condition: Callable[[], bool], seconds: float = 20) -> bool:
    """Whether it came true in time."""
    until = monotonic() + seconds
    while not condition() and monotonic() < until:
        threading.Event().wait(0.01)
    return condition()


def ring(*args: str) -> None:
    """What nobody does here."""


def task_at(broker: str, name: str = "ring") -> Any:
    app = Celery("errands", broker=broker, set_as_current=False)
    app.conf.broker_transport_options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    return app.task(name=name)(ring)


def test_a_message_is_on_its_way_with_what_it_was_given() -> None:
    task = task_at(settings.CELERY_BROKER_URL, "puur-tests.errand")
    queue = f"puur-tests-errands-{os.getpid()}"
    task.app.conf.task_default_queue = queue
    task_queue.send(task, "a" * 32, at=timezone.now() + timedelta(seconds=5))
    with task.app.connection_for_read() as connection, connection.SimpleQueue(queue) as waiting:
        message = waiting.get(timeout=10)
        message.ack()
    assert message.headers["task"] == "puur-tests.errand"
    assert message.payload[0] == ["a" * 32]
    assert message.headers["eta"] > timezone.now().isoformat()


def test_the_same_message_waiting_twice_becomes_one(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting: Outgoing[task_queue.TaskKey, task_queue.QueuedTask] = Outgoing("errands", lambda take: None)
    task = task_at("memory://")
    monkeypatch.setattr(task_queue, "_outgoing", waiting)
    early, late = timezone.now(), timezone.now() + timedelta(seconds=1)
    for args, at in ((("a",), early), (("b",), None), (("a",), late)):
        task_queue.send(task, *args, at=at)
    assert waiting.take() == {("ring", ("a",)): (task, late), ("ring", ("b",)): (task, None)}


@pytest.mark.parametrize("kind", ["silent", "absent"])
def test_nobody_waits_and_that_it_went_and_came_back_is_logged_once_each(
    kind: str,
    silent: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(task_queue, "RETRY_SECONDS", 0.0)
    monkeypatch.setattr(task_queue, "TIMEOUT_SECONDS", 0.05)
    lost = task_at(silent if kind == "silent" else "redis://127.0.0.1:8119/0")
    for number in range(3):
        task_queue.send(lost, str(number))
    assert came(lambda: "no message reaches the workers" in caplog.text)
    assert came(lambda: not task_queue._outgoing.waiting)
    found = task_at(settings.CELERY_BROKER_URL)
    found.app.conf.task_default_queue = f"puur-tests-errands-{os.getpid()}"
    task_queue.send(found)
    assert came(lambda: "messages reach the workers again" in caplog.text)
    assert caplog.text.count("no message reaches the workers") == 1


@pytest.mark.slow
@pytest.mark.parametrize("database_template", ["sqlite"], indirect=True)
def test_play_at_a_table_with_a_clock_goes_on_while_redis_is_stopped(
    real_database: str, tmp_path: Path
) -> None:
    with servers.own_valkey(tmp_path) as (server, url):
        # A second's clock: the one that has its message sent when it is armed.
        game = play(table(turn_seconds=1), 2)
        people = seated(game)
        with web_process(tmp_path, {"REDIS_URL": url}) as web:
            with web.connect(game, people[turn_of(game)]) as line:
                line.frame("events")
                server.send_signal(signal.SIGSTOP)
                for number in range(4):
                    command = next_command(game)
                    with web.connect(game, people[command.seat]) as player:
                        player.frame("events")
                        said_ = {"cmd": "play", "seat": command.seat, "card": command.card}
                        player.say({"command_id": f"c{number}", "command": said_})
                        assert player.frame("ack")["command_id"] == f"c{number}"
            assert came(lambda: "no message reaches the workers" in web.log.read_text())
        assert Deadline.objects.filter(stream_id=game.id, kind="clock").exists()
