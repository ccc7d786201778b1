"""Against jass-kit 2.0.5: legal cards, takers and points in 20,000 positions of random Schieber deals.

Known deviation: where two trumps lie on a plain suit, the rules forbid to play below the highest of them;
jass-kit compares with the one that is lower in the plain order (so that the Puur lies below the queen).
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pytest
from jass.game.rule_schieber import RuleSchieber

from engine import State, cards, evolve, legal_cards
from engine.cli.playing import playout
from engine.commands import Play, Start
from engine.contracts import CONTRACTS
from engine.events import Event, TrickTaken
from engine.tricks.following import FOLLOWING

POSITIONS = 20_000
RULE = RuleSchieber()
DEAL = Start(variant="schieber", seats=4, preset="championship", options={"deals": 1})


class Position(NamedTuple):
    """A card is to be played: by which trump (jass-kit's number), on which cards, by whom first, from which
    hand; what the engine allows; the card, and what came of it."""

    trump: int
    lying: list[int]
    first: int
    hand: int
    legal: int
    card: int
    events: list[Event]
    last: bool


def positions() -> Iterator[Position]:
    """Every card of as many random deals as it takes."""
    rng = random.Random(2005)
    while True:
        state = State()
        for command, events in playout(DEAL, rng):
            if isinstance(command, Play):
                seat = command.seat
                yield Position(
                    CONTRACTS.index(state.contract),
                    list(state.trick),
                    (seat - len(state.trick)) % 4,
                    state.hands[seat],
                    legal_cards(state),
                    cards.INDEX[command.card],
                    events,
                    len(state.tricks) == 8,
                )
            for event in events:
                evolve(state, event)


def theirs(card: int) -> int:
    """Its number of a card: suits in our order, ranks from the ace down."""
    return card // 9 * 9 + 8 - card % 9


def peer_legal(hand: int, lying: Sequence[int], trump: int) -> int:
    """What jass-kit allows, as our mask."""
    held = np.zeros(36, np.int32)
    held[[theirs(card) for card in cards.members(hand)]] = 1
    trick = np.array([theirs(card) for card in lying] + [-1] * (4 - len(lying)))
    valid = RULE.get_valid_cards(held, trick, len(lying), trump)
    return sum(1 << theirs(int(card)) for card in np.flatnonzero(valid))


def as_the_peer_sees_it(lying: Sequence[int], trump: int) -> list[int]:
    """The cards lying without the trump that jass-kit leaves out of its comparison."""
    above = [card for card in lying[1:] if cards.SUIT_OF[card] == trump != cards.SUIT_OF[lying[0]]]
    return [card for card in lying if len(above) < 2 or card != max(above)]


def peer_taker_and_points(lying: Sequence[int], first: int, trump: int, last: bool) -> tuple[int, int]:
    """Who takes a whole trick by jass-kit, whose seats run against ours, and for how much."""
    trick = np.array([theirs(card) for card in lying])
    return -RULE.calc_winner(trick, -first % 4, trump) % 4, RULE.calc_points(trick, last, trump)


def test_legal_cards_takers_and_points_agree_in_20_000_positions() -> None:
    met: Counter[str] = Counter()
    for position in positions():
        trump, lying, hand = position.trump, position.lying, position.hand
        met[f"trump {trump}"] += 1
        met["positions"] += 1
        peer = peer_legal(hand, lying, trump)
        if peer != position.legal:
            met["deviations"] += 1
            assert len(as_the_peer_sees_it(lying, trump)) < len(lying)
        if lying:
            assert peer == FOLLOWING["only-trumps"][trump](hand, as_the_peer_sees_it(lying, trump))
        if len(lying) == 3:
            taken = next(event for event in position.events if isinstance(event, TrickTaken))
            whole = [*lying, position.card]
            found = peer_taker_and_points(whole, position.first, trump, position.last)
            assert found == (taken.seat, taken.points)
            met["tricks"] += 1
        if met["positions"] == POSITIONS:
            break
    assert met["tricks"] > POSITIONS // 4 - 10
    assert all(met[f"trump {trump}"] > 1000 for trump in range(6))
    assert 0 < met["deviations"] < POSITIONS // 200


@pytest.mark.parametrize(
    ("lying", "hand", "ours", "peer"),
    [
        ("C10 H7 HK", "HQ D6", "D6", "D6 HQ"),  # the queen lies under the king; jass-kit looks at the seven
        ("C10 HK H7", "HQ D6", "D6", "D6 HQ"),
        ("C10 HQ HJ", "HK D6", "D6", "D6"),  # jass-kit looks at the Puur, which is the highest after all
    ],
)
def test_where_two_trumps_lie_the_rules_look_at_the_highest_and_jass_kit_at_the_lowest(
    lying: str, hand: str, ours: str, peer: str
) -> None:
    on_table = [cards.INDEX[code] for code in lying.split()]
    held = cards.mask(hand.split())
    assert " ".join(cards.codes(FOLLOWING["only-trumps"][1](held, on_table))) == ours
    assert " ".join(cards.codes(peer_legal(held, on_table, 1))) == peer
