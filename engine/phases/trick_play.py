"""Phase `trick_play`: cards are played in turn, tricks taken, and what counts with them is counted.

A card that declares nothing and ends neither deal nor game takes the short way (the hot path of tests/bench/engine.py);
the rest goes through a draft.
"""

from typing import Final, NoReturn

from ..cards import BIT, DECK, INDEX, SUIT_OF, codes
from ..commands import Command, Play
from ..contracts import LAST_TRICK, MODES, STRENGTH, TOP_DOWN
from ..counting import finish_deal, has_ended, target_near
from ..declaring import declare_melds, declare_stoeck, score_melds, take_trick
from ..draft import Draft
from ..errors import IllegalCommand
from ..events import CardPlayed, Event, TrickTaken
from ..rules import Phase, Turn, check_turn
from ..state import State
from ..tricks import mode_of, strongest

TURNS: Final = tuple(Turn(seat, "trick_play", ("play",)) for seat in range(4))


def look(state: State) -> None:
    """Find who plays next and what may be played, and keep it in the state until the next event."""
    trick = state.trick
    if trick:
        seat = (state.trick_seats[-1] + 1) % state.seats
        contract = state.contract
        mode = TOP_DOWN if contract is None else MODES[contract][state.sizes[0]][len(state.tricks)]
        legal = state.rules.play.following(state.hands[seat], trick, mode)
    else:
        seat = state.rules.play.lead(state) if state.leader is None else state.leader
        legal = state.hands[seat] & ~state.barred[seat] or state.hands[seat]
    state.legal = legal
    state.legal_seat = seat
    state.legal_at = state.seq


def _turn(state: State) -> Turn:
    if state.legal_at != state.seq:
        look(state)
    return TURNS[state.legal_seat or 0]


def _play(state: State, command: Play) -> list[Event]:
    if state.legal_at != state.seq:
        look(state)
    seat = command.seat
    code = command.card
    if seat != state.legal_seat or not state.legal & BIT[code]:
        _refuse(state, seat, code)
    trick = state.trick
    if command.melds is None and command.stoeck is None:
        seq = state.seq
        if len(trick) + 1 < state.seats:
            return [CardPlayed(seq=seq, seat=seat, card=code)]
        done = len(state.tricks)
        play = state.rules.play
        if (
            done + 1 < state.sizes[0]
            and (done or not state.declared)
            and (play.targets is None or not target_near(state))
        ):
            contract = state.contract
            mode = TOP_DOWN if contract is None else MODES[contract][state.sizes[0]][done]
            strength = STRENGTH[mode][SUIT_OF[trick[0]]]
            worth = play.values[contract or "obenabe"]
            lying = [*trick, INDEX[code]]
            powers = [strength[card] for card in lying]
            winner = (state.trick_seats[0] + powers.index(max(powers))) % state.seats
            points = sum([worth[card] for card in lying])
            return [
                CardPlayed(seq=seq, seat=seat, card=code),
                TrickTaken(seq=seq + 1, seat=winner, points=points),
            ]
    return _with_consequences(state, command)


def _with_consequences(state: State, command: Play) -> list[Event]:
    draft = Draft(state)
    if command.melds:
        declare_melds(draft, command.seat, command.melds)
    draft.emit(CardPlayed, seat=command.seat, card=command.card)
    if command.stoeck is not None and command.stoeck is not False:
        declare_stoeck(draft, command)
    after = draft.state
    if has_ended(draft) or len(after.trick) < after.seats:
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
    check_turn("play", seat, state.legal_seat)
    if code is None:
        raise IllegalCommand("play/card_missing", "the card must be named")
    if not state.hands[seat] & BIT[code]:
        raise IllegalCommand("play/not_in_hand", f"{code} is not in the hand of seat {seat}", card=code)
    legal = codes(state.legal)
    lying = [DECK[card] for card in state.trick]
    raise IllegalCommand(
        "play/illegal_card",
        f"{code} may not be played on {' '.join(lying) or 'an empty table'}; legal: {' '.join(legal)}",
        card=code,
        lying=lying,
        legal=legal,
    )


def _offers(state: State) -> list[Command]:
    """Every card that may be played now, without what could be declared with it."""
    seat = _turn(state).seat or 0
    return [Play(seat=seat, card=card) for card in codes(state.legal)]


def trick_play() -> Phase:
    """The phase; open as soon as no other one is."""
    return Phase("trick_play", lambda state: True, _turn, {Play: _play}, _offers, look)
