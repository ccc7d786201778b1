"""Claims: the sender of a request, the sender's roles at a table, and the commands that these roles may send.

Roles come from one SQL statement (`queries.load_claims`): session, account, code and roles are read at one
moment. A command reads them after its game is locked (`games.play.submit`), so that a revoked right counts at
once. Sockets read them with each heartbeat and before each secret (`games.live.admission`).
"""

from collections.abc import Sequence
from typing import Final

import msgspec
from django.contrib.auth.models import AnonymousUser

from engine import Command, Refused
from engine.commands import NAMES
from games import store
from games.errors import Forbidden
from games.models import Game, TableToken, User
from games.models.accounts import Role

SERVER_ONLY: Final = frozenset({"start", "resume"})
SHEET_COMMANDS: Final = frozenset({"enter_result", "correct_result", "confirm_result"})


class Outdated(Refused):
    """The session has changed since it was read; it has to be read again."""

    code = "access/session_changed"


class Principal(msgspec.Struct, frozen=True):
    """The sender of a request: a person, the holder of a table token, both, or neither for an anonymous
    sender.
    """

    user: User | None = None
    token: TableToken | None = None


ANONYMOUS: Final = Principal()
Who = Principal | User | AnonymousUser | TableToken


class Granted(msgspec.Struct, frozen=True):
    """One role at one table. `tier`: of a spectator, else "". `ref`: the reference under which the log
    records the holder. `opened_deal`: the deal whose hidden cards the holder has opened.
    """

    role: str
    seat: int | None
    tier: str
    ref: str
    opened_deal: int | None = None
    by_code: bool = False
    """Whether the role comes from a code of the table, and not from an account."""


class Session(msgspec.Struct, frozen=True):
    """A session as it was read. `key`: the key in the cookie. `row`: the key of its row. `data`: its stored
    text, None if the session is over. `password`: the password hash of its account at that time.
    """

    key: str
    row: str
    data: str | None
    password: str = ""


class SessionClaim(msgspec.Struct, frozen=True):
    """A principal, and the session that authenticates the principal; None without a session. `guest`: the
    session was opened for a guest table.
    """

    principal: Principal = ANONYMOUS
    session: Session | None = None
    guest: bool = False

    def key(self, game_id: str) -> store.ClaimKey:
        """Return the ids by which the roles of this claim at a game are queried."""
        user, token = self.principal.user, self.principal.token
        return store.ClaimKey(
            None if self.session is None else self.session.row,
            None if user is None else user.pk,
            None if token is None else token.pk,
            game_id,
        )

    def is_current(self, row: store.ClaimRow) -> bool:
        """Return whether the session's data and its account's password are unchanged since they were read,
        and the account is active. A claim without a session is current.
        """
        if self.session is None:
            return True
        if row.session_data != self.session.data:
            return False
        return self.principal.user is None or (bool(row.is_active) and row.password == self.session.password)

    def roles(self, rows: Sequence[store.ClaimRow]) -> list[Granted]:
        """Convert the rows of this claim to roles. Raises Outdated if the session has changed since it was
        read.
        """
        if not self.is_current(rows[0]):
            raise Outdated("the session has changed")
        return _roles_in(rows)


def load_roles(claims: Sequence[tuple[SessionClaim, str]]) -> list[list[Granted] | None]:
    """Return the roles of each (claim, game id); None if the claim's session has changed since it was read.
    One statement for all on PostgreSQL, none if every claim is anonymous.
    """
    keys = [claim.key(game) for claim, game in claims]
    asked = [key for key in dict.fromkeys(keys) if any((key.session, key.user, key.token))]
    found = dict(zip(asked, store.load_claims(asked), strict=True))
    return [
        [] if (rows := found.get(key)) is None else _roles_in(rows) if claim.is_current(rows[0]) else None
        for (claim, _), key in zip(claims, keys, strict=True)
    ]


def _roles_in(rows: Sequence[store.ClaimRow]) -> list[Granted]:
    """Return the roles that the rows grant: a role by a table code first, then roles of the account."""
    first = rows[0]
    granted = []
    if first.code_role is not None and first.code_ref is not None:
        granted.append(Granted(first.code_role, first.code_seat, "", first.code_ref, by_code=True))
    granted += [
        Granted(row.role, row.seat, row.tier or "", row.ref, row.opened_deal)
        for row in rows
        if row.role is not None and row.ref is not None
    ]
    return granted


def roles(game: Game, who: Who) -> list[Granted]:
    """Return all roles of a principal at a table. One statement, none for an anonymous principal."""
    [granted] = load_roles([(SessionClaim(to_principal(who)), game.pk)])
    return granted or []


def to_principal(who: Who) -> Principal:
    """Return the principal for a person or a table token; a principal is returned unchanged."""
    if isinstance(who, Principal):
        return who
    if isinstance(who, TableToken):
        return Principal(token=who)
    return Principal(user=who) if isinstance(who, User) else ANONYMOUS


def authorise(game: Game, who: Who, command: Command) -> str:
    """Return the reference under which the log records this principal as the sender of this command.

    Raises Forbidden (`access/…`) if they may not send it.
    """
    return require_permission(game.mode, roles(game, who), command)


def require_permission(mode: str, granted: list[Granted], command: Command) -> str:
    """Return the reference under which the log records a sender with the roles `granted`, in a game of this
    mode. Raises Forbidden (`access/…`) if they may not send the command.
    """
    name = NAMES[type(command)]
    if not granted:
        raise Forbidden("you have no part in this game", code="access/no_role")
    if name == "rule":
        return _require_office(granted, Role.REFEREE)
    if name == "close":
        return _require_office(granted, Role.DIRECTOR)
    by_office = name in SHEET_COMMANDS and getattr(command, "reason", None) is not None
    if name in SERVER_ONLY or by_office or (name == "deal" and mode == Game.Mode.DEALT):
        raise Forbidden(f"{name} is not sent by people", code="access/server_only", command=name)
    if mode != Game.Mode.DEALT:
        scorer = _find_role(granted, Role.SCORER)
        if scorer is not None and _may_write(scorer, name, command):
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
    if name in SHEET_COMMANDS and _find_role(granted, Role.SCORER) is not None:
        raise Forbidden(
            "who has an office signs for nobody at the table", code="access/signs_for_nobody", seat=seat
        )
    raise Forbidden(f"{name} is not yours to send", code="access/wrong_role", command=name)


def _may_write(scorer: Granted, name: str, command: Command) -> bool:
    """Return whether a scorer may send this command. On a sheet each side signs: a scorer with a seat signs
    for that seat only, a scorer with the code of the whole table signs for any seat. Officials have no seat:
    they write as the desk and sign for no side.
    """
    if name not in SHEET_COMMANDS:
        return True
    seat = getattr(command, "seat", None)
    if scorer.seat is not None:
        return bool(seat == scorer.seat)
    return (seat is not None) == scorer.by_code


def _require_office(granted: list[Granted], role: Role) -> str:
    granted_role = _find_role(granted, role)
    if granted_role is None:
        raise Forbidden(f"only a {role} may do that", code="access/wrong_role", role=str(role))
    if role == Role.REFEREE and any(other.role == Role.SEAT for other in granted):
        raise Forbidden("nobody rules on their own game", code="access/own_table")
    return granted_role.ref


def _find_role(granted: list[Granted], wanted: Role) -> Granted | None:
    return next((role for role in granted if role.role == wanted), None)
