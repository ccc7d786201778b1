"""Findings in transcripts: cards that the record proves illegal.

A hand is known from its dealt cards, as far as they are known, and from the cards played later: a heart
played in trick 7 was in the hand in trick 3. More known cards only make fewer cards legal, so a card that is
illegal by the known part stays illegal. If trumps or cards on the table are not known, a card is illegal only
if it is illegal in every possible case.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.cards import ALL, SUIT_OF
from engine.contracts import BOTTOM_UP, TOP_DOWN
from engine.events import Infraction, InfractionFound
from engine.ledger.state import Pile, State, Trick
from engine.rules import Draft, GameContext
from engine.tricks.modes import mode_at

ANY_MODE = range(BOTTOM_UP + 1)
SUITS = range(TOP_DOWN)


class Finding(NamedTuple):
    """A proven infraction: the seat, the trick (from 1), the code and the event of the act."""

    seat: int
    trick: int
    code: Infraction
    at_seq: int


def find_known_hand(state: State, seat: int) -> int:
    """Return the mask of the cards that a seat is known to hold: cards dealt to it, if it has played no
    unknown card, and the cards left over if all other hands are known.
    """
    hand = 0 if _first_hidden(state, seat) is not None else state.hands[seat]
    if any(pile.closed is not None for pile in state.variant_state.table[seat]):
        return hand  # closed table cards cannot be played and prove nothing about legal cards
    others = [other_seat for other_seat in range(state.seats) if other_seat != seat]
    if sum(state.sizes) == 36 and all(state.unknown(other_seat) <= 0 for other_seat in others):
        if find_first_unknown(state) is not None:
            return hand
        held = state.played()
        for other_seat in others:
            held |= state.hands[other_seat]
        hand |= ALL & ~held
    return hand


def _first_hidden(state: State, seat: int) -> int | None:
    """Return the index of the first trick to which a seat played an unknown card; None if it played none. An
    unknown card may be any card of the hand.
    """
    for at, (seats, cards) in enumerate(_tricks(state)):
        if seat in seats and cards[seats.index(seat)] < 0:
            return at
    return None


def _tricks(state: State) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Yield (seats, cards) of each trick, the current trick last."""
    for trick in state.tricks:
        yield trick.seats, trick.cards
    yield state.trick_seats, state.trick


def find_first_unknown(state: State) -> tuple[int, int] | None:
    """Return the position of the first unknown card, None if there is none: (number of tricks before it,
    number of cards before it in its trick).
    """
    for at, (_, cards) in enumerate(_tricks(state)):
        if -1 in cards:
            return at, cards.index(-1)
    return None


def modes_at(context: GameContext, at: int, place: int) -> Sequence[int]:
    """Return the possible modes of a card that is played to trick `at` (from 0) after `place` other cards."""
    state = context.state
    size = max(state.sizes)
    if not context.rules.play.names_trumps:
        contracts = context.rules.play.contracts(state.contract, state.slot)
        return sorted({mode_at(contract, size, at) for contract in contracts})
    unknown, named = find_first_unknown(state), state.variant_state.named
    if named is not None and (at, place) >= named:
        return (mode_at(state.contract, size, at),)
    if unknown is None or (at, place) <= unknown:
        return (TOP_DOWN,)
    return ANY_MODE[:BOTTOM_UP] if state.contract is None else (TOP_DOWN, mode_at(state.contract, size, at))


def list_findings(context: GameContext, seat: int) -> list[Finding]:
    """Return a finding for each card of a seat in this deal that is proven illegal, in the order played."""
    state = context.state
    lying = Trick(tuple(state.trick_seats), state.trick, None, None, state.trick_seqs)
    tricks = [*state.tricks, lying] if state.trick else state.tricks
    hand = find_known_hand(state, seat)
    hidden = _first_hidden(state, seat)
    findings: list[Finding] = []
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
        held = hand & ~_possible_closed(state, seat, hand, at) | 1 << card
        code = _classify_card(context, held, trick.cards[:place], card, modes_at(context, at, place))
        if code is not None:
            findings.append(Finding(seat, at + 1, code, trick.seqs[place]))
    return findings[::-1]


def _classify_card(
    context: GameContext, held: int, before: Sequence[int], card: int, modes: Sequence[int]
) -> Infraction | None:
    """Return the infraction of playing `card` with the cards `held` in hand; None if it may have been legal
    in one of the possible modes.
    """
    following = context.rules.play.following
    for mode in modes:
        for lying in _possible_tricks(before, mode, held):
            if following[mode](held, lying) >> card & 1:
                return None
    over = all(SUIT_OF[card] == mode and SUIT_OF[before[0]] != mode for mode in modes)
    return "undertrump" if over else "revoke"


def _possible_tricks(before: Sequence[int], mode: int, held: int) -> Iterator[list[int]]:
    """Yield the possible cards on the table in place of `before`: its known cards alone and, if a card is
    unknown, with each trump that is left as this card. More are not needed, since only the highest trump
    matters.
    """
    known_cards = [card for card in before if card >= 0]
    yield known_cards
    if len(known_cards) < len(before) and mode in SUITS:
        for card in range(mode * 9, mode * 9 + 9):
            if card not in known_cards and not held >> card & 1:
                yield [*known_cards, card]


def _possible_closed(state: State, seat: int, hand: int, at: int) -> int:
    """Return the mask of cards that may have been closed on a seat's table in trick `at`."""
    closed = state.variant_state.dealt_closed[seat]
    if not closed:
        return 0
    turned = dict(state.variant_state.turned_up)
    possible = 0
    for card in range(36):
        if not hand >> card & 1 or state.variant_state.dealt_up[seat] >> card & 1:
            continue
        since = turned.get(card)
        may = card in closed or -1 in closed if since is None else at < since
        possible |= may << card
    return possible


def held_elsewhere(context: GameContext, seat: int, card: int) -> bool:
    """Return whether the record shows that a seat does not hold an unplayed card: it is elsewhere, or all the
    seat's cards are known.
    """
    state = context.state
    bit = 1 << card
    if state.hands[seat] & bit:
        return False
    variant_state = state.variant_state
    others = variant_state.talon_open | variant_state.talon_closed
    for mask in (*state.hands, *variant_state.discards, *variant_state.extra):
        others |= mask
    for owner, piles in enumerate(variant_state.table):
        for pile in piles:
            if (
                pile.closed is not None
                and pile.closed >= 0
                and (owner != seat or _is_covered(state, seat, pile))
            ):
                others |= 1 << pile.closed
    if variant_state.turned is not None and variant_state.turned_seat is None and not context.rules.cuts:
        others |= 1 << variant_state.turned if variant_state.taker_of_turned is None else 0
    named = state.hands[seat].bit_count() + state.played_by(seat).bit_count()
    return state.sizes[seat] <= named or bool(others & bit)


def _is_covered(state: State, seat: int, pile: Pile) -> bool:
    """Return whether the open card of a pile provably still covers the closed card."""
    lies = pile.open >= 0 and bool(state.hands[seat] >> pile.open & 1)
    return lies and _first_hidden(state, seat) is None


def lacks_card(context: GameContext, seat: int, card: int) -> bool:
    """Return whether a seat does not hold a card; in a transcript, whether the record proves this."""
    state = context.state
    if state.mode != "transcribed":
        return not state.hands[seat] >> card & 1
    return held_elsewhere(context, seat, card) or bool(state.played() >> card & 1)


def may_have_held(context: GameContext, seat: int, card: int) -> bool:
    """Return whether a seat may have had a card in this deal, played or not."""
    state = context.state
    if state.played_by(seat) >> card & 1:
        return True
    return not state.played() >> card & 1 and not held_elsewhere(context, seat, card)


def emit_finding(draft: Draft, finding: Finding, now: int | None = None) -> None:
    """Emit a finding, unless the same one was recorded for this trick. `now`: the event that proves the
    infraction; None if it is the event of the infraction itself.
    """
    state = draft.state
    same = (state.deal, finding.seat, finding.trick, finding.code)
    if any((old.deal, old.seat, old.trick, old.code) == same for old in state.infractions):
        return
    draft.emit(
        InfractionFound(
            seq=draft.seq,
            seat=finding.seat,
            trick=finding.trick,
            code=finding.code,
            at_seq=finding.at_seq,
            proof_seq=None if finding.at_seq == now else now,
        )
    )
