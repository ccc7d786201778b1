"""Who is at the other end of a socket: read from the session's cookie, anew each time it is asked.

The middleware of Channels reads it once and then looks at every message that goes out; with hundreds of
spectators that is a quarter of the work.
"""

from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.models import Session as Stored
from django.http import HttpRequest, parse_cookie
from django.utils import timezone

from games import access
from games.claims import Claim, Session
from games.sessions import row_of


def key_of(scope: dict[str, Any]) -> str | None:
    """The key of the session that an ASGI scope names."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        if name == b"cookie":
            found.update(parse_cookie(value.decode("latin-1")))
    return found.get(settings.SESSION_COOKIE_NAME)


def claim_of(key: str | None) -> Claim:
    """Whoever has this session, as it says now; asks the database."""
    if key is None:
        return Claim()
    # Read before what is made of it: a session that changes in between is found to have changed.
    row = row_of(key)
    stored = Stored.objects.filter(session_key=row, expire_date__gt=timezone.now())
    data = stored.values_list("session_data", flat=True).first()
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    who = access.principal_of(get_user(request), request.session)
    return Claim(who, Session(key, row, data, "" if who.user is None else who.user.password))
