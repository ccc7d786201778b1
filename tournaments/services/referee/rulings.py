"""Rulings, their preview, and decisions on appeals.

A ruling is an event of the game (`games.play.submit`). It is never edited, but a later ruling can replace it.
The referee states the version of the dispute that they saw; of two concurrent rulings the second one is
refused.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine import Command, IllegalCommand, State, decider, decode_command, replay
from engine.commands import Rule
from engine.events import RulingMade
from engine.registry import build_game_context
from engine.ruling import Outcome
from engine.scoring.ruling_effects import get_current_scores
from games import game_state, store
from games.appending import record
from games.ids import new_id
from games.models import Game
from games.play.submit import submit
from tournaments import dispute_states
from tournaments.errors import NotAllowed, Overtaken, TournamentError
from tournaments.events import AppealDecided, DisputeSettled, TournamentEvent
from tournaments.models import Championship, Dispute, Official, Round
from tournaments.names import clean
from tournaments.permissions import Actor, require
from tournaments.services import locks
from tournaments.services.referee.disputes import MAX_TEXT_LENGTH, list_seated_entries, ruling_action
from tournaments.services.scores import published_ranking

Ruling = Mapping[str, Any]
"""Fields of the engine's command `rule`, without cmd and reason."""


class OfficialDecision(NamedTuple):
    """A referee's decision on a dispute.

    `ruling` None: an oral decision or, on appeal, the earlier ruling is upheld; `answer`: text for the people
    concerned; `chosen_by`: the seat that chose, if the ruling left the choice to the opponents; `incident`:
    the kind of incident in the referee's view; `ref`: the referee's reference in the streams.
    """

    actor: Actor
    ref: str
    ruling: Ruling | None
    answer: str
    chosen_by: int | None
    incident: str
    command_id: str
    counted: str | None = None
    """The scores of the deal when the form was displayed, as `counted_now` formats them. None: they are not
    checked.
    """


def counted_now(dispute: Dispute, deal: int | None) -> str:
    """Return the present scores of a deal as text for a form, so that a later change is noticed. Empty
    without scores.
    """
    scores = _scores(game_state.load_snapshot(str(dispute.table.game_id)).state, deal)
    return ":".join("" if points is None else str(points) for points in scores or ())


def preview(dispute: Dispute, ruling: Ruling) -> Outcome:
    """Compute the scores of the deal and the totals before and after a ruling.

    If the ruling ends a running deal, its points are included. Raises IllegalCommand.
    """
    command = _build_command(dispute, ruling, reason="preview")
    before = game_state.load_snapshot(str(dispute.table.game_id)).state
    after = replay(decider.decide(before, command), before.copy())
    return Outcome(
        _scores(before, command.deal), _scores(after, command.deal), tuple(before.totals), tuple(after.totals)
    )


def _scores(state: State, deal: int | None) -> tuple[int | None, ...] | None:
    """Return the scores of a deal with its rulings. None: there is no such deal, or its sheet has no result
    yet.
    """
    on_sheet = state.mode == "sheet" and not 1 <= (deal or 0) <= len(state.results)
    return None if deal is None or on_sheet else get_current_scores(build_game_context(state), deal)


def rule(
    dispute: Dispute,
    *,
    actor: Actor,
    ruling: Ruling | None,
    answer: str,
    seen: int | None = None,
    chosen_by: int | None = None,
    incident: str = "",
    counted: str | None = None,
    command_id: str | None = None,
) -> Dispute:
    """Settle a dispute by a ruling, or orally if `ruling` is None.

    As long as there is no appeal, a new ruling can replace an earlier one; an oral decision is final. In a
    closed round the ranking is republished. `seen`: version of the dispute that was displayed; `chosen_by`:
    the seat that chose, if the ruling left the choice to the opponents; `incident`: the actual kind of
    incident, if it differs from the one raised; `counted`: for a score set by hand, the scores of the deal
    that the form showed. Idempotent by command_id. Raises NotAllowed, TournamentError
    (`disputes/counts_changed`, …), IllegalCommand, Overtaken.
    """
    ref = require(actor, ruling_action(dispute.table), dispute.table.round.championship)
    decision = OfficialDecision(
        actor, ref, ruling, answer, chosen_by, incident, command_id or f"ruling:{new_id()}", counted
    )
    return _apply_decision(dispute, decision, seen, _settle, publish_as="ruling")


def decide_dispute(
    dispute: Dispute,
    *,
    actor: Actor,
    ruling: Ruling | None,
    answer: str,
    seen: int | None = None,
    chosen_by: int | None = None,
    incident: str = "",
    counted: str | None = None,
    command_id: str | None = None,
) -> Dispute:
    """Decide an appeal finally. `ruling`: replaces the earlier ruling; None: the earlier ruling is upheld.

    The other arguments are those of `rule`. The referee who ruled may not decide if another referee is
    available. Raises what `rule` raises.
    """
    ref = require(actor, ruling_action(dispute.table), dispute.table.round.championship)
    decision = OfficialDecision(
        actor, ref, ruling, answer, chosen_by, incident, command_id or f"appeal:{new_id()}", counted
    )
    return _apply_decision(dispute, decision, seen, _answer_appeal, publish_as="appeal")


def may_decide(dispute: Dispute, actor: Actor, championship: Championship) -> bool:
    """Return whether an actor who may rule at the table may decide the appeal.

    The official who ruled may decide it only if every other referee plays at the table.
    """
    if actor is None or dispute.ruled_by_id != actor.pk:
        return True
    players = list_seated_entries(dispute.table).filter(user__isnull=False).order_by().values("user")
    others = Official.objects.filter(championship=championship, role=Official.Role.REFEREE)
    return not others.exclude(user=actor).exclude(user__in=players).exists()


def _apply_decision(
    dispute: Dispute,
    decision: OfficialDecision,
    seen: int | None,
    act: Callable[[Dispute, OfficialDecision], TournamentEvent],
    *,
    publish_as: str,
) -> Dispute:
    """Lock the dispute, check its version, and apply and record the decision.

    If the round is closed, the ranking is republished with the reason `publish_as`.
    """
    championship = dispute.table.round.championship
    decision = decision._replace(
        answer=clean(decision.answer, longest=MAX_TEXT_LENGTH, field="answer", needed=True)
    )
    with transaction.atomic():
        _require_elsewhere(dispute, decision.actor)
        locks.require_official(championship, decision.actor, ruling_action(dispute.table))
        locked = locks.lock_dispute(dispute.pk)
        stream = locked.table.round.stream_id
        if store.find_receipt(stream, decision.command_id) is None:
            if seen not in (None, locked.version):
                raise Overtaken(dispute=locked.pk, seen=seen, version=locked.version)
            record(stream, act(locked, decision), actor=decision.ref, command_id=decision.command_id)
            if locked.table.round.status == Round.Status.CLOSED:
                published_ranking.republish(locked.table.round, reason=publish_as, ref=decision.ref)
    dispute.refresh_from_db()
    return dispute


def _settle(dispute: Dispute, decision: OfficialDecision) -> TournamentEvent:
    status = dispute_states.status_after(dispute.status, "rule")
    if dispute.status == dispute_states.RULED and (decision.ruling is None or dispute.ruling_number is None):
        raise TournamentError("disputes/settled", _("This dispute is settled already."))
    number = None if decision.ruling is None else _submit_ruling(dispute, decision.ruling, decision)
    _update_dispute(dispute, status, number, decision)
    return DisputeSettled(dispute=dispute.pk, outcome="ruled", ruling=number, chosen_by=decision.chosen_by)


def _answer_appeal(dispute: Dispute, decision: OfficialDecision) -> TournamentEvent:
    status = dispute_states.status_after(dispute.status, "uphold" if decision.ruling is None else "replace")
    if not may_decide(dispute, decision.actor, dispute.table.round.championship):
        raise NotAllowed("disputes/own_ruling", _("Another referee decides on the appeal against a ruling."))
    number = dispute.ruling_number
    if decision.ruling is None:
        dispute.become(status)
    else:
        number = _submit_ruling(dispute, decision.ruling, decision)
        _update_dispute(dispute, status, number, decision)
    dispute.appeals.filter(outcome="").update(
        outcome=status, answer=decision.answer, decided_by=decision.actor, decided_at=timezone.now()
    )
    return AppealDecided(
        dispute=dispute.pk,
        outcome=status,
        ruling=number,
        reason=decision.answer,
        chosen_by=decision.chosen_by,
    )


def _require_elsewhere(dispute: Dispute, actor: Actor) -> None:
    if actor is not None and list_seated_entries(dispute.table).filter(user=actor).exists():
        raise NotAllowed("disputes/own_table", _("Nobody rules at their own table."))


def _submit_ruling(dispute: Dispute, ruling: Ruling, decision: OfficialDecision) -> int:
    """Append the ruling to the game's log and return the number of the ruling."""
    if decision.counted is not None:
        store.read_head(str(dispute.table.game_id), lock=True)
        now = counted_now(dispute, ruling.get("deal") or dispute.deal)
        if decision.counted != now:
            raise TournamentError(
                "disputes/counts_changed",
                _("The deal now counts %(now)s, not %(seen)s: check the score that you set."),
                now=now.replace(":", " : "),
                seen=decision.counted.replace(":", " : "),
            )
    command = _build_command(dispute, ruling, reason=decision.answer)
    done = submit(str(dispute.table.game_id), command, actor=decision.ref, command_id=decision.command_id)
    return next(event.ruling for event in done.events if isinstance(event, RulingMade))


def _update_dispute(dispute: Dispute, status: str, number: int | None, decision: OfficialDecision) -> None:
    dispute.become(
        status,
        ruling_number=number,
        incident=decision.incident or dispute.incident,
        answer=decision.answer,
        chosen_by=decision.chosen_by,
        ruled_by=decision.actor,
        settled_at=timezone.now(),
    )


def _build_command(dispute: Dispute, ruling: Ruling, *, reason: str) -> Rule:
    """Build the engine's command. It replaces an earlier ruling on the dispute, if there is one."""
    given = {name: value for name, value in ruling.items() if value is not None}
    known = {"deal": dispute.deal, "replaces": dispute.ruling_number}
    fields = {name: value for name, value in known.items() if value is not None} | given
    if dispute.table.mode == Game.Mode.SHEET and "deal" in fields:
        fields["stands"] = True
    command: Command = decode_command({"cmd": "rule", "reason": reason, **fields})
    if not isinstance(command, Rule):
        raise IllegalCommand("rule/not_a_ruling", "this is no ruling")
    return command
