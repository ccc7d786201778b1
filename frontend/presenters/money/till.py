"""The bookings of tills and the prize money, in words."""

from collections.abc import Iterable
from dataclasses import dataclass

from frontend.presenters.money.prizes import Names, describe_prize_condition, format_francs
from tournaments.models import Booking, Championship, PrizeGiving
from tournaments.services import prize_giving
from tournaments.services.money.fees import Price
from tournaments.services.money.prize_money import Unsettled


@dataclass(frozen=True, slots=True)
class BookLine:
    booking: Booking
    what: str
    who: str


@dataclass(frozen=True, slots=True)
class UnsettledPrize:
    """Prize money that was not paid as the ranking says. `what`: the condition of the prize."""

    state: Unsettled
    name: str
    what: str


def book_lines(championship: Championship, bookings: Iterable[Booking]) -> list[BookLine]:
    """Return purpose and person of each booking. Prize money of a pair has the names of both."""
    found = list(bookings)
    won = any(line.prize is not None for line in found)
    names = Names(championship) if won else None
    plan = prize_giving.load_plan(championship) if won else None
    lines = []
    for line in found:
        what, who = line.title, line.entry.name if line.entry is not None else ""
        if names is not None and plan is not None and line.prize is not None:
            what = str(line.get_kind_display())
            if line.stands:  # A cancelled booking may refer to a plan that no longer exists.
                what = f"{what}: {describe_prize_condition(plan.prizes[line.prize], by_start=names.by_start)}"
            if line.entry is not None and line.entry.number in names.rows:
                who = names.name(line.entry.number)
        lines.append(BookLine(line, what, who))
    return lines


def fees_as_text(prices: Iterable[Price]) -> list[str]:
    """Return label and amount of each price: “Member 20.–”."""
    return [f"{price.label} {format_francs(price.amount)}" for price in prices]


def describe_prize_money(championship: Championship) -> list[UnsettledPrize]:
    """Return the prize money not paid as the ranking says, of winners called so far; [] without a call."""
    if not PrizeGiving.objects.filter(championship=championship, step__gt=0).exists():
        return []
    giving = prize_giving.load_giving(championship)
    states = prize_giving.list_unsettled(championship, giving)
    if not states:
        return []
    names = Names(championship)
    return [
        UnsettledPrize(
            state,
            names.name(state.key),
            describe_prize_condition(giving.plan.prizes[state.line], by_start=names.by_start),
        )
        for state in states
    ]
