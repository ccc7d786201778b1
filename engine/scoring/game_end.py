"""The end of a deal and of a game: closing events, winners and payments."""

from collections.abc import Sequence

from engine.events import DealScored, Event, GameEnded
from engine.ledger.state import DealRecord
from engine.rules import Draft, GameContext
from engine.rules.tally import Counted
from engine.scoring.ruling_effects import list_counted_deals, score_deal
from engine.scoring.running_totals import find_side_at_target


def build_closing_events(
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
        winners = find_winners_by_deals(context, totals, scored)
    if winners is not None:
        closed.append(build_game_ended(context, seq + 1, winners, totals))
    return closed


def find_winners_by_deals(context: GameContext, totals: Sequence[int], *more: Counted) -> list[int] | None:
    """Return the winners by the counted deals and by `more`, deals that are not in the state; None while the
    game continues. Targets are not checked: they are reached within a deal.
    """
    rules = context.rules
    winner = rules.variant.winner
    if winner is None and rules.deals is None:
        return None
    deals = list_counted_deals(context)
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
    """Emit the events that close the running deal. `winners`: as in `build_closing_events`."""
    state = draft.state
    for event in build_closing_events(draft.context, state.record(), draft.seq, winners):
        draft.emit(event)


def end_game_by_totals(draft: Draft) -> None:
    """Emit the end of the game if a deal that was scored late takes a side to its target. If it takes several
    sides there, their order is unknown and the game continues.
    """
    state = draft.state
    play = draft.context.rules.play
    if state.over or play.targets is None or not play.automatic:
        return
    at_target = [side for side, goal in enumerate(play.goals(state)) if state.totals[side] >= goal]
    if len(at_target) == 1:
        draft.emit(build_game_ended(draft.context, draft.seq, at_target, state.totals))


def end_if_target_reached(draft: Draft) -> bool:
    """Close the deal and end the game if a side has just reached its target. Return whether one has."""
    side = find_side_at_target(draft.context)
    if side is None:
        return False
    finish_deal(draft, [side])
    return True
