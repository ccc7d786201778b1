"""Slates on the projector: the selection of tables, and the source of a slate."""

import json
import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.frontend.evening import cached_version, championship, client, first, html, opened, person, table
from tests.tournaments.table_play import enter, play_deal, write_sheet
from tournaments.services.draw import drawing
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def wall(page: str = "", **headers: str) -> str:
    address = reverse("tables_projector", args=["herbstcup"])
    return html(client().get(address, {"page": page} if page else {}, headers=headers))


def blocks(shown: str) -> list[dict[str, Any]]:
    found = re.findall(r'<script type="application/json">(.*?)</script>', shown)
    return [json.loads(text) for text in found]


def test_four_slates_are_on_the_wall_at_a_time_and_after_the_last_the_first_again() -> None:
    round_ = opened("sheet", people=24)
    enter(table(round_, 1), 1, 100)

    one, two, beyond = wall(), wall("2", **HTMX), wall("99")

    assert re.findall(r'id="table-(\d+)"', one) == ["1", "2", "3", "4"]
    assert "page=2" in one
    assert re.findall(r'id="table-(\d+)"', two) == ["5", "6"]
    assert "page=1" in two
    assert "<html" not in two
    assert re.findall(r'id="table-(\d+)"', beyond) == ["5", "6"]


def test_a_slate_with_a_line_for_each_deal_shares_the_wall_with_one_other() -> None:
    made = championship(12, preset="coiffeur")
    round_ = drawing.draw_round(first(made), actor=person("fredi"))
    rounds.open_round(round_, actor=person("fredi"))

    assert re.findall(r'id="table-(\d+)"', wall()) == ["1", "2"]


def test_a_slate_is_drawn_from_names_rules_and_the_socket_of_its_table() -> None:
    round_ = opened("sheet")
    write_sheet(table(round_, 1), [100, 57])

    shown = wall()

    [data, _] = blocks(shown)
    seated = [s.entry.name for s in table(round_, 1).seatings.select_related("entry").order_by("seat")]
    assert data["names"] == seated
    assert data["rules"]["slate"] == "points"
    assert data["socket"] == f"/ws/games/{table(round_, 1).game_id}/"
    totals = re.findall(r'class="slate-total">(\d+)<', shown)
    assert totals[:2] == ["157", "157"], "the totals stand there before any script has run"


def test_the_closest_table_whose_cards_are_known_is_seen_with_its_cloth() -> None:
    round_ = opened("sheet", "dealt", "dealt", people=12)
    assert re.findall(r'featured"[^>]*="table-(\d+)"', wall()) == ["2"], "nobody has points yet"

    play_deal(table(round_, 2))

    shown = wall()
    assert re.findall(r'featured"[^>]*="table-(\d+)"', shown) == ["3"]
    assert shown.count("data-cloth") == 1
    assert blocks(shown)[2]["sprites"].keys() == {"ch", "fr"}


def test_a_sheet_has_no_cloth_on_the_wall() -> None:
    opened("sheet")
    assert "data-cloth" not in wall()


def test_before_a_table_is_open_the_wall_says_so() -> None:
    championship(8)

    shown = wall()

    assert "No table is open at the moment" in shown
    assert blocks(shown) == []


def test_the_last_round_stays_on_the_wall_until_the_next_one_is_open() -> None:
    round_ = opened("sheet")
    for number in (1, 2):
        write_sheet(table(round_, number), [100] * 8)
    rounds.close_round(first(round_.championship), actor=person("fredi"))

    assert "Round 1" in wall()
    assert len(blocks(wall())) == 2


@pytest.mark.parametrize("view", ["tables_projector", "seating_projector"])
def test_the_wall_counts_down_to_the_end_of_the_round_that_is_played(view: str) -> None:
    def shown() -> str:
        with cached_version():
            return html(client().get(reverse(view, args=["herbstcup"])))

    round_ = opened("sheet")
    assert "data-until" not in shown(), "this round has no end by the clock"
    ends = timezone.now() + timedelta(minutes=40)
    rounds.schedule_round(round_, actor=person("fredi"), closes_at=ends)
    page = shown()
    [until] = re.findall(r'data-until="([^"]+)"', page)
    assert abs(datetime.fromisoformat(until) - ends) < timedelta(seconds=1)
    assert "puur/projector" in page

    rounds.close_round(round_, actor=person("fredi"), force=True, reason="Zeit")
    assert "data-until" not in shown()
