"""What a ruling would change, the ruling itself, and what is decided where it was appealed.

A ruling is an event of the game (`games.play.submit`); it is replaced by a later one, never edited. Who
decides says which version of the dispute he looked at: of two referees at once the second is told so.
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
from engine.scoring.remedies import scores_now
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
from tournaments.services.referee.disputes import MAX_TEXT_LENGTH, ruling_action, seated_at
from tournaments.services.scores import ranking

Ruling = Mapping[str, Any]
"""Fields of the engine's `rule` without cmd and reason."""


class Word(NamedTuple):
    """What a referee says on a dispute: a ruling, or None, and why; `chosen_by`: the seat that chose, where
    the ruling left it to the opponents; `incident`: what it was, in his eyes; `ref`: how the streams call the
    referee."""

    actor: Actor
    ref: str
    ruling: Ruling | None
    answer: str
    chosen_by: int | None
    incident: str
    command_id: str
    counted: str | None = None
    """What the deal counted when the score was written, as `counted_now` says it; None: nobody looked."""


def counted_now(dispute: Dispute, deal: int | None) -> str:
    """What a deal counts now, for a form to carry: a score is written in view of it."""
    scores = _scores(game_state.at(str(dispute.table.game_id)).state, deal)
    return ":".join("" if points is None else str(points) for points in scores or ())


def preview(dispute: Dispute, ruling: Ruling) -> Outcome:
    """The scores of the deal and the totals, before and after such a ruling with all that follows from it (a
    running deal may end). Raises IllegalCommand.
    """
    command = _command(dispute, ruling, reason="preview")
    before = game_state.at(str(dispute.table.game_id)).state
    after = replay(decider.decide(before, command), before.copy())
    return Outcome(
        _scores(before, command.deal), _scores(after, command.deal), tuple(before.totals), tuple(after.totals)
    )


def _scores(state: State, deal: int | None) -> tuple[int | None, ...] | None:
    """What a deal counts with the rulings on it; None where none is meant, or it is not scored."""
    on_sheet = state.mode == "sheet" and not 1 <= (deal or 0) <= len(state.results)
    return None if deal is None or on_sheet else scores_now(build_game_context(state), deal)


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
    """Settle a dispute by a ruling, or by word alone (None).

    A dispute that has its ruling already can be ruled on again as long as nobody has appealed: the new ruling
    replaces the old one. A ranking that was published is published anew. `seen`: the version of the dispute
    that was looked at; `chosen_by`: the seat that chose, where the ruling left it to the opponents;
    `incident`: what it was, where that differs from what was raised; `counted`: what the deal counted when a
    score was written by hand. The same command_id again changes nothing. Raises NotAllowed,
    TournamentError (`disputes/counts_changed`, …), IllegalCommand, Overtaken.
    """
    ref = require(actor, ruling_action(dispute.table), dispute.table.round.championship)
    word = Word(actor, ref, ruling, answer, chosen_by, incident, command_id or f"ruling:{new_id()}", counted)
    return _say(dispute, word, seen, _settle, publish_as="ruling")


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
    """Decide on an appeal: None upholds what was ruled, a ruling replaces it. That is the last word.

    Not by the one who ruled, where there is another referee. Raises as `rule` does.
    """
    ref = require(actor, ruling_action(dispute.table), dispute.table.round.championship)
    word = Word(actor, ref, ruling, answer, chosen_by, incident, command_id or f"appeal:{new_id()}", counted)
    return _say(dispute, word, seen, _answer_appeal, publish_as="appeal")


def may_decide(dispute: Dispute, actor: Actor, championship: Championship) -> bool:
    """Whether this referee may decide on the appeal: another one than who ruled, if there is another."""
    if actor is None or dispute.ruled_by_id != actor.pk:
        return True
    players = seated_at(dispute.table).filter(user__isnull=False).order_by().values("user")
    others = Official.objects.filter(championship=championship, role=Official.Role.REFEREE)
    return not others.exclude(user=actor).exclude(user__in=players).exists()


def _say(
    dispute: Dispute,
    word: Word,
    seen: int | None,
    act: Callable[[Dispute, Word], TournamentEvent],
    *,
    publish_as: str,
) -> Dispute:
    """Hold the dispute, act on it if it is as it was looked at, record that, and publish what it changes."""
    championship = dispute.table.round.championship
    word = word._replace(answer=clean(word.answer, longest=MAX_TEXT_LENGTH, field="answer", needed=True))
    with transaction.atomic():
        _require_elsewhere(dispute, word.actor)
        locks.require_official(championship, word.actor, ruling_action(dispute.table))
        locked = locks.dispute(dispute.pk)
        stream = locked.table.round.stream_id
        if store.receipt_of(stream, word.command_id) is None:
            if seen not in (None, locked.version):
                raise Overtaken(dispute=locked.pk, seen=seen, version=locked.version)
            record(stream, act(locked, word), actor=word.ref, command_id=word.command_id)
            if locked.table.round.status == Round.Status.CLOSED:
                ranking.republish(locked.table.round, reason=publish_as, ref=word.ref)
    dispute.refresh_from_db()
    return dispute


def _settle(dispute: Dispute, word: Word) -> TournamentEvent:
    status = dispute_states.status_after(dispute.status, "rule")
    if dispute.status == dispute_states.RULED and (word.ruling is None or dispute.ruling_number is None):
        raise TournamentError("disputes/settled", _("This dispute is settled already."))
    number = None if word.ruling is None else _make(dispute, word.ruling, word)
    _ruled(dispute, status, number, word)
    return DisputeSettled(dispute=dispute.pk, outcome="ruled", ruling=number, chosen_by=word.chosen_by)


def _answer_appeal(dispute: Dispute, word: Word) -> TournamentEvent:
    status = dispute_states.status_after(dispute.status, "uphold" if word.ruling is None else "replace")
    if not may_decide(dispute, word.actor, dispute.table.round.championship):
        raise NotAllowed("disputes/own_ruling", _("Another referee decides on the appeal against a ruling."))
    number = dispute.ruling_number
    if word.ruling is None:
        dispute.become(status)
    else:
        number = _make(dispute, word.ruling, word)
        _ruled(dispute, status, number, word)
    dispute.appeals.filter(outcome="").update(
        outcome=status, answer=word.answer, decided_by=word.actor, decided_at=timezone.now()
    )
    return AppealDecided(
        dispute=dispute.pk, outcome=status, ruling=number, reason=word.answer, chosen_by=word.chosen_by
    )


def _require_elsewhere(dispute: Dispute, actor: Actor) -> None:
    if actor is not None and seated_at(dispute.table).filter(user=actor).exists():
        raise NotAllowed("disputes/own_table", _("Nobody rules at his own table."))


def _make(dispute: Dispute, ruling: Ruling, word: Word) -> int:
    """The ruling in the log of the game; its number there."""
    if word.counted is not None:
        store.head_of(str(dispute.table.game_id), lock=True)
        now = counted_now(dispute, ruling.get("deal") or dispute.deal)
        if word.counted != now:
            raise TournamentError(
                "disputes/counts_changed",
                _("The deal counts %(now)s by now, not %(seen)s: look at the score that you set again."),
                now=now.replace(":", " : "),
                seen=word.counted.replace(":", " : "),
            )
    command = _command(dispute, ruling, reason=word.answer)
    done = submit(str(dispute.table.game_id), command, actor=word.ref, command_id=word.command_id)
    return next(event.ruling for event in done.events if isinstance(event, RulingMade))


def _ruled(dispute: Dispute, status: str, number: int | None, word: Word) -> None:
    dispute.become(
        status,
        ruling_number=number,
        incident=word.incident or dispute.incident,
        answer=word.answer,
        chosen_by=word.chosen_by,
        ruled_by=word.actor,
        settled_at=timezone.now(),
    )


def _command(dispute: Dispute, ruling: Ruling, *, reason: str) -> Rule:
    """The engine's command; what was ruled on the dispute before is replaced by it."""
    given = {name: value for name, value in ruling.items() if value is not None}
    known = {"deal": dispute.deal, "replaces": dispute.ruling_number}
    fields = {name: value for name, value in known.items() if value is not None} | given
    if dispute.table.mode == Game.Mode.SHEET and "deal" in fields:
        fields["stands"] = True
    command: Command = decode_command({"cmd": "rule", "reason": reason, **fields})
    if not isinstance(command, Rule):
        raise IllegalCommand("rule/not_a_ruling", "this is no ruling")
    return command
