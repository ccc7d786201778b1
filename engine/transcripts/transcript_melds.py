"""Declarations in a transcript: melds and the Stöck, in time or late, and shown melds.

Melds are in time with a seat's first card, and the Stöck with the second of its two cards, until the next
card is played. Late declarations do not count and are recorded as infractions.
"""

from engine.cards import INDEX, members
from engine.commands import Declare, Play, Show
from engine.errors import IllegalCommand
from engine.events import Event, Infraction, MeldsShown, StoeckDeclared
from engine.infractions.findings import SUITS, Finding, emit_finding, may_have_held
from engine.ledger.state import State
from engine.melds.combinations import read
from engine.melds.declared_melds import check_heard, find_false_melds, list_declared_melds
from engine.melds.declaring import announce_melds, read_melds, score_melds
from engine.melds.stoeck import STOECK, has_played_stoeck, read_stoeck_points
from engine.rules import Draft, GameContext
from engine.scoring.game_end import end_if_target_reached
from engine.tricks.modes import get_trump


def write_melds(draft: Draft, command: Play | Declare, *, apart: bool) -> bool:
    """Emit the melds of a command, if any. Return whether they are late. `apart`: declared without a card."""
    if not command.melds and not command.heard:
        return False
    state = draft.state
    found = read_melds(draft.context, command.melds or ())
    for said in command.heard or ():
        check_heard(draft.context, said.points, INDEX[said.top])
    cards = _played_by(state, command.seat)
    late = len(cards) > 1 or (len(cards) == 1 and not (apart and _played_last_card(state, command.seat)))
    announce_melds(draft, command.seat, found, command.heard or (), counts=not late, apart=apart)
    return late


def _played_by(state: State, seat: int) -> list[int]:
    """Return the cards that a seat has played in this deal, in order; -1 for unknown ones."""
    tricks = [*((trick.seats, trick.cards) for trick in state.tricks), (state.trick_seats, state.trick)]
    return [cards[seats.index(seat)] for seats, cards in tricks if seat in seats]


def _played_last_card(state: State, seat: int) -> bool:
    """Return whether a seat played the last card that was recorded."""
    seats = state.trick_seats or state.tricks[-1].seats
    return seats[-1] == seat


def record_stoeck(draft: Draft, command: Play, at_seq: int) -> None:
    """Emit a Stöck that was declared with the card just played, or the infraction if it was false or late."""
    state = draft.state
    points = read_stoeck_points(draft.context, command.stoeck or False)
    if _may_be_stoeck(state, command.seat, INDEX[command.card]):
        draft.emit(StoeckDeclared(seq=draft.seq, seat=command.seat, points=points))
        return
    code: Infraction = "stoeck_late" if has_played_stoeck(state, command.seat) else "stoeck_not_held"
    emit_finding(draft, Finding(command.seat, len(state.tricks) + 1, code, at_seq))


def _may_be_stoeck(state: State, seat: int, card: int) -> bool:
    """Return whether a seat's last card may have been the second card of the Stöck, in trumps or in a suit
    that may be trumps.
    """
    trump = get_trump(state)
    suits = SUITS if state.contract is None else () if trump is None else (trump,)
    own, played = state.played_by(seat), state.played()
    unknown = _played_by(state, seat).count(-1)
    for suit in suits:
        missing = STOECK[suit] & ~own
        if (card < 0 or STOECK[suit] >> card & 1) and missing.bit_count() <= unknown and not missing & played:
            return True
    return False


def find_false_stoeck(context: GameContext) -> list[Finding]:
    """Return a finding for each Stöck that the record disproves: its seat cannot have held both cards, or
    there are no trumps.
    """
    state = context.state
    found = []
    for seat, _, at in state.stoeck:
        trump = get_trump(state)
        if state.contract is None or (
            trump is not None and all(may_have_held(context, seat, card) for card in members(STOECK[trump]))
        ):
            continue
        tricks = [(trick.seats, trick.seqs) for trick in state.tricks]
        tricks.append((tuple(state.trick_seats), state.trick_seqs))
        last = max(number for number, (seats, _) in enumerate(tricks[: at + 1]) if seat in seats)
        seats, seqs = tricks[last]
        found.append(Finding(seat, last + 1, "stoeck_not_held", seqs[seats.index(seat)]))
    return found


def declare(context: GameContext, command: Declare) -> list[Event]:
    """Return the events of melds or the Stöck, declared without a card. Raises IllegalCommand for both or
    neither.
    """
    state = context.state
    seat = command.seat
    if seat >= state.seats:
        raise IllegalCommand("declare/no_such_seat", f"there is no seat {seat}", seat=seat)
    melds, stoeck = bool(command.melds or command.heard), command.stoeck not in (None, False)
    if melds == stoeck:
        raise IllegalCommand("declare/one_thing", "melds are declared, or the Stöck")
    draft = Draft(context)
    at_seq = state.seq
    number = len(state.tricks) + 1
    if melds:
        if write_melds(draft, command, apart=True):
            emit_finding(draft, Finding(seat, number, "meld_late", at_seq))
        for finding in find_false_melds(draft.context):
            emit_finding(draft, finding, at_seq)
        _rescore_melds(draft)
        return draft.events
    points = read_stoeck_points(context, command.stoeck or False)
    own = _played_by(state, seat)
    in_time = bool(own) and _played_last_card(state, seat)
    holds = in_time and _may_be_stoeck(state, seat, own[-1])
    draft.emit(StoeckDeclared(seq=draft.seq, seat=seat, points=points, counts=holds, apart=True))
    if not holds:
        code: Infraction = (
            "stoeck_not_held" if in_time and not has_played_stoeck(state, seat) else "stoeck_late"
        )
        emit_finding(draft, Finding(seat, number, code, at_seq))
    end_if_target_reached(draft)
    return draft.events


def show(context: GameContext, command: Show) -> list[Event]:
    """Return the events of melds laid on the table. Raises IllegalCommand if the seat declared none."""
    state = context.state
    seat = command.seat
    said = [one for one in list_declared_melds(context) if one.seat == seat]
    if not said:
        raise IllegalCommand("show/not_declared", f"seat {seat} has declared no melds", seat=seat)
    found = [read(cards, context.rules.play.low_quads) for cards in command.melds]
    draft = Draft(context)
    draft.emit(MeldsShown(seq=draft.seq, seat=seat, melds=command.melds))
    for finding in find_false_melds(draft.context):
        emit_finding(draft, finding, state.seq)
    told = [one.may_be for one in list_declared_melds(draft.context) if one.seat == seat]
    if any((meld.cards,) not in told for meld in found):
        emit_finding(draft, Finding(seat, 1, "meld_not_held", said[0].seq), state.seq)
    _rescore_melds(draft)
    return draft.events


def _rescore_melds(draft: Draft) -> None:
    """Emit the score of the melds again if the first trick is complete."""
    if draft.state.tricks:
        score_melds(draft)
