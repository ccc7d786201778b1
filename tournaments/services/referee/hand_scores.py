"""Plausibility check of scores that a referee sets by hand."""

from collections.abc import Sequence
from typing import NamedTuple

from engine import State
from engine.card_points import STOECK_POINTS
from engine.registry import build_game_context
from engine.rules import score_as_counted
from engine.scoring.ruling_effects import list_deals


class OddSum(NamedTuple):
    """A sum of scores that no deal can have.

    `total`: the sum that was set; `whole`: the deal's card points, times the factor of its contract.
    """

    total: int
    whole: int


def find_odd_sum(state: State, deal: int | None, scores: Sequence[int]) -> OddSum | None:
    """Return the sum of these scores if no deal can have it; None if it is possible.

    Always None for an unknown deal, and in games whose scores are not the points of one deal.
    """
    table = build_game_context(state)
    play = table.rules.play
    record = next((one for one in list_deals(state) if one.deal == deal), None)
    if record is None or table.rules.variant.score is not score_as_counted or play.slots or table.rules.span:
        return None
    factor = play.multiplier(record.contract, record.slot)
    melds = sum(points or 0 for _side, points in record.melds)
    if state.mode == "sheet":
        melds = sum(state.results[record.deal - 1].melds or ())
    known = [points for points in record.card_points if points is not None]
    whole = sum(known) if len(known) == len(record.card_points) and any(known) else play.deal_points
    beside = {0, STOECK_POINTS if play.stoeck else 0}
    bonus = {0, play.sweep_bonus}
    possible = {
        factor * (whole + more + extra + sweep) for more in beside for extra in (0, melds) for sweep in bonus
    }
    total = sum(scores)
    return None if total in possible else OddSum(total, factor * whole)
