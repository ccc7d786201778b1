"""Sealing a championship: signing checkpoints over its streams, and finding what is not sealed yet.

`games/sealing/checkpoints.py` computes the hash of a checkpoint.
"""

import logging
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, Max, Min, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from games import sealing, store
from games.models import Checkpoint as Row
from games.models import Game
from games.sealing import Checkpoint, SealKeyError
from tournaments.models import Championship, ClubSeries, Round
from tournaments.services import locks
from tournaments.services.seats import same_cards

log = logging.getLogger(__name__)


def list_streams(championship: Championship) -> list[str]:
    """List the streams of the championship, of its rounds, and of every game ever opened in them."""
    rounds = list(championship.rounds.values_list("stream_id", flat=True))
    games = Game.objects.filter(round_stream__in=rounds).values_list("pk", flat=True)
    return [championship.stream_id, *rounds, *games]


def seal_championship(championship: Championship, *, accepted_key: str = "") -> Checkpoint | None:
    """Sign a checkpoint over all streams of the championship, and return it. None if nothing has changed.

    accepted_key: key of another installation to accept (see `sealing.seal`). Raises SealKeyError if
    another key signed the last checkpoint, and if this platform has no usable key.
    """
    key = sealing.load_key_in_use()
    with transaction.atomic():
        locks.lock_championship(championship.pk)
        return sealing.seal(championship.stream_id, list_streams(championship), key, accepted_key)


def accept_key(key: str) -> list[str]:
    """Accept `key`, the key of another installation. Championships and series whose last checkpoint was
    signed with this key are sealed with this platform's key.

    Return the slugs of the championships and series sealed. Raises SealKeyError if this platform has no
    usable key.
    """

    def is_last(stream: str) -> bool:
        last = sealing.find_latest_checkpoint(stream)
        return last is not None and last.says.key == key

    found = [
        championship.slug
        for championship in Championship.objects.order_by("slug")
        if is_last(championship.stream_id) and seal_championship(championship, accepted_key=key)
    ]
    for series in ClubSeries.objects.exclude(stream=None):
        with transaction.atomic():
            row = ClubSeries.objects.select_for_update(no_key=True).get(pk=series.pk)
            stream = str(row.stream_id)
            if is_last(stream) and sealing.seal(stream, [stream], sealing.load_key_in_use(), key):
                found.append(row.slug)
    return found


def seal_if_possible(championship: Championship) -> Checkpoint | None:
    """Seal the championship, and return the checkpoint. None if nothing has changed, or after an error of the
    key, which is logged: play must not wait for it.
    """
    try:
        return seal_championship(championship)
    except SealKeyError as error:
        log.error("not sealed: %s (%s)", error.detail, error.code)
        return None


def shown_until(championship: Championship, delay: int | None = None) -> datetime | None:
    """Return the time up to which checkpoints are public; None: all are. Later ones seal events of delayed
    tables.

    delay: the longest delay of a table in minutes, if known already.

    Where all tables play the same cards, events may be withheld for longer than the delay, and the time is
    earlier: the number of sealed events would tell how far a table is.
    """
    games = Game.objects.filter(tournament_table__round__championship=championship)
    minutes = games.aggregate(most=Max("delay_minutes"))["most"] if delay is None else delay
    if not minutes:
        return None
    until = timezone.now() - timedelta(minutes=minutes)
    if same_cards.are_same(championship):
        held_back = games.filter(ahead_seq__isnull=False).aggregate(since=Min("last_event_at"))["since"]
        return min(until, held_back or until)
    return until


def find_covering_checkpoint(
    championship: Championship, moment: datetime | None, delay: int | None = None
) -> Checkpoint | None:
    """Return the checkpoint for the print of a ranking: the first one after its publication (`moment`).

    `moment` None: the latest checkpoint. Return None if there is none, or it is not public yet. delay: as in
    `shown_until`.
    """
    until = shown_until(championship, delay)
    if moment is None:
        return sealing.find_latest_checkpoint(championship.stream_id, until)
    found = sealing.after(championship.stream_id, moment)
    return None if found is None or (until and datetime.fromisoformat(found.says.made_at) > until) else found


def list_unsealed_series() -> list[ClubSeries]:
    """List the series with events that are not sealed, since there was no usable key when they changed."""
    found = ClubSeries.objects.exclude(stream=None)
    found = found.annotate(stored=F("stream__head_seq") + 1, sealed=Subquery(_last_bodies()))
    return [one for one in found if one.sealed is None or _has_new_events(one)]


def list_unsealed() -> list[Championship]:
    """List the championships that may have changed since their last seal.

    These are all championships that are not over, and sealed ones with events since, such as a late dispute
    or ruling.
    """
    own = F("stream__head_seq") + 1
    rounds = _events_in(Round.objects.filter(championship=OuterRef("pk")), "championship", "stream__head_seq")
    in_round = "round_stream__round__championship"
    games = _events_in(Game.objects.filter(**{in_round: OuterRef("pk")}), in_round, "head_seq")
    found = Championship.objects.annotate(stored=own + rounds + games, sealed=Subquery(_last_bodies()))
    return [one for one in found if not one.is_over or _has_new_events(one)]


def find_oldest_unsealed() -> datetime | None:
    """Return the time of the oldest event that no checkpoint covers; None if all are covered. One query.

    Championships that ended without any seal are left out, as in `list_unsealed`.
    """
    sealed = Exists(Row.objects.filter(stream=OuterRef("stream")))
    over = Q(status=Championship.Status.FINISHED) | Q(archived_at__isnull=False)
    unsealed = Championship.objects.filter(~over | sealed)
    rounds = Round.objects.filter(championship__in=unsealed)
    games = Game.objects.filter(round_stream__round__in=rounds)
    series = ClubSeries.objects.exclude(stream=None)
    covered = (
        unsealed.order_by().values_list("stream", "stream"),
        rounds.order_by().values_list("stream", "championship__stream"),
        games.order_by().values_list("pk", "round_stream__round__championship__stream"),
        series.order_by().values_list("stream", "stream"),
    )
    oldest = store.load_oldest_unsealed(covered[0].union(*covered[1:], all=True).query.sql_with_params())
    return None if oldest is None else datetime.fromisoformat(oldest)


def _last_bodies() -> QuerySet[Row, Any]:
    """Return a query for the signed content of the last checkpoint of a row's stream."""
    return Row.objects.filter(stream=OuterRef("stream")).order_by("-number").values("body")[:1]


def _events_in(rows: QuerySet[Any], group: str, head: str) -> Coalesce:
    """Return an expression that counts the events in the streams of these rows.

    `group`: lookup from a row to what all rows belong to; `head`: lookup to the number of a stream's last
    event.
    """
    return Coalesce(Subquery(rows.values(group).annotate(events=Sum(F(head) + 1)).values("events")), 0)


def _has_new_events(one: Any) -> bool:
    """Return whether there are events after the last seal. False if there is no seal."""
    return one.sealed is not None and one.stored != sealing.decode_body(store.as_bytes(one.sealed)).events
