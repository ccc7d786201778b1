"""Scores of a deal without the Stöck and melds called in it, as a ruling needs them for late calls."""

from collections.abc import Collection

from engine import State
from engine.ledger.state import Ruling
from engine.registry import build_game_context
from engine.scoring.ruling_effects import DECLARED_KINDS, get_current_scores, list_deals, score_deal

Scores = tuple[int | None, ...]


def scores_without_calls(
    state: State, deal: int, *, kinds: Collection[str] = DECLARED_KINDS, side: int | None = None
) -> Scores | None:
    """Return the present scores of a deal by side, less what these kinds of calls brought. None if there is
    no such deal.

    `side`: leave out only the calls of this side; None: of all sides. Rulings are included unless a score is
    unknown.
    """
    record = next((r for r in list_deals(state) if r.deal == deal), None)
    if record is None:
        return None
    table = build_game_context(state)
    now = get_current_scores(table, deal) or record.scores
    made = score_deal(table, record).scores
    left = score_deal(table, record, calls=lambda kind, of: not (kind in kinds and side in (None, of))).scores
    if None in (*now, *made, *left):
        return left
    three = zip(now, made, left, strict=True)
    return tuple((counts or 0) - (had or 0) + (has or 0) for counts, had, has in three)


def without_ruling(state: State, number: int | None) -> State:
    """Return a copy of the state without the ruling of this number. A ruling that replaces it starts from
    this copy. None: a full copy.
    """
    trial = state.copy()
    if number is not None:
        gone = Ruling(len(trial.rulings) + 1, "warning", None, None, None, number, None, None, None)
        trial.rulings += (gone,)
    return trial
