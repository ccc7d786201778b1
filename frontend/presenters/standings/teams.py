"""The ranking of teams for pages, prints and files: names, members, and what separates teams with the same
total.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from frontend.presenters.standings.loaded_rankings import is_final
from frontend.presenters.standings.ranking_lines import name_of
from frontend.presenters.words.figures import Comparison, describe_comparison, format_figure
from frontend.presenters.words.vocabulary import TIE_BREAKS, word
from frontend.presenters.words.writing_words import Words
from tournaments.models import Championship
from tournaments.regulations import Regulations
from tournaments.services.entries.pairs import pair_name
from tournaments.services.people.team_members import has_teams, load_people_of_lines
from tournaments.services.scores import published_ranking
from tournaments.standings import Figure, Separation, TeamCounting, TeamRow

APART: Final[Words] = {
    "never_meet": gettext_lazy("members do not meet"),
    "avoid_meet": gettext_lazy("members do not meet, as far as possible"),
    "never_partner": gettext_lazy("members are not partners"),
    "avoid_partner": gettext_lazy("members are not partners, as far as possible"),
}


@dataclass(frozen=True, slots=True)
class TeamRanking:
    """A ranking of teams. `after`: number of rounds; `version`, `made_at`: of a published ranking, None for a
    live one.
    """

    rows: Sequence[TeamRow] = ()
    after: int = 0
    version: int | None = None
    made_at: datetime | None = None
    final: bool = False
    """Whether it is the newest ranking of a championship that has ended."""

    @property
    def live(self) -> bool:
        return self.version is None


@dataclass(frozen=True, slots=True)
class MemberLine:
    """A member of a team: a person or a pair. `number`: of the person, or of the first person of a pair;
    `counts`: whether these points count for the team.
    """

    number: int
    name: str
    points: str
    counts: bool


@dataclass(frozen=True, slots=True)
class TeamLine:
    """One line of the ranking of teams. `place`: None if the team has too few members for a place; `number`:
    of the team.
    """

    place: int | None
    number: int
    name: str
    total: str
    members: tuple[MemberLine, ...]
    reason: Comparison | None = None
    off: Figure | None = None

    @property
    def medal(self) -> bool:
        return self.place is not None and self.place <= 3


def published_teams(championship: Championship, after: int | None = None) -> TeamRanking:
    """Return the newest published ranking of teams, or the newest one after round `after`; an empty ranking
    if there is none.
    """
    found = championship.snapshots.defer("rows").order_by("-version")
    snapshot = (found if after is None else found.filter(after_round=after)).first()
    if snapshot is None:
        return TeamRanking()
    rows = published_ranking.decode_teams(snapshot) or ()
    final = is_final(championship, snapshot.after_round if after is not None else None)
    return TeamRanking(rows, snapshot.after_round, snapshot.version, snapshot.made_at, final)


def team_lines(championship: Championship, rows: Sequence[TeamRow]) -> list[TeamLine]:
    """Return the lines of these rows, with the names of teams and people. Two queries."""
    teams = load_team_names(championship)
    people = load_people_of_lines(championship, (member.key for row in rows for member in row.members))
    lines = []
    for row in rows:
        members = tuple(
            MemberLine(
                member.key,
                pair_name(people[member.key]) if member.key in people else name_of({}, member.key),
                format_figure(member.total),
                member.counts,
            )
            for member in row.members
        )
        lines.append(
            TeamLine(
                row.place,
                row.key,
                team_name(teams, row.key),
                format_figure(row.total) if any(m.counts for m in row.members) else "–",
                members,
                None if row.separation is None else _describe_separation(row.separation, teams),
                row.off,
            )
        )
    return lines


def team_context(championship: Championship) -> dict[str, Any]:
    """Return the context of a form with a field for a team: the teams to suggest; empty if the championship
    has no teams.
    """
    if not has_teams(championship):
        return {}
    return {"has_teams": True, "team_choices": list(load_team_names(championship).items())}


def load_team_names(championship: Championship) -> dict[int, str]:
    """Return the name of each team by number. One query."""
    return {team.number: team.name for team in championship.teams.all()}


def team_name(names: Mapping[int, str], number: int) -> str:
    """Return the name of a team; "Team 7" if the team no longer exists."""
    return names.get(number) or _("Team %(n)d") % {"n": number}


def describe_drawn_teams(regulations: Regulations) -> str:
    """Describe teams that are drawn: "teams of 4 against each other, at 2 tables side by side"."""
    size = regulations.members_of_entrant
    tables = size * 2 // regulations.play.seats
    sentence = ngettext(
        "teams of %(size)d against each other, at %(n)d table",
        "teams of %(size)d against each other, at %(n)d tables side by side",
        tables,
    )
    return sentence % {"size": size, "n": tables}


def describe_rules(rules: TeamCounting) -> str:
    """Describe how teams are ranked: "teams of 8, the best 6 count"."""
    sentences = [
        _("teams of %(size)d") % {"size": rules.size},
        ngettext("the best one counts", "the best %(n)d count", rules.best) % {"n": rules.best},
    ]
    if rules.apart in APART:
        sentences.append(word(APART, rules.apart))
    if rules.short == "ranked":
        sentences.append(_("with fewer members the present ones count"))
    else:
        sentences.append(_("with fewer members a team has no place"))
    return ", ".join(sentences)


def _describe_separation(why: Separation, teams: Mapping[int, str]) -> Comparison:
    """Describe what separates two teams with the same total: "highest round 702 : 655 against Blitz"."""
    return describe_comparison(
        word(TIE_BREAKS, why.tie_break), why.mine, why.theirs, team_name(teams, why.against)
    )
