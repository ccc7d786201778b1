"""Sessions whose rows do not open them. A row stores a hash of the key that is in the cookie, so that a copy
of the database gives no access to a running table.
"""

import hashlib
from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.base_session import AbstractBaseSession
from django.contrib.sessions.models import Session
from django.utils import timezone


def hash_session_key(key: str) -> str:
    """Return the row key of the session with this key. No salt is needed, since a session key has 165 random
    bits.
    """
    return hashlib.sha256(key.encode()).hexdigest()[:40]


class SessionStore(db.SessionStore):
    """Django's session store with hashed row keys. `stored`: the encoded session as its row had it; None
    without a row.
    """

    stored: str | None = None

    def _get_session_from_db(self) -> Session | None:
        key = self.session_key
        now = timezone.now()
        found = (
            None
            if key is None
            else Session.objects.filter(pk=hash_session_key(key), expire_date__gt=now).first()
        )
        if found is None:
            self._session_key = None
        self.stored = None if found is None else found.session_data
        return found

    def exists(self, session_key: str) -> bool:
        return super().exists(hash_session_key(session_key))

    def create_model_instance(self, data: dict[str, Any]) -> AbstractBaseSession:
        made = super().create_model_instance(data)
        made.session_key = hash_session_key(made.session_key)
        return made

    def delete(self, session_key: str | None = None) -> None:
        key = session_key or self.session_key
        if key is not None:
            super().delete(hash_session_key(key))

    # The async methods refuse on purpose, as Django's own would store the plain key. Nothing calls them: no
    # view is async, middleware runs in the thread of its request (deploy.asgi_handler), and a socket looks
    # for the row itself (games.rights.identity).
    async def aload(self, *_: Any) -> Any:
        raise NotImplementedError("sessions are read by threads")

    aexists = acreate_model_instance = adelete = aload  # type: ignore[assignment]  # one refusal stands for methods of other signatures
