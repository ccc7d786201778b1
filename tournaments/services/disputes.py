"""A call for the referee or a dispute, what a ruling would change, the ruling, and its withdrawal.

The ruling itself is an event of the game (`games.submit`); it is replaced by a later one, never edited.
"""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine import Command, IllegalCommand, decode_command
from engine.commands import Rule
from engine.events import RulingMade
from engine.rulings import Outcome
from engine.rulings import preview as outcome_of
from games import fold
from games.ids import new_id
from games.models import User
from games.submit import submit
from tournaments.chronicle import record
from tournaments.errors import NotAllowed, TournamentError
from tournaments.events import DisputeSettled, RefereeCalled
from tournaments.models import Championship, Dispute, Official, Round, Seating, Table
from tournaments.names import clean
from tournaments.permissions import Actor, require
from tournaments.services import locks, ranking

LONGEST_TEXT = 500


def raise_(
    table: Table,
    *,
    actor: User | None,
    by_ref: str | None = None,
    deal: int | None = None,
    trick: int | None = None,
    text: str = "",
) -> Dispute:
    """Call the referee to a table, or dispute a deal there (and a trick of it).

    By somebody who sits there, by an official, or by the holder of the table's token (`by_ref`: the reference
    the token carries, checked by the caller). An open call of the same person is not doubled.
    """
    championship = table.round.championship
    ref = by_ref or _ref_at(table, actor)
    text = clean(text, longest=LONGEST_TEXT, field="text")
    if table.game is None:
        raise TournamentError("disputes/no_game", _("Table %(table)s is not open yet."), table=table.number)
    if trick is not None and deal is None:
        raise TournamentError("disputes/trick_without_deal", _("A trick belongs to a deal."))
    _require_played(table, deal)
    with transaction.atomic():
        locks.championship(championship.pk)
        same = Dispute.objects.filter(
            table=table, deal=deal, trick=trick, raised_ref=ref, status=Dispute.Status.OPEN
        ).first()
        if same is not None:
            return same
        dispute = Dispute.objects.create(
            table=table,
            deal=deal,
            trick=trick,
            raised_by=actor,
            raised_ref=ref,
            text=text,
            seen_seq=table.game.head_seq,
        )
        event = RefereeCalled(dispute=dispute.pk, table=table.number, deal=deal, trick=trick)
        record(table.round.stream_id, event, actor=ref)
    return dispute


def _ref_at(table: Table, actor: User | None) -> str:
    """The reference of somebody who has a part at this table. Raises NotAllowed."""
    if actor is not None:
        seat = Seating.objects.filter(table=table, entry__user=actor).values_list(
            "entry__player_ref", flat=True
        )
        office = Official.objects.filter(championship=table.round.championship_id, user=actor)
        found = seat.first() or office.values_list("ref", flat=True).first()
        if found is not None:
            return found
    raise NotAllowed("disputes/not_at_table", _("Only those who sit at the table can call from there."))


def _require_played(table: Table, deal: int | None) -> None:
    if deal is None or table.game is None:
        return
    last = max(table.game.deal, table.game.results.count())
    if not 1 <= deal <= last:
        raise TournamentError(
            "disputes/no_such_deal",
            _("Table %(table)s has played %(last)s deals so far."),
            table=table.number,
            last=last,
            deal=deal,
        )


def preview(dispute: Dispute, ruling: Mapping[str, Any]) -> Outcome:
    """The scores of the deal and the totals, before and after such a ruling. Raises IllegalCommand."""
    command = _command(dispute, ruling)
    return outcome_of(fold.at(str(dispute.table.game_id)).state.copy(), command)


def rule(
    dispute: Dispute,
    *,
    actor: Actor,
    ruling: Mapping[str, Any] | None,
    answer: str,
    command_id: str | None = None,
) -> Dispute:
    """Settle a dispute by a ruling (fields of the engine's `rule` without cmd and reason), or by word alone.

    A dispute that has its ruling already can be ruled on again: the new ruling replaces the old one. A
    ranking that was published is published anew. Raises NotAllowed, TournamentError, IllegalCommand.
    """
    championship = dispute.table.round.championship
    ref = require(actor, "rule", championship)
    answer = clean(answer, longest=LONGEST_TEXT, field="answer", needed=True)
    if actor is not None and Seating.objects.filter(table=dispute.table_id, entry__user=actor).exists():
        raise NotAllowed("disputes/own_table", _("Nobody rules at his own table."))
    with transaction.atomic():
        locks.championship(championship.pk)
        locked = locks.dispute(dispute.pk)
        if locked.status == Dispute.Status.WITHDRAWN:
            raise _settled()
        if locked.status == Dispute.Status.RULED and (ruling is None or locked.ruling_number is None):
            raise _settled()
        number = None
        if ruling is not None:
            command = _command(locked, ruling, reason=answer, replaces=locked.ruling_number)
            done = submit(
                str(locked.table.game_id), command, actor=ref, command_id=command_id or f"ruling:{new_id()}"
            )
            number = next(event.ruling for event in done.events if isinstance(event, RulingMade))
        locked.status = Dispute.Status.RULED
        locked.ruling_number, locked.answer = number, answer
        locked.ruled_by, locked.settled_at = actor, timezone.now()
        locked.save(update_fields=["status", "ruling_number", "answer", "ruled_by", "settled_at"])
        event = DisputeSettled(dispute=locked.pk, outcome="ruled", ruling=number)
        record(locked.table.round.stream_id, event, actor=ref)
        if locked.table.round.status == Round.Status.CLOSED:
            ranking.publish(championship, reason="ruling", ref=ref)
    dispute.refresh_from_db()
    return dispute


def withdraw(dispute: Dispute, *, actor: User | None, by_ref: str | None = None) -> Dispute:
    """Take a dispute back: who raised it, or an official. Raises `disputes/settled` once it is ruled on."""
    ref = by_ref or _ref_at(dispute.table, actor)
    with transaction.atomic():
        locked = locks.dispute(dispute.pk)
        if locked.status != Dispute.Status.OPEN:
            raise _settled()
        official = Official.objects.filter(championship=locked.table.round.championship_id, ref=ref).exists()
        if ref != locked.raised_ref and not official:
            raise NotAllowed("disputes/not_yours", _("Only who raised a dispute can take it back."))
        locked.status, locked.settled_at = Dispute.Status.WITHDRAWN, timezone.now()
        locked.save(update_fields=["status", "settled_at"])
        event = DisputeSettled(dispute=locked.pk, outcome="withdrawn")
        record(locked.table.round.stream_id, event, actor=ref)
    dispute.refresh_from_db()
    return dispute


def of_championship(championship: Championship) -> QuerySet[Dispute]:
    """All disputes and calls, the open ones first, the newest first among them."""
    return (
        Dispute.objects.filter(table__round__championship=championship)
        .select_related("table__round", "table__game", "raised_by")
        .order_by("status", "-raised_at")
    )


def _command(
    dispute: Dispute, ruling: Mapping[str, Any], *, reason: str = "", replaces: int | None = None
) -> Rule:
    fields = {key: value for key, value in ruling.items() if value is not None and key != "code"}
    fields.setdefault("deal", dispute.deal)
    if replaces is not None:
        fields["replaces"] = replaces
    command: Command = decode_command(
        {"cmd": "rule", "reason": reason or "preview", **{k: v for k, v in fields.items() if v is not None}}
    )
    if not isinstance(command, Rule):
        raise IllegalCommand("rule/not_a_ruling", "this is no ruling")
    return command


def _settled() -> TournamentError:
    return TournamentError("disputes/settled", _("This dispute is settled already."))
