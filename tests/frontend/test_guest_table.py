"""*Play now* on the first page."""

import json

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from engine import VARIANTS, Observer, redact_events
from frontend.presenters.tables.tip_reasons import reason_text
from games import game_state
from games.bots.advice import advise
from games.bots.runner import strategy as bot
from games.guests import OWN_SEAT
from games.models import Game, GuestTable
from games.play import submit
from tests.frontend.evening import client, html, opened, table
from tests.games.bots_at_work import play_out

pytestmark = pytest.mark.django_db
PRESS = {"game": "differenzler"}


def test_one_press_leads_from_the_first_page_to_the_table() -> None:
    client = Client()
    first = html(client.get(reverse("home")))
    assert all(f'<option value="{key}"' in first for key in VARIANTS)
    answer = client.post(reverse("guest_table"), PRESS)
    game = Game.objects.get()
    assert answer["Location"] == reverse("table_play", args=[game.pk])
    page = html(client.get(answer["Location"]))
    assert reverse("rules_game", args=["differenzler"]) in page
    assert "New table" in page
    assert "Play again" in page
    again = client.post(reverse("guest_table"), PRESS)
    assert client.get(answer["Location"])["Location"] == again["Location"], "the one before is gone"
    assert Client().get(answer["Location"]).status_code == 404
    assert Game.objects.count() == 1


def test_a_guest_may_look_at_his_game_again() -> None:
    client = Client()
    page = html(client.get(client.post(reverse("guest_table"), PRESS)["Location"]))
    again = reverse("replay", args=[Game.objects.get().pk])

    assert f'href="{again}"' in page
    assert client.get(again).status_code == 200
    assert Client().get(again).status_code == 404


def test_nothing_on_a_guests_pages_offers_a_link_that_leads_nobody_else_there() -> None:
    guest = Client()
    address = guest.post(reverse("guest_table"), PRESS)["Location"]
    shown_to_all = html(client().get(reverse("replay", args=[table(opened("dealt"), 1).game_id])))
    assert "data-link" in shown_to_all
    assert "Link to this moment" in shown_to_all

    for page in (address, address.replace("play/", ""), address.replace("play/", "replay/")):
        assert Client().get(page).status_code == 404
        own = html(guest.get(page))
        assert "data-link" not in own
        assert "data-share" not in own
        assert 'property="og:' not in own


def test_the_first_page_leads_back_to_the_table_that_was_left() -> None:
    client = Client()
    assert "Back to your table" not in html(client.get(reverse("home")))
    address = client.post(reverse("guest_table"), PRESS)["Location"]

    first = html(client.get(reverse("home")))

    assert f'href="{address}">Back to your table' in first
    assert "Back to your table" not in html(Client().get(reverse("home")))
    GuestTable.objects.get().game.delete()
    assert "Back to your table" not in html(client.get(reverse("home")))
    assert client.get(address).status_code == 404


def test_a_guest_is_called_what_he_typed_and_the_bots_have_names() -> None:
    """The name stays at the next table, until the guest gives another one."""
    browser = Client()

    def names() -> str:
        return html(browser.get(reverse("table_play", args=[Game.objects.get().pk])))

    browser.post(reverse("guest_table"), {"game": "schieber", "name": " Köbi\u00a0 Kuhn "})
    assert f'"names": [{json.dumps("Köbi Kuhn")}, "Heidi", "Ueli", "Vreni"]' in names()
    browser.post(reverse("guest_table"), {"game": "differenzler"})
    assert f'"names": [{json.dumps("Köbi Kuhn")}, "Heidi", "Ueli", "Vreni"]' in names()
    browser.post(reverse("guest_table"), {"game": "la-pomme", "name": ""})
    assert '"names": ["Guest", "Heidi"]' in names()


@pytest.mark.parametrize(
    ("language", "name"), [("de", "Gast"), ("fr", "Invité"), ("it", "Ospite"), ("es", "Invitado")]
)
def test_who_says_no_name_is_a_guest_in_every_language(language: str, name: str) -> None:
    browser = Client(headers={"Accept-Language": language})
    browser.post(reverse("guest_table"), {**PRESS, "name": ""})
    page = html(browser.get(reverse("table_play", args=[Game.objects.get().pk])))
    assert f'"names": [{json.dumps(name)}, "Heidi", "Ueli", "Vreni"]' in page


@pytest.mark.parametrize(
    ("name", "code"), [("x" * 21, "names/too_long"), ("Anna\u202e", "names/forbidden_characters")]
)
def test_what_cannot_be_a_name_is_refused(name: str, code: str) -> None:
    answer = Client().post(reverse("guest_table"), {**PRESS, "name": name})
    assert answer.status_code == 409
    assert code in html(answer)
    assert not GuestTable.objects.exists()


def test_others_are_told_that_there_is_no_such_table() -> None:
    Client().post(reverse("guest_table"), PRESS)
    game = Game.objects.get()
    for name in ("table_live", "table_play", "replay", "game_print", "api_game", "api_game_log"):
        assert Client().get(reverse(name, args=[game.pk])).status_code == 404


def test_a_refusal_says_why_and_offers_the_games() -> None:
    answer = Client().post(reverse("guest_table"), {"game": "poker"})
    assert answer.status_code == 400
    assert "guests/no_such_game" in html(answer)
    assert "Play now" in html(answer)
    assert Client().get(reverse("guest_table")).status_code == 405
    assert not GuestTable.objects.exists()


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_a_tip_is_what_a_bot_would_do_and_may_be_done(variant: str) -> None:
    """As often as one asks, in every game; it stores nothing and shows nothing but the own act."""
    browser = Client()
    browser.post(reverse("guest_table"), {"game": variant})
    game = Game.objects.get()
    kinds = set()
    for _ in range(12):
        play_out(game)
        game.refresh_from_db()
        if game.turn_seat != OWN_SEAT:
            break
        before = game.head_seq
        told = [browser.get(reverse("tip", args=[game.pk])).json() for _ in range(2)]
        assert told[0] == told[1]
        tips = [one["event"] for one in told]
        assert (tips[0]["seat"], tips[0]["seq"]) == (OWN_SEAT, before + 1)
        game.refresh_from_db()
        assert game.head_seq == before
        advice = advise(game, OWN_SEAT)
        assert advice is not None
        assert advice.event.seq == before + 1
        assert told[0]["reason"] == reason_text(advice.reason)
        kinds.add(tips[0]["type"])
        command = bot(
            tuple(redact_events(game_state.load_snapshot(game.pk).events, Observer.seat(OWN_SEAT))),
            OWN_SEAT,
            bytes(32),
        )
        submit.submit(
            game.pk, command, actor=game.seats.get(number=OWN_SEAT).player_ref, command_id=f"t{before}"
        )
    assert "card_played" in kinds


def test_no_tip_is_given_where_it_counts_or_where_one_has_no_seat() -> None:
    browser = Client()
    browser.post(reverse("guest_table"), PRESS)
    assert Client().get(reverse("tip", args=[Game.objects.get().pk])).status_code == 404
    one = table(opened("dealt"), 1)
    for role in ("anna", "fredi", None):
        answer = client(role).get(reverse("tip", args=[one.game_id]))
        assert (answer.status_code, answer.json()["code"]) == (403, "guests/no_tips")


def test_there_is_a_tip_to_press_only_at_a_table_against_bots() -> None:
    browser = Client()
    browser.post(reverse("guest_table"), PRESS)
    assert "data-tip" in html(browser.get(reverse("table_play", args=[Game.objects.get().pk])))
    one = table(opened("dealt"), 1)
    assert "data-tip" not in html(client("anna").get(reverse("table_play", args=[one.game_id])))


def test_the_table_asks_as_often_in_every_game(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    client = Client()
    client.post(reverse("guest_table"), PRESS)
    with django_assert_max_num_queries(15):
        client.get(reverse("table_play", args=[Game.objects.get().pk]))
