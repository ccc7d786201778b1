"""Whose sweep a deal counts: as it was played or written down, or as a referee has ruled.

A ruling says scores, not tricks. Where they are what the deal counts with every trick on one side, and with
the bonus for it, that side has its sweep. Omissions: where nothing is given for a sweep, scores do not tell.
"""

from collections.abc import Sequence

from engine.ledger.state import DealRecord
from engine.rules import Table
from engine.scoring.items import Item, count_deal, items_of


def ruled_sweep(table: Table, record: DealRecord, counts: Sequence[int | None]) -> int | None:
    """The side that has a sweep by a ruling after which the deal counts this; None where none has by it."""
    play = table.rules.play
    if not play.sweep_bonus or table.rules.span or tuple(counts) == record.scores:
        return None
    beside = [item for item in items_of(table, record) if item.kind in ("stoeck", "melds")]
    for side in range(table.rules.sides):
        swept = [Item(0, side, "cards", play.deal_points), Item(0, side, "sweep", play.sweep_bonus)]
        for more in (beside, []):
            if tuple(count_deal(table, record, [*swept, *more]).scores) == tuple(counts):
                return side
    return None
