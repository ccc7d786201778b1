"""The Celery application. Schedules are code; tasks carry ids; what a task came to stands in the database."""

import os
import signal
import sys
import threading
import time
from typing import Any

from celery import Celery
from celery.signals import beat_embedded_init, task_postrun, task_prerun, worker_init, worker_ready
from celery.worker import state
from django.db import close_old_connections

from deploy import umask
from deploy.process_tree import children

SECONDS_TO_END = 20
_WORKER = os.getpid()
"""Beat is forked from the process that has read this file."""

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

app = Celery("puur")
app.set_default()  # in every thread: views run in threads of their own
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# A task a second would have PostgreSQL start a process a second; Django lets go what is old or dead instead.
app.conf["CELERY_DB_REUSE_MAX"] = sys.maxsize
# A tick that comes twice, late or never changes nothing: what is due stands in the database.
app.conf.beat_schedule = {
    "games.sweep": {"task": "games.sweep", "schedule": 1.0, "options": {"expires": 5}},
    "games.sweep_guests": {"task": "games.sweep_guests", "schedule": 60.0, "options": {"expires": 50}},
    "tournaments.sweep": {"task": "tournaments.sweep", "schedule": 5.0, "options": {"expires": 10}},
    "tournaments.forget_phones": {
        "task": "tournaments.forget_phones",
        "schedule": 600.0,
        "options": {"expires": 300},
    },
    "tournaments.seal": {"task": "tournaments.seal", "schedule": 60.0, "options": {"expires": 50}},
}


@task_prerun.connect
@task_postrun.connect
def keep_what_works(sender: Any, **_: Any) -> None:
    """A connection stays from task to task: CONN_MAX_AGE, CONN_HEALTH_CHECKS."""
    if not sender.request.is_eager:  # then it is whoever called that has it
        close_old_connections()


@worker_init.connect
def write_for_ourselves(**_: Any) -> None:
    """A worker that no unit of ours has started has the umask of whoever did."""
    from games import encryption

    umask.from_now_on()
    encryption.keys_in_use()  # it could neither deal nor read what was dealt


@worker_ready.connect
def tell_parent(**_: Any) -> None:
    """`demo` and `serve` wait for this instead of for a span of time, and for a sign of life from then on."""
    children.tell_ready()

    def live() -> None:
        while True:
            children.tell_alive()
            time.sleep(children.ALIVE_SECONDS)

    threading.Thread(target=live, name="alive", daemon=True).start()


@worker_ready.connect
def count_anew(**_: Any) -> None:
    """The code may be newer than the rankings that it finds."""
    app.send_task("tournaments.publish_by_new_counting")


@beat_embedded_init.connect
def end_with_worker(**_: Any) -> None:
    """Beat runs in a process of its own under the worker: when that is killed, nothing may stay behind."""
    children.end_with_parent(_WORKER)


@worker_ready.connect
def end_without_beat(sender: Any, **_: Any) -> None:
    """Nobody starts a dead beat again, but a worker that ends is: so it ends when its beat has died.

    In peace at first. A worker that lost its broker ends its beat too and may then wait for its pool forever;
    it is killed, and what it was doing is done again.
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
