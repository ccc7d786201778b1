"""Transcribed games: what the record proves about cards that were played against the rules.

A hand is known from the cards dealt, as far as they are known, and from those its owner plays later: whoever
plays a heart in trick 7 held it in trick 3. Following only gets stricter the more of a hand is known, so what
is illegal by the part that is known stays illegal whatever the rest may be. Where it is not known what was
trumps, or what lay on the table, a card is illegal if it is so in every case.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.cards import ALL, SUIT_OF
from engine.contracts import BOTTOM_UP, TOP_DOWN
from engine.events import Infraction, InfractionFound
from engine.ledger.state import Pile, State, Trick
from engine.rules import Draft, Table
from engine.tricks.modes import mode_at

ANY_MODE = range(BOTTOM_UP + 1)
SUITS = range(TOP_DOWN)


class Finding(NamedTuple):
    """A proven infraction: who, in which trick (from 1), what, and the event of the card."""

    seat: int
    trick: int
    code: Infraction
    at_seq: int


def known_hand(state: State, seat: int) -> int:
    """The cards a seat is known to hold now: dealt to it, or left over when all the others' are known."""
    hand = 0 if _first_hidden(state, seat) is not None else state.hands[seat]
    if any(pile.closed is not None for pile in state.extras.table[seat]):
        return hand  # what lies closed on the table cannot be played, and proves nothing of what can
    others = [other for other in range(state.seats) if other != seat]
    if sum(state.sizes) == 36 and all(state.unknown(other) <= 0 for other in others):
        if first_unknown(state) is not None:
            return hand
        held = state.played()
        for other in others:
            held |= state.hands[other]
        hand |= ALL & ~held
    return hand


def _first_hidden(state: State, seat: int) -> int | None:
    """The first trick to which a seat has played an unknown card: it may have been any of its hand."""
    for at, (seats, cards) in enumerate(_tricks(state)):
        if seat in seats and cards[seats.index(seat)] < 0:
            return at
    return None


def _tricks(state: State) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Seats and cards of each trick, that lying last."""
    for trick in state.tricks:
        yield trick.seats, trick.cards
    yield state.trick_seats, state.trick


def first_unknown(state: State) -> tuple[int, int] | None:
    """Where in the deal the first unknown card was played: tricks before it, cards before it."""
    for at, (_, cards) in enumerate(_tricks(state)):
        if -1 in cards:
            return at, cards.index(-1)
    return None


def modes_at(table: Table, at: int, place: int) -> Sequence[int]:
    """The modes that a card of trick `at` may have been played by, after `place` others of the trick."""
    state = table.state
    size = max(state.sizes)
    if not table.rules.play.names_trumps:
        contracts = table.rules.play.contracts(state.contract, state.slot)
        return sorted({mode_at(contract, size, at) for contract in contracts})
    unknown, named = first_unknown(state), state.extras.named
    if named is not None and (at, place) >= named:
        return (mode_at(state.contract, size, at),)
    if unknown is None or (at, place) <= unknown:
        return (TOP_DOWN,)
    return ANY_MODE[:BOTTOM_UP] if state.contract is None else (TOP_DOWN, mode_at(state.contract, size, at))


def findings(table: Table, seat: int) -> list[Finding]:
    """Every card of a seat in this deal that is now proven to have been illegal, in the order played."""
    state = table.state
    lying = Trick(tuple(state.trick_seats), state.trick, None, None, state.trick_seqs)
    tricks = [*state.tricks, lying] if state.trick else state.tricks
    hand = known_hand(state, seat)
    hidden = _first_hidden(state, seat)
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
        if hidden is not None and at <= hidden:
            hand |= state.hands[seat]
        if place == 0 or trick.cards[0] < 0:
            continue
        held = hand & ~_may_lie_closed(state, seat, hand, at) | 1 << card
        code = _code(table, held, trick.cards[:place], card, modes_at(table, at, place))
        if code is not None:
            found.append(Finding(seat, at + 1, code, trick.seqs[place]))
    return found[::-1]


def _code(
    table: Table, held: int, before: Sequence[int], card: int, modes: Sequence[int]
) -> Infraction | None:
    """What a card is guilty of with these cards in hand, in whatever mode was played; None where it may have
    been legal."""
    following = table.rules.play.following
    for mode in modes:
        for lying in _may_have_lain(before, mode, held):
            if following[mode](held, lying) >> card & 1:
                return None
    over = all(SUIT_OF[card] == mode and SUIT_OF[before[0]] != mode for mode in modes)
    return "undertrump" if over else "revoke"


def _may_have_lain(before: Sequence[int], mode: int, held: int) -> Iterator[list[int]]:
    """The cards lying, and, where one of them is not known, each trump that it may have been: the highest one
    is what counts."""
    known = [card for card in before if card >= 0]
    yield known
    if len(known) < len(before) and mode in SUITS:
        for card in range(mode * 9, mode * 9 + 9):
            if card not in known and not held >> card & 1:
                yield [*known, card]


def _may_lie_closed(state: State, seat: int, hand: int, at: int) -> int:
    """Which of these cards may have lain closed on the table of a seat in trick `at`."""
    closed = state.extras.dealt_closed[seat]
    if not closed:
        return 0
    turned = dict(state.extras.turned_up)
    found = 0
    for card in range(36):
        if not hand >> card & 1 or state.extras.dealt_up[seat] >> card & 1:
            continue
        since = turned.get(card)
        may = card in closed or -1 in closed if since is None else at < since
        found |= may << card
    return found


def held_elsewhere(table: Table, seat: int, card: int) -> bool:
    """Whether the record shows that a seat cannot hold a card: it is somewhere else, or all the seat's own
    are known."""
    state = table.state
    bit = 1 << card
    if state.hands[seat] & bit:
        return False
    extras = state.extras
    others = extras.talon_open | extras.talon_closed
    for mask in (*state.hands, *extras.discards, *extras.extra):
        others |= mask
    for other, piles in enumerate(extras.table):
        for pile in piles:
            if (
                pile.closed is not None
                and pile.closed >= 0
                and (other != seat or _covered(state, seat, pile))
            ):
                others |= 1 << pile.closed
    if extras.turned is not None and extras.turned_seat is None and not table.rules.cuts:
        others |= 1 << extras.turned if extras.taker_of_turned is None else 0
    named = state.hands[seat].bit_count() + state.played_by(seat).bit_count()
    return state.sizes[seat] <= named or bool(others & bit)


def _covered(state: State, seat: int, pile: Pile) -> bool:
    """Whether it is proven that the open card of a place still lies on the closed one."""
    lies = pile.open >= 0 and bool(state.hands[seat] >> pile.open & 1)
    return lies and _first_hidden(state, seat) is None


def may_not_hold(table: Table, seat: int, card: int) -> bool:
    """Whether a seat has no such card: by its hand or, in a transcript, by what is known of all of them."""
    state = table.state
    if state.mode != "transcribed":
        return not state.hands[seat] >> card & 1
    return held_elsewhere(table, seat, card) or bool(state.played() >> card & 1)


def may_have_held(table: Table, seat: int, card: int) -> bool:
    """Whether a seat may have had a card to play in this deal, as far as it has been played or not."""
    state = table.state
    if state.played_by(seat) >> card & 1:
        return True
    return not state.played() >> card & 1 and not held_elsewhere(table, seat, card)


def mark(draft: Draft, finding: Finding, now: int | None = None) -> None:
    """Write a finding down, once in a trick; `now` is the event that proves it, if not its own."""
    state = draft.state
    same = (state.deal, finding.seat, finding.trick, finding.code)
    if any((old.deal, old.seat, old.trick, old.code) == same for old in state.infractions):
        return
    draft.take(
        InfractionFound(
            seq=draft.seq,
            seat=finding.seat,
            trick=finding.trick,
            code=finding.code,
            at_seq=finding.at_seq,
            proof_seq=None if finding.at_seq == now else now,
        )
    )
