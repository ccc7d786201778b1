"""What a score sheet of a game takes, as data: a page makes its form of it and the engine its checks.

Every sheet takes the card points of a deal. What else counts follows from the rules of the game; a variant
names beside it what its score needs (`SheetRules`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from msgspec import Struct

from engine.contracts import LAST_TRICK, Contract

FieldKind = Literal["points", "signed", "seat", "side", "sides", "contract", "slot", "flag"]
Per = Literal["deal", "side", "seat"]


class SheetField(Struct, frozen=True):
    """A field of `enter_result` and `correct_result`.

    `kind`: `points` a number, `signed` one of `choices`, `seat` or `side` its number, `sides` several of
    them, `contract` or `slot` one of `choices`, `flag` true or nothing. `per`: one value for the deal, or a
    list with one for each side or seat. `least` to `most` bound each number, in steps of `step`; `sum_least`
    to `sum_most` bound their sum, to which each one in a field with a `worth` adds so much. `open_to`: the
    `choices` left to each seat, where that differs. `label` is English, for translation.
    """

    name: str
    kind: FieldKind
    label: str
    per: Per = "deal"
    required: bool = False
    least: int | None = None
    most: int | None = None
    step: int = 1
    sum_least: int | None = None
    sum_most: int | None = None
    choices: tuple[str | int, ...] = ()
    open_to: tuple[tuple[str, ...], ...] = ()
    worth: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRules:
    """What the sheet of a game takes for one deal, beside what its trick rules already say.

    `contracts` may be written. `unused`: so many cards of the deck count for nobody. `stops(points, chooser,
    bid)`: whether a deal in which the sides have these points may have ended before its last card.
    `concedes`: side 0 may give the deal away before its first card.
    """

    contracts: Sequence[Contract] = ()
    fields: tuple[SheetField, ...] = ()
    unused: int = 0
    stops: Callable[[Sequence[int], int, int], bool] | None = None
    concedes: bool = False


CHOOSER: Final = SheetField("chooser", "seat", "Who chose", required=True)
TOOK_TRICK: Final = SheetField("took_trick", "sides", "Took a trick that counts nothing")
FIRST: Final = SheetField("first", "side", "First at the target")
DEALER: Final = SheetField("dealer", "seat", "Dealer")


def bid_field(least: int, most: int | None, step: int) -> SheetField:
    """What the declarer has bid."""
    return SheetField("bid", "points", "Bid", required=True, least=least, most=most, step=step)


def predictions_field(highest: int) -> SheetField:
    """What everyone has said to take."""
    return SheetField(
        "predictions", "points", "Predictions", per="seat", required=True, least=0, most=highest
    )


@cache
def attainable_points(values: tuple[int, ...], seats: int, most_cards: int) -> int:
    """The points that a side may have by whole tricks of so many cards, the last trick among them or not: a
    mask of them. Points of cards put away count as a trick's."""
    reach = [1] + [0] * most_cards
    for value in values:
        for count in range(most_cards, 0, -1):
            reach[count] |= reach[count - 1] << value
    found = 1
    for count in range(seats, most_cards + 1, seats):
        found |= reach[count] | reach[count] << LAST_TRICK
    return found


def are_melds(points: int) -> bool:
    """Whether some melds together count so much: a meld counts 20, or 50 and a multiple of it."""
    return points >= 0 and points % 10 == 0 and points not in (10, 30)


@cache
def sums_of(values: tuple[int, ...], unused: int) -> int:
    """The sums that the points of a deal may have when so many of the cards do not count: a mask of them."""
    reach = [1] + [0] * unused
    for value in values:
        for count in range(unused, 0, -1):
            reach[count] |= reach[count - 1] << value
    left, total = 0, sum(values)
    for gone in range(reach[unused].bit_length()):
        if reach[unused] >> gone & 1:
            left |= 1 << (total - gone)
    return left
