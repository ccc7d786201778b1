"""Forms to create and to describe a championship."""

import re
from datetime import datetime
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from frontend.forms.lines import LineField
from frontend.presenters.regulations.regulations import title
from frontend.presenters.words.vocabulary import MODES
from tournaments.models import Championship, Club
from tournaments.presets import PRESETS
from tournaments.regulation_checks import ALLOWED_VALUES
from tournaments.typed_dates import FIRST_YEAR, LAST_YEAR, YEARS, wrong_moment


class When(forms.DateTimeField):
    """A field for a local date and time, as the browser's picker sends it, from FIRST_YEAR to LAST_YEAR."""

    widget = forms.DateTimeInput(
        attrs={
            "type": "datetime-local",
            "min": f"{FIRST_YEAR}-01-01T00:00",
            "max": f"{LAST_YEAR}-12-31T23:59",
        },
        format="%Y-%m-%dT%H:%M",
    )

    def __init__(self, **more: Any) -> None:
        super().__init__(input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"], **more)

    def to_python(self, value: Any) -> datetime | None:
        """Check the year before the conversion to the time zone, which fails for the first and the last year
        of the calendar.
        """
        year = re.match(r"\s*(\d{1,6})-", str(value or ""), re.ASCII)
        if year is not None and not FIRST_YEAR <= int(year[1]) <= LAST_YEAR:
            raise forms.ValidationError(YEARS, code="times/year")
        return super().to_python(value)


def refuse_past(form: forms.Form, name: str, not_before: datetime) -> None:
    """Add an error to the field `name` if its moment is before `not_before`, unless the moment is
    unchanged.
    """
    moment = form.cleaned_data.get(name)
    before = form.get_initial_for_field(form.fields[name], name)
    if moment is None or (before is not None and moment == before.replace(second=0, microsecond=0)):
        return
    if wrong := wrong_moment(moment, not_before=not_before):
        form.add_error(name, forms.ValidationError(str(wrong[1]), code=f"times/{wrong[0]}"))


class AboutForm(forms.Form):
    """Name, place, time, public access and retention of a championship."""

    name = LineField(label=_("Name"), max_length=80, help_text=_("As it should appear in the ranking."))
    place = forms.CharField(label=_("Place"), max_length=80, required=False)
    starts_at = When(label=_("Start time"), required=False)
    public = forms.BooleanField(label=_("Everybody may watch"), required=False, initial=True)
    public_names = forms.ChoiceField(
        label=_("Names in public"),
        choices=Championship.PublicNames.choices,
        required=False,
        initial=Championship.PublicNames.FULL,
        help_text=_("For people who are not signed in as an official or a player; it applies at once."),
    )

    keep_days = forms.TypedChoiceField(
        label=_("Contacts, years of birth and photos"),
        choices=[
            ("", _("kept until somebody erases them")),
            (30, _("erased 30 days after the end")),
            (90, _("erased 90 days after the end")),
            (365, _("erased a year after the end")),
            (730, _("erased two years after the end")),
        ],
        coerce=int,
        empty_value=None,
        required=False,
        help_text=_("Licences and notes too. Names, results and seals stay."),
    )

    def clean(self) -> dict[str, Any]:
        """Refuse a beginning before today, unless the time is unchanged."""
        data = super().clean() or {}
        refuse_past(
            self, "starts_at", timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
        )
        return data

    def clean_public_names(self) -> str:
        """Keep the previous value if the browser did not send the field."""
        return str(self.cleaned_data["public_names"] or self["public_names"].initial)

    def clean_keep_days(self) -> int | None:
        """Keep the previous value if the page does not have this field."""
        given: int | None = self.cleaned_data["keep_days"]
        return given if self.add_prefix("keep_days") in self.data else self["keep_days"].initial


class NewChampionshipForm(AboutForm):
    """The form of a new championship. `clubs`: the clubs whose roll the creator keeps; if there are several,
    the creator selects one.
    """

    club = forms.ModelChoiceField(
        queryset=Club.objects.none(), empty_label=None, required=False, label=_("The evening belongs to")
    )
    preset = forms.ChoiceField(
        label=_("Way of playing"), choices=[(key, title(key)) for key in PRESETS], initial=next(iter(PRESETS))
    )
    mode = forms.ChoiceField(
        label=_("Tables"),
        choices=[(code, MODES[code]) for code in reversed(ALLOWED_VALUES["play.mode"].choices)],
        initial="sheet",
        help_text=_("For all tables; you can choose otherwise for each table before it opens."),
    )

    def __init__(self, *args: Any, clubs: QuerySet[Club], **more: Any) -> None:
        super().__init__(*args, **more)
        if len(clubs) > 1:
            self.fields["club"].queryset = clubs  # type: ignore[attr-defined]  # the field is a ModelChoiceField
        else:
            del self.fields["club"]


class AgainForm(AboutForm):
    people = forms.BooleanField(label=_("With all participants"), required=False, initial=True)
