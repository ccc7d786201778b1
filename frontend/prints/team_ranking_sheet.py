"""The newest published ranking of teams, with the seal of the recorded data."""

from django.utils.translation import gettext as _
from msgspec import UNSET

from frontend.presenters.standings.teams import MemberLine, describe_rules, published_teams, team_lines
from frontend.prints.occasion import Occasion
from frontend.prints.ranking_sheet import UNCOUNTED, ranking_sheet
from frontend.prints.typesetting import Part


def sealed_team_ranking(occasion: Occasion) -> Part:
    """Return the sheet of the ranking of teams, laid out like that of persons, with the members below each
    team.
    """
    team_ranking = published_teams(occasion.championship)
    lines = team_lines(occasion.championship, team_ranking.rows)
    rules = occasion.regulations.teams
    return ranking_sheet(
        occasion,
        _("Final ranking of teams")
        if team_ranking.final
        else _("Ranking of teams after round %(n)d") % {"n": team_ranking.after},
        team_ranking.made_at,
        heads={"name": _("Team"), "rounds": [], "sweeps": ""},
        lines=[
            {
                "place": "–" if line.place is None else str(line.place),
                "number": str(line.number),
                "names": [line.name],
                "club": "",
                "members": ", ".join(map(_member, line.members)),
                "cells": [],
                "sweeps": "",
                "total": line.total,
                "reason": line.reason.short if line.reason else "",
            }
            for line in lines
        ],
        legend=[
            *([] if rules is UNSET else [describe_rules(rules)]),
            f"{UNCOUNTED.format('…')} {_('does not count')}",
        ],
    )


def _member(member: MemberLine) -> str:
    said = f"{member.name} {member.points}"
    return said if member.counts else UNCOUNTED.format(said)
