"""Transcribed games: what the record proves about cards that were played against the rules.

A hand is known from the cards dealt, as far as they are known, and from those its owner plays later: whoever
plays a heart in trick 7 held it in trick 3. Following only gets stricter the more of a hand is known, so what
is illegal by the part that is known stays illegal whatever the rest may be.
"""

from typing import NamedTuple

from .cards import ALL, SUIT_OF
from .events import Infraction
from .state import State, Trick
from .tricks import mode_at


class Finding(NamedTuple):
    """A proven infraction: who, in which trick (from 1), what, and the event of the card."""

    seat: int
    trick: int
    code: Infraction
    at_seq: int


def known_hand(state: State, seat: int) -> int:
    """The cards a seat is known to hold now: dealt to it, or left over when all the others' are known."""
    hand = state.hands[seat]
    others = [other for other in range(state.seats) if other != seat]
    if sum(state.sizes) == 36 and all(state.unknown(other) <= 0 for other in others):
        if any(-1 in trick.cards for trick in state.tricks) or -1 in state.trick:
            return hand
        held = state.played()
        for other in others:
            held |= state.hands[other]
        hand |= ALL & ~held
    return hand


def findings(state: State, seat: int) -> list[Finding]:
    """Every card of a seat in this deal that is now proven to have been illegal, in the order played."""
    lying = Trick(state.trick_seats, state.trick, None, None, state.trick_seqs)
    tricks = [*state.tricks, lying] if state.trick else state.tricks
    following = state.rules.play.following
    hand = known_hand(state, seat)
    found: list[Finding] = []
    for at in range(len(tricks) - 1, -1, -1):
        trick = tricks[at]
        if seat not in trick.seats:
            continue
        place = trick.seats.index(seat)
        card = trick.cards[place]
        if card < 0:
            continue
        hand |= 1 << card
        before = [other for other in trick.cards[:place] if other >= 0]
        if place == 0 or trick.cards[0] < 0:
            continue
        mode = mode_at(state.contract, state.sizes[seat], at)
        if not following[mode](hand, before) >> card & 1:
            over = mode < 4 and SUIT_OF[card] == mode and SUIT_OF[before[0]] != mode
            found.append(Finding(seat, at + 1, "undertrump" if over else "revoke", trick.seqs[place]))
    return found[::-1]


def held_elsewhere(state: State, seat: int, card: int) -> bool:
    """Whether the record shows that a seat cannot hold a card: it is another's, or all its own are known."""
    bit = 1 << card
    if state.hands[seat] & bit:
        return False
    return state.unknown(seat) <= 0 or any(hand & bit for hand in state.hands)


def false_melds(state: State, seat: int, card: int) -> list[Finding]:
    """The melds of other seats that a card played by this one disproves."""
    found = []
    for declaration in state.declared:
        who = declaration.seat
        if who != seat and any(mask >> card & 1 for mask in declaration.melds or ()):
            first = state.tricks[0] if state.tricks else None
            seats = first.seats if first else state.trick_seats
            seqs = first.seqs if first else state.trick_seqs
            found.append(Finding(who, 1, "meld_not_held", seqs[seats.index(who)]))
    return found
