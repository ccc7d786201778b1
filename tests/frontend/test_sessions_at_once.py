"""Pages of the hall while two sessions of an open heat are open: each shows the tables of both."""

import re

import pytest
from django.urls import reverse

from tests.frontend.evening import client, html, person
from tests.frontend.test_queue_page import come, heat, seat, session
from tournaments.models import Round
from tournaments.services.referee import disputes
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.django_db


def open_two() -> tuple[Round, Round]:
    """Open two sessions: five tables in the first, one in the second."""
    made = heat(held=3)
    first, second = session(made), session(made, 2)
    for opened, people in ((first, 20), (second, 4)):
        come(opened, people)
        seat(opened)
    return first, second


def load(name: str, who: str | None = None, **asked: str | int) -> str:
    return html(client(who).get(reverse(name, args=["herbstcup"]), asked))


def test_spectators_see_the_tables_of_both_sessions_with_their_names() -> None:
    open_two()
    shown = load("tables")
    names = [shown.index(f">{name}</a></h3>") for name in ("Session 1", "Session 2")]
    tiles = [found.start() for found in re.finditer('class="tile-head"', shown)]
    assert [sum(at < name for at in tiles) for name in names] == [0, 5]
    assert len(tiles) == 6
    assert "Tables of session" not in shown


def test_a_search_finds_a_person_of_the_second_session() -> None:
    open_two()
    shown = load("tables", q="Gast22")
    assert shown.count('class="tile-head"') == 1
    assert "Gast22" in shown


def test_the_projector_goes_on_with_the_next_session() -> None:
    open_two()
    pages = [load("tables_projector", page=page) for page in (1, 2, 3, 9)]
    listed = [re.findall(r'id="table-(\d+)"', page) for page in pages]
    assert listed == [["1", "2", "3", "4"], ["5"], ["1"], ["1"]]
    assert ["Session 2" in page for page in pages] == [False, False, True, True]
    assert "page=1" in pages[2]


def test_the_projector_leaves_out_a_session_without_tables() -> None:
    made = heat()
    session(made)
    second = session(made, 2)
    come(second, 4)
    seat(second)
    shown = load("tables_projector")
    assert "Session 2" in shown
    assert re.findall(r'id="table-(\d+)"', shown) == ["1"]


def test_the_overview_leads_to_the_other_session() -> None:
    open_two()
    shown = load("championship")
    assert "All 6 tables" in shown
    assert shown.index(">Session 1</a></h2>") < shown.index(">Session 2</a></div>")


def test_the_board_shows_a_call_from_the_second_session() -> None:
    _first, second = open_two()
    table = second.tables.select_related("round__championship").get()
    disputes.raise_dispute(table, actor=person("gabi"), text="Farbe nicht angegeben")
    shown = load("board", "fredi")
    assert shown.count('class="tile-head"') == 6
    assert "Farbe nicht angegeben" in shown
    assert re.findall(r"<dt>calls</dt><dd>(\d)</dd>", shown) == ["0", "1"]
    assert len(set(re.findall(r'id="(board-[\d-]+)"', shown))) == 6
    assert "/rounds/2/results/" in shown


def test_a_closed_session_makes_room_for_the_one_that_is_open() -> None:
    first, _second = open_two()
    rounds.close_round(first, actor=person("fredi"), force=True, reason="late")
    for name in ("tables", "board"):
        shown = load(name, "fredi")
        assert shown.count('class="tile-head"') == 1, name
        assert "session 2</h1>" in shown, name
