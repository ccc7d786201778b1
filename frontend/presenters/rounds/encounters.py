"""The encounters of a round of teams: the two teams, their tables and their points."""

from collections.abc import Iterator
from dataclasses import dataclass

from frontend.presenters.names.playing_teams import load_playing_teams
from frontend.presenters.words.figures import format_figure
from tournaments.models import Championship, Round, Seating
from tournaments.regulations import Regulations
from tournaments.services.scores.results import load_encounters
from tournaments.standings import TableResult


@dataclass(frozen=True, slots=True)
class EncounterSide:
    """A team in its encounter. `points`, `gets` (its match or victory points): empty before a result; `gets`
    is also empty if these do not count.
    """

    name: str
    points: str
    gets: str


@dataclass(frozen=True, slots=True)
class EncounterLine:
    """An encounter of two teams. tables: numbers of its tables; over: whether all of these are finished."""

    sides: tuple[EncounterSide, ...]
    tables: tuple[int, ...]
    over: bool


def load_encounter_lines(
    championship: Championship, round_: Round, regulations: Regulations
) -> list[EncounterLine]:
    """Return the encounters of a round, ordered by table; [] if no teams are drawn."""
    names = load_playing_teams(championship, regulations)
    if not names:
        return []
    rows = Seating.objects.filter(round=round_).order_by("table__number", "seat")
    tables: dict[int, dict[int, int | None]] = {}
    for number, seat, team in rows.values_list("table__number", "seat", "entry__team"):
        sides = tables.setdefault(number, {0: None, 1: None})
        sides[seat % 2] = sides[seat % 2] or team
    found: dict[frozenset[int | None], list[int]] = {}
    for number, sides in tables.items():
        found.setdefault(frozenset(sides.values()), []).append(number)
    results = {one.table: one for one in load_encounters([round_], regulations)}
    return [
        EncounterLine(
            tuple(_list_sides(tables[numbers[0]], names, results.get(numbers[0]), regulations)),
            tuple(numbers),
            numbers[0] in results and results[numbers[0]].complete,
        )
        for numbers in found.values()
    ]


def _list_sides(
    teams: dict[int, int | None], names: dict[int, str], result: TableResult | None, regulations: Regulations
) -> Iterator[EncounterSide]:
    """Yield the two sides of an encounter: first the team at seat 0 of its first table. teams: seat → primary
    key of the team.
    """
    for seat in (0, 1):
        points = gets = ""
        if result is not None and result.has_result:
            total, worth = (
                result.totals[result.sides[seat]],
                result.credit_points(seat, regulations.crediting()),
            )
            points = format_figure(total)
            gets = format_figure(worth) if regulations.counts_matches and worth is not None else ""
        yield EncounterSide(names.get(teams[seat] or 0, "–"), points, gets)
