"""Work that takes more than one transaction: a row, a lease on it, and its end.

The row is the record, and Celery only carries its key. A message that gets lost is sent again by the sweep;
of a worker that dies the sign of life gets old, and another one takes the row over. What is done in one
transaction needs no lease: that is a deadline (`games.timers.deadlines`).
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

SEND_AGAIN: Final = timedelta(seconds=20)
SILENT: Final = timedelta(seconds=40)
"""So long without a sign of life and a row is taken over: longer than any step between two of them."""
MOST_TRIES: Final = 3

Row = TypeVar("Row", bound=Leased)
log = logging.getLogger(__name__)


class Lease(Generic[Row]):
    """A row that is ours, until we have been silent for too long: then nothing we write counts."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self._mine = type(row)._default_manager.filter(pk=row.pk, tries=row.tries, ended_at=None)

    def held(self) -> bool:
        """Whether it is still ours."""
        return self._mine.exists()

    def live(self, **columns: Any) -> bool:
        """A sign of life, with what there is to tell; whether the row is still ours."""
        return bool(self._mine.update(beat_at=timezone.now(), **columns))

    def end(self, **columns: Any) -> bool:
        """It is done; whether the row was still ours."""
        return bool(self._mine.update(ended_at=timezone.now(), **columns))

    def give_back(self, **columns: Any) -> bool:
        """Another one may try; whether the row was still ours."""
        return bool(self._mine.update(beat_at=None, **columns))


class Work(ABC, Generic[Row]):
    """One kind of such work: its rows, and what is done with one."""

    task: ClassVar[str]
    """The name of the task that gets a key."""
    begun: ClassVar[dict[str, Any]]
    """Columns of a row that is taken."""
    left: ClassVar[dict[str, Any]]
    """Columns of a row that is given back."""

    @abstractmethod
    def rows(self) -> QuerySet[Row]:
        """All of them, with what the work needs."""

    @abstractmethod
    def do(self, lease: Lease[Row]) -> None:
        """The work, up to the end of the lease. Done a second time it has to do what is missing."""

    @abstractmethod
    def refused(self, lease: Lease[Row], refusal: Refused) -> None:
        """It is not possible: end it."""

    @abstractmethod
    def given_up(self, lease: Lease[Row]) -> None:
        """It has failed too often: end it."""

    def may_begin(self, rows: QuerySet[Row]) -> QuerySet[Row]:
        """Those of the free rows that may be begun now."""
        return rows

    def free(self) -> QuerySet[Row]:
        """Rows that nobody is at."""
        silent = Q(beat_at=None) | Q(beat_at__lt=timezone.now() - SILENT)
        return self.rows().filter(silent, ended_at=None)

    def send(self, keys: Iterable[Any]) -> None:
        """Tell the workers. Without a broker nothing is lost: the sweep sends again."""
        keys = list(keys)
        self.rows().filter(pk__in=keys).update(sent_at=timezone.now())
        for key in keys:
            task_queue.send(self.task, key)

    def due(self, limit: int = 200) -> list[Any]:
        """Keys of rows whose message seems lost, or whose worker does."""
        unsent = Q(sent_at=None) | Q(sent_at__lt=timezone.now() - SEND_AGAIN)
        oldest = F("sent_at").asc(nulls_first=True)
        return list(self.free().filter(unsent).order_by(oldest).values_list("pk", flat=True)[:limit])

    def take(self, key: Any) -> Lease[Row] | None:
        """A lease; None where it is done, or somebody else is at it."""
        taken = self.may_begin(self.free().filter(pk=key)).update(
            beat_at=timezone.now(), tries=F("tries") + 1, **self.begun
        )
        return Lease(self.rows().get(pk=key)) if taken else None

    def run(self, key: Any) -> bool:
        """Do it, unless it is done or somebody else is at it; whether anything was done here."""
        lease = self.take(key)
        if lease is None:
            return False
        try:
            self.do(lease)
        except Refused as refusal:
            self.refused(lease, refusal)
        except Exception as error:
            log.exception("%s failed", lease.row)
            if lease.row.tries < MOST_TRIES or isinstance(error, DataKeyError):
                lease.give_back(**self.left)
            else:
                self.given_up(lease)
        return True
