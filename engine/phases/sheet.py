"""Phase `sheet`: results are written deal by deal by one side and confirmed by another.

A sheet knows no tricks: where a target was passed by both sides in one deal, the higher total counts as
first.
"""

from typing import Any, Final

from engine.cards import SUIT_NAMES
from engine.commands import ConfirmResult, CorrectResult, EnterResult
from engine.counting import game_ended
from engine.draft import Draft
from engine.errors import IllegalCommand
from engine.events import Event, ResultConfirmed, ResultCorrected, ResultEntered
from engine.remedies import is_annulled, totals_now
from engine.rules import Phase, Turn
from engine.state import SheetResult, State

STOECK_POINTS: Final = 20


def _refuse(what: str, detail: str, **params: Any) -> IllegalCommand:
    return IllegalCommand(f"sheet/{what}", detail, **params)


def _side_of(state: State, seat: int) -> int:
    if seat >= state.seats:
        raise _refuse("no_such_seat", f"there is no seat {seat}", seat=seat)
    return state.rules.variant.sides(state)[seat]


def _check(state: State, command: EnterResult) -> None:
    rules, deal = state.rules, command.deal
    play = rules.play
    lists = (command.card_points, command.melds, command.scores)
    if any(values is not None and len(values) != rules.sides for values in lists):
        raise _refuse("wrong_sides", f"deal {deal}: one number for each of {rules.sides} sides", deal=deal)
    total = sum(command.card_points)
    if total > play.deal_points or (total < play.deal_points and play.all_counted):
        raise _refuse(
            "wrong_sum",
            f"deal {deal} sums to {total}, not {play.deal_points}",
            deal=deal,
            sum=total,
            expected=play.deal_points,
        )
    for side in (command.sweep, command.stoeck):
        if side is not None and side >= rules.sides:
            raise _refuse("no_such_side", f"deal {deal}: there is no side {side}", deal=deal, side=side)
    if command.sweep is not None and command.card_points[command.sweep] != total:
        raise _refuse("sweep_needs_all_points", f"deal {deal}: a sweep takes all points", deal=deal)
    if command.stoeck is not None and not play.stoeck:
        raise _refuse("no_stoeck", f"deal {deal}: the Stöck does not count here", deal=deal)
    if command.stoeck is not None and command.contract not in (None, *SUIT_NAMES):
        raise _refuse("no_trumps", f"deal {deal}: no Stöck without trumps", deal=deal)
    if command.melds is not None and any(command.melds) and not play.melds:
        raise _refuse("no_melds", f"deal {deal}: melds do not count here", deal=deal)
    if sum(points > 0 for points in command.melds or ()) > 1:
        raise _refuse("melds_of_one_side", f"deal {deal}: only one side scores melds", deal=deal)


def _scores(state: State, command: EnterResult) -> list[int]:
    derive = state.rules.variant.sheet
    if derive is None:
        if command.scores is None:
            raise _refuse(
                "scores_missing", f"deal {command.deal}: the scores must be written", deal=command.deal
            )
        return list(command.scores)
    scores = derive(state, command)
    if command.scores is not None and tuple(command.scores) != scores:
        raise _refuse(
            "wrong_scores",
            f"deal {command.deal} scores {list(scores)}, not {command.scores}",
            deal=command.deal,
            scores=list(command.scores),
            expected=list(scores),
        )
    return list(scores)


def derived_scores(state: State, command: EnterResult) -> tuple[int, ...]:
    """Scores between sides who add up what they take: everything written, times the multiplier of the
    contract."""
    play = state.rules.play
    factors = {play.multiplier(contract, None) for contract in state.rules.options.contracts}
    if command.contract is not None:
        if command.contract not in state.rules.options.contracts:
            raise _refuse(
                "contract_not_offered",
                f"deal {command.deal}: {command.contract} is not played here",
                deal=command.deal,
                contract=command.contract,
            )
        factors = {play.multiplier(command.contract, None)}
    if len(factors) > 1:
        raise _refuse(
            "contract_missing", f"deal {command.deal}: the contract decides the multiplier", deal=command.deal
        )
    gained = list(command.card_points)
    if command.sweep is not None:
        gained[command.sweep] += play.sweep_bonus
    if command.stoeck is not None:
        gained[command.stoeck] += STOECK_POINTS
    for side, points in enumerate(command.melds or ()):
        gained[side] += points
    (factor,) = factors
    return tuple(factor * points for points in gained)


def _written(state: State, command: EnterResult, side: int, scores: list[int]) -> dict[str, Any]:
    trial = state.copy()
    result = SheetResult(state.seq, side, (), tuple(scores), None, None, None, None, False)
    trial.results = (*trial.results[: command.deal - 1], result, *trial.results[command.deal :])
    return {
        "seat": command.seat,
        "side": side,
        "deal": command.deal,
        "card_points": command.card_points,
        "scores": scores,
        "totals": totals_now(trial),
        "contract": command.contract,
        "sweep": command.sweep,
        "stoeck": command.stoeck,
        "melds": command.melds,
    }


def _enter(state: State, command: EnterResult) -> list[Event]:
    side = _side_of(state, command.seat)
    expected = len(state.results) + 1
    if command.deal < expected:
        raise _refuse(
            "entered_already", f"deal {command.deal} is on the sheet; correct it", deal=command.deal
        )
    if command.deal > expected or ended(state) is not None:
        raise _refuse(
            "wrong_deal", f"deal {command.deal} does not come next", deal=command.deal, expected=expected
        )
    _check(state, command)
    draft = Draft(state)
    draft.emit(ResultEntered, **_written(state, command, side, _scores(state, command)))
    return draft.events


def _correct(state: State, command: CorrectResult) -> list[Event]:
    side = _side_of(state, command.seat)
    if command.deal > len(state.results):
        raise _refuse("nothing_entered", f"deal {command.deal} is not on the sheet yet", deal=command.deal)
    _check(state, command)
    draft = Draft(state)
    written = _written(state, command, side, _scores(state, command))
    draft.emit(ResultCorrected, **written, replaces=state.results[command.deal - 1].seq)
    return draft.events


def _confirm(state: State, command: ConfirmResult) -> list[Event]:
    side = _side_of(state, command.seat)
    if command.deal > len(state.results):
        raise _refuse("nothing_entered", f"deal {command.deal} is not on the sheet yet", deal=command.deal)
    result = state.results[command.deal - 1]
    if result.confirmed:
        raise _refuse("confirmed_already", f"deal {command.deal} is confirmed", deal=command.deal)
    if result.side == side:
        raise _refuse(
            "own_side", f"deal {command.deal}: the other side confirms", deal=command.deal, side=side
        )
    draft = Draft(state)
    draft.emit(ResultConfirmed, seat=command.seat, side=side, deal=command.deal)
    winners = ended(draft.state)
    if winners is not None and all(entry.confirmed for entry in draft.state.results):
        draft.take(game_ended(draft.state, draft.seq, winners, draft.state.totals))
    return draft.events


def ended(state: State) -> list[int] | None:
    """The sides that have won by what is written, confirmed or not; None while more deals are to come."""
    rules = state.rules
    targets = rules.play.targets
    if targets is not None and any(t >= g for t, g in zip(state.totals, targets(state), strict=True)):
        return rules.variant.leaders(state.totals)
    counted = [r for deal, r in enumerate(state.results, 1) if not is_annulled(state, deal)]
    return rules.variant.winner(rules.options, state.totals, counted)


def _commands(state: State) -> tuple[str, ...]:
    names: list[str] = []
    if any(not result.confirmed for result in state.results):
        names.append("confirm_result")
    if state.results:
        names.append("correct_result")
    if ended(state) is None:
        names.append("enter_result")
    return tuple(names)


SHEET: Final = Phase(
    "sheet",
    lambda state: True,
    lambda state: Turn(None, "sheet", _commands(state)),
    {EnterResult: _enter, CorrectResult: _correct, ConfirmResult: _confirm},
)
