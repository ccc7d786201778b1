"""Bookings of prize money. It is booked when it is handed over, and an opposite booking reverses it.

The money of a pair is booked to the entry with the pair's number.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tournaments.models import Booking, Championship
from tournaments.permissions import Actor
from tournaments.prizes import Award
from tournaments.services.money.bookings import counter_book, filter_valid_bookings, find_till

What = tuple[int, int]
"""Key of an award: the winner's key in the ranking, and the prize's index in the plan."""


class Unsettled(NamedTuple):
    """An award whose money handed over differs from the money won. Amounts are in Rappen.

    `key`: the winner's key in the ranking; `line`: the prize's index in the plan; `bookings`: of the money
    handed over.
    """

    key: int
    line: int
    won: int
    handed_over: int
    bookings: tuple[Booking, ...]


def hand_over(
    championship: Championship, awards: Iterable[Award], *, actor: Actor, method: str = Booking.Method.CASH
) -> int:
    """Book the prize money of the awards for which nothing is booked yet; return the number of bookings.

    The caller has locked the championship.
    """
    booked = _prize_bookings(championship)
    wanted = [one for one in awards if one.amount and (one.key, one.prize) not in booked]
    if not wanted:
        return 0
    found = championship.entries.filter(number__in={one.key for one in wanted})
    entries = {entry.number: entry for entry in found}
    shift = find_till(championship, actor, method)
    made = Booking.objects.bulk_create(
        Booking(
            championship=championship,
            kind=Booking.Kind.PRIZE,
            title="",
            prize=one.prize,
            amount=-one.amount,
            method=method,
            entry=entries[one.key],
            shift=shift,
            booked_by=actor,
        )
        for one in wanted
    )
    return len(made)


def reverse_others(championship: Championship, awards: Iterable[Award], *, actor: Actor) -> None:
    """Reverse all prize money that was handed over for awards other than these. The caller has locked the
    championship.
    """
    kept = {(one.key, one.prize) for one in awards}
    for what, bookings in _prize_bookings(championship).items():
        if what not in kept:
            for booking in bookings:
                counter_book(booking, actor)


def list_differences(championship: Championship, awards: Sequence[Award]) -> list[Unsettled]:
    """List the prizes whose bookings differ from the money won in `awards`, also those not in `awards`."""
    won = {(one.key, one.prize): one.amount for one in awards if one.amount}
    booked = _prize_bookings(championship)
    found = []
    for what in dict.fromkeys([*won, *booked]):
        bookings = booked.get(what, [])
        handed_over = -sum(booking.amount for booking in bookings)
        if handed_over != won.get(what, 0):
            found.append(Unsettled(*what, won.get(what, 0), handed_over, tuple(bookings)))
    return found


def _prize_bookings(championship: Championship) -> dict[What, list[Booking]]:
    found: dict[What, list[Booking]] = {}
    bookings = (
        filter_valid_bookings(championship)
        .filter(prize__isnull=False)
        .select_related("entry", "championship")
    )
    for booking in bookings.order_by("pk"):
        key = booking.entry.number if booking.entry is not None else 0
        found.setdefault((key, booking.prize or 0), []).append(booking)
    return found
