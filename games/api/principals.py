"""Authentication of API requests: a session of a person, or a session opened by a table token.

Both carry rights in a cookie, so both have CSRF protection.
"""

from typing import Final

from django.contrib.auth.models import AnonymousUser
from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request

from games.models import User
from games.rights import claims, identity
from games.rights.claims import Principal, SessionClaim

CHALLENGE: Final = 'Cookie realm="puur"'
"""WWW-Authenticate header of a 401 response: it says that the API accepts the session's cookie."""


class SessionPrincipal(SessionAuthentication):
    """Authentication by session; `request.auth` is the claim, None for an anonymous request."""

    def authenticate(self, request: Request) -> tuple[User | AnonymousUser, SessionClaim] | None:
        """Return (user, claim) of the session, after a CSRF check; None for an anonymous request. Raises
        UnknownCredentials for an Authorization header, since the sender expects it to authenticate the
        request.
        """
        identity.refuse_authorization(request.headers.get("Authorization", ""))
        claimed = identity.claim_of_request(request._request)
        if claimed.principal == claims.ANONYMOUS:
            return None
        self.enforce_csrf(request)
        return claimed.principal.user or AnonymousUser(), claimed


def claim(request: Request) -> SessionClaim:
    """Return the claim of this request: its principal, and the session that authenticates the principal."""
    return request.auth if isinstance(request.auth, SessionClaim) else SessionClaim()


def principal(request: Request) -> Principal:
    """Return the principal of this request."""
    return claim(request).principal
