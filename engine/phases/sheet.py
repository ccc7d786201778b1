"""Phase `sheet`: one side enters the result of each deal, and another side confirms it.

Results are scored by the variant as if the deal had been played in tricks, but a sheet has no tricks. If
several sides pass their targets in one deal and the order of counting does not decide which was first, the
sheet has to state it (`engine.scoring.first_at_target`). In older games (`counting` 1) the higher total wins.
"""

from typing import Any, Final, cast

from msgspec.structs import replace

from engine.commands import NAMES, ConfirmResult, CorrectResult, EnterResult
from engine.events import Event, Rescored, ResultConfirmed, ResultCorrected, ResultEntered
from engine.ledger.sheet_entries import write_result
from engine.ledger.state import SheetResult, State
from engine.rules import Draft, GameContext, Phase, Turn, not_open, on
from engine.rules.tally import Scored
from engine.scoring.deal_scores import count_deal, list_items
from engine.scoring.first_at_target import find_earliest_winners, find_first_at_target, require_first
from engine.scoring.game_end import build_game_ended, find_winners_by_deals
from engine.scoring.ruling_effects import (
    compute_current_totals,
    is_final_by_ruling,
    is_final_result,
    list_deals,
    score_deals,
)
from engine.sheets.sheet_checks import OPTIONAL_RESULT_FIELDS, check_result, find_dealer
from engine.sheets.totals import refusal


def get_side(context: GameContext, seat: int | None) -> int | None:
    """Return the side for which a seat writes and signs; None for the officials' desk."""
    return None if seat is None else context.rules.sides_of(context.state)[seat]


def _check_seat(state: State, seat: int | None) -> None:
    if seat is not None and seat >= state.seats:
        raise refusal("no_such_seat", f"there is no seat {seat}", seat=seat)


def _get_result(state: State, deal: int) -> SheetResult:
    if deal > len(state.results):
        raise refusal("nothing_entered", f"deal {deal} is not on the sheet yet", deal=deal)
    return state.results[deal - 1]


def _check_seen(result: SheetResult, command: ConfirmResult | CorrectResult) -> None:
    if command.seen is not None and result.changed_seq > command.seen:
        raise refusal(
            "changed_since",
            f"deal {command.deal} has been changed since it was looked at",
            deal=command.deal,
            seen=command.seen,
            changed=result.changed_seq,
        )


def _derive(context: GameContext, deal: int) -> Scored:
    """Return the score of a written deal, with the current ties of the deals before it."""
    before = score_deals(context)[: deal - 1]
    ties = before[-1].ties if before else None
    record = replace(list_deals(context.state)[deal - 1], ties=ties or ())
    return count_deal(context, record, list_items(context, record))


def _with_scores(scored: Scored, result: SheetResult) -> SheetResult:
    scores = result.scores if result.by_hand else cast("tuple[int, ...]", scored.scores)
    return replace(result, scores=scores, ties=scored.ties)


def _apply_result(context: GameContext, command: EnterResult) -> tuple[GameContext, SheetResult]:
    """Return a trial context that contains the result, and the result with its scores. Raises
    IllegalCommand.
    """
    state = context.state
    deal = command.deal
    written = command.deal <= len(state.results)
    result = check_result(
        context, command, state.results[deal - 1].dealer if written else find_dealer(context, command)
    )
    trial = context.copy()
    write_result(trial.state, deal, result)
    result = _with_scores(_derive(trial, deal), replace(result, side=get_side(trial, command.seat)))
    given = None if command.scores is None else tuple(command.scores)
    if given is not None and given != result.scores:
        if not state.written_scores:
            raise refusal(
                "wrong_scores",
                f"deal {deal} scores {list(result.scores)}, not {list(given)}",
                deal=deal,
                scores=list(given),
                expected=list(result.scores),
            )
        result = replace(result, scores=given, by_hand=True)
    write_result(trial.state, deal, result)
    return trial, result


def _event_fields(command: EnterResult, trial: GameContext, result: SheetResult) -> dict[str, Any]:
    """Return the fields of the event for a result. Sets `first` of the trial state if it states which side
    reached its target first.
    """
    first = None
    if trial.state.counting > 1 and trial.rules.play.targets is not None:
        first = require_first(trial, command.first, refusal)
    if first is not None:
        trial.state.first = first
    return {
        "conceded": command.conceded or None,
        **{
            name: getattr(command, name)
            for name in OPTIONAL_RESULT_FIELDS
            if name not in ("dealer", "first", "conceded")
        },
        "first": None if first is None else first[1],
        "first_deal": None if first is None or first[0] == command.deal else first[0],
        "seat": command.seat,
        "side": result.side,
        "deal": command.deal,
        "card_points": list(result.card_points),
        "scores": list(result.scores),
        "totals": compute_current_totals(trial),
        "dealer": result.dealer,
        "ties": None if result.ties is None else [list(tie) for tie in result.ties],
        "by_hand": result.by_hand,
        "reason": command.reason,
        "deals": result.deals,
    }


def _enter(context: GameContext, command: EnterResult) -> list[Event]:
    state = context.state
    _check_seat(state, command.seat)
    expected = len(state.results) + 1
    if command.deal < expected:
        raise refusal(
            "entered_already", f"deal {command.deal} is on the sheet; correct it", deal=command.deal
        )
    if command.deal > expected or find_winners(context) is not None:
        raise refusal(
            "wrong_deal", f"deal {command.deal} does not come next", deal=command.deal, expected=expected
        )
    trial, result = _apply_result(context, command)
    draft = Draft(context)
    draft.emit(ResultEntered(seq=draft.seq, **_event_fields(command, trial, result)))
    end_where_all_stands(draft)
    return draft.events


def _correct(context: GameContext, command: CorrectResult) -> list[Event]:
    state = context.state
    _check_seat(state, command.seat)
    before = _get_result(state, command.deal)
    _check_seen(before, command)
    if command.reason is None and is_final_by_ruling(state, command.deal):
        raise refusal("ruled", f"deal {command.deal}: the referee has decided on it", deal=command.deal)
    if command.reason is None and (state.over or state.closed):
        raise refusal(
            "reason_missing",
            f"deal {command.deal}: what is over is corrected with a reason",
            deal=command.deal,
        )
    trial, result = _apply_result(context, command)
    if trial.state.first is not None and trial.state.first[0] == command.deal:
        trial.state.first = None
    rescored = []
    for deal in range(command.deal + 1, len(trial.state.results) + 1):
        later = trial.state.results[deal - 1]
        now = _with_scores(_derive(trial, deal), later)
        if now != later:
            write_result(trial.state, deal, now)
            rescored.append(Rescored(deal, list(now.scores), [list(tie) for tie in now.ties or ()]))
    draft = Draft(context)
    fields = _event_fields(command, trial, result)
    if state.over:
        fields |= _outcome_fields(trial, fields["totals"])
    draft.emit(ResultCorrected(seq=draft.seq, **fields, replaces=before.seq, rescored=rescored or None))
    end_where_all_stands(draft)
    return draft.events


def _outcome_fields(trial: GameContext, totals: list[int]) -> dict[str, Any]:
    """Return the winners and payments of a finished game that now has these totals."""
    game = trial.rules.variant
    trial.state.totals = tuple(totals)
    winners = find_winners(trial) or game.leaders(totals)
    return {"winners": winners, "payments": game.payments(trial.rules.options, totals)}


def _confirm(context: GameContext, command: ConfirmResult) -> list[Event]:
    state = context.state
    _check_seat(state, command.seat)
    result = _get_result(state, command.deal)
    side = get_side(context, command.seat)
    _check_seen(result, command)
    if is_final_by_ruling(state, command.deal):
        raise refusal("ruled", f"deal {command.deal}: the referee has decided on it", deal=command.deal)
    if result.confirmed:
        raise refusal("confirmed_already", f"deal {command.deal} is confirmed", deal=command.deal)
    if side is None:
        _check_witness(state, command, result)
    elif command.by is not None or command.scores is not None:
        raise refusal("signs_itself", f"deal {command.deal}: a side confirms itself", deal=command.deal)
    elif get_side(context, result.seat) == side:
        raise refusal(
            "own_side", f"deal {command.deal}: the other side confirms", deal=command.deal, side=side
        )
    draft = Draft(context)
    draft.emit(
        ResultConfirmed(
            seq=draft.seq,
            seat=command.seat,
            side=side,
            deal=command.deal,
            by=command.by,
            scores=command.scores,
        )
    )
    end_where_all_stands(draft)
    return draft.events


def _refuse_entry(context: GameContext, command: EnterResult | ConfirmResult) -> list[Event]:
    if context.state.closed:
        raise refusal("broken_off", "the game was broken off; it has to be resumed first")
    raise not_open(NAMES[type(command)], SHEET_OVER.kind)


def end_where_all_stands(draft: Draft) -> None:
    """On a sheet, emit the end of the game if its last deal is entered and all deals are confirmed or ruled
    to stand.
    """
    state = draft.state
    if state.mode != "sheet" or state.over or state.closed:
        return
    winners = find_winners(draft.context)
    if winners is not None and all(is_final_result(state, deal) for deal in range(1, len(state.results) + 1)):
        draft.emit(build_game_ended(draft.context, draft.seq, winners, state.totals))


def _check_witness(state: State, command: ConfirmResult, result: SheetResult) -> None:
    """Check what replaces a confirmation by another side: it must be the agreed way, and a second typing must
    repeat the figures. Raises IllegalCommand.
    """
    deal, by = command.deal, command.by
    if by is None or by != state.confirmation:
        raise refusal("not_confirmed_so", f"deal {deal} is not confirmed by {by}", deal=deal, by=by)
    typed = command.scores
    if (typed is not None) != (by == "second_typing"):
        raise refusal("typed_again", f"deal {deal}: a second typing is of figures", deal=deal)
    if typed is not None and tuple(typed) != result.scores:
        raise refusal(
            "typed_otherwise", f"deal {deal} was first typed as {list(result.scores)}, now as {typed}",
            deal=deal, first=list(result.scores), second=typed,
        )  # fmt: skip


def find_winners(context: GameContext) -> list[int] | None:
    """Return the winners by the entered results, confirmed or not. None while more deals are to come."""
    state = context.state
    rules = context.rules
    if state.counting > 1:
        first = find_first_at_target(context) or find_earliest_winners(context)
        return list(first) if first else find_winners_by_deals(context, state.totals)
    if rules.play.targets is not None:
        goals = rules.play.goals(state)
        there = [side for side, total in enumerate(state.totals) if total >= goals[side]]
        if there:
            most = max(state.totals[side] for side in there)
            return [side for side in there if state.totals[side] == most]
    return find_winners_by_deals(context, state.totals)


def _commands(context: GameContext) -> tuple[str, ...]:
    state = context.state
    names: list[str] = []
    if not all(is_final_result(state, deal) for deal in range(1, len(state.results) + 1)):
        names.append("confirm_result")
    if state.results:
        names.append("correct_result")
    if find_winners(context) is None:
        names.append("enter_result")
    return tuple(names)


SHEET: Final = Phase(
    "sheet",
    lambda context: True,
    lambda context: Turn(None, "sheet", _commands(context)),
    on(EnterResult, _enter) | on(CorrectResult, _correct) | on(ConfirmResult, _confirm),
)
SHEET_OVER: Final = Phase(
    "over",
    lambda context: True,
    lambda context: Turn(None, "over", ()),
    on(CorrectResult, _correct) | on(EnterResult, _refuse_entry) | on(ConfirmResult, _refuse_entry),
)
"""The phase of a sheet whose game is over or closed: results can still be corrected."""
