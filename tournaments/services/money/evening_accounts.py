"""The accounts of an evening: income, expenses, balance and open fees."""

from dataclasses import dataclass

from django.db.models import Count, Sum

from tournaments.models import Booking, Championship, Entry
from tournaments.services.money.bookings import filter_valid_bookings
from tournaments.services.money.fees import find_fee, unpaid


@dataclass(frozen=True, slots=True)
class AccountLine:
    """Sum of the valid bookings with one kind and title. `count`: their number; `amount`: in Rappen."""

    kind: str
    title: str
    count: int
    amount: int

    @property
    def what(self) -> str:
        """The title; without a title (prize money), the kind of the booking."""
        return self.title or str(Booking.Kind(self.kind).label)


@dataclass(frozen=True, slots=True)
class EveningAccounts:
    """The financial statement of a championship, in Rappen.

    `income`, `expenses`: lines in order of kind and title; the amounts of expenses are negative; `by_method`:
    method of payment → sum; `owed`: unpaid fees of people who are present, or who played and withdrew;
    `owing`: number of these people.
    """

    income: tuple[AccountLine, ...]
    expenses: tuple[AccountLine, ...]
    by_method: dict[str, int]
    owed: int
    owing: int

    @property
    def came_in(self) -> int:
        return sum(line.amount for line in self.income)

    @property
    def went_out(self) -> int:
        return sum(line.amount for line in self.expenses)

    @property
    def balance(self) -> int:
        return self.came_in + self.went_out


def compute_evening_accounts(championship: Championship) -> EveningAccounts:
    """Compute the accounts of a championship. Four queries, regardless of the number of bookings."""
    valid = filter_valid_bookings(championship)
    lines = [
        AccountLine(kind, title, count, amount)
        for kind, title, count, amount in valid.values_list("kind", "title")
        .annotate(count=Count("pk"), amount=Sum("amount"))
        .order_by("kind", "title")
    ]
    into = (Booking.Kind.FEE, Booking.Kind.INCOME)
    methods = valid.values_list("method").annotate(amount=Sum("amount")).order_by("method")
    fees = list(championship.fees.all())
    came = (Entry.Status.ARRIVED, Entry.Status.WITHDRAWN)
    owing = unpaid(championship).filter(status__in=came)
    owed = [fee.amount for entry in owing if (fee := find_fee(entry, fees)) is not None and fee.amount]
    return EveningAccounts(
        tuple(line for line in lines if line.kind in into),
        tuple(line for line in lines if line.kind not in into),
        dict(methods),
        sum(owed),
        len(owed),
    )
