"""The rules of teams as fields in the form of the regulations."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from django import forms
from django.utils.translation import gettext_lazy as _

from frontend.presenters.words.writing_words import Words
from tournaments.regulation_checks import ALLOWED_VALUES
from tournaments.standings import TeamCounting

NAMES: Final = ("entrants", "team_size", "teams_size", "teams_best", "teams_apart", "teams_short")
"""The names of the fields, in order. If `teams_size` is empty, there are no teams of people who are drawn
singly.
"""
TEAMS: Final = "teams"
"""The value of `entrants` with which whole teams are drawn."""
FIELDS: Final = {"size": "teams_size", "best": "teams_best", "apart": "teams_apart", "short": "teams_short"}
"""Name of a value in the rules → name of its field."""
APART: Final[Words] = {
    "never_meet": _("they do not meet at a table"),
    "avoid_meet": _("they do not meet at a table, as far as possible"),
    "never_partner": _("they are not partners"),
    "avoid_partner": _("they are not partners, as far as possible"),
    "free": _("they are drawn like everybody else"),
}
SHORT: Final[Words] = {
    "unranked": _("has no place"),
    "ranked": _("is ranked with those it has"),
}
Choice = TeamCounting | msgspec.UnsetType


def team_rule_fields() -> Iterator[tuple[str, forms.Field]]:
    """Yield (name, field) for each rule of teams."""
    size, best = ALLOWED_VALUES["teams.size"], ALLOWED_VALUES["teams.best"]
    drawn = ALLOWED_VALUES["team_size"]
    yield (
        "entrants",
        forms.ChoiceField(
            label=_("Who is drawn"),
            choices=[("", _("each person or pair")), (TEAMS, _("teams, against each other"))],
            required=False,
            help_text=_(
                "Teams play at neighbouring tables, as many as they need, and are ranked. Round "
                "robin, Swiss system or knock-out."
            ),
        ),
    )
    yield (
        "team_size",
        forms.IntegerField(
            label=_("People of a team that is drawn"),
            help_text=_("Two at each table: 4 people play at two tables. More may be its reserve."),
            required=False,
            min_value=drawn.least,
            max_value=drawn.most,
        ),
    )
    yield (
        "teams_size",
        forms.IntegerField(
            label=_("Members of a team at most"),
            help_text=_(
                "For members who are drawn individually, with an additional ranking of teams. Empty: "
                "no teams."
            ),
            required=False,
            min_value=size.least,
            max_value=size.most,
        ),
    )
    yield (
        "teams_best",
        forms.IntegerField(
            label=_("How many of them count"),
            help_text=_("The best ones; empty for all."),
            required=False,
            min_value=best.least,
            max_value=best.most,
        ),
    )
    yield "teams_apart", _choice("teams.apart", _("Members of one team"), APART)
    yield "teams_short", _choice("teams.short", _("A team with too few members to count"), SHORT)


def team_rules_initial(choice: Choice) -> dict[str, Any]:
    """Return field → initial value for `held`, the present rules."""
    shown = TeamCounting() if choice is msgspec.UNSET else choice
    values = {FIELDS[name]: value for name, value in msgspec.to_builtins(shown).items()}
    return values if choice is not msgspec.UNSET else {**values, "teams_size": None, "teams_best": None}


def parse_drawn_teams(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return `entrants` and `team_size` for the regulations; both are unset unless the form chooses to draw
    teams.
    """
    if data.get("entrants") != TEAMS:
        return {"entrants": msgspec.UNSET, "team_size": msgspec.UNSET}
    return {"entrants": TEAMS, "team_size": data.get("team_size") or msgspec.UNSET}


def parse_team_rules(data: Mapping[str, Any]) -> Choice:
    """Return the rules of teams in a form's data; unset if `teams_size` is empty."""
    size = data.get("teams_size")
    if not size:
        return msgspec.UNSET
    return TeamCounting(
        size=size,
        best=data.get("teams_best") or size,
        **{name: chosen for name in ("apart", "short") if (chosen := data.get(FIELDS[name]))},
    )


def _choice(path: str, label: Any, words: Words) -> forms.ChoiceField:
    choices = [(code, words[code]) for code in ALLOWED_VALUES[path].choices]
    return forms.ChoiceField(label=label, choices=choices, required=False)
