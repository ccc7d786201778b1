"""Whether a remedy does what it is for: by the direction of the game, and by what can still be played.

Nothing is refused here: the referee is told what is wrong with a remedy, and another one is proposed first.
"""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from engine import State
from engine.commands import RulingKind
from engine.registry import get_rules
from engine.ruling import Outcome
from tournaments.models import Championship, Dispute, Round

NotAgain = Literal["game_over", "broken_off", "round_closed", "championship_closed"]
"""Why a deal that is annulled is not played again."""
Flaw = Literal["not_again", "rewards_table", "rewards_offender"]

INSTEAD_OF_FLAWED: Final[tuple[RulingKind, ...]] = ("penalty", "score_change")
"""What fits where a remedy helps who broke the rule, or costs the others their points."""
INSTEAD_OF_IMPOSSIBLE: Final[dict[str, tuple[RulingKind, ...]]] = {
    "rule/no_deal_running": ("warning", "penalty"),
    **dict.fromkeys(
        ("rule/tricks_unknown", "rule/deals_unknown", "rule/cards_unknown", "rule/sides_unknown"),
        ("score_change", "penalty"),
    ),
    "rule/deal_not_scored": ("penalty", "warning"),
    "rule/no_such_trick": ("penalty", "warning"),
    "rule/no_such_deal": ("penalty", "warning"),
}
"""Code of the refusal of a remedy → what can be ruled in its place. A fact that is missing has none: it is
asked for."""


class Check(NamedTuple):
    """What is wrong with a remedy; `why`: why the deal is not played again."""

    flaw: Flaw
    why: NotAgain | None = None


def why_not_again(dispute: Dispute, state: State) -> NotAgain | None:
    """Why a deal of this table cannot be played again; None: it can."""
    round_ = dispute.table.round
    if state.over:
        return "game_over"
    if round_.status == Round.Status.CLOSED:
        return "round_closed"
    if round_.championship.status == Championship.Status.FINISHED:
        return "championship_closed"
    return "broken_off" if state.closed else None


def check_remedy(
    state: State,
    outcome: Outcome,
    *,
    annuls: bool,
    not_again: NotAgain | None,
    against: int | None,
    lowest_wins: bool,
) -> Check | None:
    """What is wrong with a remedy that comes to this outcome; None: nothing."""
    if annuls and not_again is None:
        return None  # it is played again: nobody knows for whom that is better
    gains = _gains(outcome.totals_before, outcome.totals_after, lowest_wins=lowest_wins)
    why = not_again if annuls else None
    if against is not None:
        sides = get_rules(state).sides_of(state)
        if gains[sides[against]] > 0:
            return Check("rewards_table" if annuls and min(gains) >= 0 else "rewards_offender", why)
    elif annuls and min(gains) >= 0 and max(gains) > 0:
        return Check("rewards_table", why)
    return Check("not_again", why) if annuls and any(gains) else None


def _gains(before: Sequence[int], after: Sequence[int], *, lowest_wins: bool) -> list[int]:
    """By side, how much better its total gets."""
    direction = -1 if lowest_wins else 1
    return [direction * (now - then) for then, now in zip(before, after, strict=True)]
