"""From where in the deck phases say that they deal: each place once, in every game, for all seats."""

import pytest

from engine import VARIANTS
from engine.registry import compile_rules
from engine.rules import FromDeck

TABLES = [(key, seats) for key, variant in sorted(VARIANTS.items()) for seats in sorted(variant.seats)]


def test_a_card_of_the_deck_has_one_place(subtests: pytest.Subtests) -> None:
    for declared in [False, True]:
        for key, seats in TABLES:
            with subtests.test(declared=declared, key=key, seats=seats):
                rules = compile_rules(key, seats, "dealt", {})

                places: list[FromDeck] = [
                    place for phase in rules.phases for place in phase.places(seats, declared)
                ]

                # A turned card may be one of somebody's hand.
                lying = [at for place in places if place.kind != "turned" for at in place.at]
                assert len(lying) == len(set(lying))
                assert set(lying) <= set(range(36))
                assert {place.turn for place in places if place.kind == "hand"} <= set(range(seats))
