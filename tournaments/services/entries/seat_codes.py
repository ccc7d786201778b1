"""Seat codes of a round's tables. Scanning a code gives access to a seat, or to writing results, without an
account.

`games.rights.seats` decides which code or account holds a seat. A code ends after SEAT_SESSION_LIFETIME, or
when it is replaced. The round's stream records the officials who issued codes, and the times.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import NamedTuple

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine import get_variant
from games.appending import record
from games.models import Access, Game, TableToken
from games.models.accounts import Role
from games.rights import seats, tokens
from tournaments.errors import TournamentError
from tournaments.events import CodeRenewed, CodesIssued, SeatGivenBack
from tournaments.models import Round, Seating, Table
from tournaments.permissions import Actor
from tournaments.services import locks
from tournaments.services.seats import seat_changes, table_rights
from tournaments.services.seats.seat_changes import Way

SEAT_SESSION_LIFETIME = timedelta(hours=18)


class Code(NamedTuple):
    """One code in plain text, of which the database stores only the hash. `token`: its secret; `table`:
    number of the table; `seat`: as in `code_places`.
    """

    table: int
    role: str
    seat: int | None
    token: str


def code_places(game: Game) -> list[tuple[str, int | None]]:
    """List the coded places of a table as (role, seat). A place is identified by its index in this list.

    Sheet tables have one code per side (`seat` is the side), because the other side confirms; they have one
    per seat if one player plays against all others. Transcribed tables have one code for the scorer (`seat`
    None). Dealt tables have one code per seat; no codes are issued for seats that a bot plays.
    """
    if game.mode == Game.Mode.DEALT:
        return [("seat", seat) for seat in range(game.seat_count)]
    if game.mode == Game.Mode.TRANSCRIBED:
        return [("scorer", None)]
    sides = get_variant(game.variant).partnership.count(game.seat_count)
    if game.seat_count % sides:  # a single player against all others, and which one changes from deal to deal
        return [("scorer", seat) for seat in range(game.seat_count)]
    # The first seats belong to different sides in every layout.
    return [("scorer", side) for side in range(sides)]


def seats_of_place(game: Game, role: str, seat: int | None) -> list[int]:
    """List the seats of a place: one seat, or those of a side; empty for the scorer of a table."""
    if seat is None or role == Role.SEAT:
        return [] if seat is None else [seat]
    sides = len(code_places(game))
    return [chair for chair in range(game.seat_count) if chair % sides == seat]


def issue_codes(round_: Round, *, actor: Actor) -> list[Code]:
    """Issue new codes for every table of an open round; all older codes end. The code of a seat admits one
    phone.

    Tables are notified of each seat that had a code or an account. Raises TournamentError
    `codes/round_not_open`.
    """
    with locks.for_official(round_.championship, actor, "enter") as (_locked, ref):
        _lock_open_round(round_)
        tables = round_.tables.select_related("game").prefetch_related("game__seats").order_by("number")
        games = {table.number: table.game for table in tables if table.game is not None}
        streams = tuple(game.pk for game in games.values())
        known = _occupied_seats(streams)
        tokens.revoke_tokens(streams, Q())
        record(round_.stream_id, CodesIssued(tables=tuple(games), games=streams), actor=ref)
        codes = [
            _build_code(number, game, role, seat)
            for number, game in games.items()
            for role, seat in code_places(game)
            if not _is_bot_seat(game, role, seat)
        ]
        by_number = {table.number: table for table in tables}
        for code, row in codes:
            if row.seat is not None and (row.game_id, row.seat) in known:
                seat_changes.record_seat_change(
                    by_number[code.table], row.seat, Way.CODE, actor=actor, ref=ref
                )
        tokens.store([row for _code, row in codes])
    return [code for code, _row in codes]


def _occupied_seats(games: Collection[str]) -> set[tuple[str, int | None]]:
    """Return (game, seat) of the seats with an account or a code that is not revoked."""
    codes = TableToken.objects.filter(game__in=games, role=Role.SEAT, revoked_at=None)
    accounts = Access.objects.filter(game__in=games, role=Role.SEAT)
    return {*codes.values_list("game_id", "seat"), *accounts.values_list("game_id", "seat")}


def renew_code(table: Table, place: int, *, actor: Actor, over_account: bool = False) -> Code:
    """Replace the code of one place (its index in `code_places`). Other places are not affected.

    The old code ends, and the phones that it admitted lose access. `over_account`: let the new code take a
    seat away from an account. Raises TournamentError `codes/round_not_open`; `codes/empty_seat` if no person
    has the seat; `codes/seat_of_account` if an account has the seat, no code is valid, and `over_account` is
    not set.
    """
    with locks.for_official(table.round.championship, actor, "enter") as (_locked, ref):
        game = _lock_game(table)
        role, seat = _find_place(table, game, place)
        out = Q(role=role, seat=seat)
        if (
            not over_account
            and role == Role.SEAT
            and not tokens.select_valid_tokens([game.pk]).filter(out).exists()
        ):
            _refuse_over_account(table, game, place)
        tokens.revoke_tokens([game.pk], out)
        event = CodeRenewed(game=game.pk, table=table.number, role=role, seat=seat)
        record(table.round.stream_id, event, actor=ref)
        if role == Role.SEAT and seat is not None:
            seat_changes.record_seat_change(table, seat, Way.CODE, actor=actor, ref=ref)
        code, row = _build_code(table.number, game, role, seat)
        tokens.store([row])
    return code


def give_seat_back(table: Table, seat: int, *, actor: Actor) -> Seating:
    """Give the seat back to the account of the entry that was drawn to it; end every code of the seat. Return
    the seating.

    Raises TournamentError `codes/round_not_open`, `codes/empty_seat`; `codes/no_account` if the entry has no
    account; `codes/has_the_seat` if the account still has the seat.
    """
    with locks.for_official(table.round.championship, actor, "enter") as (_locked, ref):
        game = _lock_game(table)
        if _is_bot_seat(game, Role.SEAT, seat):
            raise _empty_seat_error(table)
        seating = table.seatings.select_related("entry__user").filter(seat=seat).first()
        if seating is None:
            raise _empty_seat_error(table)
        entry = seating.entry
        if entry.user is None or not entry.user.is_active:
            raise TournamentError(
                "codes/no_account",
                _("%(name)s has no account here: a new code gives the seat back."),
                name=entry.name,
            )
        if Access.objects.filter(game=game, user=entry.user, role=Role.SEAT, seat=seat).exists():
            raise TournamentError("codes/has_the_seat", _("%(name)s has this seat."), name=entry.name)
        table_rights.grant_seats({game.pk: seat}, entry)
        event = SeatGivenBack(game=game.pk, table=table.number, seat=seat, player=entry.player_ref)
        record(table.round.stream_id, event, actor=ref)
        seat_changes.record_seat_change(table, seat, Way.BACK, actor=actor, ref=ref, to=entry.user)
    return seating


def _lock_open_round(round_: Round) -> None:
    """Lock the round and check that it is open."""
    if locks.lock_round(round_.pk).status != Round.Status.OPEN:
        raise TournamentError(
            "codes/round_not_open",
            _("Tables have codes only while they are open."),
            round=round_.number,
        )


def _lock_game(table: Table) -> Game:
    """Lock the game of a table of an open round, so that no event is stored in it meanwhile."""
    _lock_open_round(table.round)
    if table.game is None:
        raise _empty_seat_error(table)
    seats.lock_games([table.game.pk])
    return table.game


def _find_place(table: Table, game: Game, place: int) -> tuple[str, int | None]:
    places = code_places(game)
    if not 0 <= place < len(places) or _is_bot_seat(game, *places[place]):
        raise _empty_seat_error(table)
    return places[place]


def _empty_seat_error(table: Table) -> TournamentError:
    sentence = _("This seat at table %(table)s has nobody who could use a code.")
    return TournamentError("codes/empty_seat", sentence, table=table.number)


def _refuse_over_account(table: Table, game: Game, seat: int) -> None:
    if Access.objects.filter(game=game, role=Role.SEAT, seat=seat).exists():
        raise TournamentError(
            "codes/seat_of_account",
            _("%(name)s plays with an account, and this seat has no valid code."),
            name=table.seatings.get(seat=seat).entry.name,
        )


def _is_bot_seat(game: Game, role: str, seat: int | None) -> bool:
    return role == Role.SEAT and any(one.bot for one in game.seats.all() if one.number == seat)


def _build_code(number: int, game: Game, role: str, seat: int | None) -> tuple[Code, TableToken]:
    """Build a code and its unsaved row. The code of a seat admits one phone, the code of a scorer many."""
    expires_at = timezone.now() + SEAT_SESSION_LIFETIME
    ref, uses = None, None
    if role == Role.SEAT:
        ref, uses = next(one.player_ref for one in game.seats.all() if one.number == seat), 1
    token, row = tokens.create_token(game, role, seat, uses=uses, ref=ref, expires_at=expires_at)
    return Code(number, role, seat, token), row
