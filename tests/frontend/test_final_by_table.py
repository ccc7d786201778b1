"""A club's year by the table: evenings, the line in the table, and a final made with those before it."""

from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from frontend.presenters.clubs.series import rule_lines, season_lines
from games import store
from tests.frontend.evening import client, html, person
from tests.tournaments.series_evenings import evening, publish_totals
from tests.tournaments.test_finals import publish
from tournaments.clubs import rolls
from tournaments.errors import TournamentError
from tournaments.models import Championship, ClubSeries, Entry
from tournaments.series.document import QualifyRules, QualifyStep, SeriesRules
from tournaments.services.series import editing
from tournaments.services.series.loading import load_series, read_series

pytestmark = pytest.mark.django_db
NAMES = [f"{first} Muster" for first in ("Anna", "Beat", "Chiara", "Dario", "Elin", "Flora", "Gian", "Heidi")]
TABLE = {"step1-kind": "table", "step1-number": "3", "level": "chain"}


def totals(*numbers: int) -> dict[str, int]:
    return dict(zip(NAMES, numbers, strict=False))


EVENINGS = {
    "Frühling": totals(900, 880, 860, 840, 820, 800, 780),
    "Sommer": totals(700, 870, 950, 830, 810, 700, 690),
    "Herbst": totals(910, 700, 700, 860, 800, 790, 680, 990),
}
"""Added up: Anna 2510, Beat 2450, Chiara 2510, Dario 2530, Elin 2430, Flora 2290, Gian 2150, Heidi 990."""
FIRST = ["Dario Muster", "Chiara Muster", "Anna Muster"]
"""The best evening separates the second from the third."""


def change(made: ClubSeries, act: str, **posted: str | int) -> str:
    address = reverse("series_change", args=[made.slug, act])
    return html(client("fredi").post(address, posted, follow=True))


def page(made: ClubSeries, name: str | None = None, language: str = "en") -> str:
    browser = client(name)
    browser.cookies["django_language"] = language
    return unescape(html(browser.get(reverse("series", args=[made.slug]))))


def a_year(**more: Any) -> ClubSeries:
    """A series of three evenings, of which the first 3 of the table qualify."""
    fredi = person("fredi")
    club = rolls.default_club(fredi)
    client("fredi").post(reverse("club_series", args=[club.pk]), {"name": "Jahr", "preset": "club_final"})
    made = ClubSeries.objects.get()
    change(made, "steps", **TABLE)
    for name, found in EVENINGS.items():
        change(made, "add", championship=evening(fredi, name, found, **more).pk, weight="1")
    return made


def finalists(made: ClubSeries) -> list[str]:
    """The persons whose row is marked on the page, in the order of the table."""
    loaded = load_series(ClubSeries.objects.get())
    names = read_series(loaded, person("fredi"), keeper=True).names
    lines = season_lines(loaded, loaded.table.rows, names)
    marked = [line.name for line in lines if line.is_finalist]
    shown = page(made)
    assert shown.count('<tr class="finalist') == len(marked)
    assert shown.count("last-finalist") == sum(line.is_last_finalist for line in lines) <= 1
    assert ("Marked at the edge" in shown) == bool(marked)
    return marked


def correct(name: str, who: str, total: int) -> None:
    """Publish the ranking of an evening again, with another total of one person."""
    made = Championship.objects.get(name=name)
    found = EVENINGS[name] | {who: total}
    numbers = dict(made.entries.values_list("name", "number"))
    publish_totals(made, [numbers[one] for one in found], list(found.values()))


def test_one_submit_makes_a_series_with_its_evenings_numbers_and_final() -> None:
    fredi = person("fredi")
    club = rolls.default_club(fredi)
    address = reverse("club_series", args=[club.pk])
    made = {name: evening(fredi, name, found) for name, found in EVENINGS.items()}
    outsider = evening(fredi, "Plauschjass", totals(1, 2))
    chosen = [one.pk for one in reversed(made.values())]
    posted = {"name": "Jahr", "preset": "club_average", "best": "2", "finalists": "3"}
    assert "Plauschjass" in html(client("fredi").get(address))

    client("fredi").post(address, {**posted, "championships": chosen})

    series = ClubSeries.objects.get()
    assert [event.name for event in series.events.all()] == [*EVENINGS, "Final"]
    rules = editing.decode_series_rules(series)
    assert (rules.total, rules.best, rules.least) == ("average", 2, 6)
    assert rules.qualify == QualifyRules(
        to="final", steps=(QualifyStep(kind="table", count=3),), level="chain"
    )
    assert series.stream_id is not None
    told = [event.type for event in store.read(series.stream_id)]
    assert told.index("rules_set") < told.index("event_added")
    assert told.count("rules_set") == 1
    assert outsider.series_events.count() == 0

    for wrong in ({"championships": ["999999"]}, {"finalists": "0"}, {"best": "101"}, {"least": "-1"}):
        assert client("fredi").post(address, posted | wrong).status_code == 400, wrong
    assert ClubSeries.objects.count() == 1


def test_an_evening_of_another_club_is_not_taken_into_a_new_series() -> None:
    fredi = person("fredi")
    club, other = rolls.default_club(fredi), rolls.found_club("Anderswo", actor=person("gabi"))
    foreign = evening(fredi, "Fremd", totals(1, 2))
    Championship.objects.filter(pk=foreign.pk).update(club=other)
    address = reverse("club_series", args=[club.pk])
    posted = {"name": "Jahr", "preset": "season", "championships": [foreign.pk]}
    assert client("fredi").post(address, posted).status_code == 400
    foreign.refresh_from_db()
    with pytest.raises(TournamentError) as refused:
        editing.create_series(club, name="J", preset="season", actor=fredi, championships=[foreign])
    assert refused.value.code == "series/other_club"
    assert not ClubSeries.objects.exists(), "nothing half done"


def test_the_first_of_the_table_are_entered_in_the_final_made_by_one_press() -> None:
    made = a_year()
    assert finalists(made) == FIRST
    shown = page(made)
    assert "The first 3 of the table are in the final." in shown
    assert "The final does not count in the table that decides who qualifies." in shown
    for place, name in enumerate(FIRST, 1):
        assert f"{name} <small" in shown
        assert f"by place: table, place {place}<" in shown

    autumn = Championship.objects.get(name="Herbst")
    change(made, "final", name="Finalabend", like=f"c{autumn.pk}")

    final = Championship.objects.get(name="Finalabend")
    assert list(final.entries.order_by("start_rank").values_list("name", "start_rank")) == [
        *zip(FIRST, (1, 2, 3), strict=True)
    ]
    assert page(made, "fredi").count("in the final<") == 3
    told = made.snapshots.get().qualification or {}
    assert [(one["why"], one["from"], one["place"]) for one in told["qualified"]] == [
        ("table", None, place) for place in (1, 2, 3)
    ]


def test_the_final_counts_in_the_table_and_not_for_its_own_qualification() -> None:
    made = a_year()
    change(made, "final", name="Finalabend", like=f"c{Championship.objects.get(name='Herbst').pk}")
    final = Championship.objects.get(name="Finalabend")
    before = load_series(ClubSeries.objects.get()).qualification

    entered = list(final.entries.order_by("start_rank"))
    publish_totals(final, [one.number for one in entered], [500, 700, 900])
    final.status = Championship.Status.FINISHED
    final.save(update_fields=["status"])

    loaded = load_series(ClubSeries.objects.get())
    assert loaded.qualification == before
    names = read_series(loaded, person("fredi"), keeper=True).names
    assert [names[row.ref] for row in loaded.table.rows][:3] == FIRST[::-1]
    assert finalists(made) == [], "the line was that of another table"


def test_who_declines_is_replaced_by_the_next_of_the_table() -> None:
    made = a_year()
    refs = {one.names.running: ref for ref, one in load_series(ClubSeries.objects.get()).persons.items()}
    address = reverse("series_ticket", args=[made.slug, "decline"])
    client("fredi").post(address, {"ref": refs["Chiara Muster"]})

    assert finalists(made) == ["Dario Muster", "Anna Muster", "Beat Muster"]
    shown = page(made)
    assert "moved up: table, place 4<" in shown
    waiting = shown.partition("Waiting list")[2].partition("</section>")[0]
    order = [waiting.index(name) for name in ("Elin", "Flora", "Gian", "Heidi")]
    assert order == sorted(order)
    assert "nachgerückt: Tabelle, Rang 4<" in page(made, language="de")


def test_a_correction_after_acceptance_shows_on_both_pages_and_takes_no_ticket_away() -> None:
    made = a_year()
    change(made, "final", name="Finalabend", like=f"c{Championship.objects.get(name='Herbst').pk}")
    correct("Sommer", "Beat Muster", 990)

    shown = page(made, "fredi")
    assert "Beat Muster would have qualified, with start rank 1." in shown
    assert "Anna Muster would not have qualified." in shown
    assert "accepted before a correction" in shown
    final = html(client("fredi").get(reverse("championship", args=["finalabend"])))
    assert "Beat Muster would have qualified, with start rank 1." in final
    assert Entry.objects.filter(championship__slug="finalabend").count() == 3
    assert finalists(made) == ["Beat Muster", *FIRST], "all of them have a ticket"


def test_only_a_final_by_the_table_has_a_line_in_the_table() -> None:
    made = a_year()
    change(made, "steps", reason="Beschluss", level="chain", **{"step1-kind": "first", "step1-number": "2"})
    assert finalists(made) == []
    change(made, "steps", reason="Beschluss", **TABLE)
    assert finalists(made) == FIRST


def test_the_form_offers_the_table_in_words() -> None:
    made = a_year()
    browser = client("fredi")
    browser.cookies["django_language"] = "de"
    shown = html(browser.get(reverse("series_edit", args=[made.slug])))
    assert '<option value="table" selected>die Ersten der Tabelle</option>' in shown
    assert "So viele der Ersten der Tabelle qualifizieren sich" in shown
    wrong = change(made, "steps", **{"step1-kind": "table", "level": "all"})
    assert "This step needs a number." in wrong


def test_another_number_after_an_evening_counted_needs_a_reason_and_shows_who_qualifies() -> None:
    made = a_year()
    asked = change(made, "numbers", best="8", least="", step1="4")
    assert "Also qualified:" in asked
    assert "Beat Muster" in asked
    assert finalists(made) == FIRST
    change(made, "numbers", best="8", least="", step1="4", reason="Beschluss der Versammlung")
    assert finalists(made) == [*FIRST, "Beat Muster"]


def test_people_without_a_place_in_the_table_neither_qualify_nor_wait() -> None:
    made = a_year()
    change(made, "numbers", best="8", least="2", step1="8", reason="Beschluss")
    assert "Heidi" not in " ".join(finalists(made))
    loaded = load_series(ClubSeries.objects.get())
    assert loaded.qualification is not None
    assert len(loaded.qualification.qualified) == 7
    assert loaded.qualification.waiting == ()


def test_partners_of_the_whole_year_stay_a_pair_in_the_final() -> None:
    made = pairs_year()
    loaded = load_series(ClubSeries.objects.get())
    assert loaded.qualification is not None
    assert len(loaded.qualification.qualified) == 4, "two pairs"
    change(made, "final", name="Finalabend", like=f"c{Championship.objects.get(name='Herbst').pk}")
    final = Championship.objects.get(name="Finalabend")
    together = Entry.objects.filter(championship=final).values_list("entrant", "name")
    couples = {frozenset(name for pair, name in together if pair == one) for one, _ in together}
    assert couples == {
        frozenset(("Anna Muster", "Beat Muster")),
        frozenset(("Chiara Muster", "Dario Muster")),
    }


def pairs_year() -> ClubSeries:
    """A series of two evenings of fixed pairs, of which the first 2 pairs of the table qualify."""
    fredi = person("fredi")
    made = editing.create_series(rolls.default_club(fredi), name="Paare", preset="club_final", actor=fredi)
    step = QualifyStep(kind="table", count=2)
    editing.set_qualification(made, steps=[step], level="chain", actor=fredi)
    for name, numbers in (("Frühling", (900, 800, 850)), ("Herbst", (880, 910, 700))):
        there = evening(fredi, name, dict.fromkeys(NAMES[:6], 0), preset="partnerschieber")
        lines = [(NAMES[2 * at], NAMES[2 * at + 1], total) for at, total in enumerate(numbers)]
        publish(there, lines)
        editing.add_event(made, championship=there, actor=fredi)
    return made


def test_the_rules_say_what_decides_between_level_people() -> None:
    table, heat = QualifyStep(kind="table", count=8), QualifyStep(kind="first", count=8)

    def said(*steps: QualifyStep, level: str = "chain") -> list[str]:
        rules = QualifyRules(steps=steps, level=level)
        return [line for line in rule_lines(SeriesRules(qualify=rules)) if line.startswith("Between level p")]

    place = "Between people with equal totals in the table their place decides, then a lot."
    assert said(heat) == ["Between level people the ranking of the evening decides, then a lot."]
    assert said(table) == []
    assert place in rule_lines(SeriesRules(qualify=QualifyRules(steps=(table, heat), level="chain")))
    assert said(table, heat) == said(heat)
    assert said(table, level="lot") == ["Between level people a lot decides."]


def test_the_line_in_the_table_costs_no_query() -> None:
    made = a_year()

    def queries() -> int:
        browser = client("fredi")
        with CaptureQueriesContext(connection) as asked:
            assert browser.get(reverse("series", args=[made.slug])).status_code == 200
        return len(asked)

    queries()
    with_line = queries()
    change(made, "steps", reason="Beschluss", level="chain", **{"step1-kind": "first", "step1-number": "2"})
    queries()
    assert queries() == with_line
