"""A deal taken apart into the things that counted in it, so that it can be added up again after a ruling."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from .rules import Scored
from .state import DealRecord, State


class Item(Struct, frozen=True, gc=False):
    """Something that counts in a deal: when it fell (tricks completed before), for which side, simple
    points."""

    trick: int
    side: int | None
    kind: Literal["cards", "stoeck", "melds", "sweep"]
    points: int | None


def items_of(state: State, record: DealRecord) -> list[Item]:
    """What counted in a deal between sides, in the order it fell. Unknown takers and points stay None."""
    rules = state.rules
    sides = rules.variant.sides(state)
    takers = [None if t.taker is None else sides[t.taker] for t in record.tricks]
    items = [Item(at, takers[at], "cards", trick.points) for at, trick in enumerate(record.tricks)]
    if record.stoeck or record.melds:
        items += [Item(at, sides[seat], "stoeck", points) for seat, points, at in record.stoeck]
        items += [Item(0, side, "melds", points) for side, points in record.melds]
    if record.extras.discards_counted is not None:
        seat, points = record.extras.discards_counted
        items.append(Item(len(takers) - 1, sides[seat], "cards", points))
    if rules.play.sweep_bonus and len(takers) == record.size and len(set(takers)) == 1:
        items.append(Item(len(takers) - 1, takers[0], "sweep", rules.play.sweep_bonus))
    return items


def count_deal(state: State, record: DealRecord, items: Sequence[Item]) -> Scored:
    """Card points and scores per side of what counted. None for both sides where a trick cannot be
    attributed."""
    rules = state.rules
    factor = rules.play.multiplier(record.contract, record.slot)
    cards: list[int] = [0] * rules.sides
    beside: list[int] = [0] * rules.sides
    open_sides: set[int | None] = set()
    for item in items:
        side, points = item.side, item.points
        if side is None or points is None:
            open_sides.add(side)
        elif item.kind == "cards":
            cards[side] += points
        else:
            beside[side] += points
    whole = rules.play.all_counted and len(record.tricks) == record.size
    if len(open_sides) == 1 and rules.sides == 2 and whole:
        (side,) = open_sides
        if side is not None:
            cards[side] = rules.play.deal_points - cards[1 - side]
            open_sides = set()
    if open_sides:
        return Scored((None,) * rules.sides, (None,) * rules.sides)
    scores = [factor * (c + b) for c, b in zip(cards, beside, strict=True)]
    return Scored(tuple(cards), tuple(scores))
