"""Sweeps that follow from rulings.

A ruling changes the scores of a deal, not its recorded tricks. If the new scores are those of a deal in which
one side takes every trick and the sweep bonus, this side has a sweep. Limitation: without a sweep bonus,
scores do not show a sweep.
"""

from collections.abc import Sequence

from engine.ledger.state import DealRecord
from engine.rules import GameContext
from engine.scoring.deal_scores import Item, count_deal, list_items


def find_ruled_sweep(context: GameContext, record: DealRecord, counts: Sequence[int | None]) -> int | None:
    """Return the side that has a sweep because a ruling gives the deal the scores `counts`; None if no side
    has.
    """
    play = context.rules.play
    if not play.sweep_bonus or context.rules.span or tuple(counts) == record.scores:
        return None
    stoeck_and_melds = [item for item in list_items(context, record) if item.kind in ("stoeck", "melds")]
    for side in range(context.rules.sides):
        swept = [Item(0, side, "cards", play.deal_points), Item(0, side, "sweep", play.sweep_bonus)]
        for more in (stoeck_and_melds, []):
            if tuple(count_deal(context, record, [*swept, *more]).scores) == tuple(counts):
                return side
    return None
