"""The codes of a round's tables: whoever scans one sits down or writes, without an account.

Whose the seat is from then on: `games.rights.seats`. A code ends by another one in its place; who made that
one, or new ones for all, and when, stands in the stream of the round.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine import get_variant
from games.appending import record
from games.models import Access, Game, TableToken
from games.models.people import Role
from games.rights import seats, tokens
from tournaments.errors import TournamentError
from tournaments.events import CodeRenewed, CodesIssued, SeatGivenBack
from tournaments.models import Round, Seating, Table
from tournaments.permissions import Actor, require
from tournaments.services import access, locks, seat_changes
from tournaments.services.seat_changes import Way

VALID_FOR = timedelta(hours=18)


class Code(NamedTuple):
    """One code, readable only now: the database keeps its hash. `seat` None: for the whole table."""

    table: int
    role: str
    seat: int | None
    token: str


def places_of(game: Game) -> list[tuple[str, int | None]]:
    """What there are codes for at a table, as role and seat; a code's place is its place in this list.

    Sheet tables have one a side, because the other side confirms, and one a seat where an auction decides who
    plays against whom; transcribed tables one for the scorer; dealt tables one for each seat, and none for
    those a computer plays.
    """
    if game.mode == Game.Mode.DEALT:
        return [("seat", seat) for seat in range(game.seat_count)]
    if game.mode == Game.Mode.TRANSCRIBED:
        return [("scorer", None)]
    sides = get_variant(game.variant).parties.count(game.seat_count)
    if game.seat_count % sides:  # one plays against all others, and who that is changes from game to game
        return [("scorer", seat) for seat in range(game.seat_count)]
    # The first seats belong to different sides in every layout.
    return [("scorer", side) for side in range(sides)]


def chairs_of(game: Game, role: str, seat: int | None) -> list[int]:
    """Who sits or writes at such a place: one, a side, or nobody in particular (a scorer)."""
    if seat is None or role == Role.SEAT:
        return [] if seat is None else [seat]
    sides = len(places_of(game))
    return [chair for chair in range(game.seat_count) if chair % sides == seat]


def issue(round_: Round, *, actor: Actor) -> list[Code]:
    """New codes for every table of an open round; those given out before end. A seat's code is good for one
    phone. Where a code was out for a seat, or an account has it, the table is told. Raises TournamentError
    `codes/round_not_open`.
    """
    ref = require(actor, "enter", round_.championship)
    with transaction.atomic():
        locks.require_official(round_.championship, actor, "enter")
        _held(round_)
        tables = round_.tables.select_related("game").prefetch_related("game__seats").order_by("number")
        games = {table.number: table.game for table in tables if table.game is not None}
        streams = tuple(game.pk for game in games.values())
        known = _known_seats(streams)
        tokens.end(streams, Q())
        record(round_.stream_id, CodesIssued(tables=tuple(games), games=streams), actor=ref)
        made = [
            _drawn(number, game, role, seat)
            for number, game in games.items()
            for role, seat in places_of(game)
            if not _played_by_a_computer(game, role, seat)
        ]
        by_number = {table.number: table for table in tables}
        for code, row in made:
            if row.seat is not None and (row.game_id, row.seat) in known:
                seat_changes.note(by_number[code.table], row.seat, Way.CODE, actor=actor, ref=ref)
        tokens.store([row for _code, row in made])
    return [code for code, _row in made]


def _known_seats(games: Collection[str]) -> set[tuple[str, int | None]]:
    """The seats, by game, that a code which is out opens, or that an account has."""
    codes = TableToken.objects.filter(game__in=games, role=Role.SEAT, revoked_at=None)
    accounts = Access.objects.filter(game__in=games, role=Role.SEAT)
    return {*codes.values_list("game_id", "seat"), *accounts.values_list("game_id", "seat")}


def renew(table: Table, place: int, *, actor: Actor, over_account: bool = False) -> Code:
    """A new code for one place of a table: the one before ends, with the phones it let in; all others go on.

    Raises TournamentError `codes/round_not_open`; `codes/empty_seat` where no person sits;
    `codes/seat_of_account` where an account has the seat and no code is out, unless `over_account` says that
    whoever scans may take it over.
    """
    ref = require(actor, "enter", table.round.championship)
    with transaction.atomic():
        locks.require_official(table.round.championship, actor, "enter")
        game = _game_of(table)
        role, seat = _place(table, game, place)
        out = Q(role=role, seat=seat)
        if not over_account and role == Role.SEAT and not tokens.valid_at([game.pk]).filter(out).exists():
            _refuse_over_account(table, game, place)
        tokens.end([game.pk], out)
        event = CodeRenewed(game=game.pk, table=table.number, role=role, seat=seat)
        record(table.round.stream_id, event, actor=ref)
        if role == Role.SEAT and seat is not None:
            seat_changes.note(table, seat, Way.CODE, actor=actor, ref=ref)
        code, row = _drawn(table.number, game, role, seat)
        tokens.store([row])
    return code


def give_back(table: Table, seat: int, *, actor: Actor) -> Seating:
    """The seat is again his who was drawn to it: his account's. Every code of the seat ends.

    Raises TournamentError `codes/round_not_open`, `codes/empty_seat`; `codes/no_account` where a new code is
    what brings him back; `codes/has_the_seat` where nobody took it from him.
    """
    ref = require(actor, "enter", table.round.championship)
    with transaction.atomic():
        locks.require_official(table.round.championship, actor, "enter")
        game = _game_of(table)
        if _played_by_a_computer(game, Role.SEAT, seat):
            raise _empty(table)
        seating = table.seatings.select_related("entry__user").filter(seat=seat).first()
        if seating is None:
            raise _empty(table)
        entry = seating.entry
        if entry.user is None or not entry.user.is_active:
            raise TournamentError(
                "codes/no_account",
                _("%(name)s has no account here: a new code gives the seat back."),
                name=entry.name,
            )
        if Access.objects.filter(game=game, user=entry.user, role=Role.SEAT, seat=seat).exists():
            raise TournamentError("codes/has_the_seat", _("%(name)s has this seat."), name=entry.name)
        access.give_seats({game.pk: seat}, entry)
        event = SeatGivenBack(game=game.pk, table=table.number, seat=seat, player=entry.player_ref)
        record(table.round.stream_id, event, actor=ref)
        seat_changes.note(table, seat, Way.BACK, actor=actor, ref=ref, to=entry.user)
    return seating


def _held(round_: Round) -> None:
    """Hold the round and see that it is open."""
    if locks.round_(round_.pk).status != Round.Status.OPEN:
        raise TournamentError(
            "codes/round_not_open",
            _("Round %(round)s is not open: its tables have no codes."),
            round=round_.number,
        )


def _game_of(table: Table) -> Game:
    """The game of a table of an open round, held: nothing is stored in it meanwhile."""
    _held(table.round)
    if table.game is None:
        raise _empty(table)
    seats.hold_seats([table.game.pk])
    return table.game


def _place(table: Table, game: Game, place: int) -> tuple[str, int | None]:
    places = places_of(game)
    if place >= len(places) or _played_by_a_computer(game, *places[place]):
        raise _empty(table)
    return places[place]


def _empty(table: Table) -> TournamentError:
    sentence = _("Nobody sits there at table %(table)s who could use a code.")
    return TournamentError("codes/empty_seat", sentence, table=table.number)


def _refuse_over_account(table: Table, game: Game, seat: int) -> None:
    if Access.objects.filter(game=game, role=Role.SEAT, seat=seat).exists():
        raise TournamentError(
            "codes/seat_of_account",
            _("%(name)s plays with an account, and no code of this seat is out."),
            name=table.seatings.get(seat=seat).entry.name,
        )


def _played_by_a_computer(game: Game, role: str, seat: int | None) -> bool:
    return role == Role.SEAT and any(one.bot for one in game.seats.all() if one.number == seat)


def _drawn(number: int, game: Game, role: str, seat: int | None) -> tuple[Code, TableToken]:
    """A code and its row, which is not stored yet. A seat's is good for one phone, a scorer's for many."""
    expires_at = timezone.now() + VALID_FOR
    ref, uses = None, None
    if role == Role.SEAT:
        ref, uses = next(one.player_ref for one in game.seats.all() if one.number == seat), 1
    token, row = tokens.new_token(game, role, seat, uses=uses, ref=ref, expires_at=expires_at)
    return Code(number, role, seat, token), row
