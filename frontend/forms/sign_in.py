"""The sign-in form."""

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext_lazy as _

from games.models import User


class SignInForm(AuthenticationForm):
    """Sign-in. The error does not reveal which of the two fields is wrong."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        longest = User._meta.get_field("username").max_length
        self.fields["username"].validators.append(MaxLengthValidator(longest))
        self.error_messages = {
            **self.error_messages,
            "invalid_login": _("The name or the password is not right."),
        }
