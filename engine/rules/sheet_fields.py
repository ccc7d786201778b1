"""Fields of a score sheet, as data for the forms of pages and the checks of the engine.

A sheet takes the card points of a deal, or totals. Which further values count follows from the rules of the
game; a variant adds the fields that its score needs (`SheetRules`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from msgspec import Struct

from engine.card_points import LAST_TRICK
from engine.contracts import Contract

FieldKind = Literal["points", "signed", "seat", "side", "sides", "contract", "slot", "flag"]
Per = Literal["deal", "side", "seat"]


class SheetField(Struct, frozen=True):
    """A field of `enter_result` and `correct_result`.

    `kind`: a value is a number (`points`), one of `choices` (`signed`, `contract`, `slot`), the number of a
    seat or side (`seat`, `side`), a list of sides (`sides`), or true or absent (`flag`). `per`: one value for
    the deal, or a list with one for each side or seat. `least` to `most` bound each number, in steps of
    `step`. `sum_least` to `sum_most` bound their sum; each unit in another field raises these bounds by the
    `worth` of that field. `open_to`: the choices left to each seat. `label` is English, for translation.
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
    """Fields and checks that a variant adds to a sheet, for one deal.

    `contracts`: contracts that may be entered. `unused`: number of cards that count for no side.
    `stops(points, chooser, bid)`: whether a deal with these points by side may have ended before its last
    card. `concedes`: side 0 may concede the deal before its first card.
    """

    contracts: Sequence[Contract] = ()
    fields: tuple[SheetField, ...] = ()
    unused: int = 0
    stops: Callable[[Sequence[int], int, int], bool] | None = None
    concedes: bool = False


CHOOSER: Final = SheetField("chooser", "seat", "Who chose", required=True)
TOOK_TRICK: Final = SheetField("took_trick", "sides", "Took a trick without points")
FIRST: Final = SheetField("first", "side", "First to reach the target")
DEALER: Final = SheetField("dealer", "seat", "Dealer")


def bid_field(least: int, most: int | None, step: int) -> SheetField:
    """Return the field for the declarer's bid. `most` None: no upper bound."""
    return SheetField("bid", "points", "Bid", required=True, least=least, most=most, step=step)


def predictions_field(highest: int) -> SheetField:
    """Return the field of the predictions, one per seat."""
    return SheetField(
        "predictions", "points", "Predictions", per="seat", required=True, least=0, most=highest
    )


@cache
def attainable_points(values: tuple[int, ...], seats: int, most_cards: int) -> int:
    """Return a mask whose bit n is set if tricks of `seats` cards, at most `most_cards` in all, can have n
    points, with or without the five for the last trick. Discards count as tricks.
    """
    reach = [1] + [0] * most_cards
    for value in values:
        for count in range(most_cards, 0, -1):
            reach[count] |= reach[count - 1] << value
    found = 1
    for count in range(seats, most_cards + 1, seats):
        found |= reach[count] | reach[count] << LAST_TRICK
    return found


def are_melds(points: int) -> bool:
    """Return whether melds can have this sum of points. A meld counts 20, or a multiple of 50."""
    return points >= 0 and points % 10 == 0 and points not in (10, 30)


@cache
def sums_without(values: tuple[int, ...], unused: int) -> int:
    """Return a mask whose bit n is set if all cards can have n points when `unused` of them do not count."""
    reach = [1] + [0] * unused
    for value in values:
        for count in range(unused, 0, -1):
            reach[count] |= reach[count - 1] << value
    left, total = 0, sum(values)
    for gone in range(reach[unused].bit_length()):
        if reach[unused] >> gone & 1:
            left |= 1 << (total - gone)
    return left
