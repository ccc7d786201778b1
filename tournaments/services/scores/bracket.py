"""The bracket of a championship, and the places reached in it. Only results of closed rounds are used."""

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from tournaments.bracket import Bracket, build_bracket, can_undo, find_through
from tournaments.models import Round, Table
from tournaments.pairing.systems import get_system
from tournaments.regulations import Regulations
from tournaments.services.people.team_members import load_team_numbers
from tournaments.services.scores.competition_document import load_competition, number_of
from tournaments.services.scores.results import load_results
from tournaments.standings import TableResult


def has_bracket(regulations: Regulations) -> bool:
    """Return whether the rounds are drawn by a bracket."""
    return "bracket" in get_system(regulations.pairing_system).abilities


def load_bracket(rounds: Iterable[Round], regulations: Regulations) -> Bracket | None:
    """Load the bracket according to these rounds. Planned rounds are left out; None if all are planned.

    The number of queries is constant.
    """
    drawn = [round_ for round_ in rounds if round_.status != Round.Status.PLANNED]
    if not drawn:
        return None
    competition, _entries = load_competition(drawn[0].championship_id, drawn, regulations)
    return build_bracket(competition)


class BracketChange(NamedTuple):
    """The change of the bracket if a table had another result.

    out: refs of entrants that would no longer reach the next round; instead: refs of entrants that would
    reach it in their place; played: whether a person of the table has a later result; drawn: whether a later
    round is drawn; places: (number of the entrant, place) after the change.
    """

    out: tuple[str, ...]
    instead: tuple[str, ...]
    played: bool
    drawn: bool
    places: tuple[tuple[int, int], ...]


def load_change(table: Table, result: TableResult, regulations: Regulations) -> BracketChange | None:
    """Load what another result of a table in a closed round would change in the bracket.

    None if there is no bracket, or the round is not closed. The number of queries is constant.
    """
    round_ = table.round
    if round_.status != Round.Status.CLOSED or not has_bracket(regulations):
        return None
    rounds = [
        one for one in round_.championship.rounds.order_by("number") if one.status != Round.Status.PLANNED
    ]
    competition, _entries = load_competition(round_.championship_id, rounds, regulations)
    closed = sum(one.status == Round.Status.CLOSED for one in rounds)
    before = replace(competition, past=competition.past[:closed])
    one = before.past[round_.number - 1]
    tables = list(one.tables)
    points = tuple(result.credit(seat, regulations.play.credit) for seat in range(len(result.entries)))
    tables[table.number - 1] = replace(tables[table.number - 1], points=points)
    past = list(before.past)
    past[round_.number - 1] = replace(one, tables=tuple(tables))
    after = replace(before, past=tuple(past))
    was, now = (find_through(one, round_.number, table.number - 1) for one in (before, after))
    return BracketChange(
        tuple(sorted(was - now)),
        tuple(sorted(now - was)),
        not can_undo(competition, round_.number, table.number - 1) or _has_begun(rounds, result, regulations),
        len(rounds) > round_.number,
        _number_places(build_bracket(after)),
    )


def _has_begun(rounds: Iterable[Round], result: TableResult, regulations: Regulations) -> bool:
    """Return whether a person of this table, or of its teams, has a result in an open round."""
    begun = [one for one in rounds if one.status == Round.Status.OPEN]
    if not begun:
        return False
    team_of = load_team_numbers(begun[0].championship) if regulations.plays_in_teams else {}
    asked = {team_of.get(number, -number) for number in result.entries}
    return any(
        one.has_result and not asked.isdisjoint(team_of.get(number, -number) for number in one.entries)
        for one in load_results(begun, regulations=regulations)
    )


def _number_places(bracket: Bracket) -> tuple[tuple[int, int], ...]:
    return tuple(sorted((number_of(ref), place) for ref, place in bracket.places.items()))


def load_places(rounds: Iterable[Round], regulations: Regulations) -> tuple[tuple[int, int], ...]:
    """Load (number of the entrant, place) in the bracket after the closed rounds; empty without a bracket."""
    closed = [round_ for round_ in rounds if round_.status == Round.Status.CLOSED]
    bracket = load_bracket(closed, regulations) if has_bracket(regulations) else None
    return () if bracket is None else _number_places(bracket)
