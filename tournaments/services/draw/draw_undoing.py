"""Undoing the draw of a round, and the reasons against it."""

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.appending import record
from games.models import Game
from games.play.submit import submit
from games.projections import delayed_broadcast
from games.randomness import round_seed
from tournaments.errors import TournamentError
from tournaments.events import DrawUndone
from tournaments.models import Dispute, OpenedHands, Round, Seating, Table
from tournaments.permissions import Actor
from tournaments.services import broadcast_delay, locks
from tournaments.services.current_regulations import load_regulations


def undo_draw(round_: Round, *, actor: Actor, reason: str = "") -> Round:
    """Undo the draw of a round. An open round can be undone until its first result.

    If cards were dealt, `reason` is needed, the seed is revealed, and a new seed is committed to.
    Raises TournamentError `draw/results_exist`, `draw/hands_seen` if an official has looked at a hand,
    `draw/reason_missing`, `draw/disputes_exist` if a deal is disputed, `draw/later_drawn`,
    `draw/nothing_to_undo`, `sessions/has_tables`.
    """
    with locks.for_official(round_.championship, actor, "draw") as (_locked, ref):
        locked = locks.lock_round(round_.pk)
        if locked.status not in (Round.Status.DRAWN, Round.Status.OPEN):
            sentence = _("Round %(round)s is not drawn.")
            raise TournamentError("draw/nothing_to_undo", sentence, round=locked.number)
        _require_last_drawn(locked)
        if load_regulations(locked.championship).has_queue and locked.tables.exists():
            raise TournamentError(
                "sessions/has_tables",
                _("Session %(round)s has tables: undo them one by one, the last one first."),
                round=locked.number,
            )
        games = list(Game.objects.filter(tournament_table__in=locked.tables.all()))
        if delayed_broadcast.have_results(games):
            raise TournamentError(
                "draw/results_exist",
                _("Round %(round)s has results already; it cannot be drawn again."),
                round=locked.number,
            )
        dealt = any(game.mode == Game.Mode.DEALT for game in games)
        _require_undoable(locked, dealt=dealt, reason=reason)
        disputed = Dispute.objects.filter(table__round=locked, table__undone=None, deal__isnull=False)
        if tables := sorted(set(disputed.values_list("table__number", flat=True))):
            raise TournamentError(
                "draw/disputes_exist",
                _("There are disputes at tables of round %(round)s (%(tables)s); it cannot be drawn again."),
                round=locked.number,
                tables=", ".join(map(str, tables)),
            )
        for game in map(delayed_broadcast.current_game, games):
            if game.status not in Game.OVER:
                close = {"cmd": "close", "reason": reason or "draw undone"}
                submit(game.id, close, actor=ref, command_id=f"undo:{locked.draws}")
        # The games no longer have a table, so their rows must show no running table.
        broadcast_delay.end_delay(locked)
        # Referees' decisions, calls and opened hands stay, with their tables.
        acts = Q(disputes__isnull=False) | Q(opened_hands__isnull=False)
        kept = list(Table.objects.filter(acts, round=locked).values_list("pk", flat=True))
        Seating.objects.filter(table__in=kept).delete()
        Table.objects.filter(pk__in=kept).update(undone=locked.draws)
        locked.tables.all().delete()
        locked.byes.all().delete()
        locked.status, locked.drawn_cost, locked.opened_at = Round.Status.PLANNED, None, None
        locked.save(update_fields=["status", "drawn_cost", "opened_at"])
        event = DrawUndone(draw=locked.draws, reason=reason)
        record(locked.stream_id, event, actor=ref, command_id=f"undo:{locked.draws}")
        if dealt:
            # Players have seen their hands, so the same seed must not deal again.
            round_seed.reveal_seed(locked.stream_id, actor=ref)
        round_seed.renew_seed(locked.stream_id, actor=ref)
    round_.refresh_from_db()
    return round_


def _require_last_drawn(round_: Round) -> None:
    """Raise TournamentError `draw/later_drawn` if a later round is drawn already."""
    later = Round.objects.filter(championship=round_.championship_id, number__gt=round_.number)
    following = later.exclude(status=Round.Status.PLANNED).order_by("number").last()
    if following is not None:
        raise TournamentError(
            "draw/later_drawn",
            _("Round %(round)s is already drawn, and depends on this one: undo its draw first."),
            round=following.number,
        )


def _require_undoable(round_: Round, *, dealt: bool, reason: str) -> None:
    """Refuse to undo a draw after an official has seen hands, or without a reason after cards were dealt."""
    seen = OpenedHands.objects.filter(table__round=round_, table__undone=None).values_list(
        "table__number", flat=True
    )
    if tables := sorted(set(seen)):
        raise TournamentError(
            "draw/hands_seen",
            _(
                "An official has looked at hands of round %(round)s (tables %(tables)s): it cannot be drawn"
                " again."
            ),
            round=round_.number,
            tables=", ".join(map(str, tables)),
        )
    if dealt and not reason.strip():
        raise TournamentError(
            "draw/reason_missing",
            _("Cards were dealt in round %(round)s: give the reason for a new draw. It stays on record."),
            round=round_.number,
        )
