"""Phones admitted by table codes: identity, side they write for, rate limits of wrong codes.

A wrong code costs the network one attempt, or the table that admitted the phone. A network beyond its limit
is throttled, not blocked: it gets a few more per minute in total. If wrong codes come from everywhere,
networks that have admitted a phone are exempt, and networks with few failures keep some attempts. Codes typed
on a championship's page count for that championship only. Admitted phones, and scanned codes, are not
affected (ADR 6).
"""

import hmac
from typing import Final, NamedTuple

from django.contrib.auth import SESSION_KEY as SIGNED_IN
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games import store
from games.messaging.rate_limit import Budget, wider_of
from games.models import Game, TableToken
from games.rights import seats, tokens
from tournaments.errors import TournamentError
from tournaments.models import Championship, Seating, Table, TableCode, TablePhone
from tournaments.services.entries.seat_codes import VALID_FOR, code_places, seats_of_place
from tournaments.services.table_access.table_codes import (
    SCANNED,
    SIGNS,
    TYPED,
    code_digest,
    derive_code,
    find_open_table,
    takes_codes,
)

SESSION_KEY: Final = "table_phone"
ANY: Final = ""
"""No championship in particular."""
EVERY: Final = "every"
"""All championships together."""
WRONG_OF_NETWORK: Final = Budget("table-codes-network", most=120, seconds=600)
"""Enough for a hall of 400 people with some typing errors."""
WRONG_OF_SITE: Final = Budget("table-codes-site", most=240, seconds=600)
"""Of the 65,536 networks that one IPv6 connection may have."""
WRONG_OF_TABLE: Final = Budget("table-codes-table", most=40, seconds=600)
"""For all phones together that a table's code has admitted."""
SUSPECTED: Final = Budget("table-codes-suspected", most=6, seconds=60)
"""Attempts of a throttled network, correct ones included."""
SUSPECTED_SITE: Final = Budget("table-codes-suspected-site", most=12, seconds=60)
WRONG_EVERYWHERE: Final = Budget("table-codes-everywhere", most=1000, seconds=600)
SUSPECTED_EVERYWHERE: Final = Budget("table-codes-suspected-everywhere", most=60, seconds=60)
"""Limits for an attacker with many networks; by championship if known."""
FIRST_OF_SITE: Final = Budget("table-codes-first", most=5, seconds=600)
"""Attempts of a network while there are too many failures everywhere."""
FIRST_OF_PROVIDER: Final = Budget("table-codes-provider", most=60, seconds=60)
"""The same for a whole IPv6 provider, whose customer can use any number of networks."""
HALLS: Final = Budget("table-codes-halls", most=1, seconds=6 * 3600)
"""Networks that have admitted a phone; exempt from the limit for all."""
TOLD_OF: Final = Budget("table-codes-told", most=150, seconds=600)
"""Wrong codes before officials are notified, by championship if known."""
AT_TABLE: Final = Budget("table-phones", most=60, seconds=3600)
"""Phones admitted by one code within an hour."""


class SideOfTable(NamedTuple):
    """A side that a phone can write for; `place` counts from 0. No people: for the whole table."""

    place: int
    seat: int | None
    people: tuple[Seating, ...]


def admit_phone(typed: str, session: SessionBase, network: str, of: Championship | None = None) -> TablePhone:
    """Admit this browser to the table of the typed or scanned code, until it enters another or the code ends.

    `network`: of the request; `of`: championship of the page. Raises TournamentError `codes/no_such_sign`,
    `codes/unknown`, `codes/too_many_tries`, `codes/too_many_phones`.
    """
    known = phone_of_session(session)
    row = (
        _check_scanned_code(typed, network)
        if len(typed) == SCANNED
        else _check_typed_code(typed, network, known, of)
    )
    HALLS.spend(network)
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
    """Normalise a typed code."""
    return "".join(typed.split()).replace("-", "").replace(".", "").upper()


def phone_of_session(session: SessionBase) -> TablePhone | None:
    """Return the phone of this session while its code is valid."""
    key = session.get(SESSION_KEY)
    if key is None:
        return None
    found = TablePhone.objects.filter(pk=key, code__ended_at=None)
    return found.select_related("code__championship").first()


def sides_for_phones(table: Table) -> list[SideOfTable]:
    """List the sides that a phone can write for: each side of a sheet, or the whole table."""
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
    """Return the token of the side that this phone writes for at a table."""
    return tokens.valid_at([game.pk]).filter(ref=phone.ref).first()


def write_for(phone: TablePhone, place: int, session: SessionBase) -> Table:
    """Let this phone write for a side of its table, in this session. It may not sign for the other side
    later.

    Raises TournamentError `codes/unknown`, `codes/round_not_open`, `codes/dealt_table`, `codes/no_side`,
    `codes/side_written`.
    """
    with transaction.atomic():
        # Locked first, as where codes end.
        code = TableCode.objects.select_for_update(no_key=True).get(pk=phone.code_id)
        if code.ended_at is not None:
            raise unknown_code_error()
        table = find_open_table(code)
        if table is None or table.game is None:
            sentence = _("No round is open at table %(table)s.")
            raise TournamentError("codes/round_not_open", sentence, table=code.number)
        if not takes_codes(table):
            sentence = _("Table %(table)s plays online: each seat has a code of its own.")
            raise TournamentError("codes/dealt_table", sentence, table=code.number)
        places = code_places(table.game)
        if not 0 <= place < len(places):
            raise TournamentError("codes/no_side", _("There is no such side at this table."))
        role, seat = places[place]
        seats.hold_seats([table.game.pk])
        before = writing_token(phone, table.game)
        if before is not None and before.seat == seat:
            session[tokens.SESSION_KEY] = before.pk
            return table
        if before is not None:
            _require_not_written(phone, table.game)
            tokens.revoke(before)
        expires_at = timezone.now() + VALID_FOR
        tokens.admit(table.game, role, seat, phone.ref, session, expires_at=expires_at)
    return table


def are_codes_guessed(championship: Championship | None = None) -> bool:
    """Return whether there are more wrong codes than typing errors explain: in this championship or in none
    in particular; None: in any."""
    told = (EVERY,) if championship is None else (championship.pk, ANY)
    return any(TOLD_OF.wait(where) for where in told)


def too_many_error(seconds: int) -> TournamentError:
    sentence = _(
        "Too many wrong codes came from here. Scan the card on the table, or try again in %(seconds)s s."
    )
    return TournamentError("codes/too_many_tries", sentence, seconds=seconds)


def unknown_code_error() -> TournamentError:
    return TournamentError(
        "codes/unknown",
        _("No table has this code. Compare it sign by sign with the card on the table, or ask the desk."),
    )


def _require_not_written(phone: TablePhone, game: Game) -> None:
    if any(event.actor == phone.ref for event in store.read(game.pk, parts=False)):
        sentence = _("This phone has written for one side already. The other side uses a phone of its own.")
        raise TournamentError("codes/side_written", sentence)


def _check_typed_code(
    typed: str, network: str, known: TablePhone | None, of: Championship | None
) -> TableCode:
    if len(typed) != TYPED or any(sign not in SIGNS for sign in typed):
        # A malformed code cannot be right, so it does not count as an attempt.
        sentence = _("A table's code has six signs. There is no 0 O, 1 I L, 2 Z, 5 S, 8 B and no U in it.")
        raise TournamentError("codes/no_such_sign", sentence)
    where: object = ANY if of is None else of.pk
    counted = _charge_attempt(network, known, where)
    found = _find_code(typed)
    if known is None and of is not None and (found is None or found.championship_id != of.pk):
        counted += _charge_everywhere(network, ANY)  # it is also compared with all other codes
    if found is None:
        _count_wrong_code(where)
        raise unknown_code_error()
    for budget, who in counted:
        budget.spend(who, count=-1)
    return found


def _charge_attempt(network: str, known: TablePhone | None, where: object) -> list[tuple[Budget, object]]:
    """Charge the attempt, to be refunded if the code is right. Raises TournamentError `codes/too_many_tries`.

    Charging before the lookup gives concurrent requests no extra attempts.
    """
    if known is not None:
        _refuse_if_limited(WRONG_OF_TABLE.spend(known.code_id), known.code.championship_id)
        return [(WRONG_OF_TABLE, known.code_id)]
    site = wider_of(network, 48)
    counted: list[tuple[Budget, object]] = [(WRONG_OF_NETWORK, network)]
    if WRONG_OF_NETWORK.spend(network):
        _refuse_if_limited(SUSPECTED.spend(network), where)
    if site != network:
        counted.append((WRONG_OF_SITE, site))
        if WRONG_OF_SITE.spend(site):
            _refuse_if_limited(SUSPECTED_SITE.spend(site), where)
    return counted + _charge_everywhere(network, where)


def _charge_everywhere(network: str, where: object) -> list[tuple[Budget, object]]:
    """Charge the attempt to the limits of all networks, of one championship or of any."""
    site, provider = wider_of(network, 48), wider_of(network, 32)
    counted: list[tuple[Budget, object]] = [(WRONG_EVERYWHERE, where)]
    if WRONG_EVERYWHERE.spend(where) and not HALLS.wait(network):
        counted.append((FIRST_OF_SITE, site))
        crowd = provider != network and bool(FIRST_OF_PROVIDER.spend(provider))
        if FIRST_OF_SITE.spend(site) or crowd:
            _refuse_if_limited(SUSPECTED_EVERYWHERE.spend(where), where)
    return counted


def _count_wrong_code(where: object) -> None:
    TOLD_OF.spend(where)
    TOLD_OF.spend(EVERY)


def _refuse_if_limited(seconds: int, where: object) -> None:
    if seconds:
        _count_wrong_code(where)
        raise too_many_error(seconds)


def _check_scanned_code(typed: str, network: str) -> TableCode:
    """127 bits cannot be guessed, so scanned codes are exempt from limits caused by others."""
    found = _find_code(typed[:TYPED])
    if found is None or not hmac.compare_digest(derive_code(found).encode(), typed.encode()):
        WRONG_OF_NETWORK.spend(network)
        _count_wrong_code(ANY)
        raise unknown_code_error()
    return found


def _find_code(code: str) -> TableCode | None:
    found = TableCode.objects.filter(digest=code_digest(code), ended_at=None)
    return found.exclude(championship__status="finished").select_related("championship").first()
