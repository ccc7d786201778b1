"""People with a password, an app that shows codes, and browsers that sign in."""

import time
from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.test import Client
from django.urls import reverse

from games.models import User
from tests.frontend.evening import person

PASSWORD = "Ein-Trumpf-im-Aermel-7"


def with_password(name: str, **more: Any) -> User:
    user = person(name)
    user.set_password(PASSWORD)
    for field, value in more.items():
        setattr(user, field, value)
    user.save()
    return user


def browser(**more: Any) -> Client:
    return Client(headers={"accept-language": "en", "user-agent": "Firefox/140 (Windows)"}, **more)


def sign_in(client: Client, name: str, password: str = PASSWORD, **more: str) -> Any:
    return client.post(reverse("sign_in"), {"username": name, "password": password, **more})


def with_app(user: User) -> str:
    """Give the account an app and recovery codes; return the secret of the app."""
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    RecoveryCodes.activate(user)
    return str(secret)


def code(secret: str, later: int = 0) -> str:
    """Return the code that the app shows, `later` steps from now."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30 + later)))


def recovery_codes(user: User) -> list[str]:
    row = Authenticator.objects.get(user=user, type=Authenticator.Type.RECOVERY_CODES)
    return list(row.wrap().get_unused_codes())


def decrypted(text: str) -> str:
    return str(get_adapter().decrypt(text))
