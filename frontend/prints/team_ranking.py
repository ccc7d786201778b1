"""The ranking of teams published last, with the seal of the recorded data."""

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from msgspec import UNSET

from frontend.presenters.teams import MemberLine, describe_rules, published_teams, team_lines
from frontend.prints.occasion import Occasion
from frontend.prints.ranking import UNCOUNTED, describe_seal
from frontend.prints.typesetting import Part


def sealed_team_ranking(occasion: Occasion) -> Part:
    """Return the sheet, laid out like the ranking of persons or pairs, with the members below each name."""
    found = published_teams(occasion.championship)
    lines = team_lines(occasion.championship, found.rows)
    made_at = localtime(found.made_at) if found.made_at is not None else None
    rules = occasion.regulations.teams
    return {
        "kind": "ranking",
        "paper": occasion.paper,
        "over": " · ".join(part for part in (occasion.over, occasion.said) if part),
        "title": _("Ranking of teams after round %(n)d") % {"n": found.after},
        "said": date_format(made_at, pgettext("date format", "j M Y, H:i")) if made_at else "",
        "heads": {
            "place": pgettext("ranking", "Place"),
            "name": _("Team"),
            "rounds": [],
            "sweeps": "",
            "total": _("Total"),
            "reason": _("Decided by") if any(line.reason for line in lines) else "",
        },
        "lines": [
            {
                "place": "–" if line.place is None else str(line.place),
                "number": str(line.number),
                "names": [line.name],
                "club": "",
                "members": ", ".join(map(_member, line.members)),
                "cells": [],
                "sweeps": "",
                "total": line.total,
                "reason": line.reason,
            }
            for line in lines
        ],
        "legend": " · ".join(
            [
                *([] if rules is UNSET else [describe_rules(rules)]),
                f"{UNCOUNTED.format('…')} {_('does not count')}",
            ]
        ),
        "seal": describe_seal(occasion, found.made_at),
    }


def _member(member: MemberLine) -> str:
    said = f"{member.name} {member.points}"
    return said if member.counts else UNCOUNTED.format(said)
