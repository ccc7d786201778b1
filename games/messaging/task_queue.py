"""Messages to the workers. They only save time: each task has a row in the database, and a sweep finds the
rows whose message was lost. Sending has a timeout. Of equal waiting messages one is sent.
"""

import logging
from collections.abc import Callable
from datetime import datetime
from time import monotonic
from typing import Any, Final

from celery import Signature, Task, current_app
from django.utils import timezone

from games.messaging.outgoing import Outgoing

TIMEOUT_SECONDS: Final = 1.0
"""Seconds to wait for an answer of Redis."""
RETRY_SECONDS: Final = 2.0
"""Seconds after a failed message in which no message is sent."""

AnyTask = Task[..., Any] | Signature[Any]
TaskKey = tuple[str, tuple[Any, ...]]
QueuedTask = tuple[AnyTask, datetime | None]
log = logging.getLogger(__name__)


def send(task: AnyTask | str, *args: Any, at: datetime | None = None) -> None:
    """Queue this task for a worker, now or at the time `at`. Returns at once and never raises.

    A task given by name avoids an import of the task module, which imports its callers. `args`: the task's
    arguments.
    """
    signature = current_app.signature(task) if isinstance(task, str) else task
    _outgoing.put((str(signature.name), args), (signature, at))


def _send_all(take: Callable[[], dict[TaskKey, QueuedTask]]) -> None:
    sender, retry_at = _Sender(), 0.0
    while True:
        for (_, args), (task, at) in take().items():
            if monotonic() >= retry_at and not sender.send(task, args, at):
                retry_at = monotonic() + RETRY_SECONDS


class _Sender:
    """The connection of the sending thread, and whether the last message failed."""

    def __init__(self) -> None:
        self._connection: Any = None
        self._failing = False

    def send(self, task: AnyTask, args: tuple[Any, ...], at: datetime | None) -> bool:
        try:
            if self._connection is None:
                transport_options = {"socket_timeout": TIMEOUT_SECONDS}
                self._connection = task.app.connection_for_write(transport_options=transport_options)
            seconds = 0.0 if at is None else max(0.0, (at - timezone.now()).total_seconds())
            options: dict[str, Any] = {"countdown": seconds, "retry": False, "connection": self._connection}
            task.apply_async(args, **options)
        except Exception as error:
            if not self._failing:
                log.warning("no message reaches the workers, the sweep has to do: %s", type(error).__name__)
            self._failing = True
            self._close_connection()
            return False
        if self._failing:
            self._failing = False
            log.warning("messages reach the workers again")
        return True

    def _close_connection(self) -> None:
        connection, self._connection = self._connection, None
        try:
            if connection is not None:
                connection.collect(socket_timeout=0.1)
        except Exception as error:
            log.debug("a broken connection could not be closed: %s", type(error).__name__)


_outgoing = Outgoing("errands", _send_all)
