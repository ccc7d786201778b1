"""Forms for the names and data of a person, in a championship or on a club's roll."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from frontend.forms.lines import LineField
from tournaments.names import read_name
from tournaments.names.spelling import MAX_NAME_LENGTH

TYPED = {"autocomplete": "off"}


class NamesForm(forms.Form):
    """A person's names. Both names may be typed or pasted into the first field."""

    family_name = forms.CharField(
        label=_("Family name"),
        max_length=2 * MAX_NAME_LENGTH,
        widget=forms.TextInput(attrs={**TYPED, "placeholder": _("Ammann, or both: Ammann Anna")}),
    )
    first_name = LineField(label=_("First name"), max_length=MAX_NAME_LENGTH, required=False)

    def __init__(self, *args: Any, cursor: bool = False, **more: Any) -> None:
        """`cursor`: the field of the family name has the focus when the page opens."""
        super().__init__(*args, **more)
        if cursor:
            self.fields["family_name"].widget.attrs["autofocus"] = True

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = self.cleaned_data
        if data.get("family_name") and not data.get("first_name"):
            names = read_name(data["family_name"], family_first=True)
            data["first_name"], data["family_name"] = names
        return data


class BesideNameForm(forms.Form):
    """Year of birth, mail address and category of a person, which a championship or its prizes may need."""

    birth_year = forms.CharField(
        label=_("Year of birth"),
        max_length=10,
        required=False,
        widget=forms.TextInput(attrs={**TYPED, "inputmode": "numeric"}),
    )
    email = forms.CharField(
        label=_("E-mail"), max_length=120, required=False, widget=forms.EmailInput(attrs=TYPED)
    )
    category = LineField(
        label=_("Category"),
        max_length=20,
        required=False,
        help_text=_("For prizes: woman, youth, senior, or your own word."),
    )


class PersonForm(BesideNameForm, NamesForm):
    home_club = LineField(label=_("Club"), max_length=40, required=False)
    licence = LineField(label=_("Licence"), max_length=20, required=False)

    field_order = (
        "family_name",
        "first_name",
        "home_club",
        "birth_year",
        "email",
        "licence",
        "category",
    )
