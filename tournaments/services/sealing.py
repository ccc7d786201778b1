"""Sealing a championship: which streams belong to it, and when they are sealed."""

import logging
from datetime import datetime

from django.db import transaction
from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from games import sealing
from games.models import Checkpoint as Row
from games.models import Game
from games.sealing import Checkpoint, SealKeyError
from tournaments.models import Championship
from tournaments.services import locks

log = logging.getLogger(__name__)


def streams_of(championship: Championship) -> list[str]:
    """The championship's own stream, its rounds', and those of every game that was ever opened in them."""
    rounds = list(championship.rounds.values_list("stream_id", flat=True))
    games = Game.objects.filter(round_stream__in=rounds).values_list("pk", flat=True)
    return [championship.stream_id, *rounds, *games]


def seal(championship: Championship) -> Checkpoint | None:
    """A checkpoint over everything stored of the championship; None where nothing has moved.

    Raises SealKeyError where this platform has no key it may use.
    """
    key = sealing.key_in_use()
    with transaction.atomic():
        locks.championship(championship.pk)
        return sealing.seal(championship.stream_id, streams_of(championship), key)


def seal_if_possible(championship: Championship) -> Checkpoint | None:
    """The same where play must not wait for the key: what is wrong with it is logged."""
    try:
        return seal(championship)
    except SealKeyError as error:
        log.warning("not sealed: %s", error.detail)
        return None


def covering(championship: Championship, moment: datetime | None) -> Checkpoint | None:
    """The checkpoint for a ranking's sheet: the first made after it was published; None: the last one."""
    if moment is None:
        return sealing.latest(championship.stream_id)
    return sealing.after(championship.stream_id, moment)


def in_play() -> QuerySet[Championship]:
    """Where something may have moved: all that are not finished, and those with a later ruling."""
    last = Row.objects.filter(stream=OuterRef("stream")).order_by("-number").values("made_at")[:1]
    ruled_since = Q(rounds__stream__games__last_event_at__gt=F("sealed_at"))
    return (
        Championship.objects.annotate(sealed_at=Subquery(last))
        .filter(~Q(status=Championship.Status.FINISHED) | ruled_since)
        .distinct()
    )
