"""Forms for the mail address of an account, and for a forgotten password."""

from django import forms
from django.utils.translation import gettext_lazy as _


class AddressForm(forms.Form):
    """The mail address of an account."""

    address = forms.EmailField(
        label=_("E-mail"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class ForgottenPasswordForm(forms.Form):
    """The name or the confirmed mail address of an account. The form does not tell whether the account
    exists.
    """

    who = forms.CharField(
        label=_("Name or e-mail address"),
        max_length=254,
        widget=forms.TextInput(
            attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
