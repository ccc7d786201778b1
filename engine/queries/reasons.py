"""Why a card may not be played now: one stable code for each illegal card of a hand.

Source: rules 1 to 5 of the common ground, as `engine.tricks.following` keeps them. What is legal is asked
there and nowhere else; here an illegal card only gets its name. So a rule that changes changes both.
"""

from collections.abc import Sequence
from typing import Final, Literal, get_args

from engine.cards import DECK, SUIT_MASK, SUIT_OF, Card, members
from engine.decider import next_play, to_act
from engine.ledger.state import State
from engine.tricks.modes import mode_of

Reason = Literal[
    "follow_suit", "follow_trump", "undertrump", "must_trump", "barred_suit", "not_your_turn", "not_now"
]
REASONS: Final[tuple[Reason, ...]] = get_args(Reason)
"""In this order for good: frames name a reason by its place."""


def why_not(state: State, seat: int) -> dict[Card, Reason]:
    """The cards of a hand, as far as it is known, that its seat may not play now, each with the reason.

    Cards that may be played are not in it. Not this seat's turn, or no card is to be played at all: all.
    """
    hand = state.hands[seat]
    turn = to_act(state)
    if turn is None or turn.phase != "trick_play":
        return dict.fromkeys(_codes(hand), "not_now")
    whose, legal = next_play(state)
    if seat != whose:
        return dict.fromkeys(_codes(hand), "not_your_turn")
    return reasons(hand, legal, state.trick, mode_of(state))


def reasons(hand: int, legal: int, lying: Sequence[int], mode: int) -> dict[Card, Reason]:
    """The same for a hand (mask) of which `legal` may be played on the cards `lying`, by mode of the trick.

    The first card lying may be unknown (-1): then nothing is illegal.
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
