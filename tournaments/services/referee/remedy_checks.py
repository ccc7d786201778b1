"""Checks whether a remedy has its intended effect, given what can still be played and whether more points are
better.

The checks refuse nothing. The form of a ruling shows the flaw of a remedy, and lists alternatives first.
"""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from engine import State
from engine.commands import RulingKind
from engine.registry import get_rules
from engine.ruling import Outcome
from tournaments.models import Championship, Dispute, Round

NotAgain = Literal["game_over", "broken_off", "round_closed", "championship_closed"]
"""The reason why an annulled deal is not replayed."""
Flaw = Literal["not_again", "rewards_table", "rewards_offender"]

INSTEAD_OF_FLAWED: Final[tuple[RulingKind, ...]] = ("penalty", "score_change")
"""Alternatives to a remedy that has a flaw."""
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
"""Code of the error that refuses a remedy → alternatives.

Refusals for a missing fact are left out, since the form asks for the fact.
"""


class Check(NamedTuple):
    """The flaw of a remedy. `why`: the reason why the annulled deal is not replayed; None if no deal is
    annulled.
    """

    flaw: Flaw
    why: NotAgain | None = None


def find_replay_obstacle(dispute: Dispute, state: State) -> NotAgain | None:
    """Return the reason why a deal of this table cannot be replayed; None if it can."""
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
    """Return the flaw of a remedy with this outcome; None if it has none.

    `annuls`: the remedy annuls a deal; `not_again`: the reason why that deal cannot be replayed; `against`:
    seat of the offender.
    """
    if annuls and not_again is None:
        return None  # it is replayed, with an unknown result
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
    """Return the improvement of each side's total, negative if it gets worse."""
    direction = -1 if lowest_wins else 1
    return [direction * (now - then) for then, now in zip(before, after, strict=True)]
