"""Who was first at a target, where several sides have reached theirs by the deals that are over.

The deals are gone through in their order, and within a deal what counted: Stöck, then melds, then tricks as
they fell (rules.md §1, §12). A sheet tells what a deal counted and not when: where a Stöck or melds decide
it, they decide; where two sides got there by their tricks, either may have been the first, and somebody has
to say it. So it is with a score that a referee has set. Omissions: which of the tricks of a sheet held how
many points is not reckoned with.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from engine.errors import IllegalCommand
from engine.ledger.state import DealRecord, SheetResult
from engine.rules import Table
from engine.scoring.items import Item
from engine.scoring.remedies import concerned, counted_deals, deals_now, deals_of, items_now, totals_now

_ORDER: Final = {"stoeck": 0, "melds": 1, "cards": 2, "sweep": 3}


class Arrival(NamedTuple):
    """In `deal` a target was reached for the first time; by one of `sides`, whichever that was."""

    deal: int
    sides: tuple[int, ...]


def arrival(table: Table) -> Arrival | None:
    """By which deal and by whom a target was reached first; None where nobody is at one. Of a game that is
    played out only where it ends by itself."""
    state, play = table.state, table.rules.play
    if play.targets is None or not (play.automatic or state.mode == "sheet"):
        return None
    goals = play.goals(state)
    counts = [[points or 0 for points in scored.scores] for scored in deals_now(table)]
    before = [total - sum(scores[side] for scores in counts) for side, total in enumerate(totals_now(table))]
    for record, scores in zip(deals_of(state), counts, strict=True):
        after = [one + more for one, more in zip(before, scores, strict=True)]
        there = tuple(side for side, total in enumerate(after) if total >= goals[side])
        if there:
            needed = [goal - total for goal, total in zip(goals, before, strict=True)]
            return Arrival(record.deal, there if len(there) == 1 else _within(table, record, needed, there))
        before = after
    return None


def _within(
    table: Table, record: DealRecord, needed: Sequence[int], there: tuple[int, ...]
) -> tuple[int, ...]:
    """Of the sides that reach their target in a deal, those that may be the first."""
    state, play = table.state, table.rules.play
    factor = play.multiplier(record.contract, record.slot)
    left = [-(-points // factor) for points in needed]
    if state.mode == "sheet":
        result = state.results[record.deal - 1]
        if result.by_hand or concerned(state, record.deal) or not play.automatic:
            return there
        return _on_sheet(play.stoeck_priority, result, left) or there
    items = items_now(table, record)
    if items is None or any(item.side is None or item.points is None for item in items):
        return there
    return (_as_it_fell(play.stoeck_priority, items, left, there),)


def _on_sheet(priority: bool, result: SheetResult, left: list[int]) -> tuple[int, ...]:
    """The side that a Stöck or melds take to its target before any trick counts; nobody where they do not.
    Without its priority a Stöck counts with its second card, after melds and among the tricks."""
    if priority and result.stoeck is not None:
        left[result.stoeck] -= 20
        if left[result.stoeck] <= 0:
            return (result.stoeck,)
    for side, points in enumerate(result.melds or ()):
        left[side] -= points
        if points and left[side] <= 0:
            return (side,)
    return ()


def _as_it_fell(priority: bool, items: Sequence[Item], left: Sequence[int], there: tuple[int, ...]) -> int:
    """The one of the sides `there` that has first what was `left` to get, in a deal known trick by trick."""

    def place(item: Item) -> tuple[int, int]:
        early = priority and item.kind == "stoeck"
        return (-1 if early else item.trick, _ORDER[item.kind])

    ordered = sorted(items, key=place)

    def reached(side: int) -> int:
        sums = accumulate(item.points or 0 if item.side == side else 0 for item in ordered)
        return next(at for at, points in enumerate(sums) if points >= left[side])

    return min(there, key=reached)


def first_there(table: Table) -> tuple[int, ...]:
    """The side that was first at its target, as it follows or was said; several where nobody has said it; no
    one where no side is there."""
    found = arrival(table)
    if found is None:
        return ()
    said = table.state.first
    if len(found.sides) > 1 and said is not None and said[0] == found.deal and said[1] in found.sides:
        return (said[1],)
    return found.sides


def asked_first(
    table: Table, first: int | None, refuse: Callable[..., IllegalCommand]
) -> tuple[int, int] | None:
    """The deal and the side, where it has to be said who was first at the target. `refuse(what, detail,
    **params)` makes the refusals: `first_missing` where it is not said, `not_first` where it cannot be."""
    found = arrival(table)
    if found is None or len(found.sides) == 1:
        if first is not None and (found is None or first not in found.sides):
            raise refuse("not_first", f"side {first} was not the first at its target", first=first)
        return None
    if first is None:
        if len(first_there(table)) == 1:
            return None
        sides = list(found.sides)
        what = f"deal {found.deal} takes sides {sides} to their targets; which was there first?"
        raise refuse("first_missing", what, deal=found.deal, sides=sides)
    if first not in found.sides:
        raise refuse("not_first", f"side {first} was not the first at its target", first=first)
    return found.deal, first


def won_at(table: Table) -> list[int] | None:
    """Who has won by the first of the deals after which somebody had; None while nobody has. Targets and the
    number of deals are beside this."""
    rules = table.rules
    winner = rules.variant.winner
    if winner is None:
        return None
    deals = counted_deals(table)
    counts = [[points or 0 for points in scored.scores] for scored in deals]
    totals = [total - sum(scores[side] for scores in counts) for side, total in enumerate(totals_now(table))]
    for count, scores in enumerate(counts, 1):
        totals = [one + more for one, more in zip(totals, scores, strict=True)]
        won = winner(rules.options, totals, deals[:count])
        if won is not None:
            return won
    return None
