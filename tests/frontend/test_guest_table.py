"""*Play now* on the first page."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from engine import VARIANTS
from games.models import Game, GuestTable
from tests.frontend.evening import html

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
    client.post(reverse("guest_table"), PRESS)
    assert client.get(answer["Location"]).status_code == 404
    assert Game.objects.count() == 1


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


def test_the_table_asks_as_often_in_every_game(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    client = Client()
    client.post(reverse("guest_table"), PRESS)
    with django_assert_max_num_queries(14):
        client.get(reverse("table_play", args=[Game.objects.get().pk]))
