"""Forms of a session: its place and time, a new person at the desk, and how a start is paid."""

from django import forms
from django.utils.translation import gettext_lazy as _

from frontend.forms.championship import When
from frontend.forms.lines import LineField
from frontend.forms.persons import NamesForm
from tournaments.models import Booking

LATER = ""
"""The method of payment for a start that is paid later."""


class VenueForm(forms.Form):
    place = forms.CharField(
        label=_("Place"), max_length=80, required=False, help_text=_("Empty: like the championship.")
    )
    starts_at = When(label=_("Start time"), required=False)


class NewcomerForm(NamesForm):
    """A person who is not entered yet."""

    club = LineField(label=_("Club"), max_length=40, required=False)
    allow_double = forms.BooleanField(
        label=_("Enter even if somebody with this name is already entered"), required=False
    )


class PaymentForm(forms.Form):
    """The method by which a sold start is paid."""

    method = forms.ChoiceField(
        label=_("Paid by"), choices=[*Booking.Method.choices, (LATER, _("not paid yet"))], required=False
    )
