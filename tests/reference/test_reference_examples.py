"""The reference agrees with the worked examples of the rules, and with their fine print."""

from typing import Any

import pytest

from .coiffeur import Game as Coiffeur
from .common import DECK, SIX_CONTRACTS, TEN_CONTRACTS, Base, Event, Illegal, legal_cards, value
from .differenzler import Game as Differenzler
from .games import new_game
from .la_pomme import Game as LaPomme
from .melds import meld_points, meld_rank, why_not_melds
from .plus_minus import Game as PlusMinus
from .plus_minus import sticks

FOLLOWING = [
    # trump, trick, hand, undertrump (None: all), legal
    ("S", "S9", "SJ H9", None, "SJ H9"),
    ("S", "S9", "SJ S6 H9", None, "SJ S6"),
    ("H", "C10 H8", "C7 H7 HA D6", None, "C7 HA"),
    ("H", "C10 H8", "H7 HA D6", "only-trumps", "HA D6"),
    ("H", "C10 H8", "H7 HA D6", "void", "H7 HA D6"),
    ("H", "C10 H8", "H7 HA D6", "forced", "HA"),
    ("H", "C10 H8", "H7 H6", None, "H7 H6"),
    ("H", "C10 H8", "H7 D6", "only-trumps", "D6"),
    ("H", "C10 H8", "H7 D6", "void", "H7 D6"),
    ("H", "C10 H8", "H7 D6", "forced", "H7"),
    ("H", "C10 H7 HK", "HQ D6", "only-trumps", "D6"),
    ("H", "C10 H9", "HJ H7 D6", "forced", "H7 HJ"),
    ("H", "C10 H9", "HJ D6", "forced", "HJ D6"),
    (None, "C10 H9", "C6 CJ H7", None, "C6 CJ"),
]


@pytest.mark.parametrize(("trump", "trick", "hand", "undertrump", "legal"), FOLLOWING)
def test_following_is_as_in_the_worked_examples(
    trump: str | None, trick: str, hand: str, undertrump: str | None, legal: str
) -> None:
    options = [undertrump] if undertrump else ["only-trumps", "void", "forced"]
    for option in options:
        found = legal_cards(hand.split(), trick.split(), trump, option)
        assert sorted(found) == sorted(legal.split()), option


@pytest.mark.parametrize("contract", [None, *TEN_CONTRACTS])
def test_the_cards_of_every_contract_are_worth_152(contract: str | None) -> None:
    assert sum(value(card, contract) for card in DECK) == 152
    assert sum(value(card, contract, six_counts=False) for card in DECK) == 152


@pytest.mark.parametrize(
    ("points", "scores", "ties"),
    [
        ([60, 40, 40, 17], [1, 0, 0, 1], []),
        ([60, 60, 20, 17], [0, 0, 0, 1], [(0, 1)]),
        ([100, 30, 20, 7], [0, 0, 0, 1], []),
        ([39, 39, 39, 40], [0, 0, 0, 2], []),
        ([100, 57, 0, 0], [0, 0, 0, 0], [(2, 3)]),
        ([157, 0, 0, 0], [2, 0, 0, 0], []),
        ([60, 60, 37], [0, 0, 2], []),
        ([110, 40, 7], [0, 0, 1], []),
    ],
)
def test_sticks(points: list[int], scores: list[int], ties: list[tuple[int, int]]) -> None:
    assert sticks(points) == (scores, ties)


def test_remembered_ties_of_one_pair_are_paid_all_at_once_from_the_next_deal_on() -> None:
    game = PlusMinus({}, 4)
    found = []
    for points in [[60, 60, 20, 17], [60, 60, 20, 17], [60, 50, 30, 17], [60, 50, 30, 17]]:
        game.card_points = points
        game.score_sticks()
        found.append(game.scores)
    assert found == [[0, 0, 0, 1], [0, 0, 0, 1], [3, 0, 0, 1], [1, 0, 0, 1]]


def test_melds_are_compared_by_points_cards_top_card_and_puur() -> None:
    def better(first: str, second: str, contract: str, meld_tie: str = "puur") -> bool:
        ranks = [meld_rank(meld.split(), contract, meld_tie) for meld in [first, second]]
        return ranks[0] > ranks[1]

    assert better("C6 C7 C8 C9", "SQ SK SA", "hearts")
    assert better("C6 C7 C8 C9 C10", "SA HA DA CA", "hearts")
    assert better("SA HA DA CA", "SK HK DK CK", "obenabe")
    assert better("SK HK DK CK", "SA HA DA CA", "slalom-undenufe")
    assert better("S6 S7 S8", "SQ SK SA", "undenufe")
    assert better("HJ HQ HK", "SJ SQ SK", "hearts")
    assert not better("H6 H7 H8", "S6 S7 S8", "hearts")
    assert better("H6 H7 H8", "S6 S7 S8", "hearts", "trump")
    assert meld_points(["S9", "H9", "D9", "C9"]) == 150
    assert meld_points(["SJ", "HJ", "DJ", "CJ"]) == 200
    assert meld_points(["S6", "S7", "S8", "S9", "S10", "SJ", "SQ", "SK", "SA"]) == 300


def test_a_card_may_be_in_one_sequence_and_in_one_four_of_a_kind() -> None:
    hand = ["S6", "S7", "S8", "S9", "S10", "SJ", "H8", "D8", "C8"]
    quads = ["S8", "H8", "D8", "C8"]
    assert why_not_melds([hand[:3], hand[3:6], quads], hand, True) is None
    assert why_not_melds([hand[:3], hand[2:6]], hand, True)
    assert why_not_melds([quads, quads], hand, True)
    assert why_not_melds([quads], hand, False)
    assert why_not_melds([["S6", "S7", "S9"]], hand, True)


# --- whole deals ------------------------------------------------------------------------------------------

SUIT_EACH = [
    suit + rank
    for ranks in [["6", "7", "8"], ["9", "10", "J"], ["Q", "K", "A"]]
    for suit in ["S", "H", "D", "C"]
    for rank in ranks
]


def schieber(**options: Any) -> Base:
    """Spades is trump and all spades are with seat 0, hearts with 1, diamonds with 2, clubs with 3."""
    game = new_game("schieber", 4, {"first_forehand": "drawn", **options})
    game.do({"cmd": "deal", "deck": SUIT_EACH, "dealer": 3})
    game.do({"cmd": "choose", "seat": 0, "contract": "spades"})
    return game


def trick(game: Base, cards: str, **first: Any) -> list[Event]:
    events = []
    for card in cards.split():
        seat = ["S", "H", "D", "C"].index(card[0])
        events += game.do({"cmd": "play", "seat": seat, "card": card, **first})
        first = {}
    return events


def test_a_sweep_in_spades_is_514_at_the_club_and_257_in_a_championship() -> None:
    for preset, scores in [(None, [514, 0]), ("championship", [257, 0])]:
        game = new_game("schieber", 4, {"first_forehand": "drawn"}, preset)
        game.do({"cmd": "deal", "deck": SUIT_EACH, "dealer": 3})
        game.do({"cmd": "choose", "seat": 0, "contract": "spades"})
        for rank in ["6", "7", "8", "9", "10", "J", "Q", "K", "A"]:
            events = trick(game, f"S{rank} H{rank} D{rank} C{rank}")
        assert events[-1]["scores"] == scores


def test_a_stoeck_shown_by_a_scored_meld_counts_before_it() -> None:
    game = schieber()
    events = trick(game, "S6 H6 D6 C6", melds=[["SQ", "SK", "SA"]])
    kinds = [event["type"] for event in events if event["type"] != "card_played"]
    assert kinds == ["melds_declared", "stoeck_declared", "melds_scored", "trick_taken"]
    trick(game, "SK H7 D7 C7")
    with pytest.raises(Illegal):
        trick(game, "SQ", stoeck=True)
    assert trick(game, "SQ")[0]["type"] == "card_played"


def test_the_game_ends_at_the_stoeck_in_the_middle_of_a_trick() -> None:
    game = schieber(target=46)
    trick(game, "SQ H6 D6 C6")  # 3 points, doubled
    events = trick(game, "SK", stoeck=True)
    assert [event["type"] for event in events[-2:]] == ["deal_scored", "game_ended"]
    assert events[-2]["card_points"] == [3, 0]
    assert events[-2]["scores"] == [46, 0]
    assert game.legal() is None


def test_melds_give_way_to_a_stoeck_that_reaches_the_target() -> None:
    game = schieber(target=40)
    game.do({"cmd": "play", "seat": 0, "card": "S6"})
    game.do({"cmd": "play", "seat": 1, "card": "H6", "melds": [["H6", "H7", "H8"]]})
    game.do({"cmd": "play", "seat": 2, "card": "D6"})
    events = game.do({"cmd": "play", "seat": 3, "card": "C6"})
    assert [event["type"] for event in events[1:]] == ["stoeck_declared", "deal_scored", "game_ended"]
    assert events[-1] == {"type": "game_ended", "winners": [0], "totals": [40, 0]}


def test_without_the_priority_the_melds_win() -> None:
    game = schieber(target=40, stoeck_priority=False)
    game.do({"cmd": "play", "seat": 0, "card": "S6"})
    game.do({"cmd": "play", "seat": 1, "card": "H6", "melds": [["H6", "H7", "H8"]]})
    game.do({"cmd": "play", "seat": 2, "card": "D6"})
    events = game.do({"cmd": "play", "seat": 3, "card": "C6"})
    assert events[-1]["winners"] == [1]


def test_claims() -> None:
    with pytest.raises(Illegal):
        schieber().do({"cmd": "claim_out", "seat": 1})

    game = schieber(claim_out="required", target=40)
    trick(game, "SJ H6 D6 C6")
    events = game.do({"cmd": "claim_out", "seat": 2})
    assert [event["type"] for event in events] == ["out_claimed", "deal_scored", "game_ended"]
    assert events[-1] == {"type": "game_ended", "winners": [0], "totals": [40, 0]}

    game = schieber(claim_out="required", target=41)
    trick(game, "SJ H6 D6 C6")
    assert game.do({"cmd": "claim_out", "seat": 2})[-1]["winners"] == [1]


def test_a_side_with_only_joker8_left_may_name_a_contract_again() -> None:
    game = Coiffeur({}, 4)
    game.slots_left[0] = ["joker8"]
    game.do({"cmd": "deal", "deck": SUIT_EACH, "dealer": 3})
    with pytest.raises(Illegal):
        game.do({"cmd": "choose", "seat": 0, "contract": "obenabe"})
    game.do({"cmd": "choose", "seat": 0, "contract": "obenabe", "slot": "joker8"})
    for rank in ["6", "7", "8", "9", "10", "J", "Q", "K", "A"]:
        events = trick(game, f"S{rank} H{rank} D{rank} C{rank}")
    assert events[-1]["scores"] == [1256, 0]


def test_coiffeur_comes_back_to_the_duty_and_offers_no_push_to_nobody() -> None:
    game = new_game("coiffeur", 4)
    game.do({"cmd": "deal", "deck": SUIT_EACH})
    for seat in [0, 1, 2, 3]:
        assert game.legal() == {"seat": seat, "cmds": ["choose", "push"]}
        game.do({"cmd": "push", "seat": seat})
    assert game.legal() == {"seat": 0, "cmds": ["choose"]}

    trio = Coiffeur({}, 3)
    trio.slots_left[0] = []
    trio.slots_left[2] = []
    trio.do({"cmd": "deal", "deck": SUIT_EACH})
    assert trio.legal() == {"seat": 1, "cmds": ["choose"]}


def test_prediction_zero_earns_the_bonus_only_with_a_trick() -> None:
    game = Differenzler({"exact_bonus": 10}, 4)
    game.predictions = {0: 0, 1: 0, 2: 5, 3: 0}
    game.takers = [1, 2]
    game.card_points = [0, 0, 5, 152]
    game.stoeck = [0, 0, 0, -20]
    assert [game.score_of(seat) for seat in range(4)] == [0, -10, -10, 132]


def test_both_at_three_apples() -> None:
    game = LaPomme({"goal": "apples"}, 2)
    game.apples = [3, 3]
    game.card_points = [20, 19]
    assert game.winners_now() == [0]
    game.card_points = [20, 20]
    assert game.winners_now() == [0, 1]
    game.apples = [3, 2]
    assert game.winners_now() == [1]


def test_bieter_auction_fails_when_all_pass_and_the_next_dealer_deals() -> None:
    game = new_game("bieter", 3)
    game.do({"cmd": "deal", "deck": DECK, "dealer": 2})
    game.do({"cmd": "defer", "seat": 0})
    game.do({"cmd": "pass", "seat": 1})
    game.do({"cmd": "pass", "seat": 2})
    assert game.legal() == {"seat": 0, "cmds": ["bid", "pass"]}
    assert game.do({"cmd": "pass", "seat": 0})[-1] == {"type": "auction_failed"}
    opened = game.do({"cmd": "deal", "deck": DECK})[0]
    assert opened == {"type": "deal_started", "deal": 2, "dealer": 0}
    for points in [490, 505]:
        with pytest.raises(Illegal):
            game.do({"cmd": "bid", "seat": 1, "points": points})


def test_lake_constance_stop_and_sack() -> None:
    game = new_game("lake-constance", 2)
    game.do({"cmd": "deal", "deck": DECK, "dealer": 1})
    game.do({"cmd": "pass", "seat": 0})
    won = game.do({"cmd": "bid", "seat": 1, "points": 60})
    assert won[-1] == {"type": "auction_won", "seat": 1, "points": 60}
    game.do({"cmd": "choose", "seat": 1, "contract": "clubs"})
    game.card_points = [5, 95]
    with pytest.raises(Illegal):
        game.do({"cmd": "stop", "seat": 0})
    scored = game.do({"cmd": "stop", "seat": 1})[-1]
    assert scored["card_points"] == [5, 95]
    assert scored["scores"] == [0, 1]  # 5 and the 57 still out are more than 20
    assert game.do({"cmd": "deal", "deck": DECK})[0]["dealer"] == 0


def test_unknown_options_and_presets_are_refused() -> None:
    for variant, seats in [("schieber", 4), ("bieter", 3), ("differenzler", 3), ("coiffeur", 4)]:
        with pytest.raises(Illegal):
            new_game(variant, seats, {"colour": 1})
        with pytest.raises(Illegal):
            new_game(variant, seats, {}, "village")
        with pytest.raises(Illegal):
            new_game(variant, 5)
    with pytest.raises(Illegal):
        new_game("differenzler", 4, {"deals": 7})
    with pytest.raises(Illegal):
        new_game("differenzler", 4, {"dealer_incentive": 5, "sealed_predictions": True})
    assert new_game("schieber", 4).options["contracts"] == SIX_CONTRACTS
