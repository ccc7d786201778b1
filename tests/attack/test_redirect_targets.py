"""Where a form says that it wants to go back to is an address, whatever it is called."""

from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from games.models import User
from tests.tournaments.test_official_acts import begun, first_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("back", ["inf", "0", "home", "a b", "x:y:z", "//elsewhere.example/", "\\elsewhere"])
def test_the_referee_is_called_wherever_one_wants_to_go_back_to(client: Client, back: str) -> None:
    made = begun()
    client.force_login(User.objects.get(username="fredi"))
    game = first_of(made).tables.get(number=1).game_id
    answer = client.post(reverse("call_referee", args=[game]), {"text": "bitte", "next": back})
    assert answer.status_code == 302
    assert not urlsplit(answer["Location"]).netloc
    assert made.rounds.get(number=1).tables.get(number=1).disputes.count() == 1
