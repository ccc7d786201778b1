"""Who sends a command, asked again when it counts: his session, himself, his code and his roles at the table,
in one statement, after the game is held (`games.play.submit`).

What a session says is read once; from then on its stored text and the password must be the same.
"""

from typing import Any

import msgspec
from django.utils import timezone

from engine import Refused
from games import store
from games.rights.access import NOBODY, Granted, Principal

QUESTION = """
SELECT s.session_data, u.is_active, u.password, t.game_id, t.role, t.seat, t.ref,
    a.id, a.role, a.seat, a.tier, a.ref, a.opened_deal
FROM (SELECT 1 AS one) AS anybody
LEFT JOIN django_session s ON s.session_key = %s AND s.expire_date > %s
LEFT JOIN games_user u ON u.id = %s
LEFT JOIN games_tabletoken t ON t.id = %s AND t.revoked_at IS NULL
    AND (t.expires_at IS NULL OR t.expires_at > %s)
LEFT JOIN games_access a ON a.user_id = u.id AND a.game_id = %s
ORDER BY a.id"""


class Outdated(Refused):
    """The session says something else than it did: read it again."""

    code = "access/session_changed"


class Session(msgspec.Struct, frozen=True):
    """A session as it was read: its key, its row, its stored text (None: it is over), the password it goes
    with."""

    key: str
    row: str
    data: str | None
    password: str = ""


class SessionClaim(msgspec.Struct, frozen=True):
    """Somebody, and the session that says so; None: he brought none, and is nobody in particular."""

    principal: Principal = NOBODY
    session: Session | None = None

    def question(self, game_id: str) -> store.Question:
        """What of it still holds, and his roles at this table."""
        now, who = store.stored_moment(timezone.now()), self.principal
        key = None if self.session is None else self.session.row
        user = None if who.user is None else who.user.pk
        token = None if who.token is None else who.token.pk
        return QUESTION, [key, now, user, token, now, game_id]

    def roles(self, rows: store.Rows, game_id: str) -> list[Granted]:
        """His roles, from the answer. Raises Outdated."""
        data, active, password, *of_token = rows[0][:7]
        if self.session is not None:
            same = data == self.session.data
            if self.principal.user is not None:
                same = same and bool(active) and password == self.session.password
            if not same:
                raise Outdated("the session has changed")
        return _of_token(of_token, game_id) + [
            Granted(role, seat, tier, ref, opened)
            for number, role, seat, tier, ref, opened in (row[7:] for row in rows)
            if number is not None and active
        ]


def _of_token(found: list[Any], game_id: str) -> list[Granted]:
    game, role, seat, ref = found
    return [Granted(role, seat, "", ref, by_code=True)] if game == game_id else []
