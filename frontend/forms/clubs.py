"""Forms for a club: its name, and the keepers of its roll."""

from django import forms
from django.utils.translation import gettext_lazy as _

from frontend.forms.accounts import AccountField, AsksForAnAccount
from frontend.forms.lines import LineField


class KeeperForm(AsksForAnAccount):
    user = AccountField(label=_("Account"))


class ClubForm(forms.Form):
    name = LineField(label=_("Name of the club"), max_length=80)
