"""Lines of the accounts. What is paid at the desk books itself; nothing is changed, only cancelled."""

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
from tournaments.services.money.fees import fee_of

MAX_AMOUNT: Final = 10_000_000
THROUGH_NO_TILL: Final = (Booking.Method.TRANSFER,)


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
    """Other money that comes in (`income`) or goes out (`prize`, `expense`); the amount is positive. `seen`:
    the newest line that whoever books knows of; the very same one after it is no second one.

    Raises TournamentError `money/amount`, `money/booked_already`, `names/…`; ValueError for another kind.
    """
    require(actor, "cash", championship)
    if kind not in (Booking.Kind.INCOME, Booking.Kind.PRIZE, Booking.Kind.EXPENSE):
        raise ValueError(f"not booked by hand: {kind}")
    title = clean(title, needed=True, longest=60, field="title")
    if not 0 < amount <= MAX_AMOUNT:
        raise TournamentError("money/amount", _("The amount goes from 0.01 to 100000.00."), amount=amount)
    with transaction.atomic():
        locked = locks.require_official(championship, actor, "cash")
        signed = amount if kind == Booking.Kind.INCOME else -amount
        method = Booking.Method(method)
        if seen is not None:
            same = {"kind": kind, "title": title, "amount": signed, "method": method, "booked_by": actor}
            if valid_of(locked).filter(pk__gt=seen, **same).exists():
                raise TournamentError(
                    "money/booked_already",
                    _("You have just booked this. If it is to stand there twice, book it once more."),
                )
        return Booking.objects.create(
            championship=locked,
            kind=kind,
            title=title,
            amount=signed,
            method=method,
            shift=till_of(locked, actor, method),
            booked_by=actor,
        )


def till_of(championship: Championship, actor: Actor, method: str = Booking.Method.CASH) -> CashShift | None:
    """The open till of whoever books."""
    if method in THROUGH_NO_TILL or actor is None:
        return None
    return championship.cash_shifts.filter(held_by=actor, closed_at=None).first()


def fees_paid(
    entries: Iterable[Entry],
    *,
    actor: Actor,
    method: str = Booking.Method.CASH,
    through_till: bool = True,
) -> None:
    """Book what people of one championship pay. Nothing where no fee is asked, or where it is booked already.
    `through_till`: it lies in the till of whoever books, where that is open. Three queries, however many
    people.
    """
    people = [entry for entry in entries if not entry.house]
    if not people:
        return
    championship = people[0].championship
    fees = list(championship.fees.all())
    if not fees:
        return
    booked = set(_of_fees(people).values_list("entry_id", flat=True))
    shift = till_of(championship, actor, method) if through_till else None
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
        if entry.pk not in booked and (fee := fee_of(entry, fees)) is not None and fee.amount
    )


def paid_unbooked(championship: Championship) -> list[Entry]:
    """Who counts as paid while the book knows nothing of it: marked, or imported, before a fee was written
    down. Two queries."""
    fees = list(championship.fees.all())
    if not fees:
        return []
    booked = valid_of(championship).filter(kind=Booking.Kind.FEE, entry__isnull=False).values("entry")
    paid = championship.entries.filter(paid=True, house=False).exclude(pk__in=booked)
    return [
        entry
        for entry in paid.order_by("sort_name", "number")
        if (fee := fee_of(entry, fees)) is not None and fee.amount
    ]


def book_paid(championship: Championship, *, actor: Actor, method: str = Booking.Method.CASH) -> None:
    """Book the fees of all of those. Raises TournamentError `money/booked_already`."""
    require(actor, "cash", championship)
    with transaction.atomic():
        people = paid_unbooked(locks.require_official(championship, actor, "cash"))
        if not people:
            raise TournamentError("money/booked_already", _("These fees are booked already."))
        fees_paid(people, actor=actor, method=method)


def fee_given_back(entry: Entry, *, actor: Actor) -> None:
    """Cancel what somebody has paid."""
    for booking in _of_fees([entry]).select_for_update(no_key=True, of=("self",)):
        counter_book(booking, actor)


def cancel(booking: Booking, *, actor: Actor) -> Booking:
    """Take a booking back by another one; a fee is owed again then. Raises TournamentError
    `money/cancelled`, `money/is_cancelling`.
    """
    require(actor, "cash", booking.championship)
    with transaction.atomic():
        locks.require_official(booking.championship, actor, "cash")
        held = Booking.objects.select_for_update(no_key=True, of=("self",)).get(pk=booking.pk)
        if held.cancels_id is not None:
            raise TournamentError("money/is_cancelling", _("This line takes another one back itself."))
        if Booking.objects.filter(cancels=held).exists():
            raise is_cancelled()
        made = counter_book(held, actor)
        if held.kind == Booking.Kind.FEE and held.entry is not None:
            held.entry.paid = False
            if held.entry.status == Entry.Status.PAID:
                held.entry.status = Entry.Status.REGISTERED
            held.entry.save(update_fields=["paid", "status"])
        return made


def _of_fees(entries: Iterable[Entry]) -> QuerySet[Booking]:
    return Booking.objects.filter(entry__in=entries, kind=Booking.Kind.FEE, cancels=None, cancelled_by=None)


def is_cancelled() -> TournamentError:
    """What is said of a line that does not count any more."""
    return TournamentError("money/cancelled", _("This line is cancelled already."))


def valid_of(championship: Championship) -> QuerySet[Booking]:
    """What was neither cancelled nor cancels."""
    return Booking.objects.filter(championship=championship, cancels=None, cancelled_by=None)


def counter_book(booking: Booking, actor: Actor) -> Booking:
    """Book the opposite; the caller knows that it is allowed, and was not done yet."""
    return Booking.objects.create(
        championship_id=booking.championship_id,
        kind=booking.kind,
        title=booking.title,
        amount=-booking.amount,
        method=booking.method,
        entry_id=booking.entry_id,
        prize=booking.prize,
        shift=till_of(booking.championship, actor, booking.method),
        cancels=booking,
        booked_by=actor,
    )
