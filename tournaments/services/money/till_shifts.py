"""Till shifts, each opened with a float and closed with a count of the money."""

from dataclasses import dataclass

from django.db.models import Max, Sum
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.models import Booking, CashShift, Championship
from tournaments.permissions import Actor, require
from tournaments.services import locks
from tournaments.services.money.bookings import MAX_AMOUNT


@dataclass(frozen=True, slots=True)
class Till:
    """The sums of a till, in Rappen. `cash`: cash bookings without the float; `by_method`: other payments
    taken by its holder, by method.
    """

    shift: CashShift
    cash: int
    by_method: dict[str, int]

    @property
    def expected(self) -> int:
        return self.shift.float_amount + self.cash

    @property
    def difference(self) -> int | None:
        """The counted amount less the expected one; None until the till is counted."""
        return None if self.shift.counted is None else self.shift.counted - self.expected


def open_till(championship: Championship, *, actor: Actor, float_amount: int = 0) -> CashShift:
    """Open a till for the actor with a float in Rappen. Raises TournamentError `money/till_open`,
    `money/amount`.
    """
    require(actor, "cash", championship)
    _check_amount(float_amount)
    with locks.locked_for(championship, actor, "cash") as locked:
        if locked.cash_shifts.filter(held_by=actor, closed_at=None).exists():
            raise TournamentError("money/till_open", _("Your till is already open."))
        last = locked.cash_shifts.aggregate(last=Max("number"))["last"] or 0
        return CashShift.objects.create(
            championship=locked, number=last + 1, held_by=actor, float_amount=float_amount
        )


def close_till(shift: CashShift, *, actor: Actor, counted: int) -> CashShift:
    """Close a till with the counted amount in Rappen. The till of another person may be closed by a director.

    Raises TournamentError `money/till_closed`, `money/amount`, NotAllowed.
    """
    championship = shift.championship
    require(actor, "cash", championship)
    if shift.held_by_id != getattr(actor, "pk", None):
        require(actor, "prizes", championship)
    _check_amount(counted)
    with locks.locked_for(championship, actor, "cash"):
        locked_shift = CashShift.objects.select_for_update(no_key=True, of=("self",)).get(pk=shift.pk)
        if locked_shift.closed_at is not None:
            raise TournamentError("money/till_closed", _("This till is already closed."))
        locked_shift.closed_at, locked_shift.counted = timezone.now(), counted
        locked_shift.save(update_fields=["closed_at", "counted"])
    return locked_shift


def list_tills(championship: Championship) -> list[Till]:
    """List all tills of a championship with their sums. Two queries."""
    sums: dict[int, dict[str, int]] = {}
    found = Booking.objects.filter(championship=championship, shift__isnull=False)
    for shift_id, method, amount in found.values_list("shift_id", "method").annotate(amount=Sum("amount")):
        sums.setdefault(shift_id, {})[method] = amount
    shifts = championship.cash_shifts.select_related("held_by").order_by("number")
    return [
        Till(shift, own.pop(Booking.Method.CASH, 0), own)
        for shift in shifts
        for own in [sums.get(shift.pk, {})]
    ]


def _check_amount(amount: int) -> None:
    if not 0 <= amount <= MAX_AMOUNT:
        raise TournamentError("money/amount", _("The amount must be from 0.00 to 100000.00."), amount=amount)
