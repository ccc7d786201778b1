"""Which browser somebody has signed in from: a signed cookie. Who guesses at a name from the same hall does
not lock out whoever has signed in there before (the device cookies of OWASP).
"""

import secrets
from typing import Final
from unicodedata import normalize

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

COOKIE: Final = "puur_device"
SALT: Final = "puur.device"
YEAR: Final = 365 * 24 * 3600
MAX_NAMES: Final = 5
"""A family's laptop; the oldest is forgotten."""


def remembered(request: HttpRequest, name: str) -> str:
    """One word for this name on this device, where it has signed in on it; else ""."""
    device, names = _read(request)
    return f"{device}:{name_mark(name)}" if name_mark(name) in names else ""


def known(request: HttpRequest) -> str:
    """One word for a device on which somebody has signed in, whoever it was; else ""."""
    device, _ = _read(request)
    return device and f"device:{device}"


def remember(request: HttpRequest, response: HttpResponse, name: str) -> None:
    """This name has signed in here."""
    device, names = _read(request)
    kept = [*(other for other in names if other != name_mark(name)), name_mark(name)][-MAX_NAMES:]
    value = signing.dumps([device or secrets.token_hex(12), *kept], salt=SALT)
    response.set_cookie(
        COOKIE, value, max_age=YEAR, path="/sign-in/", secure=settings.TLS, httponly=True, samesite="Lax"
    )


def _read(request: HttpRequest) -> tuple[str, list[str]]:
    try:
        device, *names = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=YEAR)
    except (signing.BadSignature, ValueError, TypeError):
        return "", []
    return device, names


def name_mark(name: str) -> str:
    """One word for a name, however it is written: signing in brings it into one form too. Nobody who finds
    the cookie reads in it who has signed in.
    """
    return salted_hmac(SALT, normalize("NFKC", name).strip().casefold()).hexdigest()[:16]
