"""Who holds an office, and accounts for those who have none yet."""

from typing import Any

from django import forms
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.utils.translation import gettext_lazy as _

from games.models import User
from tournaments.models import Official

QUIET = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


class AccountField(forms.CharField):
    """The name of an account that exists; its clean value is the user. Empty, where allowed, is None."""

    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=150, widget=forms.TextInput(attrs=QUIET), **more)

    def clean(self, value: Any) -> Any:
        name = super().clean(value)
        if not name:
            return None
        found = User.objects.filter(username=name, is_active=True).first()
        if found is None:
            raise forms.ValidationError(
                _("Nobody signs in as “%(name)s”."), code="people/unknown", params={"name": name}
            )
        return found


class AppointForm(forms.Form):
    user = AccountField(label=_("Signs in as"))
    role = forms.ChoiceField(label=_("Office"), choices=Official.Role.choices, initial=Official.Role.REFEREE)


class AccountForm(forms.Form):
    """A new account. The password is made by the server and shown once."""

    username = forms.CharField(
        label=_("Will sign in as"),
        max_length=40,
        validators=[UnicodeUsernameValidator()],
        widget=forms.TextInput(attrs=QUIET),
    )
    name = forms.CharField(
        label=_("Name"), max_length=40, required=False, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    may_found = forms.BooleanField(label=_("May start championships"), required=False)

    def clean_username(self) -> str:
        name = str(self.cleaned_data["username"])
        if User.objects.filter(username__iexact=name).exists():
            raise forms.ValidationError(_("Somebody signs in as “%(name)s” already."), params={"name": name})
        return name
