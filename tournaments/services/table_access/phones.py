"""Phones admitted by table codes: their session, and the side that they write for.

Attempts with wrong codes are limited (`tournaments.services.table_access.code_attempts`).
"""

from typing import Final, NamedTuple

from django.contrib.auth import SESSION_KEY as SIGNED_IN
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games import store
from games.messaging.rate_limit import Budget
from games.models import Game, TableToken
from games.rights import seats, tokens
from tournaments.errors import TournamentError
from tournaments.models import Championship, Seating, Table, TableCode, TablePhone
from tournaments.services.entries.seat_codes import SEAT_SESSION_LIFETIME, code_places, seats_of_place
from tournaments.services.table_access.code_attempts import check_code, make_unknown_code_error
from tournaments.services.table_access.table_codes import find_open_table, takes_codes

SESSION_KEY: Final = "table_phone"
AT_TABLE: Final = Budget("table-phones", most=60, seconds=3600)
"""Phones that one code admits within an hour."""


class SideOfTable(NamedTuple):
    """A side that a phone can write for. `place`: its index; `people`: empty if the phone writes for the
    whole table.
    """

    place: int
    seat: int | None
    people: tuple[Seating, ...]


def admit_phone(typed: str, session: SessionBase, network: str, of: Championship | None = None) -> TablePhone:
    """Admit this browser to the table of the typed or scanned code.

    It stays admitted until it enters another code, or the code becomes invalid. `network`: the network of the
    request; `of`: the championship of the page. Raises TournamentError `codes/no_such_sign`, `codes/unknown`,
    `codes/too_many_tries`, `codes/too_many_phones`.
    """
    known = phone_of_session(session)
    row = check_code(typed, network, known, of)
    if known is not None and known.code_id == row.pk:
        return known
    if seconds := AT_TABLE.spend(row.pk):
        sentence = _(
            "Too many phones have opened this table. The desk gives it a new code. (%(minutes)s min)"
        )
        raise TournamentError("codes/too_many_phones", sentence, minutes=-(-seconds // 60))
    user = session.get(SIGNED_IN)
    phone = TablePhone.objects.create(code=row, user_id=None if user is None else int(user))
    session.cycle_key()
    session[SESSION_KEY] = phone.pk
    return phone


def normalise_code(typed: str) -> str:
    """Return a typed code in its normal form: capitals, without blanks, hyphens and dots."""
    return "".join(typed.split()).replace("-", "").replace(".", "").upper()


def phone_of_session(session: SessionBase) -> TablePhone | None:
    """Return the phone of this session while its code is valid, otherwise None."""
    key = session.get(SESSION_KEY)
    if key is None:
        return None
    found = TablePhone.objects.filter(pk=key, code__ended_at=None)
    return found.select_related("code__championship").first()


def sides_for_phones(table: Table) -> list[SideOfTable]:
    """List the sides that a phone can write for: each side of a sheet, or the whole table. Empty without a
    game.
    """
    if table.game is None:
        return []
    people = list(table.seatings.select_related("entry").order_by("seat"))
    return [
        SideOfTable(
            place, seat, tuple(one for one in people if one.seat in seats_of_place(table.game, role, seat))
        )
        for place, (role, seat) in enumerate(code_places(table.game))
    ]


def writing_token(phone: TablePhone, game: Game) -> TableToken | None:
    """Return the token of the side that this phone writes for at the table of the game, None if it writes for
    none.
    """
    return tokens.select_valid_tokens([game.pk]).filter(ref=phone.ref).first()


def write_for(phone: TablePhone, place: int, session: SessionBase) -> Table:
    """Let this phone write for a side of its table, in this session, and return the table. `place`: index of
    the side.

    Once it has written, it cannot change to the other side and sign for it, also after its token has ended.
    Raises TournamentError `codes/unknown`, `codes/round_not_open`, `codes/dealt_table`, `codes/no_side`,
    `codes/side_written`.
    """
    with transaction.atomic():
        # Locked before the seats, in the order in which renewing a code locks them.
        code = TableCode.objects.select_for_update(no_key=True).get(pk=phone.code_id)
        if code.ended_at is not None:
            raise make_unknown_code_error()
        table = find_open_table(code)
        if table is None or table.game is None:
            sentence = _("Nothing is open at table %(table)s.")
            raise TournamentError("codes/round_not_open", sentence, table=code.number)
        if not takes_codes(table):
            sentence = _("Table %(table)s plays online: each seat has its own code.")
            raise TournamentError("codes/dealt_table", sentence, table=code.number)
        places = code_places(table.game)
        if not 0 <= place < len(places):
            raise TournamentError("codes/no_side", _("There is no such side at this table."))
        role, seat = places[place]
        seats.lock_games([table.game.pk])
        before = writing_token(phone, table.game)
        if before is not None and before.seat == seat:
            session[tokens.SESSION_KEY] = before.pk
            return table
        last = TableToken.objects.filter(game=table.game, ref=phone.ref).order_by("pk").last()
        if last is not None and last.seat != seat:
            _require_not_written(phone, table.game)
        if before is not None:
            tokens.revoke(before)
        expires_at = timezone.now() + SEAT_SESSION_LIFETIME
        tokens.admit(table.game, role, seat, phone.ref, session, expires_at=expires_at)
    return table


def _require_not_written(phone: TablePhone, game: Game) -> None:
    if any(event.actor == phone.ref for event in store.read(game.pk, parts=False)):
        sentence = _("This phone has already written for one side. The other side uses its own phone.")
        raise TournamentError("codes/side_written", sentence)
