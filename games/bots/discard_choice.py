"""Choice of cards to give away: discards after a talon, and cards exchanged for unseen ones."""

from functools import partial
from typing import Final

from engine import Command, State, cards
from engine.cards import DECK, SIX, SUIT_MASK, SUIT_NAMES, SUIT_OF, members
from engine.commands import Discard, Exchange, Keep
from engine.registry import get_rules
from games.bots import bidding, contract_choice

WEIGHED: Final = 2
"""Number of contracts, best first, for which discards are tried."""
LAID_BY: Final = 2.0
"""Value of each point that is discarded, in points of difference: the other side cannot take it."""


def choose_discards(state: State, seat: int, seed: bytes) -> Command:
    """Return the command that discards the cards whose loss costs least under the best contract. The seat
    keeps the points of its discards. `seed` is unused.
    """
    hand = state.hands[seat]
    count = state.sizes[seat] - min(state.sizes)
    ranked = contract_choice.rank_contracts(state, hand, bidding.list_nameable_contracts(state), False)[
        :WEIGHED
    ]
    tried = [_laid_by(state, hand, count, contract) for _, contract in ranked]
    return Discard(seat=seat, cards=list(cards.codes(max(tried)[1])))


def _laid_by(state: State, hand: int, count: int, contract: str) -> tuple[float, int]:
    """Return the value of a hand after the best discards, and the mask of these discards."""
    values, sign, away = get_rules(state).play.values[contract], contract_choice.get_score_direction(state), 0

    def gain(left: int, card: int) -> float:
        return (
            sign * contract_choice.estimate_lead(left & ~(1 << card), contract, False)
            + LAID_BY * values[card]
        )

    for _ in range(count):
        left = hand & ~away
        away |= 1 << max(members(left), key=partial(gain, left))
    put = LAID_BY * sum(values[card] for card in members(away))
    return sign * contract_choice.estimate_lead(hand & ~away, contract, False) + put, away


def choose_exchange(state: State, seat: int, seed: bytes) -> Command:
    """Return the command that exchanges the worst cards, if unseen cards are likely to be better, or the
    command that keeps the hand. Either takes the turned card if possible.
    """
    hand, turned = state.hands[seat], state.variant_state.turned
    count = state.variant_state.extra_sizes[seat]
    trump = SUIT_NAMES.index(state.contract) if state.contract in SUIT_NAMES else None
    six = 0 if turned is None else 1 << (SUIT_OF[turned] * 9 + SIX)
    unseen = cards.ALL & ~hand & ~(0 if turned is None else 1 << turned)
    worths = {
        card: contract_choice.get_score_direction(state) * estimate_card_value(hand, card, trump)
        for card in members(hand | unseen)
    }
    worst = sorted(members(hand & ~six), key=lambda card: (worths[card], card))[:count]
    average = sum(worths[card] for card in members(unseen)) / unseen.bit_count()
    if sum(worths[card] for card in worst) >= count * average:
        return Keep(seat=seat, take_turned=bool(hand & six))
    return Exchange(seat=seat, cards=[DECK[card] for card in sorted(worst)], take_turned=six != 0)


def estimate_card_value(hand: int, card: int, trump: int | None) -> float:
    """Return the value that one card adds to a hand, in points of difference."""
    weights = contract_choice.TRUMP[0]
    suit, rank = divmod(card, 9)
    if suit == trump:
        return weights.trumps[rank]
    ace = hand >> (9 * suit + 8) & 1
    if rank == 8:
        return weights.ace
    if rank == 7:
        others = (hand & SUIT_MASK[suit] & ~(1 << card)).bit_count()
        return weights.ace_king if ace else weights.king if others else 1.0
    return rank / 10
