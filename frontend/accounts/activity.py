"""When and where accounts are used: the list of a person's sessions, and the end of idle sessions."""

import time
from collections.abc import Callable
from typing import Any, Final

from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import SESSION_KEY, logout
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from frontend.accounts.setting_up import lacks_second_factor
from games.messaging import rate_limit
from games.models import User
from games.rights.sessions import hash_session_key
from tournaments.accounts import signed_in

SEEN: Final = "seen"
"""Session key of the row that lists the session, and of the time of its last update. Requests do not update
the row as long as this time is recent.
"""
FRESH_SECONDS: Final = 300


class SessionActivity:
    """Middleware that lists the sessions of accounts. It signs out officials who were idle for longer than
    `settings.IDLE_SECONDS`, or lack a demanded second factor.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SESSION_COOKIE_NAME in request.COOKIES and SESSION_KEY in request.session:
            row, at = request.session.get(SEEN) or ("", 0.0)
            idle = time.time() - at
            if row != hash_session_key(request.session.session_key or "") or idle > FRESH_SECONDS:
                self._update_session(request, idle if at else 0.0)
        return self._get_response(request)

    def _update_session(self, request: HttpRequest, idle: float) -> None:
        user = request.user
        if not isinstance(user, User):
            return
        if idle > settings.IDLE_SECONDS and signed_in.is_official(user):
            logout(request)
            messages.info(request, _("You were signed out because this browser was idle for a long time."))
        elif lacks_second_factor(user):  # the sign-in asks for it
            logout(request)
        else:
            record_request_session(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Redirect to the page that asks for the password again, or to the sign-in if nobody is signed in.
        Return None if `error` is not ReauthenticationRequired.
        """
        if not isinstance(error, ReauthenticationRequired):
            return None
        if not request.user.is_authenticated:
            return redirect("sign_in")
        response = redirect("account_reauthenticate")
        response["Location"] += f"?next={request.path}"
        return response


def record_request_session(request: HttpRequest) -> None:
    """Add this request's session to the list of its account, or update its row; nothing if signed out."""
    user, key = getattr(request, "user", None), request.session.session_key
    if key is None or not isinstance(user, User):
        return
    signed_in.record_session(
        user.pk,
        key,
        address=str(request.META.get("REMOTE_ADDR", ""))[:45] or rate_limit.UNKNOWN_NETWORK,
        browser=str(request.META.get("HTTP_USER_AGENT", "")),
    )
    request.session[SEEN] = [hash_session_key(key), time.time()]


def record_sign_in(request: HttpRequest, user: User, **_more: Any) -> None:
    """List a session as soon as a person signs in with it."""
    request.user = user
    record_request_session(request)


def register_signal() -> None:
    user_logged_in.connect(record_sign_in, dispatch_uid="frontend.accounts.note_sign_in")
