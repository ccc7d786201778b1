"""The byes of a round; each fixed pair or team is one."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from frontend.presenters.names.playing_teams import load_playing_teams
from tournaments.models import Entry, Round
from tournaments.services.current_regulations import load_regulations
from tournaments.services.entries.pairs import pair_name


@dataclass(frozen=True, slots=True)
class ByeRow:
    """A person, pair or team with a bye. `points`: the exact credit, None before the round closes; `team`:
    the name of the team, if teams are drawn.
    """

    people: tuple[Entry, ...]
    points: int | str | None
    team: str = ""

    @property
    def name(self) -> str:
        return self.team or pair_name(self.people)

    @property
    def listed(self) -> str:
        """The name as lists sorted by family name show it."""
        return self.team or " / ".join(entry.listed for entry in self.people)


def list_byes(round_: Round) -> list[ByeRow]:
    """Return the byes of a round by family name; a pair or a team stands where the first of its people would.

    One query, and up to two more for teams.
    """
    rows = round_.byes.select_related("entry").order_by("entry__sort_name", "pk")
    points = {row.entry_id: row.points for row in rows}
    in_team = any(row.entry.team_id is not None for row in rows)
    championship = round_.championship if in_team else None
    teams = load_playing_teams(championship, load_regulations(championship)) if championship else {}
    return [
        ByeRow(people, points[people[0].pk], teams.get(people[0].team_id or 0, ""))
        for people in group_into_pairs((row.entry for row in rows), teams)
    ]


def group_into_pairs(people: Iterable[Entry], teams: Collection[int] = ()) -> list[tuple[Entry, ...]]:
    """Group the people of each pair, and of each team in `teams` (primary keys); others stay alone. A group
    stands where its first person stood.
    """
    found: dict[object, list[Entry]] = {}
    for entry in people:
        team = ("team", entry.team_id) if entry.team_id in teams else None
        found.setdefault(team or entry.entrant_id or entry, []).append(entry)
    return [tuple(entries) for entries in found.values()]
