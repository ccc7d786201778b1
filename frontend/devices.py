"""Signed cookies of devices (OWASP), by which the server recognises browsers that have signed in before.
Wrong passwords from other devices do not lock these browsers out.
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
"""Largest number of names in a cookie, for a laptop that several people share; the oldest name is dropped."""


def recognized_device_key(request: HttpRequest, name: str) -> str:
    """Return "<device id>:<hash of the name>" if the device's cookie lists the name; else ""."""
    device, names = _read_cookie(request)
    return f"{device}:{hash_name(name)}" if hash_name(name) in names else ""


def device_key(request: HttpRequest) -> str:
    """Return "device:<id>" if the device has a valid cookie; else ""."""
    device, _ = _read_cookie(request)
    return device and f"device:{device}"


def record_device(request: HttpRequest, response: HttpResponse, name: str) -> None:
    """Record in the device's cookie that this name has signed in; it lists the last five."""
    device, names = _read_cookie(request)
    marks = [*(other for other in names if other != hash_name(name)), hash_name(name)][-MAX_NAMES:]
    value = signing.dumps([device or secrets.token_hex(12), *marks], salt=SALT)
    response.set_cookie(
        COOKIE, value, max_age=YEAR, path="/sign-in/", secure=settings.TLS, httponly=True, samesite="Lax"
    )


def _read_cookie(request: HttpRequest) -> tuple[str, list[str]]:
    try:
        device, *names = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=YEAR)
    except (signing.BadSignature, ValueError, TypeError):
        return "", []
    return device, names


def hash_name(name: str) -> str:
    """Return a hash of a name, normalized as at sign-in. The cookie has hashes, so it reveals no names."""
    return salted_hmac(SALT, normalize("NFKC", name).strip().casefold()).hexdigest()[:16]
