"""Occasions of notices: a round is drawn or opened, or a person's seat changes.

Every change of seats arms one deadline of the round. Moments later its handler compares all seats with the
earlier notices of each phone, and creates the missing notices. Notices contain only data of public pages.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db import transaction
from django.utils import timezone

from games.messaging import task_queue
from games.models import Deadline
from games.timers import deadlines
from tournaments.models import Bye, Entry, Round, Seating, last_substitutions
from tournaments.models.notice import Notice, Subscription
from tournaments.notices.keys import public_push_key

KIND: Final = "notices"
SEND_TASK: Final = "tournaments.tell"
"""Name of the sending task."""
SETTLE_DELAY: Final = timedelta(seconds=3)
"""Time between a change of seats and its notices, in which the desk may change seats again."""
DRAWN_LIFETIME: Final = timedelta(minutes=30)
OPEN_LIFETIME: Final = timedelta(minutes=15)
"""Time after which a notice of an open round is useless and no longer sent."""
MAX_PER_ROUND: Final = 12
"""Largest number of notices per phone and round, in case of a programming error."""


class PlaceInRound(NamedTuple):
    """A chair in a round: number of the table, and seat. `table` 0: a bye."""

    table: int
    seat: int = 0


def seats_changed(round_: Round) -> None:
    """Schedule notices because seats of this round have changed. Call it in the transaction of the change."""
    told = Subscription.objects.filter(entry__championship=round_.championship_id)
    if public_push_key() and told.exists():
        deadlines.arm(KIND, round_.stream_id, timezone.now() + SETTLE_DELAY)


def write_notices(deadline: Deadline) -> None:
    """Create the missing notices of a round. This handles the deadline, in the deadline's transaction."""
    round_ = Round.objects.select_related("championship").get(stream=deadline.stream_id)
    now = timezone.now()
    found = (new_notice(round_, *told, now) for told in _subscriptions_with_places(round_))
    rows = [notice for notice in found if notice is not None]
    Notice.objects.bulk_create(rows, ignore_conflicts=True)
    if rows:
        transaction.on_commit(lambda: task_queue.send(SEND_TASK), robust=True)


def describe_occasion(round_: Round, place: PlaceInRound) -> str:
    """Return the code to store for a notice about this place now; "" if the round needs no notice."""
    if round_.status not in (Round.Status.DRAWN, Round.Status.OPEN):
        return ""
    if not place.table:
        return f"{round_.number}.{round_.draws}.out"
    return f"{round_.number}.{round_.draws}.{round_.status}.{place.table}.{place.seat}"


def strip_counter(occasion: str) -> str:
    """Return the occasion without the counter that a stored notice appends."""
    return occasion.partition("#")[0]


def parse_chair(occasion: str) -> tuple[str, str]:
    """Return the draw ("round.draw") and the chair ("table.seat", or "out") of an occasion."""
    number, draws, *rest = strip_counter(occasion).split(".")
    return f"{number}.{draws}", ".".join(rest[-2:])


def places_in_round(round_: Round) -> dict[int, PlaceInRound]:
    """Return the places in this round by entry id. The place of a merged entry is under the kept entry. Runs
    four queries.

    A chair is the place of the person who plays the last deals. People who have been replaced or have
    withdrawn are missing.
    """
    rows = Seating.objects.filter(round=round_).values_list("entry", "table__number", "seat")
    by_chair = {PlaceInRound(table, seat): entry for entry, table, seat in rows}
    stand_ins = last_substitutions().filter(table__round=round_)
    for entry, table, seat in stand_ins.values_list("entry", "table__number", "seat"):
        by_chair[PlaceInRound(table, seat)] = entry
    found = {
        entry: PlaceInRound(0) for entry in Bye.objects.filter(round=round_).values_list("entry", flat=True)
    }
    found |= {entry: chair for chair, entry in by_chair.items()}
    gone = Entry.objects.filter(championship=round_.championship_id, status=Entry.Status.WITHDRAWN)
    for entry, counts in list(gone.values_list("pk", "merged_into")):
        place = found.pop(entry, None)
        if counts is not None and place is not None:
            found.setdefault(counts, place)
    return found


def _subscriptions_with_places(round_: Round) -> Iterator[tuple[Subscription, PlaceInRound, list[str]]]:
    """Yield each subscription with its person's place, and the occasions of the subscription's earlier
    notices.
    """
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
    round_: Round, subscription: Subscription, place: PlaceInRound, occasions: Sequence[str], now: datetime
) -> Notice | None:
    """Build a notice for a subscription. `told`: occasions of its earlier notices of the round, oldest first.

    Returns None if no notice is needed, if the last one had the same occasion, or at MAX_PER_ROUND.
    """
    occasion = describe_occasion(round_, place)
    if not occasion or occasion in occasions[-1:] or len(occasions) >= MAX_PER_ROUND:
        return None
    until = now + (OPEN_LIFETIME if round_.status == Round.Status.OPEN else DRAWN_LIFETIME)
    return Notice(
        subscription=subscription,
        round=round_,
        occasion=f"{occasion}#{len(occasions)}",
        due_at=now,
        until=until,
    )
