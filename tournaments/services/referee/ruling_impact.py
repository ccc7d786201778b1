"""What a ruling would do to the ranking, before it is made: places and totals of those at the table."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from engine import State
from engine.registry import build_game_context, get_rules
from engine.ruling import Outcome
from engine.scoring.remedies import list_deals
from engine.scoring.sweeps import ruled_sweep
from games import game_state
from games.projections import projection
from tournaments.models import Dispute
from tournaments.services.scores import ranking
from tournaments.services.scores.shifts import Shift, movements, place_of, with_its_state
from tournaments.standings import TableResult


class Supposed(NamedTuple):
    """A ruling that is thought of: the deal it is about, and what the engine says comes of it."""

    deal: int | None
    outcome: Outcome


def shifts(dispute: Dispute, suppositions: Sequence[Supposed]) -> list[tuple[Shift, ...]]:
    """For each of them, everybody of the table in the order of the seats. Rounds still played count as far as
    they are known. The queries are the same however many suppositions, tables and people there are.
    """
    basis = ranking.basis_of(dispute.table.round.championship)
    at = place_of(basis, dispute.table)
    if at is None:
        return [() for _ in suppositions]
    state = game_state.at(str(dispute.table.game_id)).state
    basis = with_its_state(basis, at, state)
    tables = [_supposed(basis.tables[at], supposed, state) for supposed in suppositions]
    return [movement.at_table for movement in movements(basis, at, tables)]


def _supposed(table: TableResult, supposed: Supposed, state: State) -> TableResult:
    sweeps = list(table.sweeps)
    rows = {row.deal: row for row in projection.results(state)}
    if supposed.deal in rows:
        before, after = supposed.outcome.scores_before, supposed.outcome.scores_after
        for counts, by in ((before, -1), (after, 1)):
            side = _sweep(state, rows[supposed.deal], counts)
            if side is not None:
                sweeps[side] += by
    totals = tuple(supposed.outcome.totals_after)
    winners = table.winners
    if winners and totals != table.totals:
        winners = tuple(get_rules(state).variant.leaders(list(totals)))
    return replace(table, totals=totals, sweeps=tuple(sweeps), winners=winners)


def _sweep(state: State, row: projection.Result, counts: tuple[int | None, ...] | None) -> int | None:
    """The side whose sweep the deal has when it counts this."""
    if counts is None or list(counts) == row.scores:
        return row.sweep
    return ruled_sweep(build_game_context(state), list_deals(state)[row.deal - 1], counts)
