"""Choices and bounds of the regulations are defined once, in their types; checks and forms use them."""

from typing import Annotated, Any

import msgspec
import pytest

from frontend.forms.regulations import RegulationsForm
from tournaments import regulation_checks, regulations
from tournaments.constraints import AllowedValues, derive_constraints, find_violations
from tournaments.errors import TournamentError
from tournaments.presets import PRESETS
from tournaments.regulation_checks import ALLOWED_VALUES
from tournaments.standings import TeamCounting

BASE = msgspec.structs.replace(
    PRESETS["santiago"],
    remedies={"revoke": regulations.Remedy(ruling="award_from_trick")},
    teams=TeamCounting(size=60, best=1),
    absences=regulations.Absences(),
    broken_off=regulations.UnplayedRule(),
)
FORM = {
    "rounds": "rounds",
    "deals": "deals",
    "hands_wait_deals": "hands_wait_deals",
    "hands_wait_minutes": "hands_wait_minutes",
    "delay_minutes": "delay_minutes",
    "round_minutes": "round_minutes",
    "silence_minutes": "silence_minutes",
    "appeal_minutes": "appeal_minutes",
    "turn_seconds": "play.turn_seconds",
    "bye_points": "byes.fixed",
    "absence_points": "absences.fixed",
    "absences_most": "absences.most",
    "broken_off_points": "broken_off.fixed",
    "broken_off_most": "broken_off.most",
    "buchholz_unplayed": "counting.buchholz_unplayed",
    "hint_points": "remedies.*.points",
    "teams_size": "teams.size",
    "teams_best": "teams.best",
}
CHOSEN = {
    "credit": "play.credit",
    "three": "byes.three",
    "mode": "play.mode",
    "hand_in": "hand_in",
    "confirmation": "confirmation",
    "correcting": "correcting",
    "format": "play.format",
    "chairs": "chairs",
    "visibility": "visibility",
    "wrong_sum": "wrong_sum",
    "remedy.revoke": "remedies.*.ruling",
    "teams_apart": "teams.apart",
    "teams_short": "teams.short",
}


def with_value(path: str, value: Any) -> dict[str, Any]:
    """The regulations as JSON with another value there."""
    data = regulations.encode(BASE)
    *steps, last = path.replace("*", "revoke").split(".")
    place = data
    for step in steps:
        place = place[step]
    place[last] = value
    return data


def refused(data: dict[str, Any]) -> TournamentError:
    with pytest.raises(TournamentError) as found:
        regulation_checks.decode(data)
    return found.value


def test_everything_that_can_be_chosen_or_bounded_is_stated() -> None:
    bounded = {path for path, stated in ALLOWED_VALUES.items() if stated.most is not None}
    assert bounded == {*FORM.values(), "play.seats", "play.deal_pause", "starts", "team_size"}
    chosen = {path for path, stated in ALLOWED_VALUES.items() if stated.choices}
    worths = {"byes.points", "absences.points", "broken_off.points"}
    assert chosen == {*CHOSEN.values(), *worths, "draw", "byes.policy", "entrants", "averages"}


@pytest.mark.parametrize("path", [path for path, stated in ALLOWED_VALUES.items() if stated.most is not None])
def test_a_number_beyond_its_bounds_is_refused_with_them(path: str) -> None:
    least, most = ALLOWED_VALUES[path].least, ALLOWED_VALUES[path].most
    assert least is not None
    assert most is not None
    for value in (least - 1, most + 1):
        error = refused(with_value(path, value))
        told = {"field": path.replace("*", "revoke"), "value": value, "least": least, "most": most}
        assert (error.code, error.params) == ("regulations/out_of_bounds", told)
    for value in (least, most):
        assert not list(find_violations(ALLOWED_VALUES, with_value(path, value)))


@pytest.mark.parametrize("path", [path for path, stated in ALLOWED_VALUES.items() if stated.choices])
def test_a_choice_that_there_is_not_is_refused_with_those_there_are(path: str) -> None:
    error = refused(with_value(path, "dice"))
    if path == "remedies.*.ruling":
        told = {"field": "remedies.revoke", "value": "dice"}
        assert (error.code, error.params) == ("regulations/unknown_ruling", told)
    else:
        told = {"field": path, "value": "dice", "allowed": ", ".join(ALLOWED_VALUES[path].choices)}
        assert (error.code, error.params) == ("regulations/unknown_value", told)
    for value in ALLOWED_VALUES[path].choices:
        assert not list(find_violations(ALLOWED_VALUES, with_value(path, value)))


def test_regulations_made_in_code_are_held_to_the_same() -> None:
    with pytest.raises(TournamentError, match="between 1 and 60"):
        regulation_checks.check_regulations(msgspec.structs.replace(BASE, rounds=61))


@pytest.mark.parametrize("value", [None, [], {}, "four", True])
def test_what_is_no_number_at_all_cannot_be_read(value: object) -> None:
    assert refused(with_value("rounds", value)).code == "regulations/unreadable"


@pytest.mark.django_db
def test_the_form_offers_what_the_regulations_state() -> None:
    fields = RegulationsForm(regulations=BASE).fields
    for name, path in FORM.items():
        least = 1 if name == "deals" else ALLOWED_VALUES[path].least  # empty is a whole game
        assert (fields[name].min_value, fields[name].max_value) == (least, ALLOWED_VALUES[path].most), name  # type: ignore[attr-defined]  # the fields of FORM hold numbers
    for name, path in CHOSEN.items():
        offered = [value for value, _words in fields[name].choices if value != "-"]  # type: ignore[attr-defined]  # the fields of CHOSEN are choices
        if name == "format":
            assert set(offered) < set(ALLOWED_VALUES[path].choices), "who is alone follows from the game"
        else:
            assert offered == list(ALLOWED_VALUES[path].choices), name


def test_what_is_stated_lies_at_its_path() -> None:
    class Inner(msgspec.Struct):
        word: regulations.Credit = "wins"

    class Outer(msgspec.Struct):
        inner: dict[str, Inner]
        free: int = 0
        clock: regulations.Minutes | None = None

    stated = derive_constraints(Outer)
    assert stated == {
        "inner.*.word": AllowedValues(choices=("points", "wins", "field")),
        "clock": AllowedValues(least=0, most=600),
    }
    data = {"inner": {"a": {"word": "wins"}, "b": {"word": "cows"}}, "clock": 601, "free": -1}
    wrong = {(path, value) for path, value, _ in find_violations(stated, data)}
    assert wrong == {("inner.b.word", "cows"), ("clock", 601)}
    assert not list(find_violations(stated, {"inner": [], "clock": None}))
    assert not list(find_violations(stated, "no regulations"))


@pytest.mark.parametrize("bound", [msgspec.Meta(ge=1), msgspec.Meta(le=9)])
def test_a_number_with_one_bound_is_refused_where_it_is_defined(bound: msgspec.Meta) -> None:
    kind = msgspec.defstruct("Half", [("rounds", Annotated[int, bound])])
    with pytest.raises(TypeError, match="rounds has one bound"):
        derive_constraints(kind)
