"""What scripts are told of a game's rules: learnt from the engine, for every game it knows."""

from typing import Any

import pytest

from engine import VARIANTS
from frontend.presenters.table_rules import rules_of
from games.models import Game


def facts(variant: str, seats: int, **options: Any) -> dict[str, Any]:
    return rules_of(Game(variant=variant, seat_count=seats, options=options))


@pytest.mark.parametrize(
    ("variant", "seats"), [(key, seats) for key, variant in VARIANTS.items() for seats in variant.seats]
)
def test_every_game_says_what_a_deal_is_worth_and_what_can_be_said(variant: str, seats: int) -> None:
    told = facts(variant, seats)

    assert told["points"] in (157, 158)
    assert all(one["factor"] >= 1 for one in told["contracts"])
    assert told["bids"] is None or told["bids"]["raise"] % told["bids"]["step"] == 0


def test_bids_follow_the_options() -> None:
    assert facts("bieter", 3, minimum_bid=300, **{"raise": 50})["bids"] == {
        "least": 300,
        "step": 10,
        "raise": 50,
    }


def test_slots_have_their_multipliers_and_jokers_take_every_contract() -> None:
    slots = {one["slot"]: one for one in facts("coiffeur", 4)["slots"]}

    assert slots["joker8"]["factor"] == 8
    assert len(slots["joker8"]["contracts"]) == 10
    assert slots["slalom"]["contracts"] == ["slalom-obenabe", "slalom-undenufe"]


def test_the_place_of_the_turned_card_in_the_deck_is_known() -> None:
    assert facts("differenzler", 4)["turned"] == 35
    assert facts("la-pomme", 2)["turned"] == 24
    assert facts("differenzler", 4, trump="cut")["turned"] is None


def test_claims_are_offered_only_where_they_are_required() -> None:
    assert facts("schieber", 4, claim_out="required")["claims"]
    assert not facts("schieber", 4)["claims"]


def test_a_game_that_is_not_known_any_more_says_nothing() -> None:
    assert facts("a-game-of-old", 4) == {}
