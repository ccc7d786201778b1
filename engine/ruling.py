"""Referee's rulings. Each ruling is an event with the scores of the deal and the totals of the game before
and after it.

A ruling never edits recorded events. Source: incidents of the club manual and published regulations.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine.commands import Rule, RulingKind
from engine.errors import IllegalCommand
from engine.events import DealAnnulled, Event, Rescored, RulingMade, SuitBarred
from engine.ledger.state import DealRecord, Ruling, State, Ties
from engine.phases.sheet import end_where_all_stands
from engine.registry import build_game_context
from engine.rules import Draft, GameContext
from engine.scoring.first_at_target import find_first_at_target, require_first
from engine.scoring.game_end import (
    build_game_ended,
    end_if_target_reached,
    find_winners_by_deals,
    finish_deal,
)
from engine.scoring.ruling_effects import (
    MOVING_KINDS,
    compute_current_totals,
    find_fixing,
    get_current_scores,
    list_deals,
    list_rulings_on_deal,
    score_deals,
)
from engine.scoring.running_totals import find_side_at_target

Scores = tuple[int | None, ...] | None
COPIED_FIELDS: Final = tuple(name for name in Rule.__struct_fields__ if name not in ("scores", "after"))
"""Fields of the event that are copied from the command. `scores` and `after` are computed."""


class Outcome(NamedTuple):
    """Scores of a deal and totals of the game, by side, before and after a ruling. Scores are None if the
    deal is not scored or the ruling names no deal.
    """

    scores_before: Scores
    scores_after: Scores
    totals_before: tuple[int, ...]
    totals_after: tuple[int, ...]


def preview_ruling(state: State, command: Rule) -> Outcome:
    """Return the outcome of a ruling without recording it. Raises IllegalCommand as `decide_ruling`, but
    does not check `first`.
    """
    context = build_game_context(state)
    if not state.variant:
        raise _refuse("not_now", "no game has begun")
    made = _decide(context, command, asks=False)
    return Outcome(
        None if made.scores_before is None else tuple(made.scores_before),
        None if made.scores is None else tuple(made.scores),
        tuple(made.totals_before or ()),
        tuple(made.totals),
    )


def decide_ruling(context: GameContext, command: Rule) -> list[Event]:
    """Return the events of a ruling. They may end the running deal and, through the totals, the game. Raises
    IllegalCommand `rule/...`.
    """
    state = context.state
    draft = Draft(context)
    made = _decide(context, command)
    draft.emit(made)
    running = state.dealing and command.deal == state.deal
    annuls = command.kind == "annul_deal" or (command.kind == "short_hand" and command.choice == "annul")
    if annuls and command.deal is not None:
        draft.emit(DealAnnulled(seq=draft.seq, deal=command.deal))
    elif command.kind == "short_hand" and running:
        finish_deal(draft)
    elif command.kind == "bar_suit" and command.against is not None and command.suit is not None:
        draft.emit(SuitBarred(seq=draft.seq, seat=command.against, suit=command.suit))
    after = draft.state
    if command.stands:
        end_where_all_stands(draft)
    if not after.over and not after.closed and after.mode != "sheet":
        first = _sides_at_target(draft.context)
        if after.dealing and first:
            finish_deal(draft, first)
        elif after.dealing:
            end_if_target_reached(draft)
        else:
            winners = find_winners_by_deals(draft.context, after.totals) or first
            if winners:
                draft.emit(build_game_ended(draft.context, draft.seq, winners, after.totals))
    return draft.events


def _sides_at_target(context: GameContext) -> list[int]:
    """Return the sides that may have reached their target first, with all rulings counted."""
    if context.state.counting > 1:
        return list(find_first_at_target(context))
    side = None if context.state.dealing else find_side_at_target(context)
    return [] if side is None else [side]


def _decide(context: GameContext, command: Rule, *, asks: bool = True) -> RulingMade:
    """Return the event of a ruling. Raises IllegalCommand.

    `asks`: also raise if the ruling takes several sides to their targets and the command does not state which
    side was first.
    """
    state = context.state
    _check(context, command)
    number = len(state.rulings) + 1
    trial = context.copy()
    command = replace(command, after=_fixing_ruling(state, command))
    trial.state.rulings += (Ruling.of(number, command),)
    if command.kind == "annul_deal" and state.dealing and command.deal == state.deal:
        nothing = (0,) * context.rules.sides
        trial.state.records += (replace(state.record(), card_points=nothing, scores=nothing),)
    before = None if command.deal is None else get_current_scores(context, command.deal)
    after = None if command.deal is None else get_current_scores(trial, command.deal)
    totals = compute_current_totals(trial)
    ties = _remembered_ties(trial)
    first = None
    if asks and state.counting > 1 and (command.first is not None or totals != list(state.totals)):
        first = require_first(trial, command.first, _refuse)
        trial.state.first = first or trial.state.first
    rescored = list(_rescored(context, trial, command)) if command.stands else None
    return RulingMade(
        seq=state.seq,
        ruling=number,
        scores=None if after is None else list(after),
        totals=totals,
        scores_before=None if before is None else list(before),
        totals_before=list(state.totals),
        ties=None if ties == state.ties else [list(pair) for pair in ties],
        winners=_winners(trial, totals) if state.over and totals != list(state.totals) else None,
        first_deal=None if first is None else first[0],
        rescored=rescored or None,
        after=command.after,
        **{name: getattr(command, name) for name in COPIED_FIELDS},
    )


def _winners(trial: GameContext, totals: list[int]) -> list[int]:
    """Return the winners of a finished game with these totals."""
    if trial.state.counting > 1 and (first := find_first_at_target(trial)):
        return list(first)
    return trial.rules.variant.leaders(totals)


def _rescored(context: GameContext, trial: GameContext, command: Rule) -> Iterator[Rescored]:
    """Yield the other deals of a sheet whose scores a ruling changes."""
    for deal, (before, now) in enumerate(zip(score_deals(context), score_deals(trial), strict=True), 1):
        if deal != command.deal and before.scores != now.scores:
            scores = [points or 0 for points in now.scores]
            yield Rescored(deal, scores, [list(tie) for tie in now.ties or ()])


def _fixing_ruling(state: State, command: Rule) -> int | None:
    """Return the number of the ruling that fixed the deal's score and whose score the new ruling modifies.
    None if there is none, or if the new ruling starts from the cards.
    """
    if command.kind not in MOVING_KINDS or command.deal is None or command.after == 0:
        return None
    before = [one for one in list_rulings_on_deal(state, command.deal) if one.number != command.replaces]
    fixed = find_fixing(before)
    return None if fixed is None else before[fixed].number


def _remembered_ties(trial: GameContext) -> Ties:
    """Return the pairs of tied sides that are carried to the next deal, with all rulings counted."""
    deals = score_deals(trial)
    return (deals[-1].ties or ()) if deals else trial.state.ties


def _refuse(what: str, detail: str, **params: object) -> IllegalCommand:
    return IllegalCommand(f"rule/{what}", detail, **params)


REQUIRED_FIELDS: Final[dict[RulingKind, tuple[str, ...]]] = {
    "award_from_trick": ("deal", "trick", "against"),
    "card_powerless": ("deal", "trick", "against"),
    "annul_deal": ("deal",),
    "short_hand": ("deal", "against", "choice"),
    "score_change": ("deal", "scores"),
    "penalty": ("against", "points"),
    "bar_suit": ("against", "suit"),
    "warning": (),
}
OPTIONAL_FIELDS: Final[dict[RulingKind, tuple[str, ...]]] = {
    "award_from_trick": ("to", "first"),
    "card_powerless": ("first",),
    "annul_deal": ("trick", "first"),
    "short_hand": ("trick", "to", "first"),
    "score_change": ("trick", "first"),
    "penalty": ("deal", "trick", "first"),
    "bar_suit": ("deal", "trick"),
    "warning": ("deal", "trick", "against"),
}
_RULING_FIELDS = ("deal", "trick", "against", "scores", "points", "choice", "suit", "to", "first")


def _check(context: GameContext, command: Rule) -> None:
    state = context.state
    kind = command.kind
    for name in _RULING_FIELDS:
        given = getattr(command, name) is not None
        if given and name not in REQUIRED_FIELDS[kind] + OPTIONAL_FIELDS[kind]:
            raise _refuse("not_for_this_kind", f"{kind} takes no {name}", kind=kind, field=name)
        if not given and name in REQUIRED_FIELDS[kind]:
            raise _refuse(f"{name}_missing", f"{kind} needs {name}", kind=kind, field=name)
    if command.against is not None and command.against >= state.seats:
        raise _refuse("no_such_seat", f"there is no seat {command.against}", against=command.against)
    if command.to is not None:
        _check_to(context, command.to, command.against or 0)
    if command.replaces is not None:
        gone = {ruling.replaces for ruling in state.rulings}
        if command.replaces > len(state.rulings) or command.replaces in gone:
            raise _refuse(
                "nothing_to_replace", f"no ruling {command.replaces} is in force", ruling=command.replaces
            )
    if command.kind == "penalty" and (command.points or 0) <= 0:
        raise _refuse("points_not_positive", "a penalty takes off a positive number of points")
    if command.stands and state.mode != "sheet":
        raise _refuse("no_sheet", "only what a sheet says stands by a ruling", kind=kind)
    if command.deal is not None:
        _check_deal(context, command, command.deal)
    elif kind == "bar_suit" and not state.dealing:
        raise _refuse("no_deal_running", "a suit is barred while a deal is played")


def _check_to(context: GameContext, to: int, against: int) -> None:
    if to >= context.rules.sides or to == context.rules.sides_of(context.state)[against]:
        raise _refuse("wrong_side", f"side {to} is not one of the others", to=to, sides=context.rules.sides)


def _check_deal(context: GameContext, command: Rule, deal: int) -> None:
    state = context.state
    kind = command.kind
    running = state.dealing and deal == state.deal
    record = next((r for r in list_deals(state) if r.deal == deal), state.record() if running else None)
    if record is None:
        raise _refuse("no_such_deal", f"there is no deal {deal}", deal=deal)
    if kind == "bar_suit" and not running:
        raise _refuse("no_deal_running", "a suit is barred while a deal is played")
    if kind == "score_change":
        if running:
            raise _refuse("deal_not_scored", f"deal {deal} has no score to change yet", deal=deal)
        if len(command.scores or ()) != context.rules.sides:
            raise _refuse(
                "wrong_sides", f"{context.rules.sides} scores are needed", sides=context.rules.sides
            )
    if kind == "award_from_trick" or (kind == "short_hand" and command.choice == "points"):
        sides = context.rules.sides_of(state)
        if len(set(sides[: state.seats])) == 1:  # the sides depend on an auction
            raise _refuse("sides_unknown", f"who plays deal {deal} against whom is not known yet", deal=deal)
    if context.rules.span and kind in ("annul_deal", "short_hand"):
        raise _refuse("deals_unknown", "totals know no single deal; use score_change", deal=deal)
    if kind in MOVING_KINDS:
        if state.mode == "sheet":
            raise _refuse("tricks_unknown", "a written result has no tricks; use score_change", deal=deal)
        _check_trick(command, record)


def _check_trick(command: Rule, record: DealRecord) -> None:
    trick = command.trick or 0
    begun = len(record.tricks) + (command.kind == "award_from_trick")
    if trick > min(begun, record.size):
        raise _refuse(
            "no_such_trick", f"deal {record.deal} has no trick {trick} yet", deal=record.deal, trick=trick
        )
    if command.kind == "card_powerless" and -1 in record.tricks[trick - 1].cards:
        raise _refuse(
            "cards_unknown", f"trick {trick} is not known completely", deal=record.deal, trick=trick
        )
