"""Who sends a command, and whether it is his to send. It is asked when it counts: his session, himself, his
code and his roles at the table, in one statement, after the game is held (`games.play.submit`).

What a session says is read once; from then on its stored text and the password must be the same.
"""

from typing import Any, Final

import msgspec
from django.utils import timezone

from engine import Command, Refused
from engine.commands import NAMES
from games import store
from games.errors import Forbidden
from games.models import Game
from games.models.people import Role
from games.rights.access import NOBODY, Granted, Principal, Who, roles

SERVER_ONLY: Final = frozenset({"start", "resume"})
SHEET_COMMANDS: Final = frozenset({"enter_result", "correct_result", "confirm_result"})

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
    """Somebody, and the session that says so; None: he brought none, and is nobody in particular. `guest`:
    by the code of his own table against bots."""

    principal: Principal = NOBODY
    session: Session | None = None
    guest: bool = False

    def question(self, game_id: str) -> store.Question:
        """What of it still holds, and his roles at this table."""
        now, who = store.stored_moment(timezone.now()), self.principal
        key = None if self.session is None else self.session.row
        user = None if who.user is None else who.user.pk
        token = None if who.token is None else who.token.pk
        return QUESTION, [key, now, user, token, now, game_id]

    def ref(self, rows: store.Rows, game: Game, command: Command) -> str:
        """His reference, from the answer. Raises Outdated, and Forbidden where it is not his to send."""
        return authorised(game.mode, self.roles(rows, game.id), command)

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


def authorise(game: Game, who: Who, command: Command) -> str:
    """The reference under which the log records this principal as the sender of this command.

    Raises Forbidden (`access/…`) where it is not his to send.
    """
    return authorised(game.mode, roles(game, who), command)


def authorised(mode: str, granted: list[Granted], command: Command) -> str:
    """The same, for roles that are known."""
    name = NAMES[type(command)]
    if not granted:
        raise Forbidden("you have no part in this game", code="access/no_role")
    if name == "rule":
        return _officer(granted, Role.REFEREE)
    if name == "close":
        return _officer(granted, Role.DIRECTOR)
    by_office = name in SHEET_COMMANDS and getattr(command, "reason", None) is not None
    if name in SERVER_ONLY or by_office or (name == "deal" and mode == Game.Mode.DEALT):
        raise Forbidden(f"{name} is not sent by people", code="access/server_only", command=name)
    if mode != Game.Mode.DEALT:
        scorer = _first(granted, Role.SCORER)
        if scorer is not None and _writes_for(scorer, name, command):
            return scorer.ref
    if name in ("deal", "take_back"):
        raise Forbidden("the scorer writes down the deal", code="access/not_the_scorer", command=name)
    seat = getattr(command, "seat", None)
    if name in SHEET_COMMANDS and seat is None:
        raise Forbidden("only the desk writes without a seat", code="access/not_the_desk", command=name)
    for role in granted:
        if role.role == Role.SEAT and role.seat == seat:
            return role.ref
    if any(role.role == Role.SEAT for role in granted):
        raise Forbidden("this is not your seat", code="access/not_your_seat", seat=seat)
    if name in SHEET_COMMANDS and _first(granted, Role.SCORER) is not None:
        raise Forbidden(
            "who has an office signs for nobody at the table", code="access/signs_for_nobody", seat=seat
        )
    raise Forbidden(f"{name} is not yours to send", code="access/wrong_role", command=name)


def _writes_for(scorer: Granted, name: str, command: Command) -> bool:
    """On a sheet each side signs: a scorer who is given a seat signs for it alone, one of the whole table for
    any of them. Who has an office sits nowhere: he writes as the desk, and signs for nobody."""
    if name not in SHEET_COMMANDS:
        return True
    seat = getattr(command, "seat", None)
    if scorer.seat is not None:
        return bool(seat == scorer.seat)
    return (seat is not None) == scorer.by_code


def _officer(granted: list[Granted], role: Role) -> str:
    found = _first(granted, role)
    if found is None:
        raise Forbidden(f"only a {role} may do that", code="access/wrong_role", role=str(role))
    if role == Role.REFEREE and any(other.role == Role.SEAT for other in granted):
        raise Forbidden("nobody rules on his own game", code="access/own_table")
    return found.ref


def _first(granted: list[Granted], wanted: Role) -> Granted | None:
    return next((role for role in granted if role.role == wanted), None)
