"""Pages around one table: permissions, and no card in their HTML."""

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from engine import cards
from games import game_state
from games.models import Game
from games.rights import tokens
from tests.games.cast import person, play, seated, table, table_code

pytestmark = pytest.mark.django_db
PAGES = ["table_live", "table_play", "table_sheet", "table_transcribe", "replay"]


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(person(name))
    return client


def page_data(html: str, block: str = "page") -> dict[str, Any]:
    found = re.search(rf'<script id="{block}" type="application/json">(.*?)</script>', html)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def sheet() -> Game:
    return table(deals=8, mode="sheet")


def transcribed() -> Game:
    return table(deals=8, mode="transcribed")


def test_anybody_may_watch_a_table_and_finds_no_card_in_the_page() -> None:
    game = play(table(deals=2), 12)

    html = Client().get(reverse("table_live", args=[game.pk])).content.decode()

    data = page_data(html)
    assert data["socket"] == f"/ws/games/{game.pk}/"
    assert data["seat"] is None
    assert not re.search(r'"[DHSC](?:6|7|8|9|10|J|Q|K|A)"', html)


def test_a_player_gets_the_own_seat_but_the_hand_only_over_the_socket() -> None:
    game = table()
    seated(game)

    html = signed_in("chiara").get(reverse("table_play", args=[game.pk])).content.decode()

    assert page_data(html)["seat"] == 2
    hand = game_state.load_snapshot(game.id).state.hands[2]
    assert len(cards.codes(hand)) == 9
    assert not any(f'"{code}"' in html for code in cards.codes(hand))


@pytest.mark.parametrize("name", ["table_play", "table_sheet", "table_transcribe"])
def test_who_has_no_part_in_a_game_is_sent_to_watch_it(name: str) -> None:
    game = table()

    answer = Client().get(reverse(name, args=[game.pk]))

    assert answer.status_code == 302
    assert answer["Location"] == reverse("table_live", args=[game.pk])


def test_the_desk_writes_for_nobody_a_code_for_all_seats_and_a_spectator_not_at_all() -> None:
    game = sheet()
    person("eva", game, "scorer")
    address = reverse("table_sheet", args=[game.pk])

    def extra(client: Client) -> dict[str, Any]:
        found: dict[str, Any] = page_data(client.get(address).content.decode())["extra"]
        return found

    assert extra(signed_in("eva")) == {"seats": [], "desk": True}
    assert extra(Client()) == {"seats": [], "desk": False}
    phone = Client()
    session = phone.session
    tokens.redeem(table_code(game, "scorer"), session)
    session.save()
    phone.cookies["sessionid"] = session.session_key or ""
    assert extra(phone) == {"seats": [0, 1, 2, 3], "desk": False}


def test_a_scorer_who_is_given_a_seat_signs_for_it_alone() -> None:
    game = sheet()
    person("beat", game, "scorer", 1)

    html = signed_in("beat").get(reverse("table_sheet", args=[game.pk])).content.decode()

    assert page_data(html)["extra"]["seats"] == [1]


def test_the_replay_of_a_sheet_shows_the_slate_and_nothing_of_cards() -> None:
    shown = Client().get(reverse("replay", args=[sheet().pk])).content.decode()

    assert '<section class="table-surface paper"' in shown
    assert re.search(r"<div hidden>[^<]*<p><label>[^<]*<select data-seat-below>", shown)
    assert re.search(r'data-go="trick-on" hidden', shown)
    assert reverse("what_if", args=[Game.objects.get().pk]) not in shown
    assert shown.index("data-slate") < shown.index("data-timeline-deals")


def test_a_tables_own_code_opens_its_page_without_an_account() -> None:
    game = transcribed()
    client = Client()
    tokens.redeem(table_code(game, "scorer"), client.session)
    session = client.session
    row = tokens.redeem(table_code(game, "scorer"), session)
    session.save()
    client.cookies["sessionid"] = session.session_key or ""

    answer = client.get(reverse("table_sheet", args=[game.pk]))

    assert row.game_id == game.pk
    assert answer["Location"] == reverse("table_transcribe", args=[game.pk])
    assert client.get(answer["Location"]).status_code == 200


@pytest.mark.parametrize("name", PAGES)
def test_a_game_that_is_not_there_is_not_found(name: str) -> None:
    assert Client().get(reverse(name, args=["0" * 32])).status_code == 404


@pytest.mark.parametrize("name", PAGES)
def test_a_private_game_is_not_found_by_strangers(name: str) -> None:
    game = table(visibility="private")

    assert Client().get(reverse(name, args=[game.pk])).status_code == 404


def test_the_clock_of_the_turn_is_in_the_page() -> None:
    game = table(turn_seconds=30)

    clock = page_data(Client().get(reverse("table_live", args=[game.pk])).content.decode())["extra"]["clock"]

    assert clock["seconds"] == 30
    assert clock["now"]["seat"] == game.turn_seat


@pytest.mark.parametrize("name", ["table_live", "replay"])
def test_a_page_asks_the_database_little(name: str, django_assert_max_num_queries: Any) -> None:
    game = play(table(deals=2), 60)

    with django_assert_max_num_queries(8):
        Client().get(reverse(name, args=[game.pk]))


def test_scripts_get_their_words_in_the_language_of_the_person() -> None:
    game = table()

    html = (
        Client(headers={"accept-language": "de-CH"})
        .get(reverse("table_live", args=[game.pk]))
        .content.decode()
    )

    assert '<html lang="de"' in html
    assert page_data(html, "words")["table.forehand"] == "Vorhand"


def test_a_table_without_a_championship_has_no_referee_to_call() -> None:
    game = table()
    seated(game)
    client = signed_in("anna")

    assert "call_referee" not in client.get(reverse("table_play", args=[game.pk])).content.decode()
    assert client.post(reverse("call_referee", args=[game.pk])).status_code == 404
