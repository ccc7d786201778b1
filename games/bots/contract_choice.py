"""Choice of a contract or a push: the value of a hand under each contract, in points of difference.

The weights are a least-squares fit over 32,000 deals that the bots of `games.bots.card_choice` played against
each other with contracts named at random. Forehand, who leads, has other weights than the partner, who names
the contract after a push and does not lead.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final, Literal, NamedTuple

from engine import State, cards
from engine.cards import SUIT_NAMES
from engine.registry import get_rules
from games.bots.reckoning import chance

SAMPLES: Final = 12
"""Number of sampled hands of the partner by which a push is judged."""


class Weights(NamedTuple):
    """Weights of a hand under a trump contract, in points of difference.

    `base`: any hand. `trumps`: each trump, from the six to the ace. `four`: at least four trumps. `more`:
    each trump beyond four. `ace`, `ace_king`, `king`, `void`: each suit outside trumps with its ace, with ace
    and king, with a guarded king but no ace, without any card.
    """

    base: float
    trumps: tuple[float, ...]
    four: float
    more: float
    ace: float
    ace_king: float
    king: float
    void: float


class FlatWeights(NamedTuple):
    """Weights of a hand without trumps, in points of difference.

    `base`: any hand. `ranks`: each card, from the weakest rank to the strongest. `two`, `three`: each suit
    with at least its two, or three, highest cards. `behind`: in a suit that counts for `three`, each card
    below the unbroken run of highest cards. `guarded`: each suit with its second highest card and another
    card, but without the highest.
    """

    base: float
    ranks: tuple[float, ...]
    two: float
    three: float
    behind: float
    guarded: float


TRUMP: Final = (
    Weights(-77, (10, 13, 13, 23, 13, 55, 20, 22, 20), 9, 2, 20, 11, 6, 4),
    Weights(-80, (9, 12, 9, 31, 13, 58, 18, 22, 24), 6, 8, 21, 13, 9, 4),
)
TOP_DOWN: Final = (
    FlatWeights(0, (-6, -6, -7, -4, -7, -4, -2, 8, 23), 14, 12, 12, -4),
    FlatWeights(-2, (-7, -5, -10, -5, -6, -6, -4, -4, 31), 12, 2, 1, 13),
)
BOTTOM_UP: Final = (
    FlatWeights(-1, (-5, -7, -8, -7, -6, -2, 2, 4, 23), 19, -8, 24, 0),
    FlatWeights(-1, (-5, -5, -9, -6, -5, -6, -1, -3, 31), 11, -1, 6, 10),
)


def estimate_lead(hand: int, contract: str, pushed: bool) -> float:
    """Return the expected lead of this side in points, without multiplier, if this seat names the contract.
    `pushed`: the partner has pushed the choice to this seat.
    """
    if contract in SUIT_NAMES:
        return _with_trumps(hand, SUIT_NAMES.index(contract), TRUMP[pushed])
    down, up = _flat(hand, True, BOTTOM_UP[pushed]), _flat(hand, False, TOP_DOWN[pushed])
    if contract in ("obenabe", "undenufe"):
        return up if contract == "obenabe" else down
    return (up + down) / 2  # slalom and guschti are played half one way and half the other


def _with_trumps(hand: int, trump: int, weights: Weights) -> float:
    total = weights.base
    for suit in range(4):
        held = hand >> (9 * suit) & 0x1FF
        if suit == trump:
            count = held.bit_count()
            total += sum(weight for rank, weight in enumerate(weights.trumps) if held >> rank & 1)
            total += (count >= 4) * weights.four + max(0, count - 4) * weights.more
            continue
        ace, king = held >> 8 & 1, held >> 7 & 1
        total += ace * weights.ace + ace * king * weights.ace_king
        total += weights.king if king and not ace and held.bit_count() > 1 else 0
        total += 0 if held else weights.void
    return total


def _flat(hand: int, upside_down: bool, weights: FlatWeights) -> float:
    total = weights.base
    for suit in range(4):
        held = hand >> (9 * suit) & 0x1FF
        total += _suit(_reversed(held) if upside_down else held, weights)
    return total


@cache
def _suit(held: int, weights: FlatWeights) -> float:
    total = sum(weight for rank, weight in enumerate(weights.ranks) if held >> rank & 1)
    winners = 0
    while winners < 9 and held >> (8 - winners) & 1:
        winners += 1
    length = held.bit_count()
    total += (winners >= 2) * weights.two
    total += weights.three + weights.behind * (length - winners) if winners >= 3 else 0
    return total + (weights.guarded if not winners and held >> 7 & 1 and length > 1 else 0)


@cache
def _reversed(held: int) -> int:
    return sum(1 << (8 - rank) for rank in range(9) if held >> rank & 1)


def get_score_direction(state: State) -> Literal[1, -1]:
    """Return -1 if the fewest points win the game, otherwise 1."""
    return -1 if get_rules(state).variant.aim.points == "fewest" else 1


def rank_contracts(
    state: State, hand: int, contracts: Sequence[str], pushed: bool
) -> list[tuple[float, str]]:
    """Return (value, contract) of each contract, best first. The value includes the contract's multiplier."""
    factor, sign = get_rules(state).play.multiplier, get_score_direction(state)
    return sorted(
        ((sign * estimate_lead(hand, c, pushed) * factor(c, None), c) for c in contracts), reverse=True
    )


def estimate_push(state: State, hand: int, contracts: Sequence[str], seed: bytes) -> float:
    """Return the expected value of a push, in points. The partner names the contract that is best for their
    own hand alone.
    """
    factor, sign = get_rules(state).play.multiplier, get_score_direction(state)
    unseen = cards.members(cards.ALL & ~hand)
    total = 0.0
    for partner in chance.hands(seed, unseen, hand.bit_count(), SAMPLES):
        named = rank_contracts(state, partner, contracts, True)[0][1]
        both = estimate_lead(partner, named, True) + HELP * (
            estimate_lead(hand, named, False) - AVERAGE[_kind(named)]
        )
        total += sign * both * factor(named, None)
    return total / SAMPLES


HELP: Final = 0.7
"""Share of this hand's own value that counts if the partner names the contract."""
AVERAGE: Final = {"suit": -8.0, "flat": -3.0}
"""Values of an average hand, under a trump contract and under a contract without trumps."""


def _kind(contract: str) -> str:
    return "suit" if contract in SUIT_NAMES else "flat"
