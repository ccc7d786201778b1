"""The rules of a game sent to scripts equal the values of the engine's phases, which also deal by them."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from engine import VARIANTS, Event, State, advance, cards, decide, decode_command
from engine.cards import Card
from engine.commands import Deal
from engine.events import ContractSet, ExtraDealt, HandDealt, TableDealt, TalonDealt, TrumpTurned
from engine.registry import get_rules as engine_rules_of
from frontend.presenters.tables.table_rules import load_table_rules
from games.models import Game


def facts(variant: str, seats: int, **options: Any) -> dict[str, Any]:
    return load_table_rules(Game(variant=variant, seat_count=seats, options=options))


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


CHOICES: list[tuple[str, dict[str, Any]]] = [
    *((key, dict(preset)) for key, variant in VARIANTS.items() for preset in ({}, *variant.presets.values())),
    ("schieber", {"first_forehand": "drawn"}),
    ("bieter", {"first_hand": 10, "turned_contracts": {}}),
    ("differenzler", {"trump": "cut", "turned_contracts": {"A": "obenabe", "6": "undenufe"}}),
    ("differenzler", {"turned_contracts": {"6": "undenufe"}}),
    ("lake-constance", {"no_trumps": True}),
]
TABLES = [(key, seats, options) for key, options in CHOICES for seats in VARIANTS[key].seats]


def started(variant: str, seats: int, options: dict[str, Any]) -> State:
    state = State()
    start = {"cmd": "start", "variant": variant, "seats": seats, "options": options}
    advance(state, decode_command(start))
    return state


def dealt(state: State, at: int = 0) -> list[Event]:
    """A trial deal of the deck in its order from a card on, by the last seat."""
    deck: list[Card | None] = [*cards.DECK[at:], *cards.DECK[:at]]
    return decide(state, Deal(deck=deck, cut=deck[0] if engine_rules_of(state).cuts else None))


def laid(event: Event, cuts: bool) -> Iterator[tuple[str, Sequence[Card | None], int | None]]:
    if isinstance(event, HandDealt):
        yield "hand", event.cards or [], event.seat
    elif isinstance(event, ExtraDealt):
        yield "extra", event.cards or [], event.seat
    elif isinstance(event, TableDealt):
        yield "table", event.open, event.seat
        yield "closed", event.closed or [], event.seat
    elif isinstance(event, TalonDealt):
        yield "talon", event.open, None
    elif isinstance(event, TrumpTurned) and not cuts:
        yield "turned", [event.card], None


def test_phases_deal_from_where_they_say(subtests: pytest.Subtests) -> None:
    for variant, seats, options in TABLES:
        for when, declarer in [("first", None), ("later", 0)]:
            with subtests.test(variant=variant, seats=seats, options=options, when=when, declarer=declarer):
                state = started(variant, seats, options)
                state.declarer = declarer
                told = facts(variant, seats, **options)

                found = {
                    (kind, seat): [cards.INDEX[code] for code in codes if code is not None]
                    for event in dealt(state)
                    for kind, codes, seat in laid(event, told["cuts"])
                }

                assert {("hand", seat) for seat in range(seats)} <= found.keys()
                assert {
                    (place["kind"], place["turn"]): place["at"] for place in told["places"][when]
                } == found


def test_a_card_names_what_phases_say_that_it_may(subtests: pytest.Subtests) -> None:
    for variant, seats, options in TABLES:
        with subtests.test(variant=variant, seats=seats, options=options):
            state = started(variant, seats, options)
            rules = engine_rules_of(state)
            named = {
                event.contract
                for at in range(36)
                for event in dealt(state, at)
                if isinstance(event, ContractSet)
            }

            by_card = facts(variant, seats, **options)["by_card"]

            assert set(by_card) == named or rules.play.names_trumps or not rules.by_card
            assert (by_card == []) is not rules.by_card


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
