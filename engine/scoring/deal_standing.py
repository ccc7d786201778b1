"""How the deal that is being played stands, by the facts recorded so far.

`frontend/src/table/standing.ts` computes the same from the events a page holds;
`tests/frontend/test_deal_standing.py` compares both after every event.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from engine.contracts import LAST_TRICK
from engine.ledger.state import MaybePoints, Trick
from engine.rules import NO_BID, Table
from engine.scoring.remedies import concerned

Aimed = Literal["predicted", "bid", "target"]


class DealStanding(Struct, frozen=True):
    """The running deal, per side; None where an unknown card or a ruling leaves it open."""

    cards: MaybePoints
    """Simple points of the tricks taken, and of the cards put away once they are counted."""
    melds: MaybePoints
    stoeck: MaybePoints
    sweep: int | None
    """The side that has taken every trick so far, where a sweep is paid."""
    factor: int
    points: MaybePoints
    """What the deal brings so far: everything above, with the factor."""
    aimed: Aimed | None
    """What a side plays towards; None where it plays for points alone."""
    have: MaybePoints
    """What is compared with the goals: points of the deal, or of the game where a target ends it."""
    goals: MaybePoints
    """What was predicted or bid, or the target; None for a side without one."""


def standing_of(table: Table) -> DealStanding | None:
    """The standing of the running deal from its contract or first card on; None before, between deals, after
    the game and on a sheet."""
    state = table.state
    if not state.dealing or state.over or state.closed or state.mode == "sheet":
        return None
    if state.contract is None and not state.begun:
        return None
    rules, play = table.rules, table.rules.play
    sides = list(rules.sides_of(state))
    factor = play.multiplier(state.contract, state.slot)
    melds, sweep = _per_side(state.melds, rules.sides), _sweep(table, sides)
    stoeck = _per_side(((sides[seat], points) for seat, points, _ in state.stoeck), rules.sides)
    cards, points = _cards_and_points(table, sides, (melds, stoeck), factor, sweep)
    if state.rulings and concerned(state, state.deal):
        points = (None,) * rules.sides
    aimed, goals = _goals(table, sides)
    have = points
    if aimed == "target":
        have = tuple(None if p is None else total + p for total, p in zip(state.totals, points, strict=True))
    return DealStanding(cards, melds, stoeck, sweep, factor, points, aimed, have, goals)


def _cards_and_points(
    table: Table, sides: Sequence[int], beside: Sequence[MaybePoints], factor: int, sweep: int | None
) -> tuple[MaybePoints, MaybePoints]:
    """Of a deal that is given away all that it is worth, for the other side."""
    conceded = table.state.extras.conceded
    if conceded is not None:
        return (0, table.rules.play.deal_points), (0, conceded)
    cards = _per_side(_cards(table, sides), table.rules.sides)
    return cards, _points(table, sides, (cards, *beside), factor, sweep)


def _per_side(counted: Iterable[tuple[int | None, int | None]], sides: int) -> MaybePoints:
    """The sums per side; all of them open once one thing is."""
    sums = [0] * sides
    for side, points in counted:
        if side is None or points is None:
            return (None,) * sides
        sums[side] += points
    return tuple(sums)


def _cards(table: Table, sides: Sequence[int]) -> Iterator[tuple[int | None, int | None]]:
    state = table.state
    told = len(set(sides)) == table.rules.sides
    for at, trick in enumerate(state.tricks):
        taker = None if trick.taker is None or not told else sides[trick.taker]
        yield taker, _points_of(table, trick, at)
    if state.extras.discards_counted is not None:
        seat, points = state.extras.discards_counted
        yield sides[seat], points


def _points_of(table: Table, trick: Trick, at: int) -> int | None:
    """The points of a trick; of one taken before a card named trumps, by those trumps."""
    state, play = table.state, table.rules.play
    last = at + 1 == state.sizes[0]
    if trick.points is not None or not play.names_trumps or -1 in trick.cards:
        return trick.points
    over = len(state.tricks) == state.sizes[0]
    if state.contract is None and not over:
        return None
    values = play.values[state.contract or "obenabe"]
    return sum(values[card] for card in trick.cards) + (LAST_TRICK if last else 0)


def _sweep(table: Table, sides: Sequence[int]) -> int | None:
    takers = {None if trick.taker is None else sides[trick.taker] for trick in table.state.tricks}
    return takers.pop() if table.rules.play.sweep_bonus and len(takers) == 1 else None


def _points(
    table: Table, sides: Sequence[int], parts: Sequence[MaybePoints], factor: int, sweep: int | None
) -> MaybePoints:
    state, rules = table.state, table.rules
    swept = sweep if len(state.tricks) == state.sizes[0] else None
    found: list[int | None] = []
    for side, counted in enumerate(zip(*parts, strict=True)):
        bonus = rules.play.sweep_bonus if side == swept else 0
        known = [points for points in counted if points is not None]
        found.append(factor * (sum(known) + bonus) if len(known) == len(counted) else None)
    if rules.variant.aim.chooser_only:
        chooser = None if state.chooser is None else sides[state.chooser]
        found = [points if side == chooser else 0 for side, points in enumerate(found)]
    return tuple(found)


def _goals(table: Table, sides: Sequence[int]) -> tuple[Aimed | None, MaybePoints]:
    state, rules = table.state, table.rules
    if rules.play.targets is not None:
        goals = rules.play.goals(state)
        return "target", tuple(None if goal == NO_BID else goal for goal in goals)
    if any(phase.highest_prediction for phase in rules.phases):
        said = state.extras.predictions[: state.seats]
        return "predicted", tuple(None if points is None or points < 0 else points for points in said)
    if state.won_in == state.deal and state.bid is not None and state.declarer is not None:
        declares = sides[state.declarer]
        return "bid", tuple(state.bid if side == declares else None for side in range(rules.sides))
    return None, (None,) * rules.sides
