"""Correcting results of sheets, in any round, at any time, with a reason.

A correction is an event of the game, so the log keeps the old and the new result. In a closed round the
points of byes are computed again, and the ranking is republished. Results of recorded cards are changed by a
ruling instead.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from engine import Event, State, decide, decode_command, replay
from engine.commands import Close, CorrectResult, EnterResult, Resume
from engine.registry import build_game_context
from engine.scoring.ruling_effects import is_final_result, score_deals
from games import game_state, store
from games.ids import new_id
from games.models import Game
from games.play.submit import submit
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Official, Round, Table
from tournaments.names import clean
from tournaments.permissions import ACTIONS, Actor, may, require
from tournaments.services import championship_seals, locks
from tournaments.services.current_regulations import load_regulations
from tournaments.services.scores import published_ranking, ranking_basis, results
from tournaments.services.scores.bracket import BracketChange, load_change
from tournaments.services.scores.place_changes import (
    Movement,
    compute_movements,
    find_table,
    replace_by_current_state,
)
from tournaments.services.seats.players_at_tables import load_accounts_at

MAX_REASON_LENGTH = 200
Fields = Mapping[str, Any]
"""Fields of the engine's command `enter_result` for one deal (card_points, sweep, …), without seat and
reason.
"""


class Consequences(NamedTuple):
    """Scores, totals and winners before and after a correction. Scores and totals are by side.

    `scores_before`: None if the deal was not written yet. Winners are empty unless the game is over.
    `movement`: the effect on the ranking.
    """

    scores_before: tuple[int, ...] | None
    scores_after: tuple[int, ...]
    totals_before: tuple[int, ...]
    totals_after: tuple[int, ...]
    winners_before: tuple[int, ...]
    winners_after: tuple[int, ...]
    movement: Movement
    ruled: bool
    """Whether rulings have changed the scores that the sheet gives for the deal."""
    bracket: BracketChange | None = None
    """The change of the bracket; None without a bracket or in an open round."""


def find_correction_refusal(table: Table, actor: Actor, deal: int) -> TournamentError | None:
    """Return the error that forbids the actor to correct the deal; None if they may correct it."""
    try:
        _require_may_correct(table, actor, deal)
    except TournamentError as refusal:
        return refusal
    return None


def _require_may_correct(table: Table, actor: Actor, deal: int) -> str:
    """Return the reference of an actor who may correct the deal. Raises NotAllowed, `corrections/no_sheet`.

    The desk may correct unconfirmed deals, and confirmed ones if the regulations say so. Director and referee
    may correct all deals. At their own table both may do so only if no other director or referee is
    available, and so may the desk for confirmed deals.
    """
    championship = table.round.championship
    ref = require(actor, "correct", championship)
    if table.game is None or table.mode != Game.Mode.SHEET:
        raise TournamentError(
            "corrections/no_sheet",
            _("Only sheets are corrected here. The referee corrects games recorded with cards."),
        )
    if actor is None:
        return ref
    always = may(actor, "correct_confirmed", championship)
    if not always:
        if not _is_confirmed(table, deal):
            return ref
        if load_regulations(championship).correcting != "desk":
            raise NotAllowed(
                "corrections/confirmed",
                _("This result is confirmed: only the director or the referee can correct it."),
                deal=deal,
            )
    played = load_accounts_at(Table.objects.filter(pk=table.pk))
    if actor.pk in played and _correctors(championship).exclude(user__in=played).exists():
        raise NotAllowed(
            "corrections/own_table",
            _("Nobody corrects results of their own table if another director or referee can do it."),
        )
    return require(actor, "correct_confirmed", championship) if always else ref


def _is_confirmed(table: Table, deal: int) -> bool:
    """Return whether a deal is confirmed, or not written yet, or its game is over."""
    state = game_state.load_snapshot(str(table.game_id)).state
    is_on = not (state.over or state.closed)
    return not is_on or deal > len(state.results) or is_final_result(state, deal)


def _correctors(championship: Championship) -> QuerySet[Official]:
    return Official.objects.filter(championship=championship, role__in=ACTIONS["correct_confirmed"])


def preview(table: Table, deal: int, fields: Fields) -> Consequences:
    """Compute the effect of a correction. Raises IllegalCommand if the result is impossible."""
    before = game_state.load_snapshot(str(table.game_id)).state
    after = before.copy()
    for command in _build_commands(before, deal, fields, reason="preview"):
        replay(decide(after, command), after)
    basis = ranking_basis.load_basis(table.round.championship)
    at = find_table(basis, table)
    movement, bracket = Movement((), ()), None
    if at is not None:
        basis = replace_by_current_state(basis, at, before)
        result = results.compute_hypothetical_result(basis.tables[at], after, basis.regulations)
        bracket = load_change(table, result, basis.regulations)
        reached = None if bracket is None else bracket.places
        [movement] = compute_movements(basis, at, [result], reached)
    written = deal <= len(before.results)
    return Consequences(
        _scores(before, deal) if written else None,
        _scores(after, deal),
        tuple(before.totals),
        tuple(after.totals),
        tuple(before.winners) if before.over else (),
        tuple(after.winners) if after.over else (),
        movement,
        ruled=written and _scores(before, deal) != before.results[deal - 1].scores,
        bracket=bracket,
    )


def _scores(state: State, deal: int) -> tuple[int, ...]:
    return tuple(points or 0 for points in score_deals(build_game_context(state))[deal - 1].scores)


def _build_commands(state: State, deal: int, fields: Fields, *, reason: str) -> list[Any]:
    """Build the commands of a correction. They name no seat as writer.

    A deal without a result is entered. If the game was broken off, it is resumed first; the engine ends it
    again when all results are there.
    """
    written = deal <= len(state.results)
    named = {"deal": deal, "reason": reason, **fields}
    if written:
        named |= {"cmd": "correct_result"}
    else:
        named |= {"cmd": "enter_result"}
    command = decode_command(named)
    if not isinstance(command, EnterResult | CorrectResult):
        raise TypeError(f"no result: {command!r:.60}")
    return [command] if written or not state.closed else [Resume(reason=reason), command]


def correct_result(
    table: Table,
    deal: int,
    fields: Fields,
    *,
    actor: Actor,
    reason: str,
    seen: int | None = None,
    command_id: str | None = None,
) -> tuple[Event, ...]:
    """Correct the result of a deal, or enter a missing one.

    Return the new events of the game; empty if the `command_id` was used already. `seen`: head of the game
    when its sheet was displayed. Raises NotAllowed, TournamentError `corrections/…`, IllegalCommand
    `sheet/…`.
    """
    reason = clean(reason, longest=MAX_REASON_LENGTH, field="reason")
    if not reason:
        raise TournamentError("corrections/no_reason", _("Give a reason: it is shown beside the correction."))
    game = str(table.game_id)
    command_id = command_id or f"correction:{new_id()}"
    with locks.locked_for(table.round.championship, actor, "correct") as championship:
        round_ = locks.lock_round(table.round_id)
        round_.championship = championship
        if table.game_id is not None and store.find_receipt(game, command_id) is not None:
            return ()
        ref = _require_may_correct(table, actor, deal)
        head = store.read_head(game, lock=True)
        if seen is not None and seen != head.seq:
            raise TournamentError(
                "corrections/changed_since",
                _("Somebody has changed this sheet in the meantime. Check it as it is now."),
            )
        state = game_state.load_snapshot(game, head).state
        if deal > len(state.results) and ranking_basis.is_sealed_number_public(round_):
            raise TournamentError(
                "corrections/number_public",
                _("The sealed number is public: no result of round %(round)s can be new, only corrected."),
                round=round_.number,
            )
        events: list[Event] = []
        for at, command in enumerate(_build_commands(state, deal, fields, reason=reason)):
            own_id = command_id if isinstance(command, EnterResult) else f"{command_id}:{at}"
            events += submit(game, command, actor=ref, command_id=own_id).events
        now = game_state.load_snapshot(game).state
        if state.closed and not (now.over or now.closed):
            submit(game, Close(reason=reason), actor=ref, command_id=f"{command_id}:close")
        if round_.status == Round.Status.CLOSED:
            published_ranking.republish(round_, reason="correction", ref=ref)
            championship_seals.seal_if_possible(championship)
    return tuple(events)
