"""Erasing personal data that a championship keeps only for a number of days after its end.

E-mail addresses, birth years, licences, notes, mails, exports and photos of sheets are erased. Names, clubs,
games, rankings and seals stay.
"""

from datetime import datetime, timedelta
from typing import Final

import structlog
from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from tournaments.models import Championship, Entry, EntryMail, Job, SheetPhoto
from tournaments.services import locks
from tournaments.services.scores import photos

HELD: Final = ~Q(email="", licence="", note="", birth_year=None)
"""Filter for entries with personal data to erase."""

log = structlog.get_logger(__name__)


def list_expired() -> list[Championship]:
    """List the finished or archived championships whose personal data must be erased now.

    The days are counted from the closing of the last round; without a closed round, from the creation.
    """
    over = Q(status=Championship.Status.FINISHED) | Q(archived_at__isnull=False)
    entries = Entry.objects.filter(HELD, championship=OuterRef("pk"))
    pictures = SheetPhoto.objects.filter(table__round__championship=OuterRef("pk"), erased_at=None)
    found: QuerySet[Championship] = (
        Championship.objects.filter(over, keep_days__isnull=False)
        .filter(Exists(entries) | Exists(pictures))
        .annotate(ended_at=Coalesce(Max("rounds__closed_at"), F("created_at")))
    )
    now = timezone.now()
    return [one for one in found.order_by("pk") if _is_past(one, now)]


def _is_past(one: Championship, now: datetime) -> bool:
    ended_at: datetime = vars(one)["ended_at"]
    return one.keep_days is not None and ended_at + timedelta(days=one.keep_days) <= now


def erase_expired() -> int:
    """Erase the personal data of all expired championships; return their number."""
    expired = list_expired()
    for championship in expired:
        with transaction.atomic():
            locks.lock_championship(championship.pk)
            entries = Entry.objects.filter(championship=championship)
            entries.update(email="", licence="", note="", birth_year=None)
            EntryMail.objects.filter(entry__in=entries).delete()
            # Exports contain these columns; one in progress is not stored without its row.
            Job.objects.filter(championship=championship, kind=Job.Kind.EXPORT).delete()
            photos.erase_of_championship(championship)
        log.warning("personal_data_expired", championship=championship.pk, days=championship.keep_days)
    return len(expired)
