"""Delay with which viewers see the tables of a round, unless they play, score, referee or direct there.

The regulations set the delay of all rounds. The director can change it for a round that is not closed,
usually for a final that is watched in the hall. When a round is closed, all its events are shown and its
ranking is published.
"""

from typing import Final

from django.db.models import Max, QuerySet
from django.utils.translation import gettext_lazy as _

from games.appending import record
from games.models import Game
from games.projections import delayed_projection
from games.projections.same_cards import LEAST_MINUTES
from tournaments.errors import TournamentError
from tournaments.events import RoundDelayed
from tournaments.models import Round
from tournaments.permissions import Actor, require
from tournaments.regulations import Regulations
from tournaments.services import locks
from tournaments.services.current_regulations import load_regulations, round_or_session

OFFERED: Final = (0, 1, 2, 5, 10, 15)
"""Delays that a page offers, in minutes."""
MAX_DELAY_MINUTES: Final = 60


def compute_effective_delay(round_: Round, regulations: Regulations) -> int:
    """Return the delay of a round in minutes: the planned delay or, if it is not 0 and the round is open, the
    longest delay of its games.

    The games of a reopened round are shown without delay. At most one query for an open round. The round must
    not be closed.
    """
    planned = regulations.delay_minutes if round_.delay_minutes is None else round_.delay_minutes
    planned = max(planned, compute_least_delay(regulations))
    if not planned or round_.status != Round.Status.OPEN:
        return planned
    most: int | None = _games(round_).aggregate(most=Max("delay_minutes"))["most"]
    return most or 0


def compute_least_delay(regulations: Regulations) -> int:
    """Return the shortest delay that a director may set, in minutes."""
    return LEAST_MINUTES if regulations.plays_same_cards else 0


def set_delay(round_: Round, minutes: int, *, actor: Actor) -> Round:
    """Set the delay of a round in minutes. If it is 0, all delayed events are shown at once.

    Events that were shown stay visible. After a longer delay is set, each further event is shown when it is
    older than the new delay. Raises TournamentError `delays/…`.
    """
    ref = require(actor, "open", round_.championship)
    if not 0 <= minutes <= MAX_DELAY_MINUTES:
        raise TournamentError(
            "delays/minutes",
            _("Tables can be shown with a delay of up to %(most)s minutes."),
            most=MAX_DELAY_MINUTES,
            minutes=minutes,
        )
    with locks.locked_for(round_.championship, actor, "open") as championship:
        regulations = load_regulations(championship)
        if minutes < compute_least_delay(regulations):
            raise TournamentError(
                "delays/same_cards",
                _("All tables play the same cards: each deal is shown when the last table has played it."),
            )
        locked = locks.lock_round(round_.pk)
        if locked.status == Round.Status.CLOSED:
            raise TournamentError(
                "delays/round_closed",
                round_or_session(
                    round_.championship,
                    _("Round %(round)s is closed: everything is shown."),
                    _("Session %(round)s is closed: everything is shown."),
                ),
                round=locked.number,
            )
        known = compute_effective_delay(locked, regulations)
        locked.delay_minutes = minutes
        locked.save(update_fields=["delay_minutes"])
        if minutes != known:
            delayed_projection.delay(_games(locked), minutes)
            record(locked.stream_id, RoundDelayed(minutes=minutes), actor=ref)
    round_.refresh_from_db()
    return round_


def end_delay(round_: Round) -> None:
    """End the delay of a round that closes or whose draw is undone. One query if no table is delayed."""
    delayed_projection.delay(_games(round_).filter(delay_minutes__gt=0), 0)


def _games(round_: Round) -> QuerySet[Game]:
    return Game.objects.filter(tournament_table__round=round_).order_by("pk")
