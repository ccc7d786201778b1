"""The choices for an uneven field beside the draw, each with its effects and the people concerned."""

import re

import pytest
from django.urls import reverse

from frontend.presenters.entries.desk import count_desk_entries
from tests.frontend.evening import championship, client, html, opened, person, table, work
from tests.tournaments.table_play import write_sheet
from tournaments.models import Round
from tournaments.services.draw.left_over import count_gap
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.django_db


def page(name: str | None = "fredi") -> str:
    return html(client(name).get(reverse("round", args=["herbstcup", 1])))


def test_each_way_says_what_it_comes_to_and_the_one_that_is_chosen_is_drawn() -> None:
    made = championship(7, preset="differenzler")
    told = page()
    assert "People who do not fill a table" in told
    assert "1 full table, 1 of three; no byes" in told
    assert "1 full table; 3 byes" in told
    assert "drawn among" not in told, "everybody is a candidate"

    address = reverse("round_act", args=["herbstcup", 1, "draw"])
    client("fredi").post(address, {"left_over": "three"})
    work()

    found = made.rounds.get(number=1)
    assert found.status == Round.Status.DRAWN
    assert sorted(table.seatings.count() for table in found.tables.all()) == [3, 4]
    assert "Free chair at table" not in page()  # nobody is without a seat


def test_the_candidates_of_a_bye_are_named_where_some_have_had_one() -> None:
    first = opened("sheet", people=9, count=3)
    for number in (1, 2):
        write_sheet(table(first, number), [100] * 8)
    rounds.close_round(first, actor=person("fredi"))
    bye = first.byes.get().entry.name

    told = html(client("fredi").get(reverse("round", args=["herbstcup", 2])))

    candidates = re.search(r"drawn among ([^)<]*)", told)
    assert candidates is not None
    assert candidates[1].count(",") == 7
    assert bye not in candidates[1]


def test_nothing_is_asked_where_all_tables_are_full_and_nobody_else_is_asked() -> None:
    championship(8, preset="differenzler")
    assert "People who do not fill a table" not in page()
    assert "People who do not fill a table" not in page(None)


def test_where_cards_are_dealt_here_a_bot_can_fill_the_table() -> None:
    made = championship(7, preset="differenzler")
    held = made.regulations.get()
    assert "The computer fills the table" in page()
    assert "2 full tables, 1 computer plays, computers are not ranked" in page()
    held.data["play"]["mode"] = "sheet"
    held.save()
    assert "The computer fills the table" not in page()
    held.data["play"]["mode"] = "dealt"
    held.save()
    address = reverse("round_act", args=["herbstcup", 1, "draw"])
    client("fredi").post(address, {"left_over": "bot"})
    work()
    assert [table.seatings.count() for table in made.rounds.get(number=1).tables.all()] == [4, 4]
    assert "Computer 1" in page()


def test_partners_are_not_played_by_three() -> None:
    championship(7)
    assert "of three" not in page()


def test_computers_are_not_counted_among_the_people() -> None:
    made = championship(7, preset="differenzler")
    client("fredi").post(reverse("round_act", args=["herbstcup", 1, "draw"]), {"left_over": "bot"})
    work()
    assert made.entries.filter(bot=True).count() == 1

    rounds.open_round(made.rounds.get(number=1), actor=person("fredi"))
    assert "7 players" in html(client("fredi").get(reverse("home")))
    overview = html(client("fredi").get(reverse("championship", args=["herbstcup"])))
    assert re.findall(r"<dd[^>]*>\s*(\d+)\s*</dd>", overview)[:2] == ["7", "7"]
    assert count_desk_entries(made, count_gap(made)).entered == 7
