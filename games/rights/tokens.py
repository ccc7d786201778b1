"""Table tokens: 128 random bits on a slip or poster that open one table. Exchanged once for a session's
key; only the hash of a token is stored, and a token taken back closes the sessions it has opened.
"""

import hashlib
import secrets
from collections.abc import Collection
from datetime import datetime

from django.contrib.auth import SESSION_KEY as SIGNED_IN
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from games.errors import Forbidden
from games.models import Game, TableToken
from games.models.people import Role
from games.rights import seats

SESSION_KEY = "table_token"
GUEST_KEY = "guest_code"
"""Session key under which a guest keeps the token of their table against bots."""
SIGNS = 32
"""Of a token, in hex."""
_BAD = "this code is not valid, or no longer"


def drawn(
    game: Game,
    role: str,
    seat: int | None = None,
    *,
    uses: int | None = 1,
    expires_at: datetime | None = None,
    ref: str | None = None,
) -> tuple[str, TableToken]:
    """A new token, 32 hex characters, to be shown once, in the fragment of an address; and its row, which is
    not stored yet (`store`). `uses` None: a poster.
    """
    token = secrets.token_hex(SIGNS // 2)
    row = TableToken(
        digest=token_digest(token), game=game, role=role, seat=seat, uses_left=uses, expires_at=expires_at
    )
    if ref is not None:
        row.ref = ref
    return token, row


def store(rows: Collection[TableToken]) -> None:
    """Store what was `drawn`, all at once."""
    TableToken.objects.bulk_create(rows, 500)


def redeem(token: str, session: SessionBase) -> TableToken:
    """Open the table in this session, which gets a fresh key; whoever had the seat until now has it no more.
    Raises Forbidden `access/bad_token`; `access/has_looked` where whoever is signed in has opened the hidden
    cards of the deal that is played.
    """
    valid = _valid().filter(digest=token_digest(token)).filter(Q(uses_left=None) | Q(uses_left__gt=0))
    found = valid.select_related("game").first()
    if found is None:  # who tries codes writes nothing, and waits for nobody who does
        raise Forbidden(_BAD, code="access/bad_token")
    with transaction.atomic():
        # First the game, as wherever a seat changes hands: what its holder has sent is stored before, or not.
        seats.hold_seats([found.game_id])
        # One statement takes a use away, so that two who present it at once do not both get in.
        if not valid.update(uses_left=F("uses_left") - 1):
            raise Forbidden(_BAD, code="access/bad_token")
        row = TableToken.objects.select_related("game").get(digest=token_digest(token))
        account = None if SIGNED_IN not in session else int(session[SIGNED_IN])
        if account is not None and row.role == Role.SEAT and seats.has_looked(row.game, account):
            raise Forbidden("you have opened the hidden cards of this deal", code="access/has_looked")
        seats.give_to_phone(row, account)
    session.cycle_key()
    session[SESSION_KEY] = row.pk
    return row


def admit(
    game: Game, role: str, seat: int | None, ref: str, session: SessionBase, *, expires_at: datetime
) -> TableToken:
    """A token that nobody has seen and none can present, for this session alone, which has it from now on."""
    _token, row = drawn(game, role, seat, uses=0, ref=ref, expires_at=expires_at)
    row.save()
    session[SESSION_KEY] = row.pk
    return row


def revoke(row: TableToken) -> None:
    """Take a token back, and with it every session it has opened."""
    end([row.game_id], Q(pk=row.pk))


def end(games: Collection[str], which: Q) -> None:
    """Take back what tokens of these games there are among `which`. What their sessions have sent and is not
    stored yet is refused, and their sockets are let go at once.
    """
    with transaction.atomic():
        seats.hold_seats(games)
        TableToken.objects.filter(which, game__in=games, revoked_at=None).update(revoked_at=timezone.now())
        seats.tell_of_seats(games)


def valid_at(games: Collection[str]) -> QuerySet[TableToken]:
    """The tokens of these games that open a table, or keep one open that they have opened."""
    return _valid().filter(game__in=games)


def of_session(session: SessionBase) -> TableToken | None:
    """The token a session was opened with, while it is valid."""
    key = session.get(SESSION_KEY)
    return None if key is None else _valid().filter(pk=key).first()


def is_guest(session: SessionBase) -> bool:
    """Whether the code of this session is one that anybody has at one press. Asks nothing."""
    code = session.get(GUEST_KEY)
    return code is not None and code == session.get(SESSION_KEY)


def _valid() -> QuerySet[TableToken]:
    now = timezone.now()
    return TableToken.objects.filter(revoked_at=None).filter(Q(expires_at=None) | Q(expires_at__gt=now))


def token_digest(token: str) -> str:
    """How a token is found in the database."""
    return hashlib.sha256(token.encode()).hexdigest()
