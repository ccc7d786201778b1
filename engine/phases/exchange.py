"""Phase `exchange`: in turn, each seat may exchange cards of its hand for its extra cards, which no player
has seen.

The holder of the six of trumps may take the turned card for it, from their own exchange until the first card
is led.
"""

from collections.abc import Sequence
from itertools import combinations

from engine.cards import DECK, SIX, codes, mask, members
from engine.commands import Command, Exchange, Keep, TakeTurned
from engine.errors import IllegalCommand
from engine.events import Event, ExtraExchanged, ExtraKept, TurnedTaken
from engine.infractions.faults import Faults, with_faults
from engine.infractions.findings import lacks_card
from engine.ledger.evolve import evolve, replay
from engine.ledger.state import State
from engine.phases.discards import check_own
from engine.rules import Draft, GameContext, Phase, Turn, from_forehand, not_open, on
from engine.tricks.modes import get_trump


def _seat_in_turn(context: GameContext) -> int | None:
    """Return the first seat from forehand that has neither exchanged nor kept yet; None if all have."""
    exchanged = context.state.variant_state.exchanged
    for seat in from_forehand(context.state):
        if seat not in exchanged:
            return seat
    return None


def _trump_six(state: State) -> int | None:
    """Return the six of trumps, None if trumps are not known."""
    trump = get_trump(state)
    return None if trump is None else trump * 9 + SIX


def _may_hold_six(context: GameContext, seat: int) -> bool:
    six = _trump_six(context.state)
    return six is None or not lacks_card(context, seat, six)


def _six_missing(state: State, seat: int) -> IllegalCommand:
    six = DECK[_trump_six(state) or 0]
    return IllegalCommand("take_turned/no_six", f"{six} is not in the hand of seat {seat}", card=six)


def _emit_turned_taken(draft: Draft, state: State, seat: int) -> None:
    six, turned = _trump_six(state), state.variant_state.turned
    draft.emit(
        TurnedTaken(
            seq=draft.seq,
            seat=seat,
            six=None if six is None else DECK[six],
            card=None if turned is None else DECK[turned],
        )
    )


def take_turned(context: GameContext, command: TakeTurned) -> list[Event]:
    """Return the events by which a seat takes the turned card for the six of trumps. Raises IllegalCommand
    after the first card and, in a dealt game, before its exchange.
    """
    state = context.state
    if not state.dealing or state.begun:
        raise not_open("take_turned", "trick_play" if state.dealing else "dealing")
    faults = Faults(state, command.seat)
    faults.check_turn("take_turned", command.seat)
    if command.seat not in state.variant_state.exchanged:
        what = "the turned card is taken after one's own exchange"
        faults.add(IllegalCommand("take_turned/not_yet", what, seat=command.seat))
    if not _may_hold_six(context, command.seat):
        faults.add(_six_missing(state, command.seat), "not_in_hand")
    draft = Draft(context)
    _emit_turned_taken(draft, state, command.seat)
    return with_faults(faults, draft)


def _exchange(context: GameContext, command: Exchange) -> list[Event]:
    """Return the events of an exchange.

    The request for the turned card is ignored if the extra cards do not bring the six, because a refusal
    would reveal them before they are taken.
    """
    state = context.state
    seat = command.seat
    faults = Faults(state, seat)
    faults.check_turn("exchange", _seat_in_turn(context))
    check_own(faults, context, seat, command.cards, state.variant_state.extra_sizes[seat], "exchange")
    given, six = mask(command.cards), _trump_six(state)
    if command.take_turned and six is not None and given >> six & 1:
        faults.add(_six_missing(state, seat), "not_in_hand")
    draft = Draft(context)
    draft.emit(
        ExtraExchanged(
            seq=draft.seq,
            seat=seat,
            size=len(command.cards),
            given=codes(given),
            taken=codes(state.variant_state.extra[seat]),
        )
    )
    if command.take_turned and _may_hold_six(draft.context, seat):
        _emit_turned_taken(draft, state, seat)
    return with_faults(faults, draft)


def _keep(context: GameContext, command: Keep) -> list[Event]:
    state = context.state
    seat = command.seat
    faults = Faults(state, seat)
    faults.check_turn("keep", _seat_in_turn(context))
    if command.take_turned and not _may_hold_six(context, seat):
        faults.add(_six_missing(state, seat), "not_in_hand")
    draft = Draft(context)
    draft.emit(ExtraKept(seq=draft.seq, seat=seat))
    if command.take_turned:
        _emit_turned_taken(draft, state, seat)
    return with_faults(faults, draft)


def _audit_run(context: GameContext, log: Sequence[Event], at: int) -> int:
    """Fold the exchange, or the decision to keep, of the seat in turn from a log, with the taking of the
    turned card. Return the number of events.
    """
    state = context.state
    event, after = log[at], log[at + 1] if at + 1 < len(log) else None
    if event.seq != at or state.mode != "dealt":
        return 0
    if type(event) is ExtraExchanged:
        seat, given = event.seat, event.given or ()
        if (
            seat != _seat_in_turn(context)
            or not event.size == len(given) == state.variant_state.extra_sizes[seat]
        ):
            return 0
        cards = mask(given)
        if (
            cards & ~state.hands[seat]
            or codes(cards) != given
            or event.taken != codes(state.variant_state.extra[seat])
        ):
            return 0
        hand = state.hands[seat] & ~cards | state.variant_state.extra[seat]
    elif type(event) is ExtraKept and event.seat == _seat_in_turn(context):
        seat, cards = event.seat, 0
        hand = state.hands[seat]
    else:
        return 0
    if type(after) is not TurnedTaken or after.seat != seat:
        evolve(state, event)
        return 1
    six, turned = _trump_six(state), state.variant_state.turned
    if six is None or turned is None or not hand >> six & 1 or cards >> six & 1:
        return 0
    if after != TurnedTaken(seq=at + 1, seat=seat, six=DECK[six], card=DECK[turned]):
        return 0
    replay((event, after), state)
    return 2


def _offers(context: GameContext) -> list[Command]:
    state = context.state
    seat = _seat_in_turn(context) or 0
    hand = members(state.hands[seat])
    offered: list[Command] = [Keep(seat=seat)]
    if _may_hold_six(context, seat):
        offered.append(Keep(seat=seat, take_turned=True))
    offered += [
        Exchange(seat=seat, cards=[DECK[card] for card in cards], take_turned=_trump_six(state) not in cards)
        for cards in combinations(hand, state.variant_state.extra_sizes[seat])
    ]
    return offered


def exchange() -> Phase:
    """Return the phase. It is open until every seat has exchanged or kept."""
    return Phase(
        "exchange",
        lambda context: _seat_in_turn(context) is not None,
        lambda context: Turn(_seat_in_turn(context), "exchange", ("exchange", "keep")),
        on(Exchange, _exchange) | on(Keep, _keep),
        _offers,
        audit_run=_audit_run,
    )
