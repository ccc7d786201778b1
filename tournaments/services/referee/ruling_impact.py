"""What a ruling would do to the ranking, before it is made: places and totals of those at the table."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from engine.registry import rules_of
from engine.rulings.ruling import Outcome
from games.models import DealResult
from games.play import game_state
from tournaments.models import Dispute
from tournaments.services.scores import ranking
from tournaments.services.scores.results import TableResult
from tournaments.services.scores.shifts import Shift, movements, place_of


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
    game = str(dispute.table.game_id)
    swept = _sweeps(game)
    tables = [_supposed(basis.tables[at], supposed, swept, game) for supposed in suppositions]
    return [movement.at_table for movement in movements(basis, at, tables)]


def _sweeps(game_id: str) -> dict[int, tuple[int, tuple[int | None, ...]]]:
    """Deal → the side that took every trick, and what the deal counted as it was played."""
    rows = DealResult.objects.filter(game=game_id, sweep__isnull=False).values_list("deal", "sweep", "scores")
    return {deal: (sweep, tuple(scores or ())) for deal, sweep, scores in rows if sweep is not None}


def _supposed(
    table: TableResult,
    supposed: Supposed,
    swept: dict[int, tuple[int, tuple[int | None, ...]]],
    game_id: str,
) -> TableResult:
    before, after = supposed.outcome.scores_before, supposed.outcome.scores_after
    sweeps = list(table.sweeps)
    if supposed.deal in swept:
        side, played = swept[supposed.deal]
        sweeps[side] += (after == played) - (before == played)
    totals = tuple(supposed.outcome.totals_after)
    winners = table.winners
    if winners and totals != table.totals:
        state = game_state.at(game_id).state
        winners = tuple(rules_of(state).variant.leaders(list(totals)))
    return replace(table, totals=totals, sweeps=tuple(sweeps), winners=winners)
