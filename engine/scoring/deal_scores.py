"""Score of a deal: its items (everything that counted: tricks, Stöck, melds, sweep bonus) and their sum.
After a ruling the items are added up again.
"""

from collections.abc import Iterator, Sequence, Set
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.card_points import LAST_TRICK, STOECK_POINTS
from engine.ledger.state import DealRecord, SheetResult, Trick
from engine.rules import GameContext
from engine.rules.tally import Scored, Tally
from engine.tricks.modes import strongest


class Item(Struct, frozen=True, gc=False):
    """Something that counts in a deal. `trick`: the number of tricks completed before it, 0 on a sheet.
    `side`: the side that gets it, None if not known. `points`: without multiplier, None if not known.
    """

    trick: int
    side: int | None
    kind: Literal["cards", "stoeck", "melds", "sweep"]
    points: int | None


def list_items(context: GameContext, record: DealRecord) -> list[Item]:
    """Return the items of a deal: tricks, Stöck, melds, discards, sweep. Unknown sides and points are
    None.
    """
    state = context.state
    if state.mode == "sheet":
        return list(_items_from_sheet(context, state.results[record.deal - 1]))
    rules = context.rules
    sides = rules.sides_of(state)
    tricks = record.tricks
    if rules.play.names_trumps or state.mode == "transcribed":
        tricks = tuple(_rescore_trick(context, record, at) for at in range(len(tricks)))
    sides_known = len(set(sides)) == rules.sides
    takers = [None if t.taker is None or not sides_known else sides[t.taker] for t in tricks]
    items = [
        Item(at, taker, "cards", trick.points)
        for at, (taker, trick) in enumerate(zip(takers, tricks, strict=True))
    ]
    if record.stoeck or record.melds:
        items += [Item(at, sides[seat], "stoeck", points) for seat, points, at in record.stoeck]
        items += [Item(0, side, "melds", points) for side, points in record.melds]
    if record.variant_state.discards_counted is not None:
        seat, points = record.variant_state.discards_counted
        items.append(Item(len(takers) - 1, sides[seat], "cards", points))
    if rules.play.sweep_bonus and len(takers) == record.size and len(set(takers)) == 1:
        items.append(Item(len(takers) - 1, takers[0], "sweep", rules.play.sweep_bonus))
    return items


def _rescore_trick(context: GameContext, record: DealRecord, at: int) -> Trick:
    """Return trick `at`, scored by the contract that was known at the end of the deal."""
    trick, named = record.tricks[at], context.rules.play.names_trumps
    if -1 in trick.cards or (record.contract is None and not named):
        return trick
    values = context.rules.play.values[record.contract or "obenabe"]
    points = sum(values[card] for card in trick.cards) + (LAST_TRICK if at + 1 == record.size else 0)
    taker = trick.taker
    if taker is None and not named:
        taker = trick.seats[strongest(trick.cards, context.rules.mode_in(record, at))]
    return replace(trick, points=points, taker=taker)


def _items_from_sheet(context: GameContext, result: SheetResult) -> Iterator[Item]:
    """Yield the items of a result on a sheet. A side without points and tricks has no card item."""
    for side, points in enumerate(result.card_points):
        if points is None or points or side in result.took_trick:
            yield Item(0, side, "cards", points)
    if result.stoeck is not None:
        yield Item(0, result.stoeck, "stoeck", result.stoeck_points or STOECK_POINTS)
    for side, points in enumerate(result.melds or ()):
        if points:
            yield Item(0, side, "melds", points)
    if result.sweep is not None:
        yield Item(0, result.sweep, "sweep", context.rules.play.sweep_bonus)
    for side, count in enumerate(result.sweeps or ()):
        if count:
            yield Item(0, side, "sweep", count * context.rules.play.sweep_bonus)
    for side, count in enumerate(result.stoecks or ()):
        if count:
            yield Item(0, side, "stoeck", count * STOECK_POINTS)


def score_as_played(context: GameContext, record: DealRecord) -> Scored:
    """Return the score of a deal by its record, without rulings."""
    variant_state = record.variant_state
    has_other_items = (
        record.stoeck or record.melds or variant_state.discards_counted or variant_state.conceded is not None
    )
    rules = context.rules
    if context.state.mode == "dealt" and not has_other_items:
        tally = _tally_of_tricks(context, record)
        scored = None if tally is None else rules.score(context, record, tally)
        if scored is not None:
            return scored
    return count_deal(context, record, list_items(context, record))


def _tally_of_tricks(context: GameContext, record: DealRecord) -> Tally | None:
    """Return the sum of the tricks of a deal; None if the deal needs more than that sum."""
    rules = context.rules
    play, sides = rules.play, rules.sides_of(context.state)
    if play.names_trumps:
        return None
    cards = [0] * rules.sides
    takers: set[int | None] = set()
    for trick in record.tricks:
        side = sides[trick.taker]  # type: ignore[index]  # a dealt game records who took a trick
        takers.add(side)
        cards[side] += trick.points  # type: ignore[operator]  # and the points of the trick
    if len(takers) == 1 and play.sweep_bonus:
        return None
    factor = play.multiplier(record.contract, record.slot)
    counted = tuple(cards)
    return Tally(counted, counted if factor == 1 else tuple([factor * p for p in counted]), takers)


def count_deal(context: GameContext, record: DealRecord, items: Sequence[Item]) -> Scored:
    """Return the score of items by the rules of the variant. The items are ignored in a conceded deal and in
    totals that no sum checks (`Rules.bounds`).

    Open values are None: all values if a trick is open, only the scores if other facts are open.
    """
    rules = context.rules
    conceded = record.variant_state.conceded
    if conceded is not None:
        return Scored((0, rules.play.deal_points), (0, conceded))
    if rules.bounds() is not None:
        return Scored(record.card_points, record.scores)
    counting = [item for item in items if item.kind != "melds" or item.points is not None]
    tally = _tally(context, record, counting)
    scored = None if tally is None or len(counting) < len(items) else rules.score(context, record, tally)
    if scored is not None and tally is not None:
        cards = tuple(None if side in tally.unknown else own for side, own in enumerate(scored.card_points))
        return replace(scored, card_points=cards)
    unknown = (None,) * rules.sides
    ties = record.ties if rules.variant.ties else None
    return Scored(unknown if tally is None else tally.cards, unknown, ties)


def _tally(context: GameContext, record: DealRecord, items: Sequence[Item]) -> Tally | None:
    """Return the sums of the items; None if the points of a side are open."""
    rules = context.rules
    factor = rules.play.multiplier(record.contract, record.slot)
    cards: list[int] = [0] * rules.sides
    bonuses: list[int] = [0] * rules.sides
    open_sides: set[int | None] = set()
    for item in items:
        side, points = item.side, item.points
        if side is None or points is None:
            open_sides.add(side)
        elif item.kind == "cards":
            cards[side] += points
        else:
            bonuses[side] += points
    whole = rules.play.all_counted and len(record.tricks) == record.size
    if len(open_sides) == 1 and rules.sides == 2 and whole:
        (side,) = open_sides
        if side is not None:
            cards[side] = rules.play.deal_points - cards[1 - side]
            open_sides = set()
    unknown = _omitted_sides(context, record, open_sides)
    if open_sides - unknown:
        return None
    scores = [factor * (c + b) for c, b in zip(cards, bonuses, strict=True)]
    takers = {item.side for item in items if item.kind == "cards"}
    return Tally(tuple(cards), tuple(scores), takers, unknown)


def _omitted_sides(context: GameContext, record: DealRecord, open_sides: Set[int | None]) -> Set[int]:
    """Return the sides whose points a sheet omits, because only those of the chooser's side count."""
    rules, sides = context.rules, context.rules.sides_of(context.state)
    if context.state.mode != "sheet" or record.chooser is None or not rules.asks_chooser_only():
        return frozenset()
    return {side for side in open_sides if side is not None and side != sides[record.chooser]}
