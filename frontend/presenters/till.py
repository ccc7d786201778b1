"""The book of the till and the money that was won, in words."""

from collections.abc import Iterable
from dataclasses import dataclass

from frontend.presenters.prizes import Names, francs, what_for
from tournaments.models import Booking, Championship, PrizeGiving
from tournaments.services import prizes
from tournaments.services.money.fees import Price
from tournaments.services.money.prize_money import Unsettled


@dataclass(frozen=True, slots=True)
class BookLine:
    booking: Booking
    what: str
    who: str


@dataclass(frozen=True, slots=True)
class WonMoney:
    """Money whose handing over and the ranking differ."""

    state: Unsettled
    name: str
    what: str


def book_lines(championship: Championship, bookings: Iterable[Booking]) -> list[BookLine]:
    """What each line is for, and whose it is; money that a pair has won is both's."""
    found = list(bookings)
    won = any(line.prize is not None for line in found)
    names = Names(championship) if won else None
    plan = prizes.load_plan(championship) if won else None
    lines = []
    for line in found:
        what, who = line.title, line.entry.name if line.entry is not None else ""
        if names is not None and plan is not None and line.prize is not None:
            what = str(line.get_kind_display())
            if line.stands:  # what was taken back may be of a plan that there is no more
                what = f"{what}: {what_for(plan.prizes[line.prize])}"
            if line.entry is not None and line.entry.number in names.rows:
                who = names.name(line.entry.number)
        lines.append(BookLine(line, what, who))
    return lines


def fees_as_text(prices: Iterable[Price]) -> list[str]:
    """“Member 20.–”, one after the other."""
    return [f"{price.label} {francs(price.amount)}" for price in prices]


def won_money(championship: Championship) -> list[WonMoney]:
    """Of whoever has been called to the front, what is not settled."""
    if not PrizeGiving.objects.filter(championship=championship, step__gt=0).exists():
        return []
    giving = prizes.load_giving(championship)
    states = prizes.list_unsettled(championship, giving)
    if not states:
        return []
    names = Names(championship)
    return [
        WonMoney(state, names.name(state.key), what_for(giving.plan.prizes[state.line])) for state in states
    ]
