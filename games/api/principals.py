"""Who calls: a person's session, or one that a table token opened. Both carry rights in a cookie, so both are
protected against requests that other sites make."""

from typing import Final

from django.contrib.auth.models import AnonymousUser
from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request

from games.models import User
from games.rights import claims, identity
from games.rights.claims import Principal, SessionClaim

CHALLENGE: Final = 'Cookie realm="puur"'
"""WWW-Authenticate of a 401: what is accepted is the session's cookie."""


class SessionPrincipal(SessionAuthentication):
    """`request.auth` is the claim, None for nobody in particular."""

    def authenticate(self, request: Request) -> tuple[User | AnonymousUser, SessionClaim] | None:
        """Raises UnknownCredentials for an Authorization header: its sender expects to be somebody."""
        identity.refuse_authorization(request.headers.get("Authorization", ""))
        claimed = identity.claim_in(request._request)
        if claimed.principal == claims.NOBODY:
            return None
        self.enforce_csrf(request)
        return claimed.principal.user or AnonymousUser(), claimed


def claim(request: Request) -> SessionClaim:
    """Who sent this request, and the session that says so."""
    return request.auth if isinstance(request.auth, SessionClaim) else SessionClaim()


def principal(request: Request) -> Principal:
    """Who sent this request."""
    return claim(request).principal
