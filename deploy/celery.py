"""The Celery application. Schedules are defined in code, arguments of tasks are ids, and results are stored
in the database.
"""

import gc
import os
import signal
import sys
import threading
import time
import warnings
from datetime import UTC, datetime, timedelta
from typing import Any

from celery import Celery
from celery.exceptions import SecurityWarning
from celery.schedules import schedule
from celery.signals import (
    beat_embedded_init,
    beat_init,
    task_postrun,
    task_prerun,
    worker_init,
    worker_process_init,
    worker_ready,
)
from celery.worker import state
from django.db import close_old_connections

from deploy import umask, worker_figures
from deploy.process_tree import children
from games.monitoring import work_counts

SECONDS_TO_END = 20
_WORKER = os.getpid()
"""Id of the process that has loaded this file. Beat and the pool are forked from it."""

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

if os.geteuid():  # Celery takes a group without an entry in /etc/group, as in containers, for root.
    warnings.filterwarnings("ignore", category=SecurityWarning)
app = Celery("puur")
app.set_default()  # For every thread: views run in their own threads.
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# A connection per task would start a PostgreSQL process each time; Django closes old or dead connections.
app.conf["CELERY_DB_REUSE_MAX"] = sys.maxsize
_STARTED = datetime.now(UTC), time.monotonic()


def tell_steady_time() -> datetime:
    """Return the time (UTC) as if nobody had set the clock since the process started.

    Otherwise beat would stop for an hour when the clock is set back by an hour.
    """
    begun, at = _STARTED
    return begun + timedelta(seconds=time.monotonic() - at)


def _make_schedule(task: str, seconds: float, *, expires: float) -> dict[str, Any]:
    """Return the schedule that calls a task every `seconds`. A message that no worker has taken after
    `expires` seconds is dropped.
    """
    times = schedule(timedelta(seconds=seconds), nowfun=tell_steady_time)
    return {"task": task, "schedule": times, "options": {"expires": expires}}


# A repeated, late or lost tick changes nothing, because due work is in the database.
app.conf.beat_schedule = {
    plan["task"]: plan
    for plan in (
        _make_schedule("games.sweep", 1, expires=5),
        _make_schedule("games.sweep_guests", 60, expires=50),
        _make_schedule("tournaments.sweep", 5, expires=10),
        _make_schedule("tournaments.forget_phones", 600, expires=300),
        _make_schedule("tournaments.erase_expired", 3600, expires=1800),
        _make_schedule("deploy.forget_sign_ins", 3600, expires=1800),
        _make_schedule("deploy.watch", 60, expires=50),
        _make_schedule("tournaments.seal", 60, expires=50),
    )
}


_begun: dict[str, float] = {}
"""Task id → when it began, for the tasks that this process runs."""


@task_prerun.connect
def begin_task(task_id: str, **_: Any) -> None:
    _begun[task_id] = time.perf_counter()


@task_postrun.connect
def count_ended_task(sender: Any, task_id: str, state: str | None = None, **_: Any) -> None:
    """Add an ended task to the counts in /metrics, unless it ran eagerly in the process that called it."""
    begun = _begun.pop(task_id, None)
    if begun is not None and not sender.request.is_eager:
        outcome = work_counts.DONE if state == "SUCCESS" else work_counts.FAILED
        work_counts.count_task(sender.name, outcome, time.perf_counter() - begun)


@task_prerun.connect
@task_postrun.connect
def keep_healthy_connections(sender: Any, **_: Any) -> None:
    """Close a database connection that has failed or exceeded CONN_MAX_AGE; keep others between tasks."""
    if not sender.request.is_eager:  # An eager task uses its caller's connection.
        close_old_connections()


@worker_init.connect
def check_worker(**_: Any) -> None:
    """Check the schema and the data key. Set the umask too, because a worker may have been started by other
    means than our systemd units.

    Celery only logs an exception in a signal handler, so a failed check ends the process.
    """
    from deploy import migrating
    from games import encryption

    umask.set_umask()
    try:
        migrating.refuse_newer_schema()
        encryption.keys_in_use()  # A worker without the keys could neither deal nor read hands.
    except (migrating.NewerSchema, encryption.DataKeyError) as error:
        sys.exit(f"puur: {error} ({error.code})")


@worker_init.connect
def share_memory(**_: Any) -> None:
    """Load what tasks need before beat and the pool are forked, so that the processes share this memory.
    Freeze it, because garbage collection would otherwise write to each page and thereby copy it.
    """
    app.loader.import_default_modules()
    gc.collect()
    gc.freeze()


@worker_ready.connect
def report_ready(sender: Any, **_: Any) -> None:
    """Report to `demo` or `serve` that the worker is ready and then that it is alive, and publish the figures
    of its processes for /metrics.
    """
    children.send_ready()

    def live() -> None:
        while True:
            children.send_alive()
            worker_figures.publish_processes(_processes_of(sender))
            time.sleep(children.ALIVE_SECONDS)

    threading.Thread(target=live, name="alive", daemon=True).start()


def _processes_of(consumer: Any) -> list[tuple[str, int]]:
    """Return (kind, process id) of the worker, its pool processes and its beat."""
    beat = getattr(consumer.controller.beat, "pid", None)
    pool = consumer.pool.info.get("processes", [])
    found = [(worker_figures.WORKER, os.getpid()), *((worker_figures.POOL, pid) for pid in pool)]
    return [*found, (worker_figures.BEAT, beat)] if beat else found


@beat_init.connect
def report_beat(**_: Any) -> None:
    """Publish the figures of a beat process that runs apart from the workers."""

    def live() -> None:
        while True:
            worker_figures.publish_processes([(worker_figures.BEAT, os.getpid())])
            time.sleep(children.ALIVE_SECONDS)

    threading.Thread(target=live, name="figures", daemon=True).start()


@worker_ready.connect
def expire_rankings(**_: Any) -> None:
    """At the start of a worker, queue a task: it publishes again each ranking that this version computes
    differently.
    """
    app.send_task("tournaments.publish_by_new_counting")


@worker_process_init.connect
def end_pool_with_worker(**_: Any) -> None:
    """Kill a pool process when its worker ends. Celery asks the kernel for this too, but does not check
    whether the worker has ended before.
    """
    children.end_with_parent(_WORKER)


@beat_embedded_init.connect
def end_beat_with_worker(**_: Any) -> None:
    """Kill beat, which is a separate process, when its worker ends."""
    children.end_with_parent(_WORKER)


@worker_ready.connect
def end_worker_without_beat(sender: Any, **_: Any) -> None:
    """End the worker when its beat has died. Nothing restarts a dead beat, but a worker that has ended is
    restarted.

    The worker first gets SIGTERM. Without a connection to its broker it may then wait forever for its pool,
    so after SECONDS_TO_END it is killed. Its unfinished tasks are repeated.
    """
    beat = sender.controller.beat

    def wait() -> None:
        beat.join()
        if state.should_stop is None:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(SECONDS_TO_END)
            os.kill(os.getpid(), signal.SIGKILL)

    if beat is not None:
        threading.Thread(target=wait, name="end-without-beat", daemon=True).start()
