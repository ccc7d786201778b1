"""The side that reached its target first, if several have reached theirs in the finished deals.

Deals are processed in order, and within a deal its items in the order in which they count.

A sheet records points and not their order. A Stöck or melds on it may decide. If two sides reach their
targets by tricks, either may be first, and the entry has to state which side was. The same holds for a score
that a referee set. Limitation: the distribution of points over the tricks of a sheet is not considered.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from engine.card_points import STOECK_POINTS
from engine.errors import IllegalCommand
from engine.ledger.state import DealRecord, SheetResult
from engine.rules import GameContext
from engine.scoring.deal_scores import Item
from engine.scoring.ruling_effects import (
    compute_current_totals,
    list_counted_deals,
    list_deals,
    list_ruled_items,
    list_rulings_on_deal,
    score_deals,
)

_KIND_ORDER: Final = {"stoeck": 0, "melds": 1, "cards": 2, "sweep": 3}


class Arrival(NamedTuple):
    """The moment at which a target was first reached: the deal, and the sides that may have been first in
    it.
    """

    deal: int
    sides: tuple[int, ...]


def find_arrival(context: GameContext) -> Arrival | None:
    """Return the first arrival at a target, None if no side has reached its target.

    A game that is played card by card has an arrival only if a target ends it automatically.
    """
    state, play = context.state, context.rules.play
    if play.targets is None or not (play.automatic or state.mode == "sheet"):
        return None
    goals = play.goals(state)
    counts = [[points or 0 for points in scored.scores] for scored in score_deals(context)]
    before = [
        total - sum(scores[side] for scores in counts)
        for side, total in enumerate(compute_current_totals(context))
    ]
    for record, scores in zip(list_deals(state), counts, strict=True):
        after = [one + more for one, more in zip(before, scores, strict=True)]
        at_target = tuple(side for side, total in enumerate(after) if total >= goals[side])
        if at_target:
            needed = [goal - total for goal, total in zip(goals, before, strict=True)]
            return Arrival(
                record.deal,
                at_target if len(at_target) == 1 else _first_within_deal(context, record, needed, at_target),
            )
        before = after
    return None


def _first_within_deal(
    context: GameContext, record: DealRecord, needed: Sequence[int], at_target: tuple[int, ...]
) -> tuple[int, ...]:
    """Return the sides that may be first among the sides `at_target`, which reach their targets in a deal."""
    state, play = context.state, context.rules.play
    factor = play.multiplier(record.contract, record.slot)
    left = [-(-points // factor) for points in needed]
    if state.mode == "sheet":
        result = state.results[record.deal - 1]
        if result.by_hand or list_rulings_on_deal(state, record.deal) or not play.automatic:
            return at_target
        return _first_on_sheet(play.stoeck_priority, result, left) or at_target
    items = list_ruled_items(context, record)
    if items is None or any(item.side is None or item.points is None for item in items):
        return at_target
    return (_first_by_items(play.stoeck_priority, items, left, at_target),)


def _first_on_sheet(priority: bool, result: SheetResult, left: list[int]) -> tuple[int, ...]:
    """Return the side that a Stöck or melds take to its target before tricks count; empty if there is none.

    Without priority a Stöck counts with its second card, after melds and among the tricks.
    """
    if priority and result.stoeck is not None:
        left[result.stoeck] -= STOECK_POINTS
        if left[result.stoeck] <= 0:
            return (result.stoeck,)
    for side, points in enumerate(result.melds or ()):
        left[side] -= points
        if points and left[side] <= 0:
            return (side,)
    return ()


def _first_by_items(
    priority: bool, items: Sequence[Item], left: Sequence[int], at_target: tuple[int, ...]
) -> int:
    """Return the side among `at_target` that is first to gain the points `left` to it, in a deal with known
    tricks.
    """

    def place(item: Item) -> tuple[int, int]:
        early = priority and item.kind == "stoeck"
        return (-1 if early else item.trick, _KIND_ORDER[item.kind])

    ordered = sorted(items, key=place)

    def reached(side: int) -> int:
        sums = accumulate(item.points or 0 if item.side == side else 0 for item in ordered)
        return next(at for at, points in enumerate(sums) if points >= left[side])

    return min(at_target, key=reached)


def find_first_at_target(context: GameContext) -> tuple[int, ...]:
    """Return the side that reached its target first, as computed or as stated. The tuple has several sides if
    it is not known which was first, and none if no side has reached its target.
    """
    arrival = find_arrival(context)
    if arrival is None:
        return ()
    stated = context.state.first
    if (
        len(arrival.sides) > 1
        and stated is not None
        and stated[0] == arrival.deal
        and stated[1] in arrival.sides
    ):
        return (stated[1],)
    return arrival.sides


def require_first(
    context: GameContext, first: int | None, refuse: Callable[..., IllegalCommand]
) -> tuple[int, int] | None:
    """Check the statement `first`: the side that is said to have reached its target first. Return (deal,
    side) if several sides may be first and `first` decides, else None.

    `refuse(what, detail, **params)` builds the refusals: `first_missing` if a needed side is not stated,
    `not_first` if the stated side cannot have been first.
    """
    arrival = find_arrival(context)
    if arrival is None or len(arrival.sides) == 1:
        if first is not None and (arrival is None or first not in arrival.sides):
            raise refuse("not_first", f"side {first} was not the first at its target", first=first)
        return None
    if first is None:
        if len(find_first_at_target(context)) == 1:
            return None
        sides = list(arrival.sides)
        what = f"deal {arrival.deal} takes sides {sides} to their targets; which was there first?"
        raise refuse("first_missing", what, deal=arrival.deal, sides=sides)
    if first not in arrival.sides:
        raise refuse("not_first", f"side {first} was not the first at its target", first=first)
    return arrival.deal, first


def find_earliest_winners(context: GameContext) -> list[int] | None:
    """Return the winners after the first deal that decided the game by the variant's `winner`; None if no
    deal did. Targets and the number of deals are not checked.
    """
    rules = context.rules
    winner = rules.variant.winner
    if winner is None:
        return None
    deals = list_counted_deals(context)
    counts = [[points or 0 for points in scored.scores] for scored in deals]
    totals = [
        total - sum(scores[side] for scores in counts)
        for side, total in enumerate(compute_current_totals(context))
    ]
    for count, scores in enumerate(counts, 1):
        totals = [one + more for one, more in zip(totals, scores, strict=True)]
        won = winner(rules.options, totals, deals[:count])
        if won is not None:
            return won
    return None
