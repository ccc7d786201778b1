"""Founding a championship and setting its rules, until the first round is open."""

import re
from typing import Any

import msgspec
import pytest
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import override

from engine.contracts import CONTRACTS
from frontend.forms.regulations import RegulationsForm
from frontend.presenters.regulations.regulations import list_articles
from tests.frontend.evening import championship, client, html, opened, person
from tournaments.models import Championship
from tournaments.presets import PRESETS
from tournaments.regulation_checks import decode
from tournaments.regulations import UnplayedRule, encode
from tournaments.services.championships import regulations_change
from tournaments.services.current_regulations import load_regulations

pytestmark = pytest.mark.django_db
ADDRESS = "/c/herbstcup/regulations/"


def sent(**changes: object) -> dict[str, object]:
    """The form as it stands, with changes; check boxes that are off are not sent."""
    form = RegulationsForm(regulations=load_regulations(Championship.objects.get()))
    data = {name: form[name].value() for name in form.fields} | changes
    return {
        name: "on" if value is True else value
        for name, value in data.items()
        if value is not None and value is not False
    }


def test_a_championship_is_founded_and_its_founder_directs_it() -> None:
    answer = client("fredi").post(
        reverse("championship_new"),
        {"name": "Dorfjass", "place": "Glarus", "preset": "santiago", "mode": "sheet", "public": "on"},
        follow=True,
    )

    made = Championship.objects.get()
    assert load_regulations(made).play.mode == "sheet"
    assert "Now enter the players." in html(answer)
    assert "Enter the players" in html(answer)


def test_each_preset_is_summed_up_before_it_is_chosen() -> None:
    shown = html(client("fredi").get(reverse("championship_new")))

    for key in PRESETS:
        assert f'value="{key}"' in shown
    assert "4 rounds of 8 deals" in shown
    assert "5 rounds of one whole game" in shown
    assert "a win for each opponent beaten at the table" in shown
    assert "the sum without the worst round" in shown


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"name": ""}, "field is required"),
        ({"name": "A" * 81}, "at most 80"),
        ({"name": "Böse\u202eLeute"}, "names/forbidden_characters"),
        ({"name": "X", "preset": "poker"}, "Select a valid choice"),
        ({"name": "X", "starts_at": "gestern"}, "valid date"),
    ],
)
def test_a_championship_without_sense_is_not_founded(fields: dict[str, str], what: str) -> None:
    data = {"preset": "santiago", "mode": "sheet", **fields}

    answer = client("fredi").post(reverse("championship_new"), data)

    assert answer.status_code == 400
    assert what in html(answer)
    assert not Championship.objects.exists()


@pytest.mark.long(8)
@pytest.mark.parametrize("preset", PRESETS)
def test_the_form_sent_back_unchanged_changes_no_rule(preset: str) -> None:
    made = championship(0, preset=preset, changes={})
    before = load_regulations(made)

    answer = client("fredi").post(ADDRESS, sent())

    made.refresh_from_db()
    assert (answer.status_code, made.regulations_version) == (302, 2)
    assert load_regulations(made) == before


def test_only_options_that_are_not_as_the_preset_has_them_are_stored() -> None:
    made = championship(0, preset="differenzler", changes={})

    client("fredi").post(ADDRESS, sent(exact_bonus=10, sealed_predictions=True))
    made.refresh_from_db()
    assert load_regulations(made).play.options == {"exact_bonus": 10, "sealed_predictions": True}

    client("fredi").post(ADDRESS, sent(exact_bonus=0))
    made.refresh_from_db()
    assert load_regulations(made).play.options == {"sealed_predictions": True}


def test_three_at_a_table_play_alone_where_four_have_partners() -> None:
    made = championship(0, preset="coiffeur", changes={})

    client("fredi").post(ADDRESS, sent(seats=3))

    made.refresh_from_db()
    play = load_regulations(made).play
    assert (play.seats, play.format) == (3, "solo")


def test_what_an_incident_costs_can_be_set() -> None:
    made = championship(0)

    changes = {"remedy.revoke": "penalty", "article.revoke": "Art. 7", "remedy.hint": "-"}
    client("fredi").post(ADDRESS, sent(**changes))

    made.refresh_from_db()
    remedies = load_regulations(made).remedies
    assert (remedies["revoke"].ruling, remedies["revoke"].article) == ("penalty", "Art. 7")
    assert "hint" not in remedies


@pytest.mark.usefixtures("template_contexts")
@pytest.mark.parametrize(
    ("preset", "changes", "field"),
    [
        ("santiago", {"sweep_bonus": -1}, "sweep_bonus"),
        ("santiago", {"multipliers.spades": 21}, "multipliers.spades"),
        ("santiago", {"contracts": []}, "contracts"),
        ("santiago", {"deals": ""}, "target"),
        ("differenzler", {"deals": 5}, "deals"),
        ("differenzler", {"sealed_predictions": True, "dealer_incentive": 5}, "dealer_incentive"),
        ("differenzler", {"undertrump": "always"}, "undertrump"),
        ("la_pomme", {"seats": 4}, "seats"),
        ("preisjassen", {"sealed_most": 900}, "counting_number"),
        ("santiago", {"byes": "sit_out/fixed"}, "bye_points"),
        ("santiago", {"absences": "fixed"}, "absence_points"),
        ("santiago", {"broken_off": "fixed"}, "broken_off_points"),
        ("santiago", {"counting": "best"}, "counting_number"),
        ("santiago", {"confirmation": "silence"}, "silence_minutes"),
        ("santiago", {"teams_best": 3}, "teams_size"),
    ],
)
def test_a_bad_value_is_an_error_of_its_field(preset: str, changes: dict[str, object], field: str) -> None:
    made = championship(0, preset=preset, changes={})

    answer = client("fredi").post(ADDRESS, sent(**changes))

    made.refresh_from_db()
    assert (answer.status_code, made.regulations_version) == (400, 1)
    assert field in answer.context["form"].errors


def test_what_is_changed_becomes_a_new_version() -> None:
    made = championship(0)

    client("fredi").post(
        ADDRESS,
        sent(rounds=5, deals=12, sweep_bonus=50, stoeck=False, counting="drop_worst", counting_number=1),
    )

    made.refresh_from_db()
    found = load_regulations(made)
    assert (made.regulations_version, found.rounds, found.deals) == (2, 5, 12)
    assert found.play.options["sweep_bonus"] == 50
    assert found.play.options["stoeck"] is False
    assert (found.counting.what, found.counting.number) == ("drop_worst", 1)
    assert made.rounds.count() == 5


def test_rules_that_contradict_each_other_are_refused_with_a_code() -> None:
    championship(0)

    answer = client("fredi").post(ADDRESS, sent(rounds=2, counting="drop_worst", counting_number=2))

    assert answer.status_code == 400
    assert "regulations/counting" in html(answer)


def test_once_a_round_is_open_the_rules_are_fixed() -> None:
    round_ = opened("sheet")
    before = load_regulations(round_.championship)
    data = sent(deals=12)

    answer = client("fredi").post(ADDRESS, data)

    assert "regulations/frozen" in html(answer)
    assert load_regulations(round_.championship) == before
    assert "Change the regulations" not in html(client("fredi").get(ADDRESS))


def test_name_and_place_may_change_at_any_time() -> None:
    opened("sheet")

    client("fredi").post(ADDRESS, {"about": "1", "name": "Wintercup", "place": "Chur", "public": "on"})

    assert Championship.objects.get().name == "Wintercup"


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_put_into_words(preset: str) -> None:
    found = list_articles(PRESETS[preset])

    assert all(article.term and article.text for article in found)
    assert len({article.term for article in found}) == len(found)


DOCUMENT = "/c/herbstcup/regulations/document/"


@pytest.mark.long(8)
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    ("language", "words"), [("en", "Penalties for incidents"), ("de", "Strafen für Vorfälle")]
)
def test_the_regulations_print_as_one_document_with_the_rules_of_the_game(
    preset: str, language: str, words: str
) -> None:
    founded = "en" if language == "de" else "de"  # each person reads it in their own language
    made = championship(0, preset=preset, changes={}, language=founded)
    held = load_regulations(made)

    shown = html(client("eva").get(DOCUMENT, headers={"accept-language": language}))

    assert words in shown
    numbers = [int(found) for found in re.findall(r'<li id="article-(\d+)">', shown)]
    with override(language):
        assert numbers == list(range(1, len(list_articles(held)) + 1))
        for article in list_articles(held, "ch"):
            assert escape(article.text) in shown
    assert 'id="following"' in shown
    assert f'<html lang="{language}"' in shown
    assert "Fredi" in shown
    assert "Gabi" in shown


def test_the_document_can_be_had_in_the_other_language() -> None:
    championship(0, language="de")

    assert "Penalties for incidents" in html(client().get(f"{DOCUMENT}?language=en"))
    assert "Strafen für Vorfälle" in html(client().get(f"{DOCUMENT}?language=xx"))


def test_the_document_says_which_version_it_is_and_since_when_it_holds() -> None:
    made = championship(0)
    assert "not fixed before play is opened" in html(client().get(DOCUMENT))

    changed = msgspec.structs.replace(load_regulations(made), appeal_minutes=20)
    regulations_change.change_regulations(made, changed, actor=person("fredi"))
    shown = html(client().get(DOCUMENT))
    assert "Version 2 of" in shown
    assert "20 minutes after a ruling" in shown


def test_a_private_championships_document_is_not_shown_to_strangers() -> None:
    championship(0, public=False)

    assert client().get(DOCUMENT).status_code == 404
    assert client("fredi").get(DOCUMENT).status_code == 200


def test_the_document_asks_the_database_little(django_assert_max_num_queries: Any) -> None:
    championship(16)

    with django_assert_max_num_queries(8):
        client().get(DOCUMENT)


@pytest.mark.parametrize(
    ("preset", "told"),
    [
        ("differenzler", ["the sum of all rounds, the lowest wins", "4 rounds of 4 deals"]),
        ("preisjassen", ["the person nearest to a sealed number from 1100 to 1450"]),
        ("la_pomme", ["a win for each opponent beaten at the table", "5 rounds of one whole game"]),
        ("bieter", ["the game decides who plays with whom", "Players left over"]),
        ("partnerschieber", ["the same all evening; tables are drawn for each round", "50 for a sweep"]),
        ("santiago", ["numbered chips, even against odd", "is drawn by card"]),
    ],
)
def test_each_way_of_playing_is_told_in_its_own_words(preset: str, told: list[str]) -> None:
    lines = [f"{article.term} {article.text}" for article in list_articles(PRESETS[preset])]

    for words in told:
        assert any(words in line for line in lines), words


def test_hands_that_wait_are_said_and_kept() -> None:
    championship(0)
    wait = {"visibility": "after_deal", "hands_wait_deals": 1, "hands_wait_minutes": 20}
    client("fredi").post(ADDRESS, sent(**wait))
    kept = load_regulations(Championship.objects.get())
    assert {name: getattr(kept, name) for name in wait} == wait
    text = {str(article.term): article.text for article in list_articles(kept)}["Spectators"]
    assert text == "see all hands once a deal is over and 1 deal later and 20 minutes later"


def test_a_wrong_sum_and_a_second_hint_are_set_kept_and_told() -> None:
    championship(0)
    client("fredi").post(ADDRESS, sent(wrong_sum="scorer", hint_points=50))
    kept = load_regulations(Championship.objects.get())
    assert (kept.wrong_sum, kept.remedies["hint"].points) == ("scorer", 50)
    text = {str(article.term): article.text for article in list_articles(kept)}
    assert text["A sheet that does not add up"] == "the scorer's side bears the difference"
    assert "A person already warned for it loses 50 points." in text["Hint by word or gesture"]
    client("fredi").post(ADDRESS, sent())
    again = load_regulations(Championship.objects.get())
    assert (again.wrong_sum, again.remedies) == (kept.wrong_sum, kept.remedies)


def test_a_game_that_is_counted_again_is_not_asked_what_becomes_of_a_wrong_sum() -> None:
    assert "wrong_sum" not in RegulationsForm(regulations=PRESETS["differenzler"]).fields
    assert "wrong_sum" in RegulationsForm(regulations=PRESETS["bieter"]).fields


@pytest.mark.parametrize(
    ("preset", "changes", "told"),
    [
        ("santiago", {}, "A sheet that does not add up it is not accepted, and is recounted"),
        ("santiago", {"wrong_sum": "split"}, "A sheet that does not add up the sides share the difference"),
        ("santiago", {"counting": {"what": "best", "number": 2}}, "Counts the best 2 rounds"),
        (
            "santiago",
            {"byes": {"policy": "house"}},
            "Players left over players of the house help out",
        ),
        (
            "santiago",
            {"byes": {"points": "fixed", "fixed": 600}},
            "Players left over some have a bye in turn, for 600 points",
        ),
        ("la_pomme", {}, "Players left over some have a bye in turn, for 1 win"),
        ("santiago", {"round_minutes": 45}, "Time 45 minutes per round"),
        ("santiago", {"play": {"turn_seconds": 30}}, "Clock 30 seconds for each card at online tables"),
        ("santiago", {"counting": {"tie_breaks": []}}, "Ties places are shared"),
        ("santiago", {"visibility": "private"}, "Spectators see no cards"),
        ("santiago", {"appeal_minutes": 15}, "Time for objections 15 minutes after the round is closed"),
        (
            "santiago",
            {"deals": 0, "play": {"options": {"target": 1000}}},
            "Target 1000 points",
        ),
        (
            "santiago",
            {"play": {"options": {"multipliers": {**dict.fromkeys(CONTRACTS[:6], 1), "spades": 2}}}},
            "In a deal contracts count several times, 100 for a sweep, with Stöck, without melds",
        ),
        ("differenzler", {"play": {"options": {"exact_bonus": 10}}}, "Bonus for an exact prediction 10"),
        ("bieter", {"play": {"options": {"first_hand": 10}}}, "Cards in the first deal 10"),
    ],
)
def test_what_is_changed_is_told(preset: str, changes: dict[str, Any], told: str) -> None:
    data = encode(PRESETS[preset])
    merged = {
        key: {**data[key], **value} if isinstance(value, dict) else value for key, value in changes.items()
    }
    held = decode(data | merged)

    assert told in [f"{article.term} {article.text}" for article in list_articles(held)]


def test_fixed_points_may_be_nothing_if_that_is_written() -> None:
    made = championship(0, preset="santiago", changes={})
    client("fredi").post(
        ADDRESS, sent(byes="sit_out/fixed", bye_points=0, broken_off="fixed", broken_off_points=0)
    )
    made.refresh_from_db()
    kept = load_regulations(made)
    assert (kept.byes.points, kept.byes.fixed, kept.broken_off) == ("fixed", 0, UnplayedRule(points="fixed"))
    assert RegulationsForm(regulations=kept)["bye_points"].value() == 0
