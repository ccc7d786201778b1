"""What a deal counts without the Stöck and the melds called in it: what is left when one was called late."""

from collections.abc import Collection

from engine import State
from engine.ledger.state import Ruling
from engine.registry import build_game_context
from engine.scoring.remedies import DECLARED_KINDS, list_deals, score_deal, scores_now

Scores = tuple[int | None, ...]


def scores_without_calls(
    state: State, deal: int, *, kinds: Collection[str] = DECLARED_KINDS, side: int | None = None
) -> Scores | None:
    """Scores per side without these kinds of calls (of one side, if that is named); None for a deal that is
    not there. They begin from what the deal counts now, after the rulings and corrections on it.
    """
    record = next((r for r in list_deals(state) if r.deal == deal), None)
    if record is None:
        return None
    table = build_game_context(state)
    now = scores_now(table, deal) or record.scores
    made = score_deal(table, record).scores
    left = score_deal(table, record, calls=lambda kind, of: not (kind in kinds and side in (None, of))).scores
    if None in (*now, *made, *left):
        return left
    three = zip(now, made, left, strict=True)
    return tuple((counts or 0) - (had or 0) + (has or 0) for counts, had, has in three)


def without_ruling(state: State, number: int | None) -> State:
    """A copy of the state in which this ruling does not count: a new ruling that replaces it begins there."""
    trial = state.copy()
    if number is not None:
        gone = Ruling(len(trial.rulings) + 1, "warning", None, None, None, number, None, None, None)
        trial.rulings += (gone,)
    return trial
