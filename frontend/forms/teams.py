"""Forms of teams, and two fields for several forms: for a team and for a reason."""

from django import forms
from django.utils.translation import gettext_lazy as _

from frontend.forms.entries import QUIET
from frontend.forms.lines import LineField
from tournaments.models import Championship
from tournaments.names.spelling import MAX_CLUB_LENGTH
from tournaments.services.people.team_members import has_teams

MAX_REASON_LENGTH = 200
MAX_PEOPLE_LENGTH = 4_000


def team_field(*, required: bool = False) -> forms.CharField:
    """Return a field for the name of a team, which suggests the existing teams."""
    return forms.CharField(
        label=_("Team"),
        required=required,
        max_length=MAX_CLUB_LENGTH,
        widget=forms.TextInput(attrs={**QUIET, "list": "teams"}),
    )


def reason_field() -> forms.CharField:
    """Return the field for the reason why people change teams, which is needed if one of them has played."""
    return LineField(
        label=_("Reason for another team"),
        required=False,
        max_length=MAX_REASON_LENGTH,
        help_text=_("Needed if one of them has played; it stays on record."),
    )


def add_team_field(form: forms.Form, championship: Championship) -> bool:
    """Add the field for a team if the regulations have teams. Return whether they do."""
    if not has_teams(championship):
        return False
    form.fields["team"] = team_field()
    return True


class TeamJoinForm(forms.Form):
    """People who join a team. They are typed as numbers or names."""

    people = forms.CharField(
        label=_("People"),
        max_length=MAX_PEOPLE_LENGTH,
        help_text=_("Numbers or names, one per line or separated by commas."),
        widget=forms.Textarea(attrs={**QUIET, "rows": 3, "spellcheck": "false"}),
    )
    team = team_field(required=True)
    reason = reason_field()

    def names(self) -> list[str]:
        """Return the number or name of each person as typed."""
        lines: str = self.cleaned_data["people"]
        return [one.strip() for line in lines.splitlines() for one in line.split(",") if one.strip()]


class RenameForm(forms.Form):
    name = LineField(label=_("Name"), max_length=MAX_CLUB_LENGTH)


class MergeForm(forms.Form):
    """The team `other`. Its members join another team, so that both become one."""

    other = team_field(required=True)
    reason = reason_field()
