"""Starting a game: variants, seats, presets and options."""

from typing import Any

import pytest

from engine import VARIANTS, IllegalCommand, State, decide
from engine.commands import Deal, Start
from engine.events import GameStarted
from engine.registry import get_rules
from tests.engine.tables import SIMPLE, Table, only


def refusal(**start: Any) -> IllegalCommand:
    with pytest.raises(IllegalCommand) as error:
        decide(State(), Start(**{"variant": "schieber", "seats": 4, **start}))
    return error.value


@pytest.mark.parametrize(
    ("start", "code"),
    [
        ({"variant": "skat"}, "start/unknown_variant"),
        ({"seats": 3}, "start/wrong_seats"),
        ({"preset": "casino"}, "start/unknown_preset"),
        ({"options": {"jokers": 2}}, "start/bad_options"),
        ({"options": {"target": 0}}, "start/bad_options"),
        ({"options": {"multipliers": {"spades": 2}}}, "start/bad_options"),
        ({"options": {"contracts": ["spades", "spades"]}}, "start/bad_options"),
        ({"options": {"target": None}}, "start/no_end"),
        ({"options": {"melds": {1: object()}}}, "start/bad_options"),
        ({"won_before": 2}, "start/no_such_side"),
    ],
)
def test_what_cannot_be_played_is_refused(start: dict[str, Any], code: str) -> None:
    assert refusal(**start).code == code


def test_a_value_out_of_bounds_is_refused_with_the_bounds() -> None:
    assert ">= 0" in refusal(options={"sweep_bonus": -1}).detail
    assert "sweep_bonus" in refusal(options={"sweep_bonus": -1}).detail


def test_multipliers_are_from_1_to_20() -> None:
    for number, bound in ((0, ">= 1"), (21, "<= 20")):
        assert bound in refusal(options={"multipliers": {**SIMPLE, "spades": number}}).detail
    for number in (1, 20):
        options = {"multipliers": {**SIMPLE, "spades": number}}
        assert only(Table(options=options).log, GameStarted).options["multipliers"]["spades"] == number


@pytest.mark.parametrize("between", ["\n", "\r\n", "\u2028", " \t "])
def test_a_refusal_that_quotes_what_was_written_is_one_line(between: str) -> None:
    refused = refusal(options={f"skat{between}trumps": 1})
    assert refused.detail == "Object contains unknown field `skat trumps`"
    assert str(refused) == f"start/bad_options: {refused.detail}"


def test_a_refusal_of_options_names_the_one_that_does_not_fit() -> None:
    lacking = refusal(options={"multipliers": dict.fromkeys(["diamonds", "hearts", "spades", "clubs"], 1)})
    assert lacking.detail == "multipliers lack obenabe, undenufe"
    assert lacking.params == {"reason": "multipliers", "missing": ["obenabe", "undenufe"]}
    twice = refusal(options={"contracts": ["spades", "hearts", "spades"]})
    assert (twice.detail, twice.params) == ("a contract is named twice", {"reason": "contracts"})


def test_the_event_carries_every_option() -> None:
    started = only(Table(preset="championship", options={"deals": 2}).log, GameStarted)
    assert started.options["deals"] == 2
    assert started.options["target"] is None
    assert started.options["melds"] is False
    assert started.options["partner_waits"] is True
    assert started.options["first_forehand"] == "drawn"
    assert started.options["multipliers"] == SIMPLE
    assert started.options["stoeck"] is True
    assert started.sides == 2


def test_published_presets() -> None:
    drop_worst = only(Table(preset="einzelschieber").log, GameStarted).options
    assert (drop_worst["deals"], drop_worst["sweep_bonus"], drop_worst["stoeck"]) == (12, 0, False)
    fixed_pairs = only(Table(preset="partnerschieber").log, GameStarted).options
    assert (fixed_pairs["deals"], fixed_pairs["sweep_bonus"]) == (8, 50)


def test_nothing_can_be_done_before_a_game_is_started() -> None:
    with pytest.raises(IllegalCommand) as error:
        decide(State(), Deal())
    assert error.value.code == "deal/not_now"
    with pytest.raises(IllegalCommand) as error:
        decide(State(), "deal")  # type: ignore[arg-type]  # a string is no command
    assert error.value.code == "command/unknown"


@pytest.mark.parametrize(
    ("variant", "preset", "drawn"),
    [
        ("schieber", None, False),
        ("schieber", "championship", True),
        ("coiffeur", None, False),
        ("bieter", None, False),
        ("differenzler", None, False),
        ("plus-minus", None, True),
        ("la-pomme", None, True),
        ("lake-constance", None, False),
    ],
)
def test_lots_decide_the_first_forehand_where_the_rules_say_so(
    variant: str, preset: str | None, drawn: bool
) -> None:
    table = Table(variant, VARIANTS[variant].seats[0], preset=preset)
    assert get_rules(table.state).draws_forehand is drawn


@pytest.mark.parametrize("key", VARIANTS)
def test_options_that_tables_share_cannot_be_changed(key: str) -> None:
    options = get_rules(Table(key, VARIANTS[key].seats[0]).state).options
    for name in options.__struct_fields__:
        with pytest.raises(AttributeError):
            setattr(options, name, None)


@pytest.mark.parametrize("key", VARIANTS)
def test_options_are_given_by_name(key: str) -> None:
    with pytest.raises(TypeError):
        VARIANTS[key].options(None)
