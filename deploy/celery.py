"""The Celery application. Schedules are code; tasks carry ids; what a task came to stands in the database."""

import os
from typing import Any

from celery import Celery
from celery.signals import beat_embedded_init, worker_ready

from deploy import children

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

app = Celery("puur")
app.set_default()  # in every thread: views run in threads of their own
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# A tick that comes twice, late or never changes nothing: what is due stands in the database.
app.conf.beat_schedule = {
    "games.sweep": {"task": "games.sweep", "schedule": 1.0, "options": {"expires": 5}},
    "tournaments.sweep": {"task": "tournaments.sweep", "schedule": 5.0, "options": {"expires": 10}},
}


@worker_ready.connect
def tell_parent(**_: Any) -> None:
    """`demo` and `serve` wait for this instead of for a span of time."""
    children.tell_ready()


@beat_embedded_init.connect
def end_with_worker(**_: Any) -> None:
    """Beat runs in a process of its own under the worker: when that is killed, nothing may stay behind."""
    children.end_with_parent()
