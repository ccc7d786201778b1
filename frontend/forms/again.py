"""The same evening on another day."""

from django import forms
from django.utils.translation import gettext_lazy as _

from frontend.forms.championship import AboutForm


class AgainForm(AboutForm):
    people = forms.BooleanField(label=_("With everybody who took part"), required=False, initial=True)
