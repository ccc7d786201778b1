"""Only incidents that are possible in a game are offered: all games, their presets, all regulations."""

from typing import Any, Final

import pytest

from engine import VARIANTS, IllegalCommand
from engine.cards import SUIT_NAMES
from engine.commands import ClaimOut
from engine.registry import compile_rules
from games.play import game_creation, submit
from tournaments.incident_kinds import (
    CODES,
    INCIDENTS,
    game_incidents,
    regulations_incidents,
    table_incidents,
)
from tournaments.presets import PRESETS

GAMES: Final = [
    (key, seats, name, game.presets.get(name, {}))
    for key, game in VARIANTS.items()
    for seats in game.seats
    for name in ("", *game.presets)
]


def _codes(incidents: tuple[Any, ...]) -> set[str]:
    return {incident.code for incident in incidents}


@pytest.mark.parametrize(("key", "seats", "preset", "options"), GAMES)
def test_incidents_of_a_game_are_those_that_its_rules_know(
    key: str, seats: int, preset: str, options: dict[str, Any]
) -> None:
    del preset  # only the name of the case
    rules = compile_rules(key, seats, "dealt", options)
    found = _codes(game_incidents(key, seats, options))
    claimed = (
        getattr(rules.options, "claim_out", "automatic") == "required" and rules.play.targets is not None
    )
    assert ("wrong_claim" in found) == claimed
    assert ("late_call" in found) == (rules.play.melds or rules.play.stoeck)
    suits = {name for phase in rules.phases for name in (*phase.contracts, *phase.card_contracts)}
    assert ("undertrump" in found) == (rules.play.names_trumps or not suits.isdisjoint(SUIT_NAMES))
    assert set(CODES) - found <= {"wrong_claim", "late_call", "undertrump"}
    at_dealt = _codes(table_incidents("dealt", key, seats, options))
    assert at_dealt == {"hint", "other"}, "the server deals, counts, and judges each claim itself"
    assert "wrong_sum" not in _codes(table_incidents("transcribed", key, seats, options))
    assert _codes(table_incidents("sheet", key, seats, options)) == found


@pytest.mark.django_db
@pytest.mark.parametrize("claim", ["automatic", "required"])
@pytest.mark.parametrize("target", [None, 1000])
def test_a_wrong_claim_is_offered_exactly_where_the_engine_takes_a_claim(
    claim: str, target: int | None
) -> None:
    options = {"claim_out": claim, "target": target, "deals": 4}
    offered = "wrong_claim" in _codes(game_incidents("schieber", 4, options))
    game = game_creation.create_game(
        variant="schieber", players=[letter * 32 for letter in "abcd"], options=options
    )
    try:
        submit.submit(game.pk, ClaimOut(seat=0), actor="a" * 32, command_id="claim")
    except IllegalCommand:
        assert not offered
    else:
        assert offered


def test_without_any_trumps_nobody_undertrumps_or_has_a_stoeck() -> None:
    options = {"contracts": ["obenabe", "undenufe"], "melds": False, "stoeck": True}
    found = _codes(game_incidents("schieber", 4, options))
    assert not {"undertrump", "late_call"} & found
    assert {"undertrump", "late_call"} <= _codes(
        game_incidents("schieber", 4, {**options, "contracts": [SUIT_NAMES[0]]})
    )


@pytest.mark.parametrize("preset", PRESETS)
def test_regulations_foresee_nothing_that_their_game_does_not_know(preset: str) -> None:
    regulations = PRESETS[preset]
    foreseen = set(regulations.remedies) & set(CODES)
    assert foreseen - _codes(regulations_incidents(regulations)) <= {"late_call"}


def test_of_a_game_that_this_engine_does_not_know_all_incidents_are_offered() -> None:
    assert game_incidents("whist", 4, {}) == INCIDENTS
