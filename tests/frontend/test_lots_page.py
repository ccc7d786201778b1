"""Lots between people with equal results, recorded by the director."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.frontend.evening import client, html, person
from tests.frontend.test_standings_page import page, played
from tournaments.models import StandingsSnapshot
from tournaments.services.championships import archiving
from tournaments.services.scores import tie_break_draws

pytestmark = pytest.mark.django_db


def address() -> str:
    return reverse("lots", args=["herbstcup"])


def asked_for() -> dict[str, str]:
    """A lot for everybody who is asked, in the order of the page."""
    fields = re.findall(r'name="(n\d+)"', html(client("fredi").get(address())))
    return {name: str(i) for i, name in enumerate(fields, 1)}


def test_the_ranking_leads_the_director_to_the_lots() -> None:
    played()

    assert address() in page(name="fredi")
    assert address() not in page(name="gabi")
    assert address() not in page(name="fredi", query="?live=1")


def test_the_overview_offers_lots_for_a_place_at_the_top_until_they_are_written_down() -> None:
    made = played()
    overview = reverse("championship", args=["herbstcup"])
    assert "share a top place" in html(client("fredi").get(overview))
    assert address() in html(client("fredi").get(overview))
    assert address() not in html(client("gabi").get(overview))

    client("fredi").post(address(), asked_for())

    assert len(tie_break_draws.list_ties(made)) > 0, "a lot separates them, it can be corrected"
    assert "share a top place" not in html(client("fredi").get(overview))
    assert address() not in html(client("fredi").get(overview))


def test_before_the_last_round_nobody_is_asked_for_lots() -> None:
    made = played(2)
    made.rounds.filter(number=2).update(status="open")

    assert address() not in page(name="fredi")


def test_lots_are_written_down_and_separate() -> None:
    made = played()
    lots = asked_for()
    assert len(lots) == 8

    answer = client("fredi").post(address(), lots)

    assert answer.status_code == 302
    places = [row.place for group in tie_break_draws.list_ties(made) for row in group]
    assert len(set(places)) == 8
    assert "lot 1\u00a0:\u00a02" in page()
    again = html(client("fredi").get(address()))
    assert re.search(r'name="n\d+" value="1"', again), "what was written stands there, to be put right"


def test_a_place_that_is_half_written_is_refused_and_nothing_is_lost() -> None:
    played()
    lots = asked_for()
    one, _other, third, fourth, *_rest = lots  # two partners share each place

    answer = client("fredi").post(address(), {one: "7", third: "0", fourth: "2"})

    shown = html(answer)
    assert answer.status_code == 400
    assert "Everybody in this place needs one." in shown
    assert "greater than or equal to 1" in shown
    assert 'value="7"' in shown
    assert StandingsSnapshot.objects.count() == 1


def level(count: int) -> None:
    """So many of the ranking share the first place, the others have one each."""
    snapshot = StandingsSnapshot.objects.get()
    snapshot.rows = [
        {**row, "place": 1 if i < count else i + 1, "shared": i < count, "separation": None}
        for i, row in enumerate(snapshot.rows)
    ]
    snapshot.save()


def test_the_page_asks_the_database_the_same_for_any_number_who_are_level(
    django_assert_num_queries: Any,
) -> None:
    played()
    level(2)
    asked_for()
    with CaptureQueriesContext(connection) as queries:
        assert len(asked_for()) == 2
    level(8)

    with django_assert_num_queries(len(queries)):
        assert len(asked_for()) == 8


def test_an_archived_championship_takes_no_lots_and_the_written_ones_stay_on_the_page() -> None:
    made = played()
    lots = asked_for()
    archiving.archive(made, actor=person("fredi"))

    answer = client("fredi").post(address(), lots)

    assert answer.status_code == 400
    assert "championship/archived" in html(answer)
    assert 'value="8"' in html(answer)
    assert StandingsSnapshot.objects.count() == 1


def test_nothing_written_changes_nothing() -> None:
    played()

    assert client("fredi").post(address(), dict.fromkeys(asked_for(), "")).status_code == 302
    assert StandingsSnapshot.objects.count() == 1


def test_where_everybody_is_separated_the_page_says_so() -> None:
    made = played()
    StandingsSnapshot.objects.filter(championship=made).delete()

    assert "Nobody is level" in html(client("fredi").get(address()))


def test_regulations_without_lots_have_no_such_page() -> None:
    made = played()
    row = made.regulations.get()
    row.data["counting"]["tie_breaks"] = ["highest_round"]
    row.save()

    assert client("fredi").get(address()).status_code == 404
    assert address() not in page(name="fredi")
