"""What a deal counts without the Stöck and the melds called in it: what is left when one was called late."""

from msgspec.structs import replace

from engine import State
from engine.items import count_deal, items_of
from engine.registry import prepare
from engine.remedies import deals_of

Scores = tuple[int | None, ...]


def scores_without_calls(state: State, deal: int) -> Scores | None:
    """Scores per side; None for a deal that is not there."""
    prepare(state)
    record = next((r for r in deals_of(state) if r.deal == deal), None)
    if record is None:
        return None
    items = [item for item in items_of(state, record) if item.kind not in ("stoeck", "melds")]
    bare = replace(record, stoeck=(), melds=())
    return tuple(count_deal(state, bare, items).scores)
