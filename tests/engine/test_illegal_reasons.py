"""Every illegal card has its reason, and no legal one has any."""

import pytest

from engine.cards import INDEX, codes, mask
from engine.commands import Play
from engine.decider import legal_cards
from engine.ledger.evolve import evolve
from engine.ledger.state import State
from engine.queries.illegal_reasons import REASONS, find_reasons, illegal_reasons
from engine.tricks.following import FOLLOWING
from tests.engine.random_games import GAMES, Game, steps_of

SPADES, TOP_DOWN = 2, 4


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_exactly_the_illegal_cards_have_a_reason(game: Game) -> None:
    seen = 0
    for seed in range(3):
        state = State()
        for command, events in steps_of(game, seed):
            for seat in range(state.seats):
                found = illegal_reasons(state, seat)
                assert set(found) == set(codes(state.hands[seat] & ~legal_cards(state, seat)))
                assert set(found.values()) <= set(REASONS)
            seen += isinstance(command, Play)
            for event in events:
                evolve(state, event)
    assert seen


def why(way: str, mode: int, lying: str, hand: str) -> dict[str, str]:
    held = mask(hand.split())
    cards = [INDEX[code] for code in lying.split()]
    found = find_reasons(held, FOLLOWING[way][mode](held, cards), cards, mode)
    return {str(card): str(reason) for card, reason in found.items()}


@pytest.mark.parametrize(
    ("way", "mode", "lying", "hand", "expected"),
    [
        ("only-trumps", SPADES, "S8", "S6 SJ H9", {"H9": "follow_trump"}),
        ("only-trumps", SPADES, "S8", "SJ H9", {}),
        ("only-trumps", SPADES, "C10", "C7 H9 S6", {"H9": "follow_suit"}),
        ("only-trumps", SPADES, "C10 S8", "C7 S6 SA", {"S6": "undertrump"}),
        ("only-trumps", SPADES, "C10 S8", "S6 D6", {"S6": "undertrump"}),
        ("void", SPADES, "C10 S8", "S6 D6", {}),
        ("forced", SPADES, "C10 S8", "S6 SA D6", {"S6": "undertrump", "D6": "must_trump"}),
        ("strict", SPADES, "C10", "S6 D6", {"D6": "must_trump"}),
        ("only-trumps", TOP_DOWN, "C10", "C7 S6", {"S6": "follow_suit"}),
    ],
)
def test_the_reason_names_the_rule(
    way: str, mode: int, lying: str, hand: str, expected: dict[str, str]
) -> None:
    assert why(way, mode, lying, hand) == expected


def test_a_suit_that_a_referee_has_barred_may_not_be_led() -> None:
    hand = mask(["S6", "H9"])
    assert find_reasons(hand, mask(["H9"]), [], SPADES) == {"S6": "barred_suit"}


def test_before_the_game_begins_no_card_is_to_be_played() -> None:
    state = State()
    state.seats = 4
    state.clear_deal()
    state.hands[0] = mask(["S6"])
    assert illegal_reasons(state, 0) == {"S6": "not_now"}
