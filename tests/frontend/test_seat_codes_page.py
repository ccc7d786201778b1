"""A new code for one seat, and the seat given back, on the desk's pages."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.frontend.evening import client, entry, html, opened, person, table
from tournaments.models import Round
from tournaments.services.entries import entries, seat_codes

pytestmark = pytest.mark.django_db


def listed(round_: Round) -> str:
    return f"/c/{round_.championship.slug}/rounds/{round_.number}/codes/"


def act(round_: Round, table_: int, place: int, what: str) -> str:
    return f"{listed(round_)}{table_}/{place}/{what}/"


def tokens_in(page: str) -> list[str]:
    return re.findall(r"<code>([0-9a-f]{32})</code>", page)


def scan(token: str) -> tuple[Client, int]:
    phone = client()
    answer = phone.post("/api/v1/table-session/", {"token": token}, content_type="application/json")
    return phone, answer.status_code


def round_with_anna_at(seat_of: str = "Anna Ammann") -> tuple[Round, int, int]:
    """An open round of online tables, and where somebody sits."""
    round_ = opened("dealt")
    seating = entry(round_.championship, seat_of).seatings.select_related("table").get()
    return round_, seating.table.number, seating.seat


def test_the_desk_makes_one_new_code_and_sees_it_large_and_once() -> None:
    round_, at, seat = round_with_anna_at("Beat Bühler")
    answer = client("hanna").post(act(round_, at, seat, "new"))
    shown = html(answer)

    (token,) = tokens_in(shown)
    assert "<svg" in shown
    assert "Beat Bühler" in shown
    assert answer["Cache-Control"] == "no-store"
    assert token not in html(client("hanna").get(listed(round_)))
    assert scan(token)[1] == 201


def test_the_list_says_who_has_each_seat_and_who_made_the_last_code() -> None:
    round_, at, seat = round_with_anna_at("Beat Bühler")
    browser = client("hanna")
    assert "no code yet" in html(browser.get(listed(round_)))
    (token,) = tokens_in(html(browser.post(act(round_, at, seat, "new"))))
    page = html(browser.get(listed(round_)))
    assert "code not scanned yet" in page
    assert re.search(r"new code \d\d:\d\d, Hanna", page)
    assert "Made last" not in page, "that was for one alone"

    scan(token)
    page = html(browser.get(listed(round_)))
    assert "on a phone, by code" in page
    assert "with an account" in page, "Anna"


def test_the_page_says_who_made_the_codes_of_all_tables() -> None:
    round_, at, seat = round_with_anna_at("Beat Bühler")
    browser = client("hanna")
    browser.post(act(round_, at, seat, "new"))
    client("fredi").post(listed(round_))
    page = html(browser.get(listed(round_)))
    assert re.search(r"Made last \d\d:\d\d, Fredi", page)
    assert "new code" not in page, "that code was ended with all others"


@pytest.mark.parametrize(("query", "found"), [("bueh", True), ("bühler", True), ("zz", False)])
def test_the_list_finds_a_seat_by_part_of_a_name(query: str, found: bool) -> None:
    round_, _at, _seat = round_with_anna_at()
    page = html(client("hanna").get(listed(round_), {"q": query}, headers={"HX-Request": "true"}))
    assert ("Beat Bühler" in page) is found
    assert ("Nobody called" in page) is not found
    assert "<html" not in page


def test_the_list_finds_a_table_by_its_number() -> None:
    round_ = opened("sheet", people=8)
    page = html(client("hanna").get(listed(round_), {"q": "2"}))
    assert ('id="table-2"' in page, 'id="table-1"' in page) == (True, False)


def test_where_an_account_has_the_seat_the_page_asks_before_it_makes_a_code() -> None:
    round_, at, seat = round_with_anna_at()
    browser = client("hanna")
    asked = html(browser.post(act(round_, at, seat, "new")))
    assert "codes/seat_of_account" in asked
    assert tokens_in(asked) == []

    assert len(tokens_in(html(browser.post(act(round_, at, seat, "new"), {"over": "account"})))) == 1


def test_after_a_substitute_the_seat_goes_back_with_one_button() -> None:
    round_, at, seat = round_with_anna_at()
    browser = client("hanna")
    assert "Back to Anna Ammann" not in html(browser.get(listed(round_)))
    (token,) = tokens_in(html(browser.post(act(round_, at, seat, "new"), {"over": "account"})))
    phone, _ = scan(token)
    page = html(browser.get(listed(round_)))
    assert "Back to Anna Ammann" in page
    assert act(round_, at, seat, "back") in page

    answer = browser.post(act(round_, at, seat, "back"), follow=True)
    assert "Anna Ammann has the seat again" in html(answer)
    assert "Back to Anna Ammann" not in html(answer)
    assert re.search(r"given back \d\d:\d\d, Hanna", html(answer))
    game = table(round_, at).game_id
    assert client("anna").get(f"/api/v1/games/{game}/").json()["observer"] == f"seat:{seat}"
    assert phone.get(f"/api/v1/games/{game}/").json()["observer"] == "spectator"


def test_a_refusal_is_said_with_its_code_on_the_list() -> None:
    round_, at, seat = round_with_anna_at()
    page = html(client("hanna").post(act(round_, at, seat, "back"), follow=True))
    assert "Anna Ammann has this seat." in page
    assert "codes/has_the_seat" in page

    Round.objects.filter(pk=round_.pk).update(status=Round.Status.CLOSED)
    page = html(client("hanna").post(act(round_, at, seat, "new"), follow=True))
    assert "codes/round_not_open" in page
    assert tokens_in(page) == []


def test_a_table_or_a_round_that_is_not_there_is_not_found() -> None:
    round_ = opened("sheet", people=4)
    for what in ("new", "back"):
        assert client("hanna").post(act(round_, 9, 0, what)).status_code == 404
        missing = f"/c/{round_.championship.slug}/rounds/9/codes/1/0/{what}/"
        assert client("hanna").post(missing).status_code == 404


def test_whose_name_is_clicked_at_the_desk_gets_his_code_there() -> None:
    round_, at, seat = round_with_anna_at("Beat Bühler")
    number = entry(round_.championship, "Beat Bühler").number
    page = html(client("hanna").get(f"/c/{round_.championship.slug}/entries/{number}/"))

    assert "Seat in round 1" in page
    assert act(round_, at, seat, "new") in page
    assert page.count("formaction=") == 1


def test_without_an_open_round_the_desk_sees_no_seat() -> None:
    round_ = opened("dealt", people=4)
    Round.objects.filter(pk=round_.pk).update(status=Round.Status.CLOSED)
    page = html(client("hanna").get(f"/c/{round_.championship.slug}/entries/1/"))
    assert "Seat in round" not in page


def test_the_sheet_with_all_codes_does_not_carry_the_list() -> None:
    page = html(client("hanna").post(listed(opened("sheet", people=4))))
    assert "One seat alone" not in page


def test_who_may_not_give_out_codes_changes_none() -> None:
    round_, at, seat = round_with_anna_at("Beat Bühler")
    (slip,) = [
        code.token
        for code in seat_codes.issue_codes(round_, actor=person("fredi"))
        if (code.table, code.seat) == (at, seat)
    ]
    for name in (None, "eva", "anna", "gabi"):
        for what in ("new", "back"):
            assert client(name).post(act(round_, at, seat, what)).status_code in (302, 403)
    assert scan(slip)[1] == 201


def test_many_changes_by_many_officials_cost_no_more_questions_than_one() -> None:
    round_, at, seat = round_with_anna_at("Beat Bühler")
    browser = client("hanna")

    def questions() -> int:
        with CaptureQueriesContext(connection) as context:
            assert browser.get(listed(round_)).status_code == 200
        return len(context)

    seat_codes.renew_code(table(round_, at), seat, actor=person("fredi"))
    before = questions()
    for place in range(4):
        seat_codes.renew_code(table(round_, 1), place, actor=person("hanna"), over_account=True)
        seat_codes.renew_code(table(round_, 2), place, actor=person("fredi"), over_account=True)
    entries.link_account(entry(round_.championship, "Chiara Caduff"), person("chiara"), actor=person("fredi"))
    assert questions() == before
