"""Phase `trick_play` of a transcribed game: what was played at a physical table is written down as it was.

Nothing is refused for being against the rules; `infraction_found` follows as soon as the record proves it.
What cannot have happened with one deck (a card twice, a seat twice in a trick) is a slip of the pen and is
refused.
"""

from typing import Final

from engine.cards import INDEX
from engine.commands import Play
from engine.contracts import LAST_TRICK, STOECK, STRENGTH
from engine.counting import finish_deal, has_ended
from engine.declaring import announce_melds, read_melds, score_melds, stoeck_points, take_trick, trump_of
from engine.draft import Draft
from engine.errors import IllegalCommand
from engine.events import CardPlayed, Event, InfractionFound, StoeckDeclared, TrickTaken
from engine.phases.trick_play import name_trumps, points_of
from engine.rules import Phase, Turn
from engine.state import NextPlay, State
from engine.transcripts import Finding, false_melds, findings, held_elsewhere, known_hand
from engine.tricks import mode_of, strongest


def turn_of(state: State) -> int | None:
    """Who should play next; None where an unknown card leaves open who took the last trick."""
    if state.trick_seats:
        seat = (state.trick_seats[-1] + 1) % state.seats
        while seat in state.trick_seats:
            seat = (seat + 1) % state.seats
        return seat
    if state.tricks:
        return state.leader
    return state.rules.play.lead(state)


def _write(state: State, command: Play) -> list[Event]:
    seat, card = command.seat, INDEX[command.card]
    if seat >= state.seats:
        raise IllegalCommand("play/no_such_seat", f"there is no seat {seat}", seat=seat)
    if seat in state.trick_seats:
        raise IllegalCommand("play/played_already", f"seat {seat} has played to this trick", seat=seat)
    if card >= 0 and state.played() >> card & 1:
        raise IllegalCommand("play/card_played_already", f"{command.card} has been played", card=command.card)
    turn = turn_of(state)
    draft = Draft(state)
    melds = read_melds(state, command.melds) if command.melds else []
    if melds:
        announce_melds(draft, seat, melds)
    at_seq = draft.seq
    draft.emit(CardPlayed, seat=seat, card=command.card)
    number = len(state.tricks) + 1
    if turn is not None and seat != turn:
        _mark(draft, Finding(seat, number, "out_of_turn", at_seq), at_seq)
    if card >= 0 and held_elsewhere(state, seat, card):
        _mark(draft, Finding(seat, number, "not_in_hand", at_seq), at_seq)
    name_trumps(draft)
    after = draft.state
    if card >= 0:
        for finding in false_melds(after, seat, card):
            _mark(draft, finding, at_seq)
    for who in range(state.seats):
        for finding in findings(after, who):
            _mark(draft, finding, at_seq)
    if command.stoeck is not None and command.stoeck is not False:
        _stoeck(draft, command, at_seq)
        if has_ended(draft):
            return draft.events
    if len(draft.state.trick) == state.seats:
        _complete(draft)
    return draft.events


def _mark(draft: Draft, finding: Finding, now: int) -> None:
    state = draft.state
    same = (state.deal, finding.seat, finding.trick, finding.code)
    if any((old.deal, old.seat, old.trick, old.code) == same for old in state.infractions):
        return
    draft.emit(
        InfractionFound,
        seat=finding.seat,
        trick=finding.trick,
        code=finding.code,
        at_seq=finding.at_seq,
        proof_seq=None if finding.at_seq == now else now,
    )


def _stoeck(draft: Draft, command: Play, at_seq: int) -> None:
    state = draft.state
    points = stoeck_points(state, command.stoeck or False)
    trump = trump_of(state)
    pair = 0 if trump is None else STOECK[trump]
    card = INDEX[command.card]
    missing = pair & ~state.played_by(command.seat)
    unknown = [trick.cards[trick.seats.index(command.seat)] for trick in state.tricks].count(-1) + (card < 0)
    if (
        not pair
        or (card >= 0 and not pair >> card & 1)
        or missing.bit_count() > unknown
        or missing & state.played()
    ):
        _mark(draft, Finding(command.seat, len(state.tricks) + 1, "stoeck_not_held", at_seq), at_seq)
    else:
        draft.emit(StoeckDeclared, seat=command.seat, points=points)


def _complete(draft: Draft) -> None:
    state = draft.state
    if not state.tricks:
        score_melds(draft)
        if state.over:
            return
    last = len(state.tricks) + 1 == state.sizes[0]
    seat = _taker(state)
    if seat is None or -1 in state.trick or state.contract is None:
        draft.emit(TrickTaken, seat=seat, points=None)
    else:
        take_trick(draft, seat, points_of(state, state.trick) + (LAST_TRICK if last else 0), last)
    after_trick = state.rules.play.after_trick
    if after_trick is not None and not state.over:
        after_trick(draft, last)
    if last and not state.over:
        finish_deal(draft)


def _taker(state: State) -> int | None:
    """Who takes the trick; None where an unknown card may be stronger than all that are known."""
    lying = state.trick
    if lying[0] < 0:
        return None
    mode = mode_of(state)
    best = strongest(lying, mode)
    if -1 in lying:
        strength = STRENGTH[mode][lying[0] // 9]
        if any(
            strength[card] > strength[lying[best]] for card in range(36) if not state.played() >> card & 1
        ):
            return None
    return state.trick_seats[best]


def _turn(state: State) -> Turn:
    return Turn(turn_of(state), "trick_play", ("play",))


def _look(state: State) -> NextPlay:
    seat = turn_of(state)
    hand = 0 if seat is None else known_hand(state, seat)
    lying = [card for card in state.trick if card >= 0]
    if state.trick and state.trick[0] >= 0:
        hand = state.rules.play.following[mode_of(state)](hand, lying)
    found = state.next_play = (seat, hand)
    return found


TRANSCRIBING: Final = Phase("trick_play", lambda state: True, _turn, {Play: _write}, look=_look)
