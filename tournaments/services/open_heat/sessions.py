"""Sessions: rounds of an open heat with a place and a time of their own. They open without tables, and may
overlap.
"""

from datetime import datetime
from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.appending import record
from games.randomness import round_seed
from games.timers import deadlines
from tournaments.competition import Competition
from tournaments.errors import TournamentError
from tournaments.events import RoundOpened, SeatsDrawn
from tournaments.models import Round
from tournaments.names import clean
from tournaments.pairing import systems
from tournaments.permissions import Actor
from tournaments.regulations import Regulations
from tournaments.services import locks
from tournaments.services.championships.regulations_change import freeze_regulations
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw.draw_undoing import undo_draw
from tournaments.services.draw.drawing import derive_draw_seed
from tournaments.services.open_heat_queue import release_queue
from tournaments.typed_dates import wrong_moment

_KIND_OPEN = "round_open"


def open_session(round_: Round, *, actor: Actor) -> Round:
    """Open a planned session without tables. Opening the first session freezes the regulations.

    Raises TournamentError `sessions/none`, `sessions/already_open`, `sessions/out_of_order`.
    """
    with locks.for_official(round_.championship, actor, "open") as (_locked, ref):
        locked_round = locks.lock_round(round_.pk)
        regulations = load_regulations(locked_round.championship)
        if not regulations.has_queue:
            raise TournamentError("sessions/none", _("This championship has rounds, not sessions."))
        if locked_round.status != Round.Status.PLANNED:
            raise TournamentError(
                "sessions/already_open",
                _("Session %(round)s has already been opened."),
                round=locked_round.number,
            )
        earlier = Round.objects.filter(
            championship=locked_round.championship_id,
            number__lt=locked_round.number,
            status=Round.Status.PLANNED,
        ).order_by("number")
        if (before := earlier.first()) is not None:
            raise TournamentError(
                "sessions/out_of_order", _("Open session %(round)s first."), round=before.number
            )
        freeze_regulations(locked_round.championship, ref=ref)
        round_seed.renew_seed(locked_round.stream_id, actor=ref)
        draw = locked_round.draws + 1
        drawn = SeatsDrawn(
            draw=draw,
            seed=derive_draw_seed(locked_round.stream_id, draw).hex(),
            algorithm=systems.algorithm_of(regulations.pairing_system),
            players=(),
            problem=encode_document(describe_session(regulations)),
            tables=(),
            sit_out=(),
            cost={},
        )
        Round.objects.filter(pk=locked_round.pk).update(
            status=Round.Status.OPEN, draws=draw, drawn_cost={}, opened_at=timezone.now()
        )
        opened = RoundOpened(games=(), modes=())
        record(locked_round.stream_id, drawn, opened, actor=ref)
        deadlines.disarm(_KIND_OPEN, locked_round.stream_id)
    round_.refresh_from_db()
    return round_


def set_venue(round_: Round, *, actor: Actor, place: str, starts_at: datetime | None) -> Round:
    """Set the place and time of a session that are shown to people. Nothing opens at that time.

    Raises TournamentError `names/…`, `rounds/times`.
    """
    place = clean(place, longest=80, field="place")
    if starts_at is not None and (wrong := wrong_moment(starts_at)):
        raise TournamentError("rounds/times", wrong[1])
    with locks.locked_for(round_.championship, actor, "open"):
        round_.place, round_.starts_at = place, starts_at
        round_.save(update_fields=["place", "starts_at"])
    return round_


def undo_opening(round_: Round, *, actor: Actor) -> Round:
    """Undo the opening of a session without tables, and empty its queue.

    Raises TournamentError `sessions/has_tables`, `draw/nothing_to_undo`, `draw/later_drawn`.
    """
    with transaction.atomic():
        undo_draw(round_, actor=actor)
        release_queue(round_)
    return round_


def describe_session(regulations: Regulations, **more: Any) -> Competition:
    """Return the document of a draw from the queue. `more`: further fields, such as its entrants and seed."""
    chosen = {} if regulations.pairing is msgspec.UNSET else regulations.pairing.options
    return Competition(
        system=regulations.pairing_system,
        size=regulations.play.seats,
        partners=regulations.play.format != "solo",
        **{"options": chosen, **more},
    )


def encode_document(competition: Competition) -> dict[str, Any]:
    """Encode the document of a draw as JSON, without the seed, which is stored separately."""
    document: dict[str, Any] = msgspec.to_builtins(competition)
    del document["seed"]
    return document
