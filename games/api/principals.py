"""Who calls: a person's session, or one that a table token opened. Both carry rights in a cookie, so both are
protected against requests that other sites make."""

from django.contrib.auth.models import AnonymousUser
from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request

from games import access
from games.access import Principal
from games.models import User


class SessionPrincipal(SessionAuthentication):
    """`request.auth` is the principal, None for nobody in particular."""

    def authenticate(self, request: Request) -> tuple[User | AnonymousUser, Principal] | None:
        principal = access.principal_of(request._request.user, request._request.session)
        if principal == access.NOBODY:
            return None
        self.enforce_csrf(request)
        return principal.user or AnonymousUser(), principal


def principal(request: Request) -> Principal:
    """Who sent this request."""
    return request.auth if isinstance(request.auth, Principal) else access.NOBODY
