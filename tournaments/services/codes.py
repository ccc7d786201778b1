"""The codes of a round's tables: whoever scans one sits down or writes, without an account."""

from datetime import timedelta
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine import variant
from games import tokens
from games.models import Game, TableToken
from tournaments.errors import TournamentError
from tournaments.models import Round
from tournaments.permissions import Actor, require
from tournaments.services import locks

VALID_FOR = timedelta(hours=18)


class Code(NamedTuple):
    """One code, readable only now: the database keeps its hash. `seat` None: for the whole table."""

    table: int
    role: str
    seat: int | None
    token: str


def issue(round_: Round, *, actor: Actor) -> list[Code]:
    """New codes for every table of an open round; those given out before end.

    Sheet tables get one a side, because the other side confirms; transcribed tables one for the scorer;
    dealt tables one for each seat a person plays, good for one phone. Raises TournamentError
    `codes/round_not_open`.
    """
    require(actor, "enter", round_.championship)
    with transaction.atomic():
        if locks.round_(round_.pk).status != Round.Status.OPEN:
            raise TournamentError(
                "codes/round_not_open",
                _("Round %(round)s is not open: its tables have no codes."),
                round=round_.number,
            )
        tables = round_.tables.select_related("game").prefetch_related("game__seats").order_by("number")
        games = {table.number: table.game for table in tables if table.game is not None}
        now = timezone.now()
        TableToken.objects.filter(game__in=games.values(), revoked_at=None).update(revoked_at=now)
        return [code for number, game in games.items() for code in _issue_for(number, game)]


def _issue_for(number: int, game: Game) -> list[Code]:
    expires_at = timezone.now() + VALID_FOR
    if game.mode == Game.Mode.DEALT:
        return [
            Code(
                number,
                "seat",
                seat.number,
                tokens.issue(game, "seat", seat.number, ref=seat.player_ref, expires_at=expires_at),
            )
            for seat in sorted(game.seats.all(), key=lambda seat: seat.number)
            if not seat.bot
        ]
    # The first seats belong to different sides in every layout.
    sides = variant(game.variant).parties.count(game.seat_count)
    signing = list(range(sides)) if game.mode == Game.Mode.SHEET else [None]
    return [
        Code(number, "scorer", seat, tokens.issue(game, "scorer", seat, uses=None, expires_at=expires_at))
        for seat in signing
    ]
