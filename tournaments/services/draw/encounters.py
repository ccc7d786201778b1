"""Checks of teams that play against each other, before and after a draw."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy
from msgspec.structs import replace

from tournaments.bracket import build_bracket
from tournaments.competition import Competition
from tournaments.errors import TournamentError
from tournaments.models import Entry
from tournaments.names import join_names
from tournaments.regulations import Regulations
from tournaments.services.scores.competition_document import name_entrant


class EncounterSides(NamedTuple):
    """The two teams at a table, by primary key. `one`: the team in the even seats; `other`: the team in the
    odd seats; None: a side without a team.
    """

    one: int | None
    other: int | None


def list_expected(competition: Competition) -> set[str]:
    """Return the refs of the teams in the next round of a bracket, whether their members
    are present or not.
    """
    entrants = tuple(replace(one, until_round=None) for one in competition.entrants)
    bracket = build_bracket(replace(competition, entrants=entrants))
    return {ref for match in bracket.open_matches for ref in match.entrants}


def require_teams(entries: Iterable[Entry], size: int, expected: Collection[str] | None = None) -> None:
    """Raise TournamentError `draw/…` unless everybody present has a team, and each team that plays has at
    least `size` members present.

    A team without any member present does not play. entries: with their teams, without players of the house.
    expected: refs of the teams that can still play; None: all teams.
    """
    here = [entry for entry in entries if entry.status == Entry.Status.ARRIVED]
    alone = [entry.name for entry in here if entry.team is None]
    if alone:
        raise TournamentError(
            "draw/no_team",
            ngettext_lazy(
                "Present without a team: %(names)s. Put them into one, or mark them as not here.",
                "Present without a team: %(names)s. Put each of them into one, or mark them as not here.",
                "count",
            ),
            names=join_names(alone),
            count=len(alone),
        )
    members: dict[str, int] = {}
    for entry in here:
        if entry.team is not None and (expected is None or name_entrant(entry.team.number) in expected):
            members[entry.team.name] = members.get(entry.team.name, 0) + 1
    short = [f"{name} ({count}/{size})" for name, count in members.items() if count < size]
    if short:
        raise TournamentError(
            "draw/team_short",
            ngettext_lazy(
                "A team has too few members here: %(names)s. Enter a substitute into it, or mark all its "
                "members as not here: then it does not play.",
                "Teams have too few members here: %(names)s. Enter substitutes into them, or mark all "
                "members of such a team as not here: then it does not play.",
                "count",
            ),
            names=join_names(short),
            count=len(short),
        )


def require_encounters(
    there: Mapping[int, Entry], tables: Sequence[Sequence[int]], regulations: Regulations
) -> None:
    """Raise TournamentError `draw/…` unless tables drawn by hand are encounters: two teams at consecutive
    tables, each team once.

    there: the people present by entry number; tables: entry numbers of each table, in the order of play.
    """
    found = [find_sides([there[number] for number in table]) for table in tables]
    side = regulations.play.seats // 2
    count = regulations.members_of_entrant // side
    for at, (table, sides) in enumerate(zip(tables, found, strict=True), 1):
        teams = [there[number].team_id for number in table]
        if (
            None in teams
            or sides.one == sides.other
            or any(team != sides[seat % 2] for seat, team in enumerate(teams))
        ):
            raise TournamentError(
                "draw/no_encounter",
                _("At table %(table)s two members of one team must play against two members of another."),
                table=at,
            )
    for first in range(0, len(tables), count):
        row = {frozenset(sides) for sides in found[first : first + count]}
        if len(row) > 1 or len(found[first : first + count]) < count:
            raise TournamentError(
                "draw/encounter_apart",
                _("From table %(table)s on, %(count)s neighbouring tables form one encounter of two teams."),
                table=first + 1,
                count=count,
            )
    met = [team for first in range(0, len(tables), count) for team in found[first]]
    if len(set(met)) < len(met):
        raise TournamentError("draw/team_twice", _("A team plays only one encounter in a round."))


def require_same_team(comes: Entry, goes: Entry, regulations: Regulations) -> None:
    """Raise TournamentError `chairs/other_team` if `comes`, who would get the chair of `goes`, is of another
    team.

    The result of a chair counts for the team. A player of the house has no team and may take any chair; they
    play for the team of their partner. Nothing is raised unless teams play against each other.
    """
    if regulations.plays_in_teams and comes.team_id != goes.team_id and not comes.house:
        raise TournamentError(
            "chairs/other_team",
            _("%(name)s is not in the team of %(other)s: only members of one team can exchange chairs."),
            name=comes.name,
            other=goes.name,
        )


def find_sides(people: Sequence[Entry]) -> EncounterSides:
    """Return the two teams at a table. people: the people seated, in the order of play."""

    def find(seats: Sequence[Entry]) -> int | None:
        return next((entry.team_id for entry in seats if entry.team_id is not None), None)

    return EncounterSides(find(people[0::2]), find(people[1::2]))
