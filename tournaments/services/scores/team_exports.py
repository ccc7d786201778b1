"""The ranking of teams as lines of a file. Each member has a line, with place and total of the team."""

from collections.abc import Sequence
from fractions import Fraction

from django.utils.translation import gettext as _

from tournaments.models import Championship
from tournaments.services.people.team_members import load_people_of_lines
from tournaments.services.scores import published_ranking, ranking_basis

Line = Sequence[str | int | Fraction]


def list_team_file_lines(championship: Championship) -> list[Line]:
    """Return the latest published ranking of teams as lines, or the live one if no ranking is published.
    Headings come first.
    """
    snapshot = published_ranking.load_latest_snapshot(championship)
    rows = published_ranking.decode_teams(snapshot) if snapshot else ranking_basis.live_teams(championship)
    names = {team.number: team.name for team in championship.teams.all()}
    people = load_people_of_lines(championship, (one.key for row in rows or () for one in row.members))
    lines: list[Line] = [
        [
            *(_("place"), _("number"), _("team"), _("total of the team")),
            *(_("number of the member"), _("name"), _("total"), _("counts")),
        ]
    ]
    for row in rows or []:
        team = ["" if row.place is None else row.place, row.key, names.get(row.key, ""), row.total]
        lines += [
            [
                *team,
                member.key,
                " / ".join(person.name for person in people.get(member.key, [])),
                member.total,
                _("yes") if member.counts else _("no"),
            ]
            for member in row.members
        ]
    return lines
