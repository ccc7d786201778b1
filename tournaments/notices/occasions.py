"""Occasions of notices: a round is drawn or opened, or a person's seat changes.

Every change of seats arms one deadline of the round. Moments later its handler compares all seats with the
notices of each phone, and creates the missing notices. They contain only what the public pages show.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db import transaction
from django.utils import timezone

from games.messaging import task_queue
from games.models import Deadline
from games.timers import deadlines
from tournaments.models import Entry, Round, Seating, SitOut, Substitute
from tournaments.models.notice import Notice, Subscription
from tournaments.notices.keys import public_push_key

KIND: Final = "notices"
SEND_TASK: Final = "tournaments.tell"
"""Name of the sending task."""
SETTLE_DELAY: Final = timedelta(seconds=3)
"""Delay in which the desk may change seats again before notices are sent."""
DRAWN_LIFETIME: Final = timedelta(minutes=30)
OPEN_LIFETIME: Final = timedelta(minutes=15)
"""Lifetime of notices; later ones are useless."""
MAX_PER_ROUND: Final = 12
"""Limit of notices per phone and round, in case something goes wrong."""


class PlaceInRound(NamedTuple):
    """A seat in a round; `table` 0: a bye."""

    table: int
    seat: int = 0


def seats_changed(round_: Round) -> None:
    """Schedule notices after seats of this round have changed, in the same transaction."""
    told = Subscription.objects.filter(entry__championship=round_.championship_id)
    if public_push_key() and told.exists():
        deadlines.arm(KIND, round_.stream_id, timezone.now() + SETTLE_DELAY)


def write_notices(deadline: Deadline) -> None:
    """Write the due notices; handles the deadline, in its transaction."""
    round_ = Round.objects.select_related("championship").get(stream=deadline.stream_id)
    now = timezone.now()
    found = (new_notice(round_, *told, now) for told in _subscriptions_with_places(round_))
    rows = [notice for notice in found if notice is not None]
    Notice.objects.bulk_create(rows, ignore_conflicts=True)
    if rows:
        transaction.on_commit(lambda: task_queue.send(SEND_TASK), robust=True)


def describe_occasion(round_: Round, place: PlaceInRound) -> str:
    """Return the stored code of a notice about this place now; "" if no notice is needed."""
    if round_.status not in (Round.Status.DRAWN, Round.Status.OPEN):
        return ""
    if not place.table:
        return f"{round_.number}.{round_.draws}.out"
    return f"{round_.number}.{round_.draws}.{round_.status}.{place.table}.{place.seat}"


def strip_counter(occasion: str) -> str:
    """Return the occasion without the counter that its row has for a repeated seat."""
    return occasion.partition("#")[0]


def parse_chair(occasion: str) -> tuple[str, str]:
    """Return draw and seat of an occasion."""
    number, draws, *rest = strip_counter(occasion).split(".")
    return f"{number}.{draws}", ".".join(rest[-2:])


def places_in_round(round_: Round) -> dict[int, PlaceInRound]:
    """Return entry id → place in this round, merged entries included. Four queries.

    Replaced and withdrawn people have none.
    """
    rows = Seating.objects.filter(round=round_).values_list("entry", "table__number", "seat")
    by_chair = {PlaceInRound(table, seat): entry for entry, table, seat in rows}
    stand_ins = Substitute.objects.filter(table__round=round_).order_by("deal")
    for entry, table, seat in stand_ins.values_list("entry", "table__number", "seat"):
        by_chair[PlaceInRound(table, seat)] = entry
    found = {
        entry: PlaceInRound(0)
        for entry in SitOut.objects.filter(round=round_).values_list("entry", flat=True)
    }
    found |= {entry: chair for chair, entry in by_chair.items()}
    gone = Entry.objects.filter(championship=round_.championship_id, status=Entry.Status.WITHDRAWN)
    for entry, counts in list(gone.values_list("pk", "merged_into")):
        place = found.pop(entry, None)
        if counts is not None and place is not None:
            found.setdefault(counts, place)
    return found


def _subscriptions_with_places(round_: Round) -> Iterator[tuple[Subscription, PlaceInRound, list[str]]]:
    """Yield each subscription with its person's place, and the occasions of its earlier notices."""
    places = places_in_round(round_)
    told: dict[int, list[str]] = {}
    earlier = Notice.objects.filter(round=round_).order_by("pk")
    for subscription, occasion in earlier.values_list("subscription", "occasion"):
        told.setdefault(subscription, []).append(strip_counter(occasion))
    for row in Subscription.objects.filter(entry__championship=round_.championship_id):
        place = places.get(row.entry_id)
        if place is not None:
            yield row, place, told.get(row.pk, [])


def new_notice(
    round_: Round, subscription: Subscription, place: PlaceInRound, told: Sequence[str], now: datetime
) -> Notice | None:
    """Build a notice for a subscription; None if its last notice has the same content. `told`: its earlier
    occasions, in order.
    """
    occasion = describe_occasion(round_, place)
    if not occasion or occasion in told[-1:] or len(told) >= MAX_PER_ROUND:
        return None
    until = now + (OPEN_LIFETIME if round_.status == Round.Status.OPEN else DRAWN_LIFETIME)
    return Notice(
        subscription=subscription,
        round=round_,
        occasion=f"{occasion}#{len(told)}",
        due_at=now,
        until=until,
    )
