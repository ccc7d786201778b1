"""Confirmation by silence: a result is confirmed if there is no objection within the configured minutes.

Writing another result or calling the referee is an objection. A table with an open dispute is not silent.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from engine import IllegalCommand
from engine.commands import ConfirmResult
from engine.scoring.ruling_effects import is_final_result
from games import game_state
from games.appending import SERVER
from games.models import Game
from games.play.submit import submit
from games.projections import delayed_broadcast
from tournaments.dispute_states import WAITING
from tournaments.models import Round, Table
from tournaments.services import locks
from tournaments.services.current_regulations import load_regulations


def confirm_silent_results() -> int:
    """Confirm the results that are due at the tables of all open rounds; return the number of results."""
    confirmed = 0
    open_rounds = Round.objects.filter(
        status=Round.Status.OPEN, championship__regulations__data__confirmation="silence"
    )
    for round_ in open_rounds.select_related("championship").distinct():
        regulations = load_regulations(round_.championship)
        if regulations.confirmation != "silence":
            continue
        before = timezone.now() - timedelta(minutes=regulations.silence_minutes)
        silent = Table.objects.filter(
            round=round_,
            game__mode=Game.Mode.SHEET,
            game__last_event_at__lte=before,
        ).exclude(disputes__status__in=WAITING)
        running = Q(game__status=Game.Status.RUNNING, game__results__confirmed=False)
        written = silent.filter(running | Q(game__ahead_seq__isnull=False))
        for table in written.select_related("game").distinct():
            if table.game is not None and _is_silent(delayed_broadcast.current_game(table.game), before):
                confirmed += _confirm(round_, table.game.pk, before)
    return confirmed


def _is_silent(game: Game, before: datetime) -> bool:
    """Return whether nothing was written at the game since `before`. Delayed events count too."""
    is_on = game.status == Game.Status.RUNNING
    return is_on and game.last_event_at is not None and game.last_event_at <= before


def _confirm(round_: Round, game: str, before: datetime) -> int:
    """Confirm the present results of one table, unless a dispute has come in the meantime.

    Return the number of results confirmed.
    """
    with transaction.atomic():
        locked_round = locks.lock_round(round_.pk)
        table = Table.objects.filter(round=locked_round, game=game)
        if locked_round.status != Round.Status.OPEN or table.filter(disputes__status__in=WAITING).exists():
            return 0
        if not _is_silent(delayed_broadcast.current_game(Game.objects.get(pk=game)), before):
            return 0
        fold = game_state.load_snapshot(game)
        confirmed = 0
        for deal, result in enumerate(fold.state.results, 1):
            if is_final_result(fold.state, deal):
                continue
            command = ConfirmResult(deal=deal, by="silence")
            try:
                submit(game, command, actor=SERVER, command_id=f"silence:{result.seq}")
            except IllegalCommand:  # confirmed by another request meanwhile
                continue
            confirmed += 1
        return confirmed
