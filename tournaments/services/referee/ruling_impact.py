"""Effect of a possible ruling on the ranking: places and totals of the people at the table."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from engine import State
from engine.registry import build_game_context, get_rules
from engine.ruling import Outcome
from engine.scoring.ruled_sweeps import find_ruled_sweep
from engine.scoring.ruling_effects import list_deals
from games import game_state
from games.projections import projection
from tournaments.models import Dispute
from tournaments.services.scores import ranking_basis
from tournaments.services.scores.place_changes import (
    Shift,
    compute_movements,
    find_table,
    replace_by_current_state,
)
from tournaments.standings import TableResult


class HypotheticalRuling(NamedTuple):
    """A possible ruling. `deal`: number of its deal; `outcome`: its effect in the game, computed by the
    engine.
    """

    deal: int | None
    outcome: Outcome


def compute_shifts(dispute: Dispute, suppositions: Sequence[HypotheticalRuling]) -> list[tuple[Shift, ...]]:
    """Compute for each possible ruling the changes in the ranking of all people at the table, ordered by
    seat.

    Open rounds count as far as their results are known. The number of queries is constant.
    """
    basis = ranking_basis.load_basis(dispute.table.round.championship)
    at = find_table(basis, dispute.table)
    if at is None:
        return [() for _ in suppositions]
    state = game_state.load_snapshot(str(dispute.table.game_id)).state
    basis = replace_by_current_state(basis, at, state)
    tables = [_apply_outcome(basis.tables[at], supposed, state) for supposed in suppositions]
    return [movement.at_table for movement in compute_movements(basis, at, tables)]


def _apply_outcome(table: TableResult, supposed: HypotheticalRuling, state: State) -> TableResult:
    sweeps = list(table.sweeps)
    rows = {row.deal: row for row in projection.results(state)}
    if supposed.deal in rows:
        before, after = supposed.outcome.scores_before, supposed.outcome.scores_after
        for counts, by in ((before, -1), (after, 1)):
            side = _sweep_side(state, rows[supposed.deal], counts)
            if side is not None:
                sweeps[side] += by
    totals = tuple(supposed.outcome.totals_after)
    winners = table.winners
    if winners and totals != table.totals:
        winners = tuple(get_rules(state).variant.leaders(list(totals)))
    found = replace(table, totals=totals, sweeps=tuple(sweeps), winners=winners)
    return _compare_again(table, found, supposed) if table.by_deal else found


def _compare_again(before: TableResult, after: TableResult, supposed: HypotheticalRuling) -> TableResult:
    """Return the result of a table whose deals are compared with other tables, after the supposed ruling.

    The points of the ruled deal change in `by_deal`, and other points in `outside`.
    """
    by_deal, deal = list(before.by_deal), supposed.deal
    moved = [now - was for now, was in zip(after.totals, before.totals, strict=True)]
    if deal is not None and deal <= len(by_deal):
        was, now = by_deal[deal - 1], supposed.outcome.scores_after
        by_deal[deal - 1] = now
        for side in range(len(moved)):
            moved[side] -= ((now and now[side]) or 0) - ((was and was[side]) or 0)
    outside = tuple(points + more for points, more in zip(before.outside, moved, strict=True))
    return replace(after, by_deal=tuple(by_deal), outside=outside)


def _sweep_side(state: State, row: projection.Result, counts: tuple[int | None, ...] | None) -> int | None:
    """Return the side that sweeps the deal if its scores are `counts`; None without a sweep."""
    if counts is None or list(counts) == row.scores:
        return row.sweep
    return find_ruled_sweep(build_game_context(state), list_deals(state)[row.deal - 1], counts)
