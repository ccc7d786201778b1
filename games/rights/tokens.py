"""Table tokens: 128 random bits on a slip or poster that open one table. A session that redeems a token gets
its role at the table, and loses it when the token is revoked or expires. Only hashes of tokens are stored.
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
from games.models.accounts import Role
from games.rights import seats

SESSION_KEY = "table_token"
GUEST_KEY = "guest_code"
"""Key in a guest's session, for the primary key of the token of their guest table."""
TOKEN_LENGTH = 32
"""Length of a token in hex digits."""
INVALID_CODE_DETAIL = "this code is not valid, or no longer"


def create_token(
    game: Game,
    role: str,
    seat: int | None = None,
    *,
    uses: int | None = 1,
    expires_at: datetime | None = None,
    ref: str | None = None,
) -> tuple[str, TableToken]:
    """Return a new token of 32 hex characters, and its row, which `store` saves. The token is shown once, in
    the fragment of a URL. `uses`: the number of exchanges; None for a poster, without limit.
    """
    token = secrets.token_hex(TOKEN_LENGTH // 2)
    row = TableToken(
        digest=hash_token(token), game=game, role=role, seat=seat, uses_left=uses, expires_at=expires_at
    )
    if ref is not None:
        row.ref = ref
    return token, row


def store(rows: Collection[TableToken]) -> None:
    """Store the rows of new tokens in a few statements."""
    TableToken.objects.bulk_create(rows, 500)


def redeem(token: str, session: SessionBase) -> TableToken:
    """Take a use of the token and open its table in the session, which gets a new key. Return the token's
    row. If it is for a seat, an account other than the session's loses the seat.

    Raises Forbidden: `access/bad_token` if the token is not valid; `access/has_looked` if the account that is
    signed in has opened the hidden cards of the deal in play.
    """
    valid = _valid_tokens().filter(digest=hash_token(token)).filter(Q(uses_left=None) | Q(uses_left__gt=0))
    found = valid.select_related("game").first()
    if found is None:  # a wrong code writes nothing, and waits for no lock
        raise Forbidden(INVALID_CODE_DETAIL, code="access/bad_token")
    with transaction.atomic():
        # Lock the game first, as wherever a seat changes hands: commands of its holder are stored before, or
        # not.
        seats.lock_games([found.game_id])
        # One statement takes a use away, so that of two concurrent scans only one succeeds.
        if not valid.update(uses_left=F("uses_left") - 1):
            raise Forbidden(INVALID_CODE_DETAIL, code="access/bad_token")
        row = TableToken.objects.select_related("game").get(digest=hash_token(token))
        account = None if SIGNED_IN not in session else int(session[SIGNED_IN])
        if account is not None and row.role == Role.SEAT and seats.has_looked(row.game, account):
            raise Forbidden("you have opened the hidden cards of this deal", code="access/has_looked")
        seats.claim_with_code(row, account)
    session.cycle_key()
    session[SESSION_KEY] = row.pk
    return row


def admit(
    game: Game, role: str, seat: int | None, ref: str, session: SessionBase, *, expires_at: datetime
) -> TableToken:
    """Create a token that is valid only in this session: nobody sees it, and no other session can use it.
    Returns its row.
    """
    _token, row = create_token(game, role, seat, uses=0, ref=ref, expires_at=expires_at)
    row.save()
    session[SESSION_KEY] = row.pk
    return row


def revoke(row: TableToken) -> None:
    """Revoke a token. Sessions that hold it lose its role at the table, but are not ended (see
    `revoke_tokens`).
    """
    revoke_tokens([row.game_id], Q(pk=row.pk))


def revoke_tokens(games: Collection[str], which: Q) -> None:
    """Revoke the tokens of these games that match `which`. Commands that are not stored yet and need such a
    token are refused. Sockets that lose their view with it are disconnected at once.
    """
    with transaction.atomic():
        seats.lock_games(games)
        TableToken.objects.filter(which, game__in=games, revoked_at=None).update(revoked_at=timezone.now())
        seats.announce_seat_changes(games)


def select_valid_tokens(games: Collection[str]) -> QuerySet[TableToken]:
    """Return the valid tokens of these games, also used-up ones, because sessions may hold these."""
    return _valid_tokens().filter(game__in=games)


def of_session(session: SessionBase) -> TableToken | None:
    """Return the table token that the session holds, if it is still valid; else None."""
    key = session.get(SESSION_KEY)
    return None if key is None else _valid_tokens().filter(pk=key).first()


def is_guest(session: SessionBase) -> bool:
    """Return whether the session's table token is that of a guest table. No query."""
    code = session.get(GUEST_KEY)
    return code is not None and code == session.get(SESSION_KEY)


def _valid_tokens() -> QuerySet[TableToken]:
    now = timezone.now()
    return TableToken.objects.filter(revoked_at=None).filter(Q(expires_at=None) | Q(expires_at__gt=now))


def hash_token(token: str) -> str:
    """Return the hash under which a token is stored."""
    return hashlib.sha256(token.encode()).hexdigest()
