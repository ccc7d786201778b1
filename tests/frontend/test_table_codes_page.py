"""Use of a table code: on the home page, on the phone, at the desk, after the round."""

import re

import pytest
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext

from games.monitoring import network
from tests.frontend.evening import client, entry, html, opened, person, table
from tests.tournaments.table_play import write_sheet
from tournaments.models import Dispute, PhoneAddress, Round, TablePhone
from tournaments.services.draw import drawing
from tournaments.services.rounds import rounds
from tournaments.services.table_access import phone_address, table_codes
from tournaments.services.table_access.table_codes import TableCard

pytestmark = pytest.mark.django_db
CODES = "/c/herbstcup/codes/"


def cards(round_: Round, tables: int = 2) -> list[TableCard]:
    table_codes.make_codes(round_.championship, tables, actor=person("fredi"))
    return table_codes.list_cards(round_.championship)


def phone_at(card: TableCard, place: int = 0, *, scanned: bool = False) -> Client:
    """Somebody's phone, without an account."""
    phone = client()
    answer = phone.post("/t/", {"code": card.scanned if scanned else f" {card.grouped.lower()} "})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/t/table/"), html(answer)
    assert phone.post("/t/table/", {"place": place}).status_code == 302
    return phone


def write(phone: Client, game: str | None, seat: int = 0) -> int:
    command = {"cmd": "enter_result", "seat": seat, "deal": 1, "card_points": [100, 57]}
    body = {"command_id": f"phone-{seat}", "command": command}
    return phone.post(f"/api/v1/games/{game}/commands/", body, content_type="application/json").status_code


@pytest.mark.parametrize("scanned", [False, True])
def test_a_phone_comes_in_says_whose_it_is_and_writes(scanned: bool) -> None:
    round_ = opened("sheet", people=8)
    card = cards(round_)[1]
    phone = phone_at(card, 1, scanned=scanned)
    game = table(round_, 2).game_id

    assert phone.get(f"/g/{game}/sheet/").status_code == 200
    assert (write(phone, game, 0), write(phone, game, 1)) == (403, 201)
    assert write(phone, table(round_, 1).game_id) == 403, "another table"


def test_the_page_asks_with_the_names_of_each_side() -> None:
    round_ = opened("sheet", people=4)
    phone = client()
    asked = html(phone.post("/t/", {"code": cards(round_, 1)[0].code}, follow=True))
    names = [entry.name for entry in round_.championship.entries.all()]

    assert all(name in asked for name in names)
    assert asked.count('name="place"') == 2
    assert "Round 1: whose phone is this?" in asked


def test_a_call_by_a_phone_is_raised_by_the_people_it_writes_for() -> None:
    round_ = opened("sheet", people=4, language="de")
    phone = phone_at(cards(round_, 1)[0], 1)
    assert phone.post(f"/g/{table(round_, 1).game_id}/referee/").status_code == 302
    gabi = client("gabi")
    gabi.cookies["django_language"] = "de"
    shown = html(gabi.get(f"/disputes/{Dispute.objects.get().pk}/"))
    people = [one.entry.name for one in table(round_, 1).seatings.filter(seat__in=(1, 3)).order_by("seat")]
    assert f"gestellt von {people[0]} + {people[1]} um " in shown


def test_a_transcribed_table_has_one_scorer_and_asks_nothing() -> None:
    round_ = opened("transcribed", people=4)
    phone = client()
    answer = phone.post("/t/", {"code": cards(round_, 1)[0].code}, follow=True)
    assert answer.redirect_chain[-1][0] == f"/g/{table(round_, 1).game_id}/transcribe/"


def test_a_wrong_code_is_said_with_what_to_do_and_lets_nobody_in() -> None:
    opened("sheet", people=4)
    phone = client()
    answer = phone.post("/t/", {"code": "AAA AAA"})
    assert answer.status_code == 403
    assert "codes/unknown" in html(answer)
    assert answer["Cache-Control"] == "no-store"
    assert "It contains no 0 O" in html(phone.post("/t/", {"code": "0O1I"}))
    assert phone.get("/t/table/").headers["Location"] == "/t/"
    assert not TablePhone.objects.exists()


def test_a_code_stands_in_no_address(client: Client) -> None:
    assert client.get("/t/?code=AAAAAA").status_code == 200
    assert 'method="post"' in html(client.get("/"))


def test_home_has_a_field_for_a_code_also_before_anything_is_planned() -> None:
    for page in (html(client().get("/")), html(client("fredi").get("/"))):
        assert 'action="/t/"' in page
        assert 'name="code"' in page


def test_the_desk_makes_the_codes_and_sees_them_again() -> None:
    round_ = opened("sheet", people=8)
    browser = client("hanna")
    assert 'value="2"' in html(browser.get(CODES)), "as many as there are tables"
    said = html(browser.post(CODES, {"tables": "2"}, follow=True))
    assert "2 codes are made." in said
    for card in table_codes.list_cards(round_.championship):
        assert card.grouped in html(browser.get(CODES))
    assert "already has its code" in html(browser.post(CODES, {"tables": "2"}, follow=True))
    assert browser.get(CODES)["Cache-Control"] == "no-store"
    assert "codes/table_count" in html(browser.post(CODES, {"tables": "x"}, follow=True))


def test_the_desk_sees_who_came_in_and_ends_a_code_by_one_press() -> None:
    round_ = opened("sheet", people=4)
    card = cards(round_, 1)[0]
    phone = phone_at(card, 1)
    side = [s.entry.name for s in table(round_, 1).seatings.order_by("seat") if s.seat % 2]
    browser = client("fredi")
    assert "round 1: " + " + ".join(side) in html(browser.get(f"{CODES}1/"))
    assert "1 phone" in html(browser.get(CODES))

    said = html(browser.post(f"{CODES}1/", follow=True))
    assert "Table 1 has a new code" in said
    assert card.grouped not in said
    assert write(phone, table(round_, 1).game_id, 1) == 403
    assert phone.get("/t/table/").headers["Location"] == "/t/"
    assert "codes/no_code" in html(browser.post(f"{CODES}9/", follow=True))


def test_a_hundred_tables_cost_no_more_questions_than_two() -> None:
    round_ = opened("sheet", people=8)
    browser = client("fredi")

    def questions() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert browser.get(CODES).status_code == 200
        return len(asked)

    cards(round_, 2)
    phone_at(cards(round_, 2)[0])
    few = questions()
    many = cards(round_, 100)
    for card in many[:12]:
        client().post("/t/", {"code": card.code})
    assert questions() == few <= 20


# --- the address


def test_without_an_address_that_phones_reach_the_cards_say_what_to_do() -> None:
    round_ = opened("sheet", "dealt", people=8)
    card = cards(round_)[0]
    for name in ("127.0.0.1:8000", "localhost"):
        browser = client("hanna")
        with override_settings(ALLOWED_HOSTS=["127.0.0.1", "localhost"]):
            printed = html(browser.get(CODES, {"print": "1"}, headers={"host": name}))
            seats = html(browser.post("/c/herbstcup/rounds/1/codes/", headers={"host": name}))
            page = html(browser.get(CODES, headers={"host": name}))
        assert card.grouped in printed
        for shown in (printed, seats):
            assert name not in re.sub(r"<head>.*?</head>", "", shown, flags=re.DOTALL)
            assert "Ask the desk for the address" in shown
            assert '<div class="qr"' not in shown
        assert "serve --host 0.0.0.0" in page


def test_the_machine_s_own_address_is_offered_and_a_phone_turns_it_green(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    round_ = opened("sheet", people=4)
    card = cards(round_, 1)[0]
    monkeypatch.setattr(phone_address, "addresses_of_this_machine", lambda: ["192.168.1.20"])
    hosts = override_settings(ALLOWED_HOSTS=["127.0.0.1", "192.168.1.20"])
    here = {"host": "127.0.0.1:8000"}
    with hosts:
        browser = client("fredi")
        assert 'value="http://192.168.1.20:8000"' in html(browser.get(CODES, headers=here))
        told = browser.post(f"{CODES}phones/", {"address": "http://192.168.1.20:8000"}, headers=here)
        assert told.status_code == 302
        page = html(browser.get(CODES, headers=here))
        assert "no phone has connected yet" in page

        nonce = PhoneAddress.objects.get().nonce
        there = {"host": "192.168.1.20:8000"}
        itself = client().get(f"/t/phone/{nonce}/", headers=there, REMOTE_ADDR="192.168.1.20")
        assert "phones/this_machine" in html(itself)
        other = client().get(f"/t/phone/{nonce}/", headers=here, REMOTE_ADDR="192.168.1.77")
        assert "phones/other_address" in html(other)
        assert PhoneAddress.objects.get().checked_at is None

        assert "It works" in html(
            client().get(f"/t/phone/{nonce}/", headers=there, REMOTE_ADDR="192.168.1.77")
        )
        assert "a phone connected at" in html(browser.get(f"{CODES}phones/", headers=here))
        printed = html(browser.get(CODES, {"print": "1"}, headers=here))
    assert "http://192.168.1.20:8000/t/" in printed
    assert '<div class="qr"' in printed
    assert card.scanned not in printed, "it is in the picture alone"


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("http://127.0.0.1:8000", "phones/only_here"),
        ("localhost", "phones/only_here"),
        ("0.0.0.0:8000", "phones/only_here"),
        ("http://[::1]", "phones/only_here"),
        ("http://10.1.1.1:8000", "phones/not_answered"),
        ("ftp://192.168.1.20", "phones/no_address"),
        ("http://192.168.1.20:99999", "phones/no_address"),
        ("http://anna:secret@192.168.1.20", "phones/no_address"),
        ("http://192.168.1.20/evil?x=<script>", "phones/no_address"),
        ("http://[1", "phones/no_address"),
        ("x" * 500, "phones/no_address"),
    ],
)
def test_an_address_that_is_none_is_refused(typed: str, code: str) -> None:
    opened("sheet", people=4)
    with override_settings(ALLOWED_HOSTS=["testserver", "127.0.0.1", "192.168.1.20"]):
        answer = client("fredi").post(f"{CODES}phones/", {"address": typed}, follow=True)
    assert code in html(answer)
    assert not PhoneAddress.objects.exists()


def test_an_empty_address_is_none_any_more() -> None:
    opened("sheet", people=4)
    browser = client("fredi")
    with override_settings(ALLOWED_HOSTS=["testserver", "192.168.1.20"]):
        browser.post(f"{CODES}phones/", {"address": "192.168.1.20:8000"})
        assert PhoneAddress.objects.get().address == "http://192.168.1.20:8000"
        browser.post(f"{CODES}phones/", {"address": " "})
    assert not PhoneAddress.objects.exists()


def test_loopback_is_no_address_of_this_machine() -> None:
    assert not any(address.startswith("127.") for address in network.addresses_of_this_machine())


# --- after the round


def test_after_the_round_the_phone_says_where_its_people_sit_next() -> None:
    round_ = opened("sheet", people=8, count=2)
    phone = phone_at(cards(round_)[0], 1)
    game = table(round_, 1).game_id
    part = f"/g/{game}/next/"
    first = [s.entry.name for s in table(round_, 1).seatings.order_by("seat")]
    assert html(phone.get(part)).strip() == "", "while it is played"
    assert f'hx-get="{part}"' in html(phone.get(f"/g/{game}/sheet/"))

    for one in round_.tables.select_related("game"):
        write_sheet(one, [100] * 8)
    rounds.close_round(round_, actor=person("fredi"))
    assert "Your next seat appears here" in html(phone.get(part))
    assert "The next seats of this table appear here" in html(client("fredi").get(part)), (
        "who directs sits nowhere"
    )
    second = drawing.draw_round(round_.championship.rounds.get(number=2), actor=person("fredi"))

    told = html(phone.get(part))
    assert "where you sit next" in told
    assert "where this table sits next" in html(client("fredi").get(part))
    shown = re.findall(r"<strong>([^<]+)</strong>", told)
    assert shown == [first[1], first[3], first[0], first[2]], "its own people first"
    for name in first:
        seating = second.seatings.select_related("table").get(entry=entry(round_.championship, name))
        partner = second.seatings.get(table=seating.table, seat=(seating.seat + 2) % 4).entry.name
        line = next(part for part in told.split("<li") if f"<strong>{name}<" in part)
        assert f"Table {seating.table.number}" in line
        assert f"with {partner}" in line
    assert phone.get(f"/g/{game}/sheet/").status_code == 200, "the old sheet stays"
    waiting = html(phone.get("/t/table/"))
    assert f'hx-get="{part}"' in waiting


def test_the_next_seats_cost_the_same_in_any_hall_and_nothing_when_nothing_changed() -> None:
    round_ = opened("sheet", people=8, count=2)
    phone = phone_at(cards(round_)[0])
    part = f"/g/{table(round_, 1).game_id}/next/"
    answer = phone.get(part, headers={"HX-Request": "true"})
    known = {"HX-Request": "true", "If-None-Match": answer["ETag"]}
    assert phone.get(part, headers=known).status_code == 304
    with CaptureQueriesContext(connection) as asked:
        phone.get(part)
    assert len(asked) <= 20


def test_of_a_private_championship_a_stranger_is_told_nothing() -> None:
    round_ = opened("sheet", people=4, public=False)
    part = f"/g/{table(round_, 1).game_id}/next/"
    assert client("eva").get(part).status_code == 404
    assert phone_at(cards(round_, 1)[0]).get(part).status_code == 200
