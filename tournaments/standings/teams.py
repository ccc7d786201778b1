"""The ranking of teams beside that of persons or pairs: sums of the best members, separated by the same
tie-breaks.

The rounds of a team are the rounds of its members that count for it. Buchholz, cards cut and lots separate
people only: teams that are level after the other tie-breaks share a place.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import force_setattr

from tournaments.competition import read_number
from tournaments.standings.counting_rules import Counting, Directions
from tournaments.standings.errors import StandingsError
from tournaments.standings.ranking import place_level
from tournaments.standings.rows import Figure, Meeting, RankingRow, ScoredEntrant, Separation
from tournaments.standings.totals import CountedEntrant, Value

MOST_MEMBERS: Final = 60


class TeamCounting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules of teams. A member is a line of the ranking: a person, or a pair that stays together.

    size: largest number of members of a team. best: number of members that count, the best by their places in
    the ranking. apart: members of one team do not meet at a table (`never_meet`), are not partners
    (`never_partner`), avoid this only as far as possible (`avoid_meet`, `avoid_partner`), or are drawn like
    anybody else (`free`). short: a team with fewer than `best` members has no place (`unranked`), or is
    ranked with its members (`ranked`).
    """

    size: Annotated[int, Meta(ge=2, le=MOST_MEMBERS)] = 4
    best: Annotated[int, Meta(ge=1, le=MOST_MEMBERS)] = 3
    apart: Literal["never_meet", "avoid_meet", "never_partner", "avoid_partner", "free"] = "never_meet"
    short: Literal["unranked", "ranked"] = "unranked"

    def check(self) -> None:
        """Raise StandingsError `standings/team_best` if more members count than a team can have."""
        if self.best > self.size:
            raise StandingsError(
                "standings/team_best",
                f"the best {self.best} of a team of {self.size} cannot count",
                best=self.best,
                size=self.size,
            )


class TeamMember(msgspec.Struct, frozen=True):
    """A line of the ranking of persons or pairs, as a member of its team. `counts`: its total counts for the
    team.
    """

    key: int
    total: Figure
    counts: bool

    def __post_init__(self) -> None:
        """Convert a total stored as "n/d" to a fraction."""
        if isinstance(self.total, str):
            force_setattr(self, "total", read_number(self.total))


class TeamRow(msgspec.Struct, frozen=True):
    """One row of the ranking of teams. `key`: number of the team; `place`: None for a team without a place.

    `shared`: another team has the same place. `members`: in the order of the ranking of persons or pairs;
    `off`: sum of the distances from the sealed number, once that number is known; `separation`: the reason
    for the order, compared with another team.
    """

    place: int | None
    shared: bool
    key: int
    total: Figure
    members: tuple[TeamMember, ...]
    separation: Separation | None = None
    off: Figure | None = None

    def __post_init__(self) -> None:
        """Convert figures stored as "n/d" to fractions."""
        if isinstance(self.total, str):
            force_setattr(self, "total", read_number(self.total))
        if isinstance(self.off, str):
            force_setattr(self, "off", read_number(self.off))


def rank_teams(
    rows: Iterable[RankingRow],
    entrants: Iterable[ScoredEntrant],
    team_of: Mapping[int, int],
    rules: TeamCounting,
    *,
    counting: Counting,
    directions: Directions,
    meetings: Sequence[Meeting] = (),
) -> list[TeamRow]:
    """Rank the teams by a ranking of persons or pairs, best first; teams without a place come last, by
    number.

    rows: the ranking of persons or pairs, best first; entrants: the lines from which it was made; team_of:
    number of the team by key of a line. If fewer points are better, or a sealed number is known, teams
    with more counted rounds rank higher, as persons do.
    """
    lines: dict[int, list[RankingRow]] = {}
    for row in rows:
        if row.key in team_of:
            lines.setdefault(team_of[row.key], []).append(row)
    scored = {entrant.key: entrant for entrant in entrants}
    counted = {team: [row for row in found[: rules.best] if row.has_result] for team, found in lines.items()}
    level: dict[Value, list[CountedEntrant]] = {}
    unplaced = []
    for team in sorted(lines):
        if rules.short == "unranked" and len(lines[team]) < rules.best:
            unplaced.append(team)
            continue
        counted_team = _count_team(team, counted[team], scored, directions)
        level.setdefault(counted_team.sort_key, []).append(counted_team)
    met = _index_meetings(meetings, {row.key: team for team in counted for row in counted[team]})
    ranked: list[RankingRow] = []
    for sort_key in sorted(level, reverse=True):
        ranked += place_level(
            level[sort_key],
            counting,
            directions,
            lambda key: met.get(key, ()),
            lambda _team: 0,
            first=len(ranked) + 1,
        )
    placed = [
        TeamRow(
            row.place,
            row.shared,
            row.key,
            row.total,
            _list_members(lines[row.key], rules),
            row.separation,
            row.off,
        )
        for row in ranked
    ]
    return placed + [
        TeamRow(None, False, team, sum(row.total for row in counted[team]), _list_members(lines[team], rules))
        for team in unplaced
    ]


def _list_members(lines: Sequence[RankingRow], rules: TeamCounting) -> tuple[TeamMember, ...]:
    return tuple(
        TeamMember(row.key, row.total, at < rules.best and row.has_result) for at, row in enumerate(lines)
    )


def _count_team(
    team: int, counted: Sequence[RankingRow], scored: Mapping[int, ScoredEntrant], directions: Directions
) -> CountedEntrant:
    """Compute the total of a team from its members that count."""
    offs = [row.off for row in counted if row.off is not None]
    off = sum(offs) if offs else None
    finished_only = directions.total < 0 or off is not None
    entrants = [scored[row.key] for row in counted]
    rounds = tuple(one for entrant in entrants for one in entrant.rounds)
    total = sum(row.total for row in counted)
    sort_key: Value = (int(bool(counted)), directions.total * total)
    if finished_only:
        kept = sum(score.counts for row in counted for score in row.rounds)
        sort_key = (kept, -(total if off is None else off))
    entrant = ScoredEntrant(team, rounds)
    results = tuple(one for one in rounds if one.can_count(finished_only))
    return CountedEntrant(entrant, (), results, total, off, sort_key)


def _index_meetings(meetings: Iterable[Meeting], team_of: Mapping[int, int]) -> dict[int, list[Meeting]]:
    """Return the meetings of two teams, by team. A meeting within one team is left out."""
    found: dict[int, list[Meeting]] = {}
    for meeting in meetings:
        one, other = (
            dict.fromkeys(team_of[key] for key in side if key in team_of)
            for side in (meeting.one, meeting.other)
        )
        both = one.keys() & other.keys()
        between = Meeting(
            meeting.round,
            tuple(team for team in one if team not in both),
            tuple(team for team in other if team not in both),
            meeting.points,
        )
        if between.one and between.other:
            for team in (*between.one, *between.other):
                found.setdefault(team, []).append(between)
    return found
