"""How late the tables of a round are shown to everybody but those who play, write, rule or direct there.

The regulations say it for every round, the director for one, at any time: most often for a final that is
watched in the hall. When the round closes everything is shown, and its ranking published.
"""

from typing import Final

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext_lazy as _

from games.appending import record
from games.models import Game
from games.projections import delayed_projection
from tournaments.errors import TournamentError
from tournaments.events import RoundDelayed
from tournaments.models import Round
from tournaments.permissions import Actor, require
from tournaments.regulations import Regulations
from tournaments.services import locks
from tournaments.services.current_regulations import regulations_of

OFFERED: Final = (0, 1, 2, 5, 10, 15)
"""Minutes that a page offers."""
MOST: Final = 60


def minutes_of(round_: Round, regulations: Regulations) -> int:
    """How late the tables of a round are shown, as long as it is not closed. Of an open round its games say
    so, since one that is opened again is shown in time whatever was planned. A query where it was late."""
    planned = regulations.delay_minutes if round_.delay_minutes is None else round_.delay_minutes
    if not planned or round_.status != Round.Status.OPEN:
        return planned
    most: int | None = _games_of(round_).aggregate(most=Max("delay_minutes"))["most"]
    return most or 0


def set_minutes(round_: Round, minutes: int, *, actor: Actor) -> Round:
    """From now on its tables are shown so late; 0: what was held back is shown at once. What has been seen
    stays: a longer delay stands still until it is reached. Raises TournamentError `delays/…`.
    """
    ref = require(actor, "open", round_.championship)
    if not 0 <= minutes <= MOST:
        raise TournamentError(
            "delays/minutes", _("Tables are shown up to %(most)s minutes late."), most=MOST, minutes=minutes
        )
    with transaction.atomic():
        locks.in_office(round_.championship, actor, "open")
        locked = locks.round_(round_.pk)
        if locked.status == Round.Status.CLOSED:
            raise TournamentError(
                "delays/round_closed",
                _("Round %(round)s is closed: everything is shown."),
                round=locked.number,
            )
        known = minutes_of(locked, regulations_of(round_.championship))
        locked.delay_minutes = minutes
        locked.save(update_fields=["delay_minutes"])
        if minutes != known:
            delayed_projection.delay(_games_of(locked), minutes)
            record(locked.stream_id, RoundDelayed(minutes=minutes), actor=ref)
    round_.refresh_from_db()
    return round_


def show_everything(round_: Round) -> None:
    """Everything is shown from now on: the round closes, or its draw is undone. One query where nothing is
    late."""
    delayed_projection.delay(_games_of(round_).filter(delay_minutes__gt=0), 0)


def _games_of(round_: Round) -> QuerySet[Game]:
    return Game.objects.filter(tournament_table__round=round_).order_by("pk")
