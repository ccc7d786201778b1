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


def places(variant: str, seats: int, when: str = "first", **options: Any) -> dict[tuple[str, Any], list[int]]:
    found = facts(variant, seats, **options)["places"][when]
    return {(place["kind"], place["turn"]): place["at"] for place in found}


def test_the_places_in_the_deck_of_all_that_is_dealt_are_known() -> None:
    pomme = places("la-pomme", 2)
    assert pomme["turned", None] == [24]
    assert (pomme["hand", 0][:4], pomme["extra", 1]) == ([0, 1, 2, 6], [21, 22, 23])
    assert len(places("lake-constance", 2)["table", 1]) == 6
    assert places("differenzler", 4)["turned", None] == [35]
    assert ("turned", None) not in places("differenzler", 4, trump="cut")
    assert facts("differenzler", 4, trump="cut")["cuts"]


def test_where_a_declarer_plays_on_the_later_deals_are_laid_out_otherwise() -> None:
    assert len(places("bieter", 3)["talon", None]) == 3
    assert len(places("bieter", 3)["hand", 0]) == 9
    later = places("bieter", 3, "later")
    assert (len(later["hand", 0]), later["turned", None]) == (12, [35])


def test_a_target_that_a_bid_decides_is_open() -> None:
    assert facts("bieter", 3)["targets"] == [None, 1000]
    assert facts("schieber", 4, target=1500)["targets"] == [1500, 1500]
    assert facts("coiffeur", 4)["targets"] is None


@pytest.mark.parametrize(
    ("variant", "slate"),
    [
        ("schieber", "points"),
        ("bieter", "points"),
        ("differenzler", "predictions"),
        ("coiffeur", "slots"),
        ("la-pomme", "apples"),
        ("plus-minus", "strokes"),
        ("lake-constance", "sacks"),
    ],
)
def test_each_game_says_how_its_score_is_written(variant: str, slate: str) -> None:
    assert facts(variant, min(VARIANTS[variant].seats))["slate"] == slate


@pytest.mark.parametrize(
    ("variant", "seats", "options", "named"),
    [
        ("schieber", 4, {}, []),
        ("plus-minus", 4, {}, ["diamonds", "hearts", "spades", "clubs"]),
        ("differenzler", 4, {"trump": "cut"}, ["diamonds", "hearts", "spades", "clubs"]),
        (
            "differenzler",
            4,
            {"turned_contracts": {"6": "undenufe"}},
            ["diamonds", "hearts", "spades", "clubs", "undenufe"],
        ),
    ],
)
def test_what_a_card_can_make_trumps_is_known_where_nobody_names_it(
    variant: str, seats: int, options: dict[str, Any], named: list[str]
) -> None:
    assert facts(variant, seats, **options)["by_card"] == named


def test_a_game_that_is_not_known_any_more_says_nothing() -> None:
    assert facts("a-game-of-old", 4) == {}
