"""The pages of a club's series: for everybody, and the form for the keepers of the club's roll."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from frontend.presenters.clubs.series import PRESET_TITLES, rule_lines
from frontend.presenters.words.figures import format_figure
from tests.frontend.evening import client, html, person
from tests.frontend.visible import english
from tests.tournaments.series_evenings import evening
from tournaments.clubs import rolls
from tournaments.competition import divide
from tournaments.models import Championship, ClubSeries
from tournaments.presets import PRESETS
from tournaments.series.document import QualifyRules, QualifyStep, SeriesRules
from tournaments.series.presets import SERIES_PRESETS
from tournaments.services.series import editing

pytestmark = [pytest.mark.django_db, pytest.mark.both]
SPRING = {"Anna Ammann": 900, "Beat Bühler": 880, "Chiara Caduff": 860}
SUMMER = {"Beat Bühler": 950, "Anna Ammann": 940}


def a_series(preset: str = "season", **more: Any) -> ClubSeries:
    fredi = person("fredi")
    made = editing.create_series(rolls.default_club(fredi), name="Jahr 2026", preset=preset, actor=fredi)
    for name, totals in (("Frühling", SPRING), ("Sommer", SUMMER)):
        editing.add_event(made, championship=evening(fredi, name, totals, **more), actor=fredi)
    return made


def page(made: ClubSeries, name: str | None = None, **asked: str) -> str:
    return html(client(name).get(reverse("series", args=[made.slug]), asked))


def change(made: ClubSeries, act: str, **posted: str | int) -> str:
    """Post a form of the keeper and return the page that follows."""
    address = reverse("series_change", args=[made.slug, act])
    return html(client("fredi").post(address, posted, follow=True))


def test_everybody_reads_the_table_with_a_column_for_each_evening() -> None:
    made = a_series()
    editing.set_numbers(made, best=1, least=None, steps=[], actor=person("fredi"), reason="Beschluss")

    shown = page(made)

    assert 'title="Frühling"' in shown
    assert 'title="Sommer"' in shown
    assert shown.index("Beat Bühler") < shown.index("Anna Ammann") < shown.index("Chiara Caduff")
    assert '<td class="num dropped">18</td>' in shown
    assert "Points by place: 25–18–15" in shown
    assert "Not on the roll" not in shown


def test_a_series_without_results_says_what_will_stand_there() -> None:
    fredi = person("fredi")
    made = editing.create_series(rolls.default_club(fredi), name="Leer", preset="club_year", actor=fredi)

    assert "Nothing counts yet" in page(made)
    assert client().get(reverse("series", args=["none"])).status_code == 404


def test_names_are_read_as_on_the_rankings_and_what_is_not_public_is_not_read() -> None:
    made = a_series(public_names="initials")
    assert "Anna Ammann" not in page(made)
    assert "A. A." in page(made)
    assert "Anna Ammann" in page(made, "fredi")
    Championship.objects.filter(name="Sommer").update(public=False)
    assert client().get(reverse("series", args=[made.slug])).status_code == 404
    assert client("eva").get(reverse("series", args=[made.slug])).status_code == 404
    assert "Anna Ammann" in page(made, "fredi")
    assert "Counts for" not in html(client().get(reverse("championship", args=["fruhling"])))


def test_only_keepers_are_told_who_is_not_on_the_roll() -> None:
    made = a_series()
    Championship.objects.get(name="Sommer").entries.filter(name="Anna Ammann").update(person=None)

    assert "Not on the roll" in page(made, "fredi")
    assert "Not on the roll" not in page(made, "eva")


def test_a_keeper_makes_a_series_and_plans_its_evenings() -> None:
    club = rolls.default_club(person("fredi"))
    evening(person("fredi"), "Frühling", SPRING)
    address = reverse("club_series", args=[club.pk])
    assert "No series yet" in html(client("fredi").get(address))
    assert client("fredi").post(address, {"name": " ", "preset": "season"}).status_code == 400
    answer = client("fredi").post(address, {"name": "Jahr", "preset": "club_average"})
    made = ClubSeries.objects.get()
    assert answer["Location"] == reverse("series_edit", args=[made.slug])

    spring = Championship.objects.get()
    change(made, "add", championship=spring.pk, weight="1.5")
    change(made, "add", name="Herbst", place="Rössli", starts_at="2027-10-01T20:00", weight="1")
    wrong = change(made, "add", weight="1")
    assert "A planned evening needs a name." in wrong
    assert [event.name for event in made.events.all()] == ["Frühling", "Herbst"]
    assert "× 1.5" in page(made)
    assert "Rössli" in page(made)

    event = made.events.get(name="Herbst")
    client("fredi").post(reverse("series_event", args=[made.slug, event.pk, "earlier"]))
    saved = {"name": "Winter", "weight": "2", "state": "cancelled", "place": "", "starts_at": ""}
    saved["reason"] = "Saal geschlossen"
    client("fredi").post(reverse("series_event", args=[made.slug, event.pk, "save"]), saved)
    assert [event.name for event in made.events.all()] == ["Winter", "Frühling"]
    assert "cancelled" in page(made)
    wrong_weight = reverse("series_event", args=[made.slug, event.pk, "save"])
    assert client("fredi").post(wrong_weight, saved | {"weight": "-1"}).status_code == 400
    client("fredi").post(reverse("series_event", args=[made.slug, event.pk, "remove"]))
    assert [event.name for event in made.events.all()] == ["Frühling"]

    change(made, "rename", name="Jahresmeisterschaft")
    change(made, "rules", preset="threshold", reason="Beschluss")
    shown = change(made, "numbers", best="3", least="", step1="1200", reason="Beschluss")
    assert "Jahresmeisterschaft" in shown
    assert 'value="1200"' in shown
    assert "A person who reaches 1200 points" in page(made)
    change(made, "delete")
    assert ClubSeries.objects.exists(), "nobody has confirmed it"
    change(made, "delete", sure="on")
    assert not ClubSeries.objects.exists()


def test_the_final_of_the_rules_is_not_taken_out() -> None:
    made = a_series("threshold")
    final = made.events.get(key="final")
    answer = client("fredi").post(reverse("series_event", args=[made.slug, final.pk, "remove"]))
    assert answer.status_code == 400
    assert "choose other rules first" in html(answer)


def test_the_final_is_made_in_one_press_and_both_pages_lead_to_each_other() -> None:
    made = a_series("threshold")
    change(made, "numbers", best="", least="", step1="890", reason="Beschluss")
    spring = Championship.objects.get(name="Frühling")
    assert "Create the final" in html(client("fredi").get(reverse("series_edit", args=[made.slug])))

    change(made, "final", name="Final 2026", like=f"c{spring.pk}")

    final = Championship.objects.get(name="Final 2026")
    assert final.entries.count() == 2
    shown = page(made, "fredi")
    assert reverse("championship", args=[final.slug]) in shown
    assert shown.count("in the final<") == 2
    there = html(client("fredi").get(reverse("championship", args=[final.slug])))
    assert reverse("series", args=[made.slug]) in there
    assert "Create the final" not in html(client("fredi").get(reverse("series_edit", args=[made.slug])))
    delete = reverse("championship_delete", args=[final.slug])
    client("fredi").post(delete, {"name": "Final 2026"})
    assert "Create the final" in html(client("fredi").get(reverse("series_edit", args=[made.slug])))


def test_nobody_qualified_is_said_beside_the_form() -> None:
    made = a_series("threshold")
    assert "Nobody has qualified yet." in change(made, "final", name="Final", like="santiago")


@pytest.mark.parametrize("preset", editing.OFFERED_PRESETS)
def test_the_pages_are_german_with_every_preset(preset: str) -> None:
    made = a_series(preset)
    browser = client("fredi")
    browser.cookies["django_language"] = "de"
    for address in (
        reverse("series", args=[made.slug]),
        reverse("series_edit", args=[made.slug]),
        reverse("club_series", args=[made.club_id]),
    ):
        assert list(english(html(browser.get(address)))) == [], address


def test_the_titles_of_presets_are_those_of_the_rules() -> None:
    assert {key: str(title) for key, title in PRESET_TITLES.items()} == {
        key: SERIES_PRESETS[key].title for key in editing.OFFERED_PRESETS
    }


def test_exact_numbers_are_rounded_to_two_decimals() -> None:
    assert [format_figure(divide(*one)) for one in ((25, 1), (33, 2), (100, 3), (-7, 2))] == [
        "25",
        "16.5",
        "33.33",
        "−3.5",
    ]


def test_the_queries_of_the_pages_do_not_grow_with_the_events() -> None:
    made = a_series("threshold")

    def queries(name: str) -> int:
        browser = client("fredi")
        with CaptureQueriesContext(connection) as asked:
            assert browser.get(reverse(name, args=[made.slug])).status_code == 200
        return len(asked)

    few = [queries(name) for name in ("series", "series_edit")]
    for n in range(58):
        editing.add_event(
            made, championship=evening(person("fredi"), f"Abend {n}", SUMMER), actor=person("fredi")
        )
    assert [queries(name) for name in ("series", "series_edit")] == few


def test_level_places_have_their_reason_and_the_rules_say_what_decides() -> None:
    fredi = person("fredi")
    made = editing.create_series(rolls.default_club(fredi), name="Jahr", preset="club_year", actor=fredi)
    for name, totals in (
        ("Frühling", {"Anna A": 900, "Beat B": 800}),
        ("Sommer", {"Anna A": 700, "Beat B": 800}),
    ):
        editing.add_event(made, championship=evening(fredi, name, totals), actor=fredi)

    shown = page(made)

    assert "best evenings 900\u00a0:\u00a0800 against Beat B" in shown
    assert "best evenings 800\u00a0:\u00a0900 against Anna A" in shown
    assert "Tie-breaks between level totals, in this order: best evenings." in shown
    editing.choose_preset(made, "two_games", actor=fredi, reason="Beschluss")
    assert "Level totals share a place." in page(made)


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (QualifyStep(kind="first", count=8, of="all"), True),
        (QualifyStep(kind="best_rest", fill_to=8), True),
        (QualifyStep(kind="category", category="Frau"), True),
        (QualifyStep(kind="first", count=8), False),
        (QualifyStep(kind="holder"), False),
    ],
)
def test_who_is_best_of_all_evenings_is_said_to_be_so_by_a_single_total(
    step: QualifyStep, said: bool
) -> None:
    lines = rule_lines(SeriesRules(qualify=QualifyRules(steps=(step,))))
    assert ("The best single total of each person over all evenings decides." in lines) == said


@pytest.mark.usefixtures("template_contexts")
def test_a_final_after_open_heats_is_proposed_with_rounds_that_are_drawn() -> None:
    fredi = person("fredi")
    made = editing.create_series(rolls.default_club(fredi), name="Jahr", preset="threshold", actor=fredi)
    for name, preset in (("Heat", "open_heat"), ("Paare", "open_heat_pairs")):
        editing.add_event(made, championship=evening(fredi, name, SPRING, preset=preset), actor=fredi)
    edit = reverse("series_edit", args=[made.slug])

    def proposed() -> tuple[str, list[str]]:
        form = client("fredi").get(edit).context["forms"]["final"]
        return form["like"].value(), [key for key, _ in form.fields["like"].choices if key not in PRESETS]

    value, listed = proposed()
    rules = PRESETS[value]
    assert (rules.has_queue, rules.play.format, listed) == (False, "fixed_pairs", [])
    evening_ = evening(fredi, "Abend", SPRING, preset="klubabend")
    editing.add_event(made, championship=evening_, actor=fredi)
    assert proposed() == (f"c{evening_.pk}", [f"c{evening_.pk}"])
