"""Negative numbers on pages have a minus sign, not a hyphen."""

from fractions import Fraction

import pytest
from django.template import Context, Template

from engine import events as ev
from frontend.presenters.rounds.bracket import format_game_points
from frontend.presenters.tables.commentary import EventNarrator
from frontend.presenters.tables.other_tables import Thumbnail
from frontend.presenters.tables.tables import Side, TableView
from frontend.presenters.words.figures import format_figure
from tournaments.competition import Points


@pytest.mark.parametrize(
    ("number", "shown"),
    [(-20, "−20"), (0, "0"), (Fraction(-37, 3), "−12.33"), ("-37/3", "−12.33"), (None, "–")],
)
def test_a_figure_is_written_with_a_minus_sign(number: Points | str | None, shown: str) -> None:
    assert format_figure(number) == shown
    assert Template("{% load puur %}{{ n|figure }}").render(Context({"n": number})) == shown


@pytest.mark.parametrize(("points", "shown"), [(-3, "−3"), (Fraction(-37, 3), "−37/3"), (None, "–")])
def test_the_bracket_writes_exact_points_with_a_minus_sign(points: Points | None, shown: str) -> None:
    assert format_game_points(points) == shown


def test_points_of_a_running_deal_have_one_sign() -> None:
    sides = tuple(Side(name, 0) for name in "ABC")
    view = TableView(1, "dealt", "running", (), 1, sides=sides)
    assert [gained for _side, gained in Thumbnail(view, (), gained=(12, -20)).sides] == ["+12", "−20", ""]


def test_a_subtracted_stoeck_has_a_minus_sign() -> None:
    teller = EventNarrator(["Anna"], ["Anna"], "ch")
    assert teller.sentence(ev.StoeckDeclared(seq=3, seat=0, points=-20)) == "Anna declares the Stöck: −20."
