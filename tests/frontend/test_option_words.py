"""Every option of every game is a field with a name, help and bounds, in each language."""

from typing import Any

import pytest
from django import forms
from django.conf import settings
from django.utils.translation import override

from engine import VARIANTS
from engine.queries.describing import describe
from frontend.forms.options import build_option_fields, option_initial, option_names, parse_option
from frontend.forms.regulations import RegulationsForm
from frontend.presenters.regulations.option_words import OPTIONS
from frontend.presenters.regulations.options import describe_options, merge_options, value_words

ALL = [(key, option["name"]) for key, game in VARIANTS.items() for option in describe(game)["options"]]


def test_every_option_has_a_name_and_help_in_each_language(subtests: pytest.Subtests) -> None:
    for key, name in ALL:
        with subtests.test(key=key, name=name):
            [told] = [option for option in describe(VARIANTS[key])["options"] if option["name"] == name]
            shown = []
            for language, _name in settings.LANGUAGES:
                with override(language):
                    [option] = [option for option in describe_options(key) if option.name == name]
                    shown.append((option.label, option.help))
                    assert option.default
                    assert option.values
            if told["label"] in OPTIONS:  # else tests/architecture/test_game_parts.py names it
                assert all(label[0].isupper() and help_text.endswith(".") for label, help_text in shown)
            else:
                assert set(shown) == {(told["label"], "")}


def test_no_words_are_kept_for_options_that_are_gone() -> None:
    told = {option["label"] for game in VARIANTS.values() for option in describe(game)["options"]}
    assert set(OPTIONS) <= told


@pytest.mark.parametrize("key", VARIANTS)
def test_presets_of_a_game_stand_beside_its_defaults(key: str) -> None:
    game = VARIANTS[key]
    shown = {(option.name, preset) for option in describe_options(key) for preset, _value in option.presets}
    defaults = merge_options(key, None, {})
    assert shown == {
        (name, preset)
        for preset, chosen in game.presets.items()
        for name, value in chosen.items()
        if value != defaults[name]
    }


def form_of(key: str, data: dict[str, Any]) -> forms.Form:
    made = forms.Form(data)
    for option in describe_options(key):
        made.fields.update(build_option_fields(option, "ch"))
    return made


def as_sent(value: Any) -> Any:
    """A value as a browser sends it; nothing for an empty field or an empty box."""
    if value is None or value is False:
        return None
    return [str(one) for one in value] if isinstance(value, list) else "on" if value is True else str(value)


def sent(key: str, values: dict[str, Any]) -> dict[str, Any]:
    fields = [option_initial(option, values[option.name]) for option in describe_options(key)]
    pairs = [(name, as_sent(value)) for one in fields for name, value in one.items()]
    return {name: value for name, value in pairs if value is not None}


@pytest.mark.parametrize(
    ("key", "preset"), [(key, preset) for key, game in VARIANTS.items() for preset in (None, *game.presets)]
)
def test_a_form_sent_back_as_it_was_gives_the_same_options(key: str, preset: str | None) -> None:
    values = merge_options(key, preset, {})
    made = form_of(key, sent(key, values))
    assert made.is_valid(), made.errors
    assert {
        option.name: parse_option(option, made.cleaned_data) for option in describe_options(key)
    } == values


@pytest.mark.parametrize("key", VARIANTS)
def test_values_out_of_bounds_are_errors_of_their_field(key: str) -> None:
    values = merge_options(key, None, {})
    for option in describe_options(key):
        if option.values == "yes or no":
            continue
        for name in option_names(option):
            made = form_of(key, sent(key, values) | {name: "-99999999"})
            assert not made.is_valid()
            assert list(made.errors) == [name]


@pytest.mark.parametrize("key", VARIANTS)
def test_no_option_is_called_like_another_field_of_the_regulations(key: str) -> None:
    own = set(RegulationsForm.base_fields) - {"deals"}
    assert own.isdisjoint(option.name for option in describe_options(key))


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("stoeck", True, "yes"),
        ("target", None, "none"),
        ("multipliers", {"spades": 2, "obenabe": 3}, "Shields: 2; Top-down: 3"),
        ("multipliers", {"spades": 1, "clubs": 1}, "1 for each"),
        ("turned_contracts", {}, "none"),
        ("turned_contracts", {"A": "obenabe"}, "Ace: Top-down"),
        ("contracts", ["hearts", "undenufe"], "Roses; Bottom-up"),
        ("first_forehand", "D10", "banner of bells"),
        ("lead", "declarer", "always who chose"),
        ("minimum_bid", 60, "60"),
    ],
)
def test_values_are_told_in_the_words_of_the_deck(name: str, value: Any, words: str) -> None:
    with override("en"):
        assert value_words(name, value, "ch") == words
