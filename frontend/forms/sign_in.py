"""The forms of the sign-in, and of a password that is requested again."""

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext_lazy as _

from frontend.sign_in_attempts import OLD_PASSWORD
from games.models import User


class SignInForm(AuthenticationForm):
    """The sign-in. Its error does not tell which of the two fields is wrong."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        longest = User._meta.get_field("username").max_length
        self.fields["username"].validators.append(MaxLengthValidator(longest))
        self.error_messages = {
            **self.error_messages,
            "invalid_login": _("The name or the password is wrong."),
        }


class PasswordAgainForm(forms.Form):
    """A form that asks a signed-in person for their password. Wrong passwords are counted."""

    password_again = forms.CharField(
        label=_("Password"),
        strip=False,
        max_length=4096,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password", "autofocus": True}),
    )

    def __init__(self, *arguments: Any, user: User, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._user = user

    def clean_password_again(self) -> str:
        password = str(self.cleaned_data["password_again"])
        wait = OLD_PASSWORD.spend(self._user.pk)
        if wait or not self._user.check_password(password):
            raise forms.ValidationError(_("This is not your password."), code="sign_in/wrong")
        OLD_PASSWORD.forget(self._user.pk)
        return password
