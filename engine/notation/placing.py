"""Build the course of a game: each event is assigned to its deal and trick. The events may be redacted."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from engine import events as ev
from engine.card_points import LAST_TRICK
from engine.cards import INDEX
from engine.errors import CorruptLog, convert_fold_errors
from engine.ledger.evolve import evolve
from engine.ledger.state import State
from engine.notation.course import Course, DealCourse, Played, Share, TrickRow
from engine.phases.dealing import pad_unknown
from engine.registry import build_game_context
from engine.rules import GameContext
from engine.scoring.ruling_effects import get_current_scores, is_annulled
from engine.taking_back import drop_taken_back

VALUES_WITHOUT_TRUMPS: Final = "obenabe"
"""The contract whose card values count in a deal without a contract."""
_LAID_OUT: Final = (ev.HandDealt, ev.TableDealt, ev.ExtraDealt)
_DECLARED: Final = (ev.MeldsDeclared, ev.StoeckDeclared)
_SHEET_EVENTS: Final = (ev.ResultEntered, ev.ResultConfirmed)
_OF_NO_DEAL: Final = (ev.GameEnded, ev.GameClosed, ev.OutClaimed)
_RULINGS: Final = (ev.RulingMade, ev.DealAnnulled)


def build_course(log: Sequence[ev.Event]) -> Course:
    """Build the course of one game. Raises CorruptLog for events that are no game."""
    if not log or not isinstance(log[0], ev.GameStarted) or not log[0].variant:
        raise CorruptLog("log/no_start", "a log begins with game_started")
    course = Course(log[0])
    state = State()
    with convert_fold_errors():
        for event in drop_taken_back(log):
            evolve(state, event)
            _place(course, build_game_context(state), event)
        context = build_game_context(state)
        results = [
            replace(entry, scores=_known_scores(context, at)) for at, entry in enumerate(state.results, 1)
        ]
    for deal in course.deals:
        deal.tricks = [row for row in deal.tricks if row.plays]
        deal.annulled = is_annulled(state, deal.number)
        deal.counts = None if deal.result is None else list(get_current_scores(context, deal.number) or ())
    for event in log:
        if isinstance(event, ev.TakenBack):
            _place_taken_back(course, event)
    course.results = results
    course.totals = list(state.totals)
    course.sides = list(context.rules.sides_of(state))
    return course


def _known_scores(context: GameContext, deal: int) -> tuple[int, ...]:
    return tuple(points or 0 for points in get_current_scores(context, deal) or ())


def _place_taken_back(course: Course, event: ev.TakenBack) -> None:
    """Add a `taken_back` event to the deal during which it came. The course does not contain the events that
    were taken back.
    """
    begun = [deal for deal in course.deals if deal.seq < event.seq]
    (begun[-1].rulings if begun else course.after).append(event)


def _place(course: Course, context: GameContext, event: ev.Event) -> None:
    """Add an event to the course. `context`: the state after the event."""
    if isinstance(event, ev.GameStarted):
        return
    if isinstance(event, ev.DealStarted):
        course.deals.append(
            DealCourse(event.deal, event.dealer, list(context.rules.sides_of(context.state)), event.seq)
        )
    elif isinstance(event, _SHEET_EVENTS):
        course.entries.append(event)
    elif isinstance(event, _RULINGS):
        named = next((deal for deal in course.deals if deal.number == event.deal), None)
        (course.after if named is None else named.rulings).append(event)
    elif isinstance(event, _OF_NO_DEAL) or not course.deals:
        course.end = event if isinstance(event, ev.GameEnded) else course.end
        course.after.append(event)
    else:
        _place_in_deal(course.deals[-1], context, event)


def _place_in_deal(deal: DealCourse, context: GameContext, event: ev.Event) -> None:
    if isinstance(event, _LAID_OUT):
        _place_dealt_cards(deal, event)
    elif isinstance(event, ev.CardPlayed):
        _place_card(deal, event)
    elif isinstance(event, ev.MeldsDeclared) and not event.apart:
        _open_trick(deal).notes.append(event)
    elif isinstance(event, ev.TrickTaken):
        _place_trick_taken(deal, context.state, event)
    elif not (isinstance(event, ev.InfractionFound) and _place_infraction(deal, event)):
        _place_other(deal, context, event)


def _place_other(deal: DealCourse, context: GameContext, event: ev.Event) -> None:
    state = context.state
    if isinstance(event, ev.ContractSet):
        if context.rules.by_card:
            event = replace(event, seat=None)  # the recording seat did not name the contract
        deal.contract, deal.chooser, deal.slot = event.contract, event.seat, event.slot
        deal.pushed = bool(state.pushed)
    elif isinstance(event, ev.AuctionWon):
        deal.sides = list(context.rules.sides_of(state))
    elif isinstance(event, ev.DealScored):
        deal.result = event
        _rescore_tricks(deal, context)
        return
    row = deal.tricks[-1] if deal.tricks else None
    if row is None:
        deal.before.append(event)
    elif isinstance(event, _DECLARED) and not row.complete and row.plays[-1].seat == event.seat:
        row.plays[-1].said.append(event)
    elif row.complete and len(state.tricks) == state.sizes[0]:
        deal.after.append(event)
    else:
        row.notes.append(event)


def _place_dealt_cards(deal: DealCourse, event: ev.HandDealt | ev.TableDealt | ev.ExtraDealt) -> None:
    share = next((one for one in deal.shares if one.seat == event.seat), None)
    if share is None:
        share = Share(event.seat, [])
        deal.shares.append(share)
    if isinstance(event, ev.HandDealt):
        share.hand = [*pad_unknown(event.cards, event.size)]
        share.face_down = event.face_down
    elif isinstance(event, ev.TableDealt):
        share.open, share.closed = [*event.open], [*pad_unknown(event.closed, event.size)]
    else:
        share.extra = [*pad_unknown(event.cards, event.size)]


def _open_trick(deal: DealCourse) -> TrickRow:
    if not deal.tricks or deal.tricks[-1].complete:
        deal.tricks.append(TrickRow(len(deal.tricks) + 1))
    return deal.tricks[-1]


def _place_card(deal: DealCourse, event: ev.CardPlayed) -> None:
    row = _open_trick(deal)
    play = Played(event.seat, event.card, event.seq)
    if row.notes and isinstance(row.notes[-1], ev.MeldsDeclared) and not row.notes[-1].apart:
        play.said.append(row.notes.pop())
    row.plays.append(play)


def _place_trick_taken(deal: DealCourse, state: State, event: ev.TrickTaken) -> None:
    row = deal.tricks[-1]
    row.complete, row.taker, row.points = True, event.seat, event.points
    row.so_far = _sum_tricks(deal, len(state.totals))


def _sum_tricks(deal: DealCourse, sides: int) -> list[int]:
    """Return the trick points of each side so far; empty if the points or the taker of a trick are not
    known.
    """
    found = [0] * sides
    for row in deal.tricks:
        if row.taker is None or row.points is None:
            return []
        found[deal.sides[row.taker]] += row.points
    return found


def _rescore_tricks(deal: DealCourse, context: GameContext) -> None:
    """Score tricks that were taken before the card values were known, once the end of the deal shows them.

    The scores are kept only if they match the recorded result.
    """
    state = context.state
    late = [row for row in deal.tricks if row.points is None]
    if not late or any(play.card is None for row in late for play in row.plays):
        return
    worth = context.rules.play.values[deal.contract or VALUES_WITHOUT_TRUMPS]
    points = [
        sum(worth[INDEX[play.card]] for play in row.plays) if row.points is None else row.points
        for row in deal.tricks
    ]
    counted = DealCourse(deal.number, deal.dealer, deal.sides, deal.seq)
    sums: list[list[int]] = []
    for row, gained in zip(deal.tricks, points, strict=True):
        last = LAST_TRICK if row.points is None and row.number == state.sizes[0] else 0
        counted.tricks.append(replace(row, points=gained + last))
        sums.append(_sum_tricks(counted, len(state.totals)))
    if deal.result is not None and sums[-1] == list(deal.result.card_points):
        for row, so_far in zip(counted.tricks, sums, strict=True):
            row.so_far = so_far
        deal.tricks = counted.tricks


def _place_infraction(deal: DealCourse, event: ev.InfractionFound) -> bool:
    """Add an infraction to its card, or to the declaration with a card. Return False for any other act."""
    for row in deal.tricks:
        for play in row.plays:
            if play.seq == event.at_seq:
                play.infractions.append(event)
                return True
            if any(said.seq == event.at_seq for said in play.said):
                play.said.append(event)
                return True
    return False
