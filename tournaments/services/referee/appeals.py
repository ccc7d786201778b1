"""Appeals against rulings: raising and withdrawing them.

Appeals are decided in `tournaments.services.referee.rulings`.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.appending import record
from games.models import TableToken, User
from tournaments import dispute_states
from tournaments.errors import NotAllowed, Overtaken
from tournaments.events import AppealDecided, RulingAppealed
from tournaments.models import Appeal, Dispute
from tournaments.names import clean
from tournaments.services import locks
from tournaments.services.current_regulations import load_regulations
from tournaments.services.referee.disputes import (
    MAX_TEXT_LENGTH,
    list_seated_entries,
    make_too_late_error,
    participant_ref,
    require_not_closed,
)


def make_appeal(
    dispute: Dispute, *, actor: User | None, by_ref: str | None = None, reason: str, seen: int | None = None
) -> Appeal:
    """Appeal against a ruling, with a reason, within the time limit of the regulations.

    Allowed to people seated at the table and to its admitted phones (`by_ref`: reference of the phone's
    token, checked by the caller). `seen`: the displayed version of the dispute, so that nobody appeals
    against a ruling unread. Raises NotAllowed, Overtaken, TournamentError `disputes/not_appealable`,
    `disputes/too_late`, `disputes/closed`.
    """
    ref = by_ref or participant_ref(dispute.table, actor)
    reason = clean(reason, longest=MAX_TEXT_LENGTH, field="reason", needed=True)
    championship = dispute.table.round.championship
    with transaction.atomic():
        locks.lock_writable(championship.pk)
        locked = locks.lock_dispute(dispute.pk)
        if not _is_at_table(locked, ref):
            raise NotAllowed("disputes/not_concerned", _("Only people at the table can appeal."))
        status = dispute_states.status_after(locked.status, "appeal")
        if seen not in (None, locked.version):
            raise Overtaken(dispute=locked.pk, seen=seen, version=locked.version)
        until = compute_appeal_deadline(locked)
        if until is not None and timezone.now() > until:
            raise make_too_late_error(load_regulations(championship).appeal_minutes)
        require_not_closed(championship)
        appeal = Appeal.objects.create(
            dispute=locked,
            ruling_number=locked.ruling_number,
            raised_by=actor,
            raised_ref=ref,
            reason=reason,
        )
        locked.become(status)
        event = RulingAppealed(dispute=locked.pk, ruling=locked.ruling_number, reason=reason)
        record(locked.table.round.stream_id, event, actor=ref)
    dispute.refresh_from_db()
    return appeal


def _is_at_table(dispute: Dispute, ref: str) -> bool:
    """Return whether the reference belongs to a seated person or to a phone admitted by the table's code."""
    seated = list_seated_entries(dispute.table).filter(player_ref=ref)
    return seated.exists() or TableToken.objects.filter(game=dispute.table.game_id, ref=ref).exists()


def compute_appeal_deadline(dispute: Dispute) -> datetime | None:
    """Return the deadline for an appeal. None: the regulations set no limit, or there is no ruling yet."""
    minutes = load_regulations(dispute.table.round.championship).appeal_minutes
    if not minutes or dispute.settled_at is None:
        return None
    return dispute.settled_at + timedelta(minutes=minutes)


def withdraw_appeal(dispute: Dispute, *, actor: User | None, by_ref: str | None = None) -> Dispute:
    """Withdraw an appeal. Only its author may. Raises NotAllowed, TournamentError `disputes/not_appealed`."""
    ref = by_ref or participant_ref(dispute.table, actor)
    with transaction.atomic():
        locks.lock_writable(dispute.table.round.championship_id)
        locked = locks.lock_dispute(dispute.pk)
        status = dispute_states.status_after(locked.status, "withdraw_appeal")
        open_appeal = locked.appeals.get(outcome="")
        if open_appeal.raised_ref != ref:
            raise NotAllowed("disputes/not_yours", _("Only the person who appealed can withdraw the appeal."))
        open_appeal.outcome, open_appeal.decided_at = dispute_states.WITHDRAWN, timezone.now()
        open_appeal.save(update_fields=["outcome", "decided_at"])
        locked.become(status)
        event = AppealDecided(
            dispute=locked.pk, outcome=dispute_states.WITHDRAWN, ruling=locked.ruling_number, reason=""
        )
        record(locked.table.round.stream_id, event, actor=ref)
    dispute.refresh_from_db()
    return dispute
