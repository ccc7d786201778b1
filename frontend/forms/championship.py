"""A new championship, and the same fields later."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from frontend.presenters.regulations import title
from frontend.presenters.vocabulary import MODES
from tournaments.models import Championship, Club
from tournaments.presets import PRESETS
from tournaments.regulations import STATED


class When(forms.DateTimeField):
    """A date and a time as the browser's own picker sends them."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")

    def __init__(self, **more: Any) -> None:
        super().__init__(input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"], **more)


class AboutForm(forms.Form):
    """Name, place, time."""

    name = forms.CharField(
        label=_("Name"),
        max_length=80,
        help_text=_("As it should stand on the ranking."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    place = forms.CharField(label=_("Place"), max_length=80, required=False)
    starts_at = When(label=_("Begins"), required=False)
    public = forms.BooleanField(label=_("Everybody may watch"), required=False, initial=True)
    public_names = forms.ChoiceField(
        label=_("Names in public"),
        choices=Championship.PublicNames.choices,
        required=False,
        initial=Championship.PublicNames.FULL,
        help_text=_("For whoever is not signed in as an official or a player; it holds at once."),
    )

    def clean_public_names(self) -> str:
        """As it was, where nothing is said."""
        return str(self.cleaned_data["public_names"] or self["public_names"].initial)


class NewChampionshipForm(AboutForm):
    """`clubs`: those whose roll the founder keeps; with more than one he says whose evening it is."""

    club = forms.ModelChoiceField(
        queryset=Club.objects.none(), empty_label=None, required=False, label=_("The evening belongs to")
    )
    preset = forms.ChoiceField(
        label=_("Way of playing"), choices=[(key, title(key)) for key in PRESETS], initial=next(iter(PRESETS))
    )
    mode = forms.ChoiceField(
        label=_("Tables"),
        choices=[(code, MODES[code]) for code in reversed(STATED["play.mode"].choices)],
        initial="sheet",
        help_text=_("For all tables; each round can choose for each table."),
    )

    def __init__(self, *args: Any, clubs: QuerySet[Club], **more: Any) -> None:
        super().__init__(*args, **more)
        if len(clubs) > 1:
            self.fields["club"].queryset = clubs  # type: ignore[attr-defined] # a ModelChoiceField
        else:
            del self.fields["club"]
