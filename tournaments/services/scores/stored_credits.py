"""Load the results from which credits for byes, missed rounds and broken-off tables are computed, and store
the points of byes when a round closes and after a correction.

`standings.unplayed_points` computes the points.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from games.appending import record
from tournaments.competition import write_number
from tournaments.events import ByePointsCounted
from tournaments.models import Round
from tournaments.regulations import Byes, Regulations, UnplayedRule
from tournaments.services.current_regulations import load_regulations
from tournaments.services.scores import results
from tournaments.standings import (
    Figure,
    RankingInputs,
    TableResult,
    UnplayedCredits,
    build_entrants,
    compute_unplayed_points,
)


def credit_unplayed(
    inputs: RankingInputs, regulations: Regulations, closed: Iterable[int], tables: Iterable[TableResult]
) -> RankingInputs:
    """Return the ranking's inputs with the points for rounds that entrants missed, and for tables broken off.

    `closed`: numbers of the closed rounds.
    """
    if not regulations.credits_unplayed:
        return inputs
    of_round: dict[int, list[TableResult]] = {number: [] for number in closed}
    for table in tables:
        if table.round in of_round:
            of_round[table.round].append(table)
    return replace(
        inputs,
        absences=_value_rounds(regulations.absences, regulations, of_round),
        broken_off=_value_rounds(regulations.broken_off, regulations, of_round),
    )


def _value_rounds(
    rules: UnplayedRule | msgspec.UnsetType,
    regulations: Regulations,
    of_round: Mapping[int, list[TableResult]],
) -> UnplayedCredits | None:
    if rules is msgspec.UNSET:
        return None
    given = (
        (number, compute_points_by_rule(rules, regulations, tables)) for number, tables in of_round.items()
    )
    known = tuple((number, points) for number, points in given if points is not None)
    return UnplayedCredits(known, regulations.kind_of_averages if rules.points == "own" else None, rules.most)


def compute_points_by_rule(
    rules: UnplayedRule | Byes, regulations: Regulations, tables: Iterable[TableResult]
) -> Figure | None:
    """Return the points of an entrant who did not play a round with these results of tables or encounters.

    None as long as the rules or the results give no points.
    """
    return compute_unplayed_points(
        rules.points,
        rules.fixed,
        tables,
        regulations.crediting(),
        direction=regulations.directions().total,
        matches=regulations.counting.what == "matches",
        averages=regulations.kind_of_averages,
    )


def load_credits(closed: Sequence[Round], regulations: Regulations) -> dict[int, dict[int, Figure]]:
    """Load the points for rounds that entrants missed, or in which their table was broken off.

    Return round → number of the entrant → points. No query if the regulations give no such points.
    """
    if not regulations.credits_unplayed or not closed:
        return {}
    tables = results.load_encounters(closed, regulations)
    inputs = results.load_ranking_inputs(closed[0].championship, closed, regulations)
    inputs = credit_unplayed(inputs, regulations, [one.number for one in closed], tables)
    found: dict[int, dict[int, Figure]] = {}
    for entrant in build_entrants(inputs, tables, regulations.crediting()):
        for one in entrant.rounds:
            if (one.absent or one.broken_off) and one.points is not None:
                found.setdefault(one.round, {})[entrant.key] = one.points
    return found


def store_bye_points(round_: Round) -> None:
    """Store the points of the round's byes by the regulations, such as a fixed number or the average of the
    round.
    """
    round_.byes.update(points=_compute_stored_points(round_))


def recount_byes(round_: Round, *, ref: str) -> None:
    """Compute the points of byes in a closed round again after a result changed. Store and record them if
    they differ.
    """
    points = round_.byes.values_list("points", flat=True)
    recounted = _compute_stored_points(round_)
    if set(points) - {recounted}:
        round_.byes.update(points=recounted)
        record(round_.stream_id, ByePointsCounted(points=recounted), actor=ref)


def _compute_stored_points(round_: Round) -> int | str | None:
    """Compute the points of a bye of the round, as they are stored; None if there are none."""
    regulations = load_regulations(round_.championship)
    points = compute_points_by_rule(
        regulations.byes, regulations, results.load_encounters([round_], regulations)
    )
    return None if points is None else write_number(points)
