"""Calls for the referee and disputes: raising, withdrawing and listing them.

Disputes are settled in `tournaments.services.referee.rulings`; their states and transitions are in
`tournaments.dispute_states`.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.appending import record
from games.models import Game, Seat, User
from games.projections import delayed_broadcast
from tournaments import dispute_states, incident_kinds
from tournaments.errors import NotAllowed, TournamentError
from tournaments.events import DisputeSettled, RefereeCalled
from tournaments.models import Championship, Dispute, Entry, Official, Round, Table
from tournaments.names import clean
from tournaments.services import locks
from tournaments.services.current_regulations import load_regulations

MAX_TEXT_LENGTH = 500


def raise_dispute(
    table: Table,
    *,
    actor: User | None,
    by_ref: str | None = None,
    deal: int | None = None,
    trick: int | None = None,
    at_seq: int | None = None,
    incident: str = "",
    text: str = "",
) -> Dispute:
    """Call the referee to a table, or dispute a deal, a trick of it, or a card (`at_seq`: number of its
    event).

    Allowed to people seated at the table, officials, and phones with a token of the table (`by_ref`:
    reference of the token, checked by the caller). If the author has an open dispute about this deal and
    trick, it is returned. After the round has been closed, disputes are possible only within the time limit
    of the regulations. Raises NotAllowed, TournamentError `disputes/…`.
    """
    championship = table.round.championship
    ref = by_ref or participant_ref(table, actor)
    text = clean(text, longest=MAX_TEXT_LENGTH, field="text")
    game = None if table.game is None else delayed_broadcast.current_game(table.game)
    if game is None:
        raise TournamentError("disputes/no_game", _("Table %(table)s is not open yet."), table=table.number)
    if trick is not None and deal is None:
        raise TournamentError("disputes/trick_without_deal", _("A trick belongs to a deal."))
    if incident and incident not in incident_kinds.CODES:
        raise TournamentError("disputes/unknown_incident", _("There is no such incident."), incident=incident)
    if at_seq is not None and not 0 <= at_seq <= game.head_seq:
        raise TournamentError("disputes/no_such_moment", _("The game has not come that far."), seq=at_seq)
    _require_played(table, game, deal)
    with transaction.atomic():
        locks.lock_writable(championship.pk)
        require_in_time(Round.objects.get(pk=table.round_id))
        same = Dispute.objects.filter(
            table=table, deal=deal, trick=trick, raised_ref=ref, status=Dispute.Status.OPEN
        ).first()
        if same is not None:
            return same
        dispute = Dispute.objects.create(
            table=table,
            deal=deal,
            trick=trick,
            at_seq=at_seq,
            incident=incident,
            raised_by=actor,
            raised_ref=ref,
            text=text,
            seen_seq=game.head_seq,
        )
        event = RefereeCalled(
            dispute=dispute.pk, table=table.number, deal=deal, trick=trick, incident=incident, at_seq=at_seq
        )
        record(table.round.stream_id, event, actor=ref)
    return dispute


def participant_ref(table: Table, actor: User | None) -> str:
    """Return the reference of a person seated at the table or in office. Raises NotAllowed."""
    if actor is not None:
        seat = list_seated_entries(table).filter(user=actor).values_list("player_ref", flat=True)
        office = Official.objects.filter(championship=table.round.championship_id, user=actor)
        found = seat.first() or office.values_list("ref", flat=True).first()
        if found is not None:
            return found
    raise NotAllowed("disputes/not_at_table", _("Only people at the table can call the referee there."))


def _require_played(table: Table, game: Game, deal: int | None) -> None:
    if deal is None:
        return
    last = max(game.deal, len(delayed_broadcast.load_visible_results(game)))
    if not 1 <= deal <= last:
        raise TournamentError(
            "disputes/no_such_deal",
            _("Deals played at table %(table)s so far: %(last)s."),
            table=table.number,
            last=last,
            deal=deal,
        )


def list_seated_entries(table: Table) -> QuerySet[Entry]:
    """Return the entries seated at a table. After an undone draw, return those in the seats of its game."""
    if table.undone is None:
        return Entry.objects.filter(seatings__table=table).order_by("seatings__seat")
    there = Seat.objects.filter(game=table.game_id)
    return Entry.objects.filter(
        championship=table.round.championship_id, player_ref__in=there.values("player_ref")
    ).order_by("number")


def has_referee(table: Table) -> bool:
    """Return whether a referee is appointed who does not play at this table.

    Otherwise calls go to the directors.
    """
    players = list_seated_entries(table).filter(user__isnull=False).order_by().values("user")
    appointed = Official.objects.filter(championship=table.round.championship_id, role=Official.Role.REFEREE)
    return appointed.exclude(user__in=players).exists()


def ruling_action(table: Table) -> str:
    """Return the permission that is needed to rule at this table.

    It is the director's if no referee is available for the table, otherwise the referee's.
    """
    return "rule" if has_referee(table) else "rule_alone"


def compute_dispute_deadline(round_: Round) -> datetime | None:
    """Return the deadline for disputes in a round. None: the round is not closed, or the regulations set no
    limit.
    """
    minutes = load_regulations(round_.championship).appeal_minutes
    if not minutes or round_.status != Round.Status.CLOSED or round_.closed_at is None:
        return None
    return round_.closed_at + timedelta(minutes=minutes)


def require_in_time(round_: Round) -> None:
    """Raise TournamentError `disputes/too_late` after the deadline for disputes in the round.

    Without a deadline, raise what `require_not_closed` raises.
    """
    until = compute_dispute_deadline(round_)
    if until is None:
        require_not_closed(round_.championship)
    elif timezone.now() > until:
        minutes = load_regulations(round_.championship).appeal_minutes
        raise make_too_late_error(minutes)


def require_not_closed(championship: Championship) -> None:
    """Raise TournamentError `disputes/closed` if the championship is finished and all its rounds are closed.

    Nothing is raised if the regulations set a time limit for disputes, which applies instead.
    """
    if load_regulations(championship).appeal_minutes:
        return
    finished = Championship.objects.filter(pk=championship.pk, status=Championship.Status.FINISHED)
    if finished.exists() and not championship.rounds.exclude(status=Round.Status.CLOSED).exists():
        raise TournamentError(
            "disputes/closed",
            _("The championship is closed, so nothing can be disputed. Ask its director to reopen play."),
        )


def make_too_late_error(minutes: int) -> TournamentError:
    """Return the error for a dispute or appeal after the deadline. `minutes`: the time limit."""
    return TournamentError(
        "disputes/too_late",
        _("It is too late: the regulations allow %(minutes)s minutes for it."),
        minutes=minutes,
    )


def withdraw_dispute(dispute: Dispute, *, actor: User | None, by_ref: str | None = None) -> Dispute:
    """Withdraw a dispute. Its author and officials may do this.

    Raises NotAllowed, TournamentError `disputes/settled` unless the dispute is open.
    """
    ref = by_ref or participant_ref(dispute.table, actor)
    with transaction.atomic():
        locks.lock_writable(dispute.table.round.championship_id)
        locked = locks.lock_dispute(dispute.pk)
        status = dispute_states.status_after(locked.status, "withdraw")
        official = Official.objects.filter(championship=locked.table.round.championship_id, ref=ref).exists()
        if ref != locked.raised_ref and not official:
            raise NotAllowed("disputes/not_yours", _("Only the person who raised a dispute can withdraw it."))
        locked.become(status, settled_at=timezone.now())
        event = DisputeSettled(dispute=locked.pk, outcome="withdrawn")
        record(locked.table.round.stream_id, event, actor=ref)
    dispute.refresh_from_db()
    return dispute


def list_disputes(championship: Championship, *, in_office: bool = False) -> QuerySet[Dispute]:
    """Return the disputes and calls of a championship, newest first, but those that wait for an official
    before all others.

    Disputes at delayed tables are included only if `in_office`.
    """
    shown = Dispute.objects.all() if in_office else Dispute.objects.filter(dispute_states.public_filter())
    return (
        shown.filter(table__round__championship=championship)
        .select_related("table__round", "table__game", "raised_by")
        .alias(waits=ExpressionWrapper(make_waiting_filter(), output_field=BooleanField()))
        .order_by("-waits", "-raised_at")
    )


def make_waiting_filter() -> Q:
    """Return the filter for disputes that an official has to decide."""
    return Q(status__in=dispute_states.WAITING)
