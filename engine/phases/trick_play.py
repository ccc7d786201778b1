"""Phase `trick_play`: cards are played in turn, tricks taken, and what counts with them is counted.

A card that neither completes a trick nor declares anything takes the short way; the rest goes through a draft.
"""

from typing import NoReturn

from ..cards import DECK, INDEX, codes
from ..commands import Command, Play
from ..contracts import LAST_TRICK
from ..counting import finish_deal, has_ended, target_near
from ..declaring import declare_melds, declare_stoeck, score_melds, take_trick
from ..draft import Draft
from ..errors import IllegalCommand
from ..events import CardPlayed, Event, TrickTaken
from ..rules import Phase, check_turn
from ..state import State
from ..tricks import mode_of, strongest


def turn_of(state: State) -> int:
    """The seat that plays next."""
    if state.trick_seats:
        return (state.trick_seats[-1] + 1) % state.seats
    if state.leader is None:
        return state.rules.play.lead(state)
    return state.leader


def legal_of(state: State, seat: int) -> int:
    """The cards the seat whose turn it is may play; kept in the state until the next event."""
    if state.legal_at == state.seq:
        return state.legal
    hand = state.hands[seat] | state.table_open[seat]
    if state.trick:
        legal = state.rules.play.following(hand, state.trick, mode_of(state))
    else:
        legal = (hand & ~state.barred[seat]) or hand
    state.legal = legal
    state.legal_at = state.seq
    return legal


def _play(state: State, command: Play) -> list[Event]:
    seat = command.seat
    code = command.card
    card = INDEX[code]
    turn = turn_of(state)
    if seat != turn:
        check_turn("play", seat, turn)
    if card < 0 or not legal_of(state, seat) >> card & 1:
        _refuse(state, seat, code)
    seq = state.seq
    played = CardPlayed(seq=seq, seat=seat, card=code)
    if command.melds is None and command.stoeck is None:
        lying = state.trick
        if len(lying) + 1 < state.seats:
            return [played]
        done = len(state.tricks)
        if done + 1 < state.sizes[0] and not (done == 0 and state.declared) and not target_near(state):
            lying = [*lying, card]
            worth = state.rules.play.values[state.contract or "obenabe"]
            points = sum([worth[c] for c in lying])
            winner = (state.trick_seats[0] + strongest(lying, mode_of(state))) % state.seats
            return [played, TrickTaken(seq=seq + 1, seat=winner, points=points)]
    return _with_consequences(state, command)


def _with_consequences(state: State, command: Play) -> list[Event]:
    draft = Draft(state)
    after = draft.state
    if command.melds:
        declare_melds(draft, command.seat, command.melds)
    draft.emit(CardPlayed, seat=command.seat, card=command.card)
    if command.stoeck is not None and command.stoeck is not False:
        declare_stoeck(draft, command)
    if has_ended(draft):
        return draft.events
    if len(after.trick) < after.seats:
        return draft.events
    if not after.tricks:
        score_melds(draft)
        if after.over:
            return draft.events
    lying = after.trick
    worth = after.rules.play.values[after.contract or "obenabe"]
    last = len(after.tricks) + 1 == after.sizes[0]
    points = sum(worth[card] for card in lying) + (LAST_TRICK if last else 0)
    take_trick(draft, after.trick_seats[strongest(lying, mode_of(after))], points, last)
    if last and not after.over:
        finish_deal(draft)
    return draft.events


def _refuse(state: State, seat: int, code: str | None) -> NoReturn:
    if code is None:
        raise IllegalCommand("play/card_missing", "the card must be named")
    if not (state.hands[seat] | state.table_open[seat]) >> INDEX[code] & 1:
        raise IllegalCommand("play/not_in_hand", f"{code} is not in the hand of seat {seat}", card=code)
    legal = codes(legal_of(state, seat))
    lying = [DECK[card] for card in state.trick]
    raise IllegalCommand(
        "play/illegal_card",
        f"{code} may not be played on {' '.join(lying) or 'an empty table'}; legal: {' '.join(legal)}",
        card=code,
        lying=lying,
        legal=legal,
    )


def offers(state: State) -> list[Command]:
    """Every card that may be played now, without what could be declared with it."""
    seat = turn_of(state)
    return [Play(seat=seat, card=card) for card in codes(legal_of(state, seat))]


def trick_play() -> Phase:
    """The phase; open as soon as no other one is."""
    return Phase("trick_play", lambda s: True, turn_of, lambda s: ("play",), {Play: _play}, offers)
