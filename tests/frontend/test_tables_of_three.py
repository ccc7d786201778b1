"""The deals and the scoring of a table of three are explained at every choice and mention, and on prints."""

import pytest
from django.urls import reverse

from frontend.presenters.regulations.regulations import list_articles
from frontend.presenters.rounds.left_over import left_over_ways
from frontend.prints import own_sheets, table_sheets
from frontend.prints.occasion import Occasion
from tests.frontend.evening import championship, client, first, html, person
from tournaments.models import Round
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import drawing

pytestmark = pytest.mark.django_db


@pytest.fixture
def seven() -> Round:
    """Seven people at Differenzler: a table of four and one of three."""
    return first(championship(7, count=2, preset="differenzler"))


def test_the_draw_says_how_many_deals_a_table_of_three_plays_and_how_it_counts(seven: Round) -> None:
    page = html(client("fredi").get(reverse("round", args=["herbstcup", 1])))
    assert "a table of three plays 3 deals, one of four 4" in page
    assert "a table of three counts scaled to four" in page


def test_the_draw_says_whom_it_favours_where_it_is_not_scaled(seven: Round) -> None:
    told = {"policy": "sit_out", "three": "as_is"}
    other = championship(0, slug="anders", preset="differenzler", changes={"byes": told})
    [way] = [one for one in left_over_ways(seven, load_regulations(other)) if one.key == "three"]
    assert "the lowest wins, so tables of three have an advantage" in way.means
    article = next(one for one in list_articles(load_regulations(other)) if "three" in one.term)
    assert "the lowest wins, so tables of three have an advantage" in article.text


def test_the_regulations_say_it_for_whoever_reads_them(seven: Round) -> None:
    held = load_regulations(seven.championship)
    article = next(one for one in list_articles(held) if one.term == "Tables of three")
    assert "scaled to four" in article.text
    assert "3 deals, one of four 4" in article.text


def test_each_sheet_has_as_many_lines_as_its_table_has_deals(seven: Round) -> None:
    drawn = drawing.draw_round(seven, actor=person("fredi"), left_over="three")
    of = drawn.championship
    occasion = Occasion(of, load_regulations(of), drawn, "en", "a5", "")
    sheets = table_sheets.table_sheets(occasion)["sheets"]
    assert sorted((len(one["sides"]), len(one["rows"])) for one in sheets) == [(3, 3), (4, 4)]
    people = own_sheets.own_sheets(occasion)["people"]
    assert sorted(one["rounds"][0]["deals"] for one in people) == [3, 3, 3, 4, 4, 4, 4]
    assert {one["rounds"][1]["deals"] for one in people} == {None}
