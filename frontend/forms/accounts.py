"""Forms for accounts: to name an account, appoint officials, invite people and set passwords."""

from collections.abc import Callable
from typing import Any, Final, cast

from django import forms
from django.contrib.auth import password_validation
from django.contrib.auth.hashers import make_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from frontend.forms.lines import LineField
from games.messaging.rate_limit import Budget
from games.models import User
from tournaments.models import Official

QUIET = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
WRONG_NAMES: Final = Budget("wrong-account-names", most=20, seconds=3600)
"""Budget of wrong names for one person: enough for typing errors, too small to find out which accounts
exist.
"""


class AccountField(forms.CharField):
    """A field for the name of an account that is not locked. Its clean value is the user; None for empty
    input, if that is allowed.
    """

    asker: User | None = None

    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=150, widget=forms.TextInput(attrs=QUIET), **more)

    def clean(self, value: Any) -> Any:
        name = super().clean(value)
        if not name:
            return None
        asker = self.asker.pk if self.asker is not None else 0
        wait = WRONG_NAMES.wait(asker)
        if wait:
            raise forms.ValidationError(
                _(
                    "Too many names without an account. Ask the person how the name is spelt, and "
                    "try again in %(minutes)d min."
                ),
                code="people/too_many_tries",
                params={"minutes": -(-wait // 60)},
            )
        found = User.objects.filter(username=name, is_active=True).first()
        if found is None:
            WRONG_NAMES.spend(asker)
            raise forms.ValidationError(
                _("There is no account “%(name)s”."), code="people/unknown", params={"name": name}
            )
        return found


class AsksForAnAccount(forms.Form):
    """A form with a field for an account. `asker`: the person who fills it in, whose budget counts wrong
    names.
    """

    def __init__(self, *args: Any, asker: User, **more: Any) -> None:
        super().__init__(*args, **more)
        field = self.fields["user"]
        assert isinstance(field, AccountField)  # noqa: S101 - mypy needs the type
        field.asker = asker


class AppointForm(AsksForAnAccount):
    user = AccountField(label=_("Account"))
    role = forms.ChoiceField(label=_("Office"), choices=Official.Role.choices, initial=Official.Role.REFEREE)


class InvitationForm(forms.Form):
    """An office to offer by a link. `name`: a note on the recipient, for the list of open invitations."""

    role = forms.ChoiceField(label=_("Office"), choices=Official.Role.choices, initial=Official.Role.REFEREE)
    name = LineField(label=_("Name"), max_length=80, required=False)


class AccountInvitationForm(forms.Form):
    """An account to offer by a link. `name`: a note on the recipient, for the list of open invitations."""

    name = LineField(label=_("Name"), max_length=80, required=False)
    may_found = forms.BooleanField(label=_("May create championships"), required=False)


def _password_field(label: str | Promise) -> forms.CharField:
    return forms.CharField(
        label=cast("str", label),  # the stubs name a private class of promises
        strip=False,
        max_length=4096,
        help_text=_("At least 10 characters. A sentence that only you would write works well."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


class NewPasswordForm(forms.Form):
    """A new password for an account, checked by the password rules of the installation."""

    password = _password_field(_("New password"))

    def __init__(self, *args: Any, user: User, **more: Any) -> None:
        super().__init__(*args, **more)
        self._user = user

    def clean_password(self) -> str:
        password = str(self.cleaned_data["password"])
        password_validation.validate_password(password, self._user)
        return password


class NewAccountForm(forms.Form):
    """A new account of an invited person, who chooses their password."""

    username = forms.CharField(
        label=_("Sign-in name"),
        max_length=40,
        validators=[UnicodeUsernameValidator()],
        widget=forms.TextInput(attrs={**QUIET, "autocomplete": "username"}),
    )
    name = forms.CharField(
        label=_("Name"), max_length=40, required=False, widget=forms.TextInput(attrs={"autocomplete": "name"})
    )
    password = _password_field(_("Password"))

    def clean_username(self) -> str:
        name: str = User.normalize_username(self.cleaned_data["username"])
        if User.objects.filter(username__iexact=name).exists():
            raise forms.ValidationError(_("There is already an account “%(name)s”."), params={"name": name})
        return name

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = self.cleaned_data
        if data.get("password"):
            person = User(username=data.get("username", ""), first_name=data.get("name", ""))
            try:
                password_validation.validate_password(data["password"], person)
            except forms.ValidationError as error:
                self.add_error("password", error)
        return data

    def make_account(self, accept: Callable[[User], None]) -> User:
        """Create the account and call `accept` with it, in one transaction. Raises what `accept` raises."""
        data = self.cleaned_data
        hashed = make_password(data["password"])  # before the transaction: it takes a while
        with transaction.atomic():
            user = User.objects.create(username=data["username"], first_name=data["name"], password=hashed)
            accept(user)
        return user
