"""Against jass-kit 2.0.5: legal cards, takers and points on random positions of random deals.

Known deviation: it compares an undertrump with the lowest trump lying instead of the highest.
"""

import random

import numpy as np
import pytest
from jass.game.rule_schieber import RuleSchieber

from engine import cards
from engine.contracts import CONTRACTS, HIGHER, LAST_TRICK, VALUES
from engine.following import FOLLOWING
from engine.tricks import strongest

RULE = RuleSchieber()


def theirs(card: int) -> int:
    """Its number of a card: suits in our order, ranks from the ace down."""
    return card // 9 * 9 + 8 - card % 9


def hot(mask: int) -> np.ndarray:
    hand = np.zeros(36, np.int32)
    hand[[theirs(card) for card in cards.members(mask)]] = 1
    return hand


@pytest.mark.parametrize("trump", range(6))
def test_legal_cards_takers_and_points_agree(trump: int) -> None:
    rng = random.Random(trump)
    deviations = 0
    for _ in range(400):
        deck = list(range(36))
        rng.shuffle(deck)
        size = rng.randint(1, 9)
        lying, hand = deck[: rng.randint(1, 3)], sum(1 << card for card in deck[4 : 4 + size])
        ours = FOLLOWING["only-trumps"][trump](hand, lying)
        trick = np.array([theirs(card) for card in lying] + [-1] * (4 - len(lying)))
        valid = RULE.get_valid_cards(hot(hand), trick, len(lying), trump)
        peer = sum(1 << theirs(int(card)) for card in np.flatnonzero(valid))
        if ours != peer:
            deviations += 1
            trumps = [card for card in lying[1:] if card // 9 == trump]
            assert len(trumps) == 2
            between = HIGHER[trump][trumps[0]] ^ HIGHER[trump][trumps[1]]
            assert (ours ^ peer) & ~between == 0
        whole = deck[:4]
        full = np.array([theirs(card) for card in whole])
        assert (0 - RULE.calc_winner(full, 0, trump)) % 4 == strongest(whole, trump)
        for last in (False, True):
            points = sum(VALUES[CONTRACTS[trump]][card] for card in whole) + LAST_TRICK * last
            assert RULE.calc_points(full, last, trump) == points
    assert deviations < 40
