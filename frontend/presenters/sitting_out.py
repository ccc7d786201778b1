"""Byes, with a fixed pair as one."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from frontend.presenters.playing_teams import load_playing_teams
from tournaments.models import Entry, Round
from tournaments.services.current_regulations import regulations_of
from tournaments.services.entries.pairs import pair_name


@dataclass(frozen=True, slots=True)
class SittingOut:
    """A person, pair or team with a bye; `points`: the exact credit, None before the round is over; `team`:
    its name, where teams are drawn.
    """

    people: tuple[Entry, ...]
    points: int | str | None
    team: str = ""

    @property
    def name(self) -> str:
        return self.team or pair_name(self.people)

    @property
    def listed(self) -> str:
        """The name as in lists sorted by family name."""
        return self.team or " / ".join(entry.listed for entry in self.people)


def sitting_out(round_: Round) -> list[SittingOut]:
    """Return the byes by family name; a pair or a team is listed by its first name.

    One query, and up to two more for a team.
    """
    rows = round_.sit_outs.select_related("entry").order_by("entry__sort_name", "pk")
    points = {row.entry_id: row.points for row in rows}
    in_team = any(row.entry.team_id is not None for row in rows)
    championship = round_.championship if in_team else None
    teams = load_playing_teams(championship, regulations_of(championship)) if championship else {}
    return [
        SittingOut(people, points[people[0].pk], teams.get(people[0].team_id or 0, ""))
        for people in as_pairs((row.entry for row in rows), teams)
    ]


def as_pairs(people: Iterable[Entry], teams: Collection[int] = ()) -> list[tuple[Entry, ...]]:
    """Group people of a pair, or of one of these teams, at the position of the first."""
    found: dict[object, list[Entry]] = {}
    for entry in people:
        team = ("team", entry.team_id) if entry.team_id in teams else None
        found.setdefault(team or entry.entrant_id or entry, []).append(entry)
    return [tuple(entries) for entries in found.values()]
