"""The pages of a final and of the evenings that lead to it."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from frontend.presenters.rounds.finals import load_final_links
from tests.frontend.evening import client, html, person
from tests.tournaments.test_finals import HEAT, heat, heats, publish
from tournaments.models import Championship, ClubEvent, ClubSeries
from tournaments.services.series.finals import make_final

pytestmark = pytest.mark.django_db


@pytest.fixture
def series() -> ClubSeries:
    fredi = person("fredi")
    fredi.may_found = True
    fredi.save(update_fields=["may_found"])
    made = heats(fredi, HEAT, count=2)
    make_final(made, actor=fredi, name="Viertelfinal", preset="cup")
    return made


def page(slug: str, name: str | None = None) -> str:
    return html(client(name).get(reverse("championship", args=[slug])))


def test_the_final_and_the_preliminary_lead_to_each_other(series: ClubSeries) -> None:
    final = page("viertelfinal")
    assert "Qualified from" in final
    assert reverse("championship", args=["vorrunde-1"]) in final
    preliminary = page("vorrunde-1")
    assert "The final" in preliminary
    assert reverse("championship", args=["viertelfinal"]) in preliminary
    Championship.objects.filter(slug="viertelfinal").update(public=False)
    assert "Viertelfinal" not in page("vorrunde-1")
    assert "Viertelfinal" in page("vorrunde-1", "fredi")


def test_a_final_of_two_series_links_the_championships_of_both(series: ClubSeries) -> None:
    final = Championship.objects.get(slug="viertelfinal")
    fredi = final.owner
    heat(fredi, "Regionalrunde", HEAT)
    region = ClubSeries.objects.create(club=series.club, name="Region", slug="region", rules=series.rules)
    key = final.series_events.get().key
    ClubEvent.objects.create(series=region, championship=final, key=key, position=2)
    regional = Championship.objects.get(slug="regionalrunde")
    ClubEvent.objects.create(series=region, championship=regional, key="heat", position=1)
    shown = page("viertelfinal")
    assert reverse("championship", args=["vorrunde-1"]) in shown
    assert reverse("championship", args=["regionalrunde"]) in shown


def test_a_championship_of_two_series_links_both_finals(series: ClubSeries) -> None:
    preliminary = Championship.objects.get(slug="vorrunde-1")
    other = heat(preliminary.owner, "Kantonsfinal", HEAT)
    canton = ClubSeries.objects.create(club=series.club, name="Kanton", slug="kanton", rules=series.rules)
    final_key = ClubEvent.objects.get(championship__slug="viertelfinal").key
    ClubEvent.objects.create(series=canton, championship=preliminary, key="heat", position=1)
    ClubEvent.objects.create(series=canton, championship=other, key=final_key, position=2)
    shown = page("vorrunde-1")
    assert "The finals" in shown
    assert reverse("championship", args=["viertelfinal"]) in shown
    assert reverse("championship", args=["kantonsfinal"]) in shown


def test_a_correction_shows_in_the_final_to_those_who_direct_it(series: ClubSeries) -> None:
    assert "Corrected since" not in page("viertelfinal", "fredi")
    publish(Championship.objects.get(slug="vorrunde-1"), [(*HEAT[4][:2], 910), *HEAT[:4]])

    shown = page("viertelfinal", "fredi")
    assert "Corrected since the final was made" in shown
    assert "Ida I / Jan J would have qualified, with start rank 1." in shown
    assert "Ada A / Beat B would have start rank 2 instead of 1." in shown
    assert "Cleo C / Dario D would not have qualified." in shown
    assert "Corrected since" not in page("viertelfinal")
    on_series = html(client("fredi").get(reverse("series", args=[series.slug])))
    assert "Cleo C / Dario D would not have qualified." in on_series
    assert "would not have qualified" not in html(client().get(reverse("series", args=[series.slug])))


def test_the_form_of_the_final_proposes_the_hall_of_the_preliminary() -> None:
    fredi = person("fredi")
    fredi.may_found = True
    fredi.save(update_fields=["may_found"])
    made = heats(fredi, HEAT, count=2)
    Championship.objects.filter(slug="vorrunde-1").update(place="Mehrzweckhalle")
    shown = html(client("fredi").get(reverse("series_edit", args=[made.slug])))
    assert 'value="Mehrzweckhalle"' in shown


def test_a_page_outside_a_series_asks_nothing_of_series(series: ClubSeries) -> None:
    Championship.objects.get(slug="vorrunde-1").series_events.all().delete()
    with CaptureQueriesContext(connection) as asked:
        page("vorrunde-1")
    assert not [one for one in asked if one["sql"].startswith('SELECT "tournaments_clubevent"')]


def test_more_series_take_no_more_queries(series: ClubSeries, django_assert_num_queries: Any) -> None:
    found = Championship.objects.get(slug="vorrunde-1")
    Championship.objects.exclude(pk=found.pk).update(public=False)
    event = found.series_events.get()
    for n in range(2):
        more = ClubSeries.objects.create(
            club=series.club, name=f"Reihe {n}", slug=f"reihe-{n}", rules=series.rules
        )
        ClubEvent.objects.create(series=more, championship=found, key=event.key, position=1)
    with django_assert_num_queries(2):
        assert load_final_links(found, AnonymousUser(), directs=False) is None
