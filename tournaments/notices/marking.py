"""Changes of a notice's state: claim, end, postpone."""

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from tournaments.models.notice import Notice


def claim_notices(keys: Iterable[int]) -> set[int]:
    """Mark as sent those notices that are neither sent nor ended; return their ids."""
    with transaction.atomic():
        free = Notice.objects.select_for_update(no_key=True, skip_locked=True).filter(
            pk__in=list(keys), sent_at=None, ended_at=None
        )
        mine = set(free.values_list("pk", flat=True))
        Notice.objects.filter(pk__in=mine).update(sent_at=timezone.now(), tries=F("tries") + 1)
    return mine


def end_notices(notices: Iterable[Notice]) -> None:
    """End these notices for good. One query for each different answer."""
    now = timezone.now()
    by_answer: dict[int | None, list[int]] = {}
    for notice in notices:
        by_answer.setdefault(notice.answer, []).append(notice.pk)
    for answer, keys in by_answer.items():
        Notice.objects.filter(pk__in=keys).update(ended_at=now, answer=answer)


def postpone_notice(notice: Notice, seconds: float) -> None:
    """Postpone a notice that was not sent or not accepted, by `seconds`; end it if that is too late."""
    due_at = timezone.now() + timedelta(seconds=seconds)
    if due_at >= notice.until:
        end_notices([notice])
        return
    Notice.objects.filter(pk=notice.pk).update(
        due_at=due_at, sent_at=None, tries=notice.tries, answer=notice.answer
    )
