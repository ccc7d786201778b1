"""Tasks go to our broker, whoever sends them; a worker does not outlive its beat."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from importlib import import_module
from time import monotonic
from types import SimpleNamespace

import pytest
from celery import signals
from celery.beat import Scheduler
from django.db import connection

from deploy.celery import app
from deploy.environment import BASE_DIR
from games import tasks
from games.timers import deadlines


def test_a_task_sent_from_any_thread_goes_to_our_broker() -> None:
    with ThreadPoolExecutor(1) as other:
        sender = other.submit(lambda: tasks.wake.app).result()

    assert sender is app
    assert str(sender.conf.broker_url).startswith("redis")


def test_a_task_is_done_again_by_whoever_is_left_and_never_by_two_at_once() -> None:
    conf = app.conf
    assert (conf.task_acks_late, conf.task_reject_on_worker_lost, conf.worker_prefetch_multiplier) == (
        *(True, True),
        1,
    )
    assert conf.broker_transport_options["visibility_timeout"] > 4 * conf.task_time_limit
    assert deadlines.MAX_COUNTDOWN.total_seconds() <= 60
    assert (conf.task_serializer, conf.accept_content) == ("json", ["json"])
    assert conf.result_backend is None
    app.loader.import_default_modules()
    assert {entry["task"] for entry in conf.beat_schedule.values()} <= set(app.tasks)
    assert not any(entry.get("args") or entry.get("kwargs") for entry in conf.beat_schedule.values())


@pytest.mark.parametrize("hours", [-2, 2])
def test_beat_goes_on_when_the_clock_is_set(monkeypatch: pytest.MonkeyPatch, hours: int) -> None:
    entries = Scheduler(app=app).schedule.values()
    sweep = next(entry for entry in entries if entry.task == "games.sweep")
    assert [entry.task for entry in entries if entry.is_due()[0]] == []

    set_to, later = app.now() + timedelta(hours=hours), monotonic() + 1.5
    monkeypatch.setattr(app, "now", lambda: set_to)
    monkeypatch.setattr("deploy.celery.time", SimpleNamespace(monotonic=lambda: later))
    assert [entry.task for entry in entries if entry.is_due()[0]] == ["games.sweep"]
    again, seconds = next(sweep).is_due()
    assert not again
    assert seconds == pytest.approx(1)


class Idle:
    """A task of a worker that asks the database something."""

    name = "tests.idle"
    request = SimpleNamespace(is_eager=False)

    def run(self, task_id: str) -> object:
        signals.task_prerun.send(self, task_id=task_id)
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        used = connection.connection
        signals.task_postrun.send(self, task_id=task_id)
        return used


@pytest.fixture
def worker() -> Iterator[None]:
    fixup = import_module("celery.fixups.django").DjangoWorkerFixup(app)
    signals.task_prerun.connect(fixup.on_task_prerun)
    signals.task_postrun.connect(fixup.on_task_postrun)
    yield
    signals.task_prerun.disconnect(fixup.on_task_prerun)
    signals.task_postrun.disconnect(fixup.on_task_postrun)


@pytest.mark.parametrize("database_template", ["postgresql"], indirect=True)
def test_tasks_share_a_connection_until_it_is_dead(
    real_database: str, worker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 60)
    monkeypatch.setitem(connection.settings_dict, "CONN_HEALTH_CHECKS", True)
    connection.close()
    first = Idle().run("1")
    assert Idle().run("2") is first
    connection.connection.close()
    assert Idle().run("3") is not first


WORKER = """
import signal, sys, threading
from types import SimpleNamespace
from deploy import celery

if sys.argv[1] == "stuck":
    celery.SECONDS_TO_END = 0.1
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
beat = threading.Thread(target=int)
beat.start()
celery.end_worker_without_beat(SimpleNamespace(controller=SimpleNamespace(beat=beat)))
threading.Event().wait()
"""


@pytest.mark.parametrize(("worker", "ended_by"), [("fine", signal.SIGTERM), ("stuck", signal.SIGKILL)])
def test_a_worker_whose_beat_has_died_ends_in_peace_or_by_force(
    worker: str, ended_by: signal.Signals
) -> None:
    done = subprocess.run([sys.executable, "-c", WORKER, worker], cwd=BASE_DIR, timeout=60)
    assert done.returncode == -ended_by


POOL_PROCESS = """
import os
from celery.signals import worker_process_init
from deploy import celery

worker = os.getpid()
if os.fork():
    os._exit(0)
while os.getppid() == worker:
    os.sched_yield()
worker_process_init.send(sender=None)
print("goes on")
"""


def test_a_pool_process_whose_worker_ends_before_it_has_begun_ends_too() -> None:
    """Otherwise it waits for tasks for ever: its siblings hold the other ends of its pipes."""
    done = subprocess.run([sys.executable, "-c", POOL_PROCESS], cwd=BASE_DIR, capture_output=True, timeout=60)
    assert (done.stdout, done.stderr) == (b"", b"")
