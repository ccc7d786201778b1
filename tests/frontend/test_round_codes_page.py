"""The sheets with codes that lie on the tables."""

import re

import pytest
from django.test import Client

from tests.frontend.evening import client, html, opened, table
from tournaments.models import Round

pytestmark = pytest.mark.django_db


def address(round_: Round) -> str:
    return f"/c/{round_.championship.slug}/rounds/{round_.number}/codes/"


def codes(page: str) -> list[str]:
    return re.findall(r"<code>([0-9a-f]{32})</code>", page)


def scan(token: str) -> tuple[Client, dict[str, object]]:
    phone = client()
    answer = phone.post("/api/v1/table-session/", {"token": token}, content_type="application/json")
    assert answer.status_code == 201, answer.content
    return phone, answer.json()


def test_each_side_of_a_sheet_table_gets_a_code_and_the_scorer_of_a_transcribed_one() -> None:
    round_ = opened("sheet", "transcribed")
    shown = html(client("hanna").post(address(round_)))

    assert len(codes(shown)) == 3
    assert shown.count("<svg") >= 3
    assert "Scorer" in shown


def test_whoever_scans_a_code_signs_for_his_side_without_an_account() -> None:
    round_ = opened("sheet", people=4)
    first, _other = codes(html(client("fredi").post(address(round_))))
    phone, told = scan(first)
    game = str(told["game"])

    def send(seat: int) -> int:
        command = {"cmd": "enter_result", "seat": seat, "deal": 1, "card_points": [100, 57]}
        body = {"command_id": f"{seat}", "command": command}
        return phone.post(
            f"/api/v1/games/{game}/commands/", body, content_type="application/json"
        ).status_code

    assert game == table(round_, 1).game_id
    assert send(1) == 403
    assert send(0) == 201
    assert phone.get(f"/g/{game}/sheet/").status_code == 200


def test_a_dealt_table_has_a_code_for_each_seat_good_for_one_phone() -> None:
    round_ = opened("dealt", people=4)
    seats = codes(html(client("fredi").post(address(round_))))
    _phone, told = scan(seats[2])

    assert len(seats) == 4
    assert (told["role"], told["seat"]) == ("seat", 2)
    again = client().post("/api/v1/table-session/", {"token": seats[2]}, content_type="application/json")
    assert again.status_code == 403
    assert again.json()["code"] == "access/bad_token"


def test_new_codes_end_those_given_out_before() -> None:
    round_ = opened("sheet", people=4)
    old = codes(html(client("fredi").post(address(round_))))
    phone, told = scan(old[0])
    client("fredi").post(address(round_))

    answer = client().post("/api/v1/table-session/", {"token": old[1]}, content_type="application/json")
    assert answer.status_code == 403
    command = {"cmd": "enter_result", "seat": 0, "deal": 1, "card_points": [100, 57]}
    refused = phone.post(
        f"/api/v1/games/{told['game']}/commands/",
        {"command_id": "1", "command": command},
        content_type="application/json",
    )
    assert refused.status_code == 403


def test_a_round_that_is_not_open_has_no_codes_and_says_so() -> None:
    round_ = opened("sheet", people=4)
    Round.objects.filter(pk=round_.pk).update(status=Round.Status.DRAWN)
    shown = html(client("fredi").post(address(round_)))

    assert codes(shown) == []
    assert "No table is open at the moment" in shown


def test_the_codes_are_kept_by_no_cache() -> None:
    assert client("fredi").post(address(opened("sheet", people=4)))["Cache-Control"] == "no-store"


@pytest.mark.parametrize("name", ["fredi", "hanna"])
def test_director_and_desk_type_in_what_was_written_on_paper(name: str) -> None:
    game = table(opened("sheet", people=4), 1).game_id
    browser = client(name)
    told: dict[str, dict[str, object]] = {
        "enter_result": {"card_points": [100, 57]},
        "confirm_result": {"by": "paper"},
    }
    for command, more in told.items():
        answer = browser.post(
            f"/api/v1/games/{game}/commands/",
            {"command_id": command, "command": {"cmd": command, "deal": 1, **more}},
            content_type="application/json",
        )
        assert answer.status_code == 201, answer.content
