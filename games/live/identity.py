"""Who is at the other end of a socket: read from the session's cookie, anew each time it is asked.

The middleware of Channels reads it once and then looks at every message that goes out; with hundreds of
spectators that is a quarter of the work.
"""

from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest, parse_cookie

from games import access
from games.access import Principal


def principal_of(scope: dict[str, Any]) -> Principal:
    """The principal of an ASGI scope; asks the database."""
    key = _cookies(scope).get(settings.SESSION_COOKIE_NAME)
    if key is None:
        return access.NOBODY
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    return access.principal_of(get_user(request), request.session)


def _cookies(scope: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        if name == b"cookie":
            found.update(parse_cookie(value.decode("latin-1")))
    return found
