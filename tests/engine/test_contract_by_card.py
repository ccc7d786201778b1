"""Whether a card names the contract follows from a card that does, not from nobody who chooses."""

import pytest
from msgspec import Struct

from engine import VARIANTS
from engine.phases.dealing import dealing
from engine.phases.laying_out import last_card
from engine.phases.trick_play import trick_play
from engine.registry import compile_rules
from engine.rules import Phase, TrickRules, Variant

BY_CARD = {("la-pomme", 2), ("differenzler", 3), ("differenzler", 4), ("plus-minus", 3), ("plus-minus", 4)}
TABLES = [(key, seats) for key, game in VARIANTS.items() for seats in game.seats]


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """None."""


def without_choice(first: Phase, play: TrickRules) -> Variant[Options]:
    """A game in which nobody names a contract."""
    return Variant(
        key="nobody-chooses",
        label="Nobody chooses",
        seats=(4,),
        options=Options,
        rules_version=1,
        phases=lambda options: (first, trick_play()),
        play=lambda options: play,
        deals=lambda options, sides: 4,
    )


@pytest.mark.parametrize(
    ("first", "play", "by_card"),
    [
        pytest.param(dealing(), TrickRules(), False, id="no contract"),
        pytest.param(dealing(lay_out=last_card({})), TrickRules(), True, id="a card turned"),
        pytest.param(dealing(), TrickRules(names_trumps=True), True, id="the card that does not follow"),
    ],
)
def test_where_nobody_chooses_a_card_names_the_contract_only_if_one_does(
    first: Phase, play: TrickRules, by_card: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = f"nobody-chooses-{bool(first.card_contracts)}-{play.names_trumps}"
    monkeypatch.setitem(VARIANTS, key, without_choice(first, play))
    assert compile_rules(key, 4, "dealt", {}).by_card is by_card


@pytest.mark.parametrize(("key", "seats"), TABLES)
def test_in_the_games_there_are_it_is_as_it_was(key: str, seats: int) -> None:
    assert compile_rules(key, seats, "dealt", {}).by_card is ((key, seats) in BY_CARD)
