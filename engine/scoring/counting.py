"""The order in which points count: the Stöck with its second card, melds with the first trick, tricks when
they are taken, then the sweep.

Points count when their event occurs. In a game with an automatic target the first side at its target wins at
once, also in the middle of a trick, and later points do not count.
"""

from collections.abc import Sequence
from typing import Final

from engine.card_points import STOECK_POINTS
from engine.events import DealScored, Event, GameEnded
from engine.ledger.state import DealRecord
from engine.rules import Draft, GameContext
from engine.rules.tally import Counted
from engine.scoring.ruling_effects import counted_deals, rulings_on_deal, score_deal

MAX_IN_A_TRICK: Final = 61  # Puur, Nell, ace and ten of trumps, an optional point, five for the last trick


def running_totals(context: GameContext) -> list[int]:
    """Return the totals by side, including the points of the running deal so far."""
    state = context.state
    rules = context.rules
    if not state.dealing:
        return list(state.totals)
    if state.variant_state.conceded is not None or (state.rulings and rulings_on_deal(state, state.deal)):
        scored = score_deal(context, state.record())
        return [total + (points or 0) for total, points in zip(state.totals, scored.scores, strict=True)]
    sides = rules.sides_of(state)
    gained = [0] * rules.sides
    for seat, points in enumerate(state.taken):
        gained[sides[seat]] += points
    for scorer, meld_points in state.melds:
        if scorer is not None:
            gained[scorer] += meld_points or 0
    for seat, points, _ in state.stoeck:
        gained[sides[seat]] += points
    if rules.play.sweep_bonus and len(state.tricks) == state.sizes[0]:
        takers = {trick.taker if trick.taker is None else sides[trick.taker] for trick in state.tricks}
        if len(takers) == 1 and None not in takers:
            gained[takers.pop() or 0] += rules.play.sweep_bonus
    factor = rules.play.multiplier(state.contract, state.slot)
    return [total + factor * points for total, points in zip(state.totals, gained, strict=True)]


def points_left(context: GameContext) -> list[int] | None:
    """Return the trick points, before the multiplier, that each side still needs to reach its target.

    They are all zero if a ruling affects the points of this deal. None if no target can end the game in this
    deal.
    """
    state = context.state
    play = context.rules.play
    if play.targets is None or not play.automatic:
        return None
    factor = play.multiplier(state.contract, state.slot)
    most = play.deal_points + play.sweep_bonus + STOECK_POINTS + sum(points or 0 for _, points in state.melds)
    goals = play.goals(state)
    if max(state.totals) + most * factor < min(goals):
        return None
    if state.rulings and rulings_on_deal(state, state.deal):
        return [0] * len(goals)
    return [-((now - goal) // factor) for now, goal in zip(running_totals(context), goals, strict=True)]


def target_near(context: GameContext) -> bool:
    """Return whether the current trick may end the game; if so, its points must count event by event."""
    left = points_left(context)
    if left is None:
        return False
    last = len(context.state.tricks) + 1 == context.state.sizes[0]
    return min(left) <= MAX_IN_A_TRICK + (context.rules.play.sweep_bonus if last else 0)


def closing_events(
    context: GameContext, record: DealRecord, seq: int, winners: list[int] | None = None
) -> list[Event]:
    """Return the events that close a deal: its score, and the end of the game if the game is over. `winners`:
    the winners of a game that ends for another reason; None: the counted deals decide.
    """
    scored = score_deal(context, record)
    totals = [
        total + (points or 0) for total, points in zip(context.state.totals, scored.scores, strict=True)
    ]
    closed: list[Event] = [
        DealScored(
            seq=seq,
            deal=record.deal,
            card_points=list(scored.card_points),
            scores=list(scored.scores),
            totals=totals,
            ties=None if scored.ties is None else [list(tie) for tie in scored.ties],
        )
    ]
    if winners is None:
        winners = winners_now(context, totals, scored)
    if winners is not None:
        closed.append(build_game_ended(context, seq + 1, winners, totals))
    return closed


def winners_now(context: GameContext, totals: Sequence[int], *more: Counted) -> list[int] | None:
    """Return the winners by the counted deals and by `more`, deals that are not in the state; None while the
    game continues. Targets are not checked: they are reached within a deal.
    """
    rules = context.rules
    winner = rules.variant.winner
    if winner is None and rules.deals is None:
        return None
    deals = counted_deals(context)
    won = None if winner is None else winner(rules.options, totals, (*deals, *more))
    if won is None and rules.deals is not None and len(deals) + len(more) >= rules.deals:
        return rules.variant.leaders(totals)
    return won


def build_game_ended(context: GameContext, seq: int, winners: list[int], totals: Sequence[int]) -> GameEnded:
    """Return the event that ends the game, with payments."""
    rules = context.rules
    payments = rules.variant.payments(rules.options, totals)
    return GameEnded(seq=seq, winners=winners, totals=list(totals), payments=payments)


def finish_deal(draft: Draft, winners: list[int] | None = None) -> None:
    """Emit the events that close the running deal. `winners`: as in `closing_events`."""
    state = draft.state
    for event in closing_events(draft.context, state.record(), draft.seq, winners):
        draft.emit(event)


def find_side_at_target(context: GameContext) -> int | None:
    """Return the side that has reached its target (the lowest of several) in a game that a target ends
    automatically; else None.
    """
    play = context.rules.play
    if play.targets is None or not play.automatic:
        return None
    for side, (now, target) in enumerate(
        zip(running_totals(context), play.goals(context.state), strict=True)
    ):
        if now >= target:
            return side
    return None


def end_by_sum(draft: Draft) -> None:
    """Emit the end of the game if a deal that was scored late takes a side to its target. If it takes several
    sides there, their order is unknown and the game continues.
    """
    state = draft.state
    play = draft.context.rules.play
    if state.over or play.targets is None or not play.automatic:
        return
    there = [side for side, goal in enumerate(play.goals(state)) if state.totals[side] >= goal]
    if len(there) == 1:
        draft.emit(build_game_ended(draft.context, draft.seq, there, state.totals))


def end_if_reached(draft: Draft) -> bool:
    """Close the deal and end the game if a side has just reached its target. Return whether one has."""
    side = find_side_at_target(draft.context)
    if side is None:
        return False
    finish_deal(draft, [side])
    return True
