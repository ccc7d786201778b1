"""Phase `exchange`: in turn, each seat may change cards of its hand for the extra cards, which nobody has
seen.

Whoever holds the six of trumps may take the turned card for it, from his own exchange on until the first card
is led.
"""

from itertools import combinations

from engine.cards import BIT, DECK, SIX, SUIT_OF, codes, mask, members
from engine.commands import Command, Exchange, Keep, TakeTurned
from engine.draft import Draft
from engine.errors import IllegalCommand
from engine.events import Event, ExtraExchanged, ExtraKept, TurnedTaken
from engine.phases.discards import check_own
from engine.rules import Phase, Turn, check_turn, forehand, not_open
from engine.state import State


def _seat(state: State) -> int:
    return (forehand(state) + len(state.extras.exchanged)) % state.seats


def _six(state: State) -> int:
    return SUIT_OF[state.extras.turned or 0] * 9 + SIX


def _holds_six(state: State, seat: int) -> bool:
    return bool(state.hands[seat] >> _six(state) & 1)


def _no_six(state: State, seat: int) -> IllegalCommand:
    six = DECK[_six(state)]
    return IllegalCommand("take_turned/no_six", f"{six} is not in the hand of seat {seat}", card=six)


def _take(draft: Draft, seat: int) -> None:
    state = draft.state
    draft.emit(TurnedTaken, seat=seat, six=DECK[_six(state)], card=DECK[state.extras.turned or 0])


def take_turned(state: State, command: TakeTurned) -> list[Event]:
    """Take the turned card for the six of trumps, also when it is another's turn."""
    if not state.dealing or state.tricks or state.trick:
        raise not_open("take_turned", "trick_play" if state.dealing else "dealing")
    if command.seat not in state.extras.exchanged:
        raise IllegalCommand(
            "take_turned/not_yet", "the turned card is taken after one's own exchange", seat=command.seat
        )
    if not _holds_six(state, command.seat):
        raise _no_six(state, command.seat)
    draft = Draft(state)
    _take(draft, command.seat)
    return draft.events


def _exchange(state: State, command: Exchange) -> list[Event]:
    """The wish for the turned card goes unheard where the extra cards do not bring the six: a refusal would
    tell what they are before they are taken."""
    seat = command.seat
    check_turn("exchange", seat, _seat(state))
    check_own(state, seat, list(command.cards), state.extras.extra_sizes[seat], "exchange")
    given = mask(command.cards)
    if command.take_turned and given & BIT[DECK[_six(state)]]:
        raise _no_six(state, seat)
    draft = Draft(state)
    draft.emit(
        ExtraExchanged,
        seat=seat,
        size=len(command.cards),
        given=codes(given),
        taken=codes(state.extras.extra[seat]),
    )
    if command.take_turned and _holds_six(draft.state, seat):
        _take(draft, seat)
    return draft.events


def _keep(state: State, command: Keep) -> list[Event]:
    seat = command.seat
    check_turn("keep", seat, _seat(state))
    if command.take_turned and not _holds_six(state, seat):
        raise _no_six(state, seat)
    draft = Draft(state)
    draft.emit(ExtraKept, seat=seat)
    if command.take_turned:
        _take(draft, seat)
    return draft.events


def _offers(state: State) -> list[Command]:
    seat = _seat(state)
    hand = members(state.hands[seat])
    offered: list[Command] = [Keep(seat=seat)]
    if _holds_six(state, seat):
        offered.append(Keep(seat=seat, take_turned=True))
    offered += [
        Exchange(seat=seat, cards=[DECK[card] for card in cards], take_turned=_six(state) not in cards)
        for cards in combinations(hand, state.extras.extra_sizes[seat])
    ]
    return offered


def exchange() -> Phase:
    """The phase; open until every seat has exchanged or kept."""
    return Phase(
        "exchange",
        lambda state: len(state.extras.exchanged) < state.seats,
        lambda state: Turn(_seat(state), "exchange", ("exchange", "keep")),
        {Exchange: _exchange, Keep: _keep},
        _offers,
    )
