"""The claim of a request, from the session that the middleware has read, and the claim of a socket, from its
cookie. The session of a socket is read again with each call.

Sockets do not use the session middleware of Channels. It reads the session once and then inspects every
outgoing message; with hundreds of spectators that is a quarter of the work.
"""

from typing import Any, cast

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest, parse_cookie

from games.errors import UnknownCredentials
from games.rights import observers
from games.rights.claims import Session, SessionClaim
from games.rights.sessions import SessionStore, hash_session_key
from games.rights.tokens import is_guest


def read_session_key(scope: dict[str, Any]) -> str | None:
    """Return the session key in the cookie of an ASGI scope; None if there is none."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        if name == b"cookie":
            found.update(parse_cookie(value.decode("latin-1")))
    return found.get(settings.SESSION_COOKIE_NAME)


def refuse_authorization(header: str) -> None:
    """Raise UnknownCredentials if the Authorization header is not empty, because only session cookies
    authenticate.
    """
    if header.strip():
        raise UnknownCredentials("the Authorization header is not accepted; sign in and send the cookie")


def read_authorization(scope: dict[str, Any]) -> str:
    """Return the Authorization header of an ASGI scope; empty if there is none."""
    return " ".join(value.decode("latin-1") for name, value in scope["headers"] if name == b"authorization")


def load_claim(key: str | None) -> SessionClaim:
    """Return the claim of the session with this key, read now; an anonymous claim without a key."""
    if key is None:
        return SessionClaim()
    request = HttpRequest()
    request.session = SessionStore(key)
    request.user = get_user(request)
    claim = claim_of_request(request)
    return (
        claim if claim.session else SessionClaim(session=Session(key, hash_session_key(key), None))
    )  # the session is over


def claim_of_request(request: HttpRequest) -> SessionClaim:
    """Return the claim of this request, from the session as the middleware has read it."""
    session = cast(SessionStore, request.session)
    who = observers.build_principal(request.user, session)
    key = session.session_key
    if key is None:
        return SessionClaim()
    row = Session(key, hash_session_key(key), session.stored, "" if who.user is None else who.user.password)
    return SessionClaim(who, row, is_guest(session))
