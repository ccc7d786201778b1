"""Reasons of illegal cards: one stable code for each illegal card of a hand.

`engine.tricks.following` decides which cards are legal; this module only names the reason of an illegal card.
"""

from collections.abc import Sequence
from typing import Final, Literal, get_args

from engine.cards import DECK, SUIT_MASK, SUIT_OF, Card, members
from engine.decider import next_play, to_act
from engine.ledger.state import State
from engine.tricks.modes import current_mode

Reason = Literal[
    "follow_suit", "follow_trump", "undertrump", "must_trump", "barred_suit", "not_your_turn", "not_now"
]
REASONS: Final[tuple[Reason, ...]] = get_args(Reason)
"""The order is fixed: a live view sends a reason as its place in it, from 1."""


def illegal_reasons(state: State, seat: int) -> dict[Card, Reason]:
    """Return the reason of each known card in a seat's hand that is illegal now.

    All cards are illegal if it is not the seat's turn or no card is due.
    """
    hand = state.hands[seat]
    turn = to_act(state)
    if turn is None or turn.phase != "trick_play":
        return dict.fromkeys(_codes(hand), "not_now")
    whose, legal = next_play(state)
    if seat != whose:
        return dict.fromkeys(_codes(hand), "not_your_turn")
    return find_reasons(hand, legal, state.trick, current_mode(state))


def find_reasons(hand: int, legal: int, lying: Sequence[int], mode: int) -> dict[Card, Reason]:
    """Return the reason of each illegal card of a hand.

    `hand` and `legal` are masks, `lying` the cards on the table, `mode` the mode of the trick. If the card
    led is unknown (-1), all cards must be legal.
    """
    return {DECK[card]: _reason(card, hand, lying, mode) for card in members(hand & ~legal)}


def _reason(card: int, hand: int, lying: Sequence[int], mode: int) -> Reason:
    if not lying:
        return "barred_suit"
    led = SUIT_OF[lying[0]]
    if SUIT_OF[card] == mode:
        return "undertrump"
    if led == mode:
        return "follow_trump"
    return "follow_suit" if hand & SUIT_MASK[led] else "must_trump"


def _codes(hand: int) -> list[Card]:
    return [DECK[card] for card in members(hand)]
