"""The roll of a club: somebody on it, who keeps it, and which club an evening belongs to."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from frontend.forms.people import AccountField
from tournaments.names import read_name

QUIET = {"autocomplete": "off"}


class PersonForm(forms.Form):
    """Both names may be typed, or pasted, into the first field."""

    family_name = forms.CharField(label=_("Family name"), max_length=80, widget=forms.TextInput(attrs=QUIET))
    first_name = forms.CharField(
        label=_("First name"), max_length=40, required=False, widget=forms.TextInput(attrs=QUIET)
    )
    home_club = forms.CharField(
        label=_("Club"), max_length=40, required=False, widget=forms.TextInput(attrs=QUIET)
    )
    birth_year = forms.CharField(
        label=_("Year of birth"),
        max_length=10,
        required=False,
        widget=forms.TextInput(attrs={**QUIET, "inputmode": "numeric"}),
    )
    email = forms.CharField(
        label=_("E-mail"), max_length=120, required=False, widget=forms.EmailInput(attrs=QUIET)
    )
    licence = forms.CharField(
        label=_("Licence"), max_length=20, required=False, widget=forms.TextInput(attrs=QUIET)
    )
    category = forms.CharField(
        label=_("Category"),
        max_length=20,
        required=False,
        help_text=_("For prizes: woman, youth, senior, or what you call it."),
        widget=forms.TextInput(attrs=QUIET),
    )

    def __init__(self, *args: Any, cursor: bool = False, **more: Any) -> None:
        """`cursor`: the page begins in the family name."""
        super().__init__(*args, **more)
        if cursor:
            self.fields["family_name"].widget.attrs["autofocus"] = True

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = self.cleaned_data
        if data.get("family_name") and not data.get("first_name"):
            data["first_name"], data["family_name"] = read_name(data["family_name"])
        return data


class ClubForm(forms.Form):
    name = forms.CharField(label=_("Name of the club"), max_length=80, widget=forms.TextInput(attrs=QUIET))


class KeeperForm(forms.Form):
    user = AccountField(label=_("Signs in as"))
