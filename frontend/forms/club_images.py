"""The form for a sponsor of a club."""

from django import forms
from django.utils.translation import gettext_lazy as _

from frontend.forms.lines import LineField
from tournaments.clubs.images import MAX_LINK_LENGTH, MAX_NAME_LENGTH


class SponsorForm(forms.Form):
    """Name and web address of a sponsor. The service checks the address."""

    name = LineField(
        label=_("Name of the sponsor"),
        max_length=MAX_NAME_LENGTH,
        help_text=_("Read out to people who do not see the picture."),
    )
    link = forms.CharField(
        label=_("Address on the web"),
        max_length=MAX_LINK_LENGTH,
        required=False,
        widget=forms.URLInput(attrs={"autocomplete": "off", "placeholder": "https://"}),
    )
