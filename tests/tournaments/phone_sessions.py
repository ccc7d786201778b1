"""A phone in the hall: it scans a code, and has the identity of that code from then on."""

import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import AnonymousUser

from games.errors import Forbidden
from games.models import User
from games.rights import observers, tokens
from games.rights.claims import Principal
from games.rights.sessions import SessionStore


class Phone:
    """A browser, optionally with a signed-in user."""

    def __init__(self, user: User | None = None) -> None:
        self.user = user
        self.session = SessionStore()
        if user is not None:
            self.session[SESSION_KEY] = str(user.pk)
        self.session.create()

    def scan(self, token: str) -> "Phone":
        tokens.redeem(token, self.session)
        return self

    @property
    def who(self) -> Principal:
        return observers.build_principal(self.user or AnonymousUser(), self.session)

    def refused(self, token: str) -> str:
        with pytest.raises(Forbidden) as refusal:
            self.scan(token)
        return refusal.value.code
