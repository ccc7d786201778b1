"""The ranking places of a table's players after a game: on its cloth, for readers of the ranking."""

import re

import pytest
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from games.models import Game
from tests.frontend.evening import client, forget_what_is_shared, html, opened, table
from tests.tournaments.table_play import write_sheet
from tournaments.models import Championship, Round, Table

pytestmark = pytest.mark.django_db
BETTER = [100] * 8


def over(*, people: int = 8) -> Table:
    """Table 1 has played its game, table 2 has not."""
    one = table(opened("sheet", people=people), 1)
    write_sheet(one, BETTER)
    forget_what_is_shared()
    return one


def address(one: Table) -> str:
    return reverse("game_places", args=[one.round.championship.slug, one.game_id])


def places(one: Table, name: str | None = None) -> list[tuple[str, str]]:
    """Place and points of each line."""
    shown = html(client(name).get(address(one)))
    found = re.findall(r"<li><b>(=?\d+\.)</b> <span>[^<]+</span> <span class=\"num\">(\d+)</span>", shown)
    return [(place, points) for place, points in found]


def test_each_side_is_told_its_place_in_the_ranking_as_it_stands() -> None:
    one = over()
    mine, theirs = Game.objects.get(pk=one.game_id).totals
    ranked = places(one)
    assert [points for _, points in ranked] == [str(mine)] * 2 + [str(theirs)] * 2
    assert [place for place, _ in ranked][:2] == ["=1.", "=1."]
    assert "of 8 in the ranking" in html(client().get(address(one)))


def test_as_long_as_it_is_played_nothing_is_said() -> None:
    one = over()
    other = table(Round.objects.get(pk=one.round_id), 2)
    assert places(other) == []


def test_while_a_round_is_shown_late_nothing_is_said_to_anybody() -> None:
    one = over()
    Game.objects.filter(pk=one.game_id).update(delay_minutes=5)
    assert [places(one, name) for name in (None, "anna", "fredi")] == [[], [], []]


def test_who_may_not_read_the_ranking_learns_nothing() -> None:
    one = over()
    Championship.objects.update(public=False)
    assert client().get(address(one)).status_code == 404
    assert len(places(one, "fredi")) == 4


def test_a_game_of_another_championship_has_no_places_here() -> None:
    one = over()
    for wrong in ("f" * 32, "no"):
        asked = reverse("game_places", args=[one.round.championship.slug, wrong])
        assert client().get(asked).status_code == 404


@pytest.mark.parametrize("mode", ["dealt", "sheet"])
def test_the_cloth_asks_when_the_end_comes_into_sight_and_no_sooner(mode: str) -> None:
    one = table(opened(mode, people=4), 1)
    asks = f'hx-get="{address(one)}" hx-trigger="intersect once"'
    played = [("table_play", "anna")] if mode == "dealt" else []
    for page, name in [("table_live", None), ("replay", None), *played]:
        assert asks in html(client(name).get(reverse(page, args=[one.game_id]))), page
    framed = html(client().get(reverse("embedded_table", args=[one.game_id])))
    assert "data-timeline-deals" in framed
    assert "hx-get" not in framed


def test_it_costs_as_much_in_a_large_hall(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    one = over(people=40)
    with django_assert_max_num_queries(20):
        client().get(address(one))
