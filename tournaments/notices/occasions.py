"""When there is something to tell: a round is drawn, it opens, or somebody's seat is another one.

Whatever changes seats arms one deadline of the round; a moment later its handler looks where everybody sits
then and writes a notice for each phone that was not told this yet. What is told is what everybody may read
on the pages.
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
TELL: Final = "tournaments.tell"
"""The task that sends."""
SETTLES: Final = timedelta(seconds=3)
"""So long the desk may go on changing chairs before anybody is told."""
DRAWN_FOR: Final = timedelta(minutes=30)
OPEN_FOR: Final = timedelta(minutes=15)
"""Later than that nobody needs to be told."""
MOST_OF_A_ROUND: Final = 12
"""Notices to one phone about one round: whatever goes wrong, it is left in peace."""


class PlaceInRound(NamedTuple):
    """A chair of a round, or `table` 0: he sits out."""

    table: int
    seat: int = 0


def seats_changed(round_: Round) -> None:
    """Where people sit in this round is not what it was: called in the transaction that changed it."""
    told = Subscription.objects.filter(entry__championship=round_.championship_id)
    if public_push_key() and told.exists():
        deadlines.arm(KIND, round_.stream_id, timezone.now() + SETTLES)


def write_notices(deadline: Deadline) -> None:
    """The handler of that deadline, in its transaction."""
    round_ = Round.objects.select_related("championship").get(stream=deadline.stream_id)
    now = timezone.now()
    found = (new_notice(round_, *told, now) for told in _told_of(round_))
    rows = [notice for notice in found if notice is not None]
    Notice.objects.bulk_create(rows, ignore_conflicts=True)
    if rows:
        transaction.on_commit(lambda: task_queue.send(TELL), robust=True)


def occasion_of(round_: Round, place: PlaceInRound) -> str:
    """One word for what there is to tell about a place now; "" where there is nothing."""
    if round_.status not in (Round.Status.DRAWN, Round.Status.OPEN):
        return ""
    if not place.table:
        return f"{round_.number}.{round_.draws}.out"
    return f"{round_.number}.{round_.draws}.{round_.status}.{place.table}.{place.seat}"


def without_count(occasion: str) -> str:
    """What a notice is about: in its row a count stands behind it, for one who comes back to a chair."""
    return occasion.partition("#")[0]


def chair_told(occasion: str) -> tuple[str, str]:
    """Of which draw, and which chair."""
    number, draws, *rest = without_count(occasion).split(".")
    return f"{number}.{draws}", ".".join(rest[-2:])


def places_in_round(round_: Round) -> dict[int, PlaceInRound]:
    """Row of an entry → where that person is in this round, under whatever number he was drawn. Whoever was
    replaced, has gone or was struck is in it nowhere. Four queries.
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


def _told_of(round_: Round) -> Iterator[tuple[Subscription, PlaceInRound, list[str]]]:
    """Each subscription to somebody who is in the round, where he is, and what it was told of the round."""
    places = places_in_round(round_)
    told: dict[int, list[str]] = {}
    earlier = Notice.objects.filter(round=round_).order_by("pk")
    for subscription, occasion in earlier.values_list("subscription", "occasion"):
        told.setdefault(subscription, []).append(without_count(occasion))
    for row in Subscription.objects.filter(entry__championship=round_.championship_id):
        place = places.get(row.entry_id)
        if place is not None:
            yield row, place, told.get(row.pk, [])


def new_notice(
    round_: Round, subscription: Subscription, place: PlaceInRound, told: Sequence[str], now: datetime
) -> Notice | None:
    """None where there is nothing but what this phone was told last. `told`: what it was, in order."""
    occasion = occasion_of(round_, place)
    if not occasion or occasion in told[-1:] or len(told) >= MOST_OF_A_ROUND:
        return None
    until = now + (OPEN_FOR if round_.status == Round.Status.OPEN else DRAWN_FOR)
    return Notice(
        subscription=subscription,
        round=round_,
        occasion=f"{occasion}#{len(told)}",
        due_at=now,
        until=until,
    )
