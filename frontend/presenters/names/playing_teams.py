"""Names of teams that are drawn and ranked as one, shown in place of their members' names."""

from collections.abc import Sequence
from typing import Protocol

from tournaments.models import Championship
from tournaments.regulations import Regulations
from tournaments.services.current_regulations import load_regulations


class _InTeam(Protocol):
    @property
    def team(self) -> str: ...


def load_playing_teams(championship: Championship, regulations: Regulations) -> dict[int, str]:
    """Return the name of each team by primary key; empty if no teams are drawn. At most one query."""
    if not regulations.plays_in_teams:
        return {}
    return {team.pk: team.name for team in championship.teams.all()}


def load_teams_by_number(championship: Championship) -> dict[int, str]:
    """Return the name of each team by number; empty if no teams are drawn. At most two queries."""
    if not load_regulations(championship).plays_in_teams:
        return {}
    return {team.number: team.name for team in championship.teams.all()}


def name_encounter(chairs: Sequence[_InTeam]) -> str:
    """Return the names of the two teams that meet at a table: "Blitz – Rose"; empty without teams.

    chairs: of the table, in the order of play.
    """
    sides = (next((chair.team for chair in side if chair.team), "") for side in (chairs[0::2], chairs[1::2]))
    return " – ".join(filter(None, sides))
