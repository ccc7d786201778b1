"""Standing of the running deal, by the facts recorded so far.

`frontend/src/table/standing.ts` computes the same standing from the events of a page.
`tests/frontend/test_deal_standing.py` compares both after every event.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from engine.card_points import LAST_TRICK
from engine.ledger.state import MaybePoints, Trick
from engine.rules import NO_BID, GameContext
from engine.scoring.ruling_effects import list_rulings_on_deal

Aimed = Literal["predicted", "bid", "target"]


class DealStanding(Struct, frozen=True):
    """The points of the running deal, by side. A value is None if an unknown card or a ruling leaves it
    open.
    """

    cards: MaybePoints
    """Points of the tricks taken, without multiplier, and of discards that were counted."""
    melds: MaybePoints
    stoeck: MaybePoints
    sweep: int | None
    """The side that has taken every trick so far, in games with a sweep bonus; else None."""
    factor: int
    points: MaybePoints
    """Points of the deal so far: everything above, times `factor`; 0 for sides that only play against the
    chooser.
    """
    aimed: Aimed | None
    """The kind of goal; None if a side plays for points only."""
    have: MaybePoints
    """Points that are compared with the goals: of the deal, or of the game if the game has a target."""
    goals: MaybePoints
    """Predictions, bid or targets, by side; None for a side without a goal."""


def get_deal_standing(context: GameContext) -> DealStanding | None:
    """Return the standing of the running deal, from its contract or first card on.

    It is None before, between deals, in an ended or closed game and on a sheet.
    """
    state = context.state
    if not state.dealing or state.over or state.closed or state.mode == "sheet":
        return None
    if state.contract is None and not state.begun:
        return None
    rules, play = context.rules, context.rules.play
    sides = list(rules.sides_of(state))
    factor = play.multiplier(state.contract, state.slot)
    melds, sweep = _per_side(state.melds, rules.sides), _sweep(context, sides)
    stoeck = _per_side(((sides[seat], points) for seat, points, _ in state.stoeck), rules.sides)
    cards, points = _cards_and_points(context, sides, (melds, stoeck), factor, sweep)
    if state.rulings and list_rulings_on_deal(state, state.deal):
        points = (None,) * rules.sides
    aimed, goals = _goals(context, sides)
    have = points
    if aimed == "target":
        have = tuple(None if p is None else total + p for total, p in zip(state.totals, points, strict=True))
    return DealStanding(cards, melds, stoeck, sweep, factor, points, aimed, have, goals)


def _cards_and_points(
    context: GameContext,
    sides: Sequence[int],
    melds_and_stoeck: Sequence[MaybePoints],
    factor: int,
    sweep: int | None,
) -> tuple[MaybePoints, MaybePoints]:
    """Return card points and points of the deal, both by side. A conceded deal gives all its points to the
    other side.
    """
    conceded = context.state.variant_state.conceded
    if conceded is not None:
        return (0, context.rules.play.deal_points), (0, conceded)
    cards = _per_side(_cards(context, sides), context.rules.sides)
    return cards, _points(context, sides, (cards, *melds_and_stoeck), factor, sweep)


def _per_side(counted: Iterable[tuple[int | None, int | None]], sides: int) -> MaybePoints:
    """Return the sums of (side, points) pairs by side. All sums are None if one value is."""
    sums = [0] * sides
    for side, points in counted:
        if side is None or points is None:
            return (None,) * sides
        sums[side] += points
    return tuple(sums)


def _cards(context: GameContext, sides: Sequence[int]) -> Iterator[tuple[int | None, int | None]]:
    state = context.state
    sides_known = len(set(sides)) == context.rules.sides
    for at, trick in enumerate(state.tricks):
        taker = None if trick.taker is None or not sides_known else sides[trick.taker]
        yield taker, _count_trick(context, trick, at)
    if state.variant_state.discards_counted is not None:
        seat, points = state.variant_state.discards_counted
        yield sides[seat], points


def _count_trick(context: GameContext, trick: Trick, at: int) -> int | None:
    """Return the points of trick `at`. A trick taken before a card named trumps counts by these trumps."""
    state, play = context.state, context.rules.play
    last = at + 1 == state.sizes[0]
    if trick.points is not None or not play.names_trumps or -1 in trick.cards:
        return trick.points
    over = len(state.tricks) == state.sizes[0]
    if state.contract is None and not over:
        return None
    values = play.values[state.contract or "obenabe"]
    return sum(values[card] for card in trick.cards) + (LAST_TRICK if last else 0)


def _sweep(context: GameContext, sides: Sequence[int]) -> int | None:
    takers = {None if trick.taker is None else sides[trick.taker] for trick in context.state.tricks}
    return takers.pop() if context.rules.play.sweep_bonus and len(takers) == 1 else None


def _points(
    context: GameContext, sides: Sequence[int], parts: Sequence[MaybePoints], factor: int, sweep: int | None
) -> MaybePoints:
    state, rules = context.state, context.rules
    swept = sweep if len(state.tricks) == state.sizes[0] else None
    points_by_side: list[int | None] = []
    for side, counted in enumerate(zip(*parts, strict=True)):
        bonus = rules.play.sweep_bonus if side == swept else 0
        known_points = [points for points in counted if points is not None]
        points_by_side.append(
            factor * (sum(known_points) + bonus) if len(known_points) == len(counted) else None
        )
    if rules.variant.aim.chooser_only:
        chooser = None if state.chooser is None else sides[state.chooser]
        points_by_side = [points if side == chooser else 0 for side, points in enumerate(points_by_side)]
    return tuple(points_by_side)


def _goals(context: GameContext, sides: Sequence[int]) -> tuple[Aimed | None, MaybePoints]:
    state, rules = context.state, context.rules
    if rules.play.targets is not None:
        goals = rules.play.goals(state)
        return "target", tuple(None if goal == NO_BID else goal for goal in goals)
    if any(phase.highest_prediction for phase in rules.phases):
        said = state.variant_state.predictions[: state.seats]
        return "predicted", tuple(None if points is None or points < 0 else points for points in said)
    if state.won_in == state.deal and state.bid is not None and state.declarer is not None:
        declares = sides[state.declarer]
        return "bid", tuple(state.bid if side == declares else None for side in range(rules.sides))
    return None, (None,) * rules.sides
