"""Forms for a club: its name, and the keepers of its roll."""

from django import forms
from django.utils.translation import gettext_lazy as _

from frontend.forms.accounts import AccountField, AsksForAnAccount


class KeeperForm(AsksForAnAccount):
    user = AccountField(label=_("Signs in as"))


class ClubForm(forms.Form):
    name = forms.CharField(
        label=_("Name of the club"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
