"""Bookings of money. Payments at the desk are booked automatically. Bookings are never changed, only
cancelled.
"""

from collections.abc import Iterable
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.models import Booking, CashShift, Championship, Entry
from tournaments.names import clean
from tournaments.permissions import Actor, require
from tournaments.services import locks
from tournaments.services.money.fees import find_fee

MAX_AMOUNT: Final = 10_000_000
METHODS_WITHOUT_TILL: Final = (Booking.Method.TRANSFER,)


def book(
    championship: Championship,
    kind: str,
    title: str,
    amount: int,
    *,
    actor: Actor,
    method: str = "cash",
    seen: int | None = None,
) -> Booking:
    """Book other income (`income`), a prize (`prize`) or an expense (`expense`). `amount`: positive, in
    Rappen.

    `seen`: id of the newest booking that the form showed. If the actor made an equal booking after it, the
    form was sent twice: `money/booked_already` is raised. Raises also TournamentError `money/amount`,
    `names/…`; ValueError for another kind.
    """
    require(actor, "cash", championship)
    if kind not in (Booking.Kind.INCOME, Booking.Kind.PRIZE, Booking.Kind.EXPENSE):
        raise ValueError(f"not booked by hand: {kind}")
    title = clean(title, needed=True, longest=60, field="title")
    if not 0 < amount <= MAX_AMOUNT:
        raise TournamentError("money/amount", _("The amount must be from 0.01 to 100000.00."), amount=amount)
    with locks.locked_for(championship, actor, "cash") as locked:
        signed = amount if kind == Booking.Kind.INCOME else -amount
        method = Booking.Method(method)
        if seen is not None:
            same = {"kind": kind, "title": title, "amount": signed, "method": method, "booked_by": actor}
            if filter_valid_bookings(locked).filter(pk__gt=seen, **same).exists():
                raise TournamentError(
                    "money/booked_already",
                    _("You have just booked this. If you want to book it twice, book it once more."),
                )
        return Booking.objects.create(
            championship=locked,
            kind=kind,
            title=title,
            amount=signed,
            method=method,
            shift=find_till(locked, actor, method),
            booked_by=actor,
        )


def find_till(
    championship: Championship, actor: Actor, method: str = Booking.Method.CASH
) -> CashShift | None:
    """Return the open till of the actor; None without one, or if payments of this `method`
    belong to no till.
    """
    if method in METHODS_WITHOUT_TILL or actor is None:
        return None
    return championship.cash_shifts.filter(held_by=actor, closed_at=None).first()


def book_fees(
    entries: Iterable[Entry],
    *,
    actor: Actor,
    method: str = Booking.Method.CASH,
    through_till: bool = True,
) -> None:
    """Book the fees of people of one championship. People without a fee, or whose fee is booked, are left
    out.

    `through_till`: assign the bookings to the till that `find_till` returns. The number of queries is
    constant.
    """
    people = [entry for entry in entries if not entry.house]
    if not people:
        return
    championship = people[0].championship
    fees = list(championship.fees.all())
    if not fees:
        return
    booked = set(_fee_bookings(people).values_list("entry_id", flat=True))
    shift = find_till(championship, actor, method) if through_till else None
    Booking.objects.bulk_create(
        Booking(
            championship=championship,
            kind=Booking.Kind.FEE,
            title=fee.label,
            amount=fee.amount,
            method=method,
            entry=entry,
            shift=shift,
            booked_by=actor,
        )
        for entry in people
        if entry.pk not in booked and (fee := find_fee(entry, fees)) is not None and fee.amount
    )


def list_unbooked(championship: Championship) -> list[Entry]:
    """List the paid entries whose fee is not booked, by name. They were marked as paid before there was a
    fee.

    Two queries.
    """
    fees = list(championship.fees.all())
    if not fees:
        return []
    booked = (
        filter_valid_bookings(championship).filter(kind=Booking.Kind.FEE, entry__isnull=False).values("entry")
    )
    paid = championship.entries.filter(paid=True, house=False).exclude(pk__in=booked)
    return [
        entry
        for entry in paid.order_by("sort_name", "number")
        if (fee := find_fee(entry, fees)) is not None and fee.amount
    ]


def book_unbooked(championship: Championship, *, actor: Actor, method: str = Booking.Method.CASH) -> None:
    """Book the fees of the entries in `list_unbooked`.

    Raises TournamentError `money/booked_already` if there are none.
    """
    require(actor, "cash", championship)
    with transaction.atomic():
        people = list_unbooked(locks.require_official(championship, actor, "cash"))
        if not people:
            raise TournamentError("money/booked_already", _("These fees are already booked."))
        book_fees(people, actor=actor, method=method)


def cancel_fee(entry: Entry, *, actor: Actor) -> None:
    """Cancel the valid bookings of an entry's fee."""
    for booking in _fee_bookings([entry]).select_for_update(no_key=True, of=("self",)):
        counter_book(booking, actor)


def cancel(booking: Booking, *, actor: Actor) -> Booking:
    """Cancel a booking by an opposite booking, which is returned. If it was a fee, the entry is unpaid again.

    Raises TournamentError `money/cancelled` if done already, `money/is_cancelling` for an opposite booking.
    """
    with locks.for_official(booking.championship, actor, "cash"):
        locked_booking = Booking.objects.select_for_update(no_key=True, of=("self",)).get(pk=booking.pk)
        if locked_booking.cancels_id is not None:
            raise TournamentError("money/is_cancelling", _("This line is itself a cancellation."))
        if Booking.objects.filter(cancels=locked_booking).exists():
            raise make_cancelled_error()
        counter_booking = counter_book(locked_booking, actor)
        if locked_booking.kind == Booking.Kind.FEE and locked_booking.entry is not None:
            locked_booking.entry.paid = False
            if locked_booking.entry.status == Entry.Status.PAID:
                locked_booking.entry.status = Entry.Status.REGISTERED
            locked_booking.entry.save(update_fields=["paid", "status"])
        return counter_booking


def _fee_bookings(entries: Iterable[Entry]) -> QuerySet[Booking]:
    return Booking.objects.filter(entry__in=entries, kind=Booking.Kind.FEE, cancels=None, cancelled_by=None)


def make_cancelled_error() -> TournamentError:
    """Return the error for a booking that is cancelled already."""
    return TournamentError("money/cancelled", _("This line is already cancelled."))


def filter_valid_bookings(championship: Championship) -> QuerySet[Booking]:
    """Return the bookings that neither are cancelled nor cancel another."""
    return Booking.objects.filter(championship=championship, cancels=None, cancelled_by=None)


def counter_book(booking: Booking, actor: Actor) -> Booking:
    """Book the opposite amount of a booking. The caller has checked that this is allowed and not done
    already.
    """
    return Booking.objects.create(
        championship_id=booking.championship_id,
        kind=booking.kind,
        title=booking.title,
        amount=-booking.amount,
        method=booking.method,
        entry_id=booking.entry_id,
        prize=booking.prize,
        shift=find_till(booking.championship, actor, booking.method),
        cancels=booking,
        booked_by=actor,
    )
