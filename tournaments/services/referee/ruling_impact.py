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
from tournaments.standings import RankingRow


class Shift(NamedTuple):
    """One person of the table, by the number of the entry, before and after."""

    number: int
    place: int
    place_after: int
    total: int
    total_after: int

    @property
    def moves(self) -> bool:
        return (self.place, self.total) != (self.place_after, self.total_after)


class Supposed(NamedTuple):
    """A ruling that is thought of: the deal it is about, and what the engine says comes of it."""

    deal: int | None
    outcome: Outcome


def shifts(dispute: Dispute, suppositions: Sequence[Supposed]) -> list[tuple[Shift, ...]]:
    """For each of them, everybody of the table in the order of the seats. Rounds still played count as far as
    they are known. The queries are the same however many suppositions, tables and people there are.
    """
    round_ = dispute.table.round
    basis = ranking.basis_of(round_.championship)
    at = next(
        (
            i
            for i, table in enumerate(basis.tables)
            if (table.round, table.table) == (round_.number, dispute.table.number)
        ),
        None,
    )
    if at is None:
        return [() for _ in suppositions]
    now = {row.key: row for row in ranking.rows_from(basis)}
    swept = _sweeps(str(dispute.table.game_id))
    found: dict[TableResult, dict[int, RankingRow]] = {basis.tables[at]: now}
    answers = []
    for supposed in suppositions:
        table = _supposed(basis.tables[at], supposed, swept, str(dispute.table.game_id))
        if table not in found:
            tables = (*basis.tables[:at], table, *basis.tables[at + 1 :])
            found[table] = {row.key: row for row in ranking.rows_from(basis, tables)}
        answers.append(_compared(table.entries, now, found[table]))
    return answers


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


def _compared(
    numbers: Sequence[int], now: dict[int, RankingRow], then: dict[int, RankingRow]
) -> tuple[Shift, ...]:
    return tuple(
        Shift(n, now[n].place, then[n].place, now[n].total, then[n].total)
        for n in numbers
        if n in now and n in then
    )
