"""What a deal counts without the Stöck and the melds called in it: what is left when one was called late."""

from collections.abc import Collection
from typing import Final

from msgspec.structs import replace

from engine import State
from engine.registry import rules_of, table_of
from engine.rulings.remedies import deals_of
from engine.scoring.items import count_deal, items_of

CALLED: Final = ("stoeck", "melds")
Scores = tuple[int | None, ...]


def scores_without_calls(
    state: State, deal: int, *, kinds: Collection[str] = CALLED, side: int | None = None
) -> Scores | None:
    """Scores per side without these kinds of calls (of one side, if that is named); None for a deal that is
    not there.
    """
    record = next((r for r in deals_of(state) if r.deal == deal), None)
    if record is None:
        return None
    sides = rules_of(state).sides_of(state)

    def gone(kind: str, of: int | None) -> bool:
        return kind in kinds and side in (None, of)

    items = [item for item in items_of(table_of(state), record) if not gone(item.kind, item.side)]
    bare = replace(
        record,
        stoeck=tuple(said for said in record.stoeck if not gone("stoeck", sides[said[0]])),
        melds=tuple(said for said in record.melds if not gone("melds", said[0])),
    )
    return tuple(count_deal(table_of(state), bare, items).scores)
