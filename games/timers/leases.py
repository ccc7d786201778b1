"""Leases, for work of more than one transaction. The work is a row, and a worker holds a lease on the row
while it does the work.

The row is the record; a message only carries its primary key. The sweep repeats lost messages. When a worker
dies, its heartbeat expires and another worker takes over the row.
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import Iterable
from datetime import timedelta
from typing import Any, ClassVar, Final, Generic, TypeVar

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from engine import Refused
from games.encryption import DataKeyError
from games.messaging import task_queue
from games.models import Leased

RESEND_AFTER: Final = timedelta(seconds=20)
LEASE_TIMEOUT: Final = timedelta(seconds=40)
"""Time without a heartbeat after which another worker may take over a row. It is longer than any step between
two heartbeats.
"""
MAX_TRIES: Final = 3

Row = TypeVar("Row", bound=Leased)
log = logging.getLogger(__name__)


class Lease(Generic[Row]):
    """The lease of this worker on a row. Once another worker has taken over the row, writes of this lease
    have no effect.
    """

    def __init__(self, row: Row) -> None:
        self.row = row
        self._mine = type(row)._default_manager.filter(pk=row.pk, tries=row.tries, ended_at=None)

    def held(self) -> bool:
        """Return whether the lease is still held."""
        return self._mine.exists()

    def live(self, **columns: Any) -> bool:
        """Write a heartbeat, and the progress in `columns`. Return whether the lease is still held."""
        return bool(self._mine.update(beat_at=timezone.now(), **columns))

    def end(self, **columns: Any) -> bool:
        """Mark the work as done, and write `columns`. Return whether the lease was still held."""
        return bool(self._mine.update(ended_at=timezone.now(), **columns))

    def give_back(self, **columns: Any) -> bool:
        """Release the row for another attempt, and write `columns`. Return whether the lease was still
        held.
        """
        return bool(self._mine.update(beat_at=None, **columns))


class Work(ABC, Generic[Row]):
    """One kind of leased work: its rows, and how one row is processed."""

    task: ClassVar[str]
    """Name of the task that receives the primary key of a row."""
    begun: ClassVar[dict[str, Any]]
    """Columns, with values, that are written when a row is leased."""
    left: ClassVar[dict[str, Any]]
    """Columns, with values, that are written when a row is given back after an error."""

    @abstractmethod
    def rows(self) -> QuerySet[Row]:
        """Return all rows, with the relations that the work needs."""

    @abstractmethod
    def do(self, lease: Lease[Row]) -> None:
        """Do the work, and end or give back the lease. A second run completes the parts that are missing."""

    @abstractmethod
    def refused(self, lease: Lease[Row], refusal: Refused) -> None:
        """End the row, because the work was refused."""

    @abstractmethod
    def given_up(self, lease: Lease[Row]) -> None:
        """End the row, because the work has failed MAX_TRIES times."""

    def may_begin(self, rows: QuerySet[Row]) -> QuerySet[Row]:
        """Return the rows among `rows` whose work may begin now."""
        return rows

    def free(self) -> QuerySet[Row]:
        """Return the unfinished rows without a current lease."""
        silent = Q(beat_at=None) | Q(beat_at__lt=timezone.now() - LEASE_TIMEOUT)
        return self.rows().filter(silent, ended_at=None)

    def send(self, keys: Iterable[Any]) -> None:
        """Send the workers a message for each row. Without a broker nothing is lost: the sweep sends
        again.
        """
        keys = list(keys)
        self.rows().filter(pk__in=keys).update(sent_at=timezone.now())
        for key in keys:
            task_queue.send(self.task, key)

    def due(self, limit: int = 200) -> list[Any]:
        """Return the keys of at most `limit` rows without a lease whose message is missing or seems lost, the
        oldest first.
        """
        unsent = Q(sent_at=None) | Q(sent_at__lt=timezone.now() - RESEND_AFTER)
        oldest = F("sent_at").asc(nulls_first=True)
        return list(self.free().filter(unsent).order_by(oldest).values_list("pk", flat=True)[:limit])

    def take(self, key: Any) -> Lease[Row] | None:
        """Lease a row. Return None if the work is done, may not begin now, or another worker holds the
        lease.
        """
        taken = self.may_begin(self.free().filter(pk=key)).update(
            beat_at=timezone.now(), tries=F("tries") + 1, **self.begun
        )
        return Lease(self.rows().get(pk=key)) if taken else None

    def run(self, key: Any) -> bool:
        """Do the work of a row, unless `take` refuses; return whether it was leased. An error is logged; the
        row is given back or, after MAX_TRIES, ended. A DataKeyError always gives it back.
        """
        lease = self.take(key)
        if lease is None:
            return False
        try:
            self.do(lease)
        except Refused as refusal:
            self.refused(lease, refusal)
        except Exception as error:
            log.exception("%s failed", lease.row)
            if lease.row.tries < MAX_TRIES or isinstance(error, DataKeyError):
                lease.give_back(**self.left)
            else:
                self.given_up(lease)
        return True
