"""Founding a championship and setting its rules, until the first round is opened."""

import pytest
from django.urls import reverse

from frontend.forms.regulations import RegulationsForm
from frontend.presenters.regulations import articles
from tests.frontend.evening import championship, client, html, opened
from tournaments.models import Championship
from tournaments.presets import PRESETS
from tournaments.services import championships

pytestmark = pytest.mark.django_db
ADDRESS = "/c/herbstcup/regulations/"


def sent(**changes: object) -> dict[str, object]:
    """The form as it stands, with changes; check boxes that are off are not sent."""
    form = RegulationsForm(regulations=championships.regulations_of(Championship.objects.get()))
    data = {name: form[name].value() for name in form.fields} | changes
    return {
        name: "on" if value is True else value for name, value in data.items() if value not in (None, False)
    }


def test_a_championship_is_founded_and_its_founder_directs_it() -> None:
    answer = client("fredi").post(
        reverse("championship_new"),
        {"name": "Dorfjass", "place": "Glarus", "preset": "santiago", "mode": "sheet", "public": "on"},
        follow=True,
    )

    made = Championship.objects.get()
    assert championships.regulations_of(made).play.mode == "sheet"
    assert "Now enter the players." in html(answer)
    assert "Enter the players" in html(answer)


def test_each_preset_is_summed_up_before_it_is_chosen() -> None:
    shown = html(client("fredi").get(reverse("championship_new")))

    for key in PRESETS:
        assert f'value="{key}"' in shown
    assert "4 rounds of 8 deals" in shown
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


def test_the_form_sent_back_unchanged_changes_no_rule() -> None:
    made = championship(0)
    before = championships.regulations_of(made)

    client("fredi").post(ADDRESS, sent())

    made.refresh_from_db()
    assert championships.regulations_of(made) == before


def test_what_is_changed_becomes_a_new_version() -> None:
    made = championship(0)

    client("fredi").post(
        ADDRESS,
        sent(rounds=5, deals=12, sweep_bonus=50, stoeck=False, counting="drop_worst", counting_number=1),
    )

    made.refresh_from_db()
    found = championships.regulations_of(made)
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
    before = championships.regulations_of(round_.championship)
    data = sent(deals=12)

    answer = client("fredi").post(ADDRESS, data)

    assert "regulations/frozen" in html(answer)
    assert championships.regulations_of(round_.championship) == before
    assert "Change the regulations" not in html(client("fredi").get(ADDRESS))


def test_name_and_place_may_change_at_any_time() -> None:
    opened("sheet")

    client("fredi").post(ADDRESS, {"about": "1", "name": "Wintercup", "place": "Chur", "public": "on"})

    assert Championship.objects.get().name == "Wintercup"


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_put_into_words(preset: str) -> None:
    found = articles(PRESETS[preset])

    assert all(article.term and article.text for article in found)
    assert len({article.term for article in found}) == len(found)
