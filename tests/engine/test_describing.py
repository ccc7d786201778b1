"""The registry as JSON: forms, API schema and docs are made from it."""

import msgspec
import pytest

from engine.queries.describing import describe, describe_all, format_bounds
from engine.registry import VARIANTS


@pytest.mark.parametrize("key", VARIANTS)
def test_every_option_has_a_label_a_default_and_bounds(key: str) -> None:
    described = describe(VARIANTS[key])
    for option in described["options"]:
        assert option["label"] != option["name"], option
        assert "default" in option
        assert option["bounds"] or isinstance(option["default"], dict | bool), option
    msgspec.json.encode(described)


@pytest.mark.parametrize("key", VARIANTS)
def test_presets_name_options_that_exist(key: str) -> None:
    described = describe(VARIANTS[key])
    names = {option["name"] for option in described["options"]}
    assert all(set(chosen) <= names for chosen in described["presets"].values())


def test_every_game_has_its_name() -> None:
    assert {game["key"]: game["label"] for game in describe_all()} == {
        "schieber": "Schieber",
        "coiffeur": "Coiffeur",
        "bieter": "Bieter",
        "differenzler": "Differenzler",
        "plus-minus": "Plus-Minus",
        "la-pomme": "La Pomme",
        "lake-constance": "Lake Constance",
    }


def test_bounds_for_people() -> None:
    (schieber,) = [game for game in describe_all() if game["key"] == "schieber"]
    bounds = {option["name"]: option["bounds"] for option in schieber["options"]}
    assert bounds["target"] == "1..100000 or none"
    assert bounds["melds"] == "true, false"
    assert bounds["undertrump"] == "only-trumps, void"
    assert bounds["contracts"].startswith("some of clubs")
    assert format_bounds({"type": "string"}) == ""
