"""A NUL in an address, a query or a form: PostgreSQL stores none, and asked for one it fails."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from games.models import User
from tests.tournaments.test_official_acts import begun, first_of

pytestmark = pytest.mark.django_db
GAME = "0" * 31


@pytest.mark.parametrize(
    "address",
    [
        "/?q=%00",
        "/?%00=1",
        "/g/%00/",
        f"/g/{GAME}%00/",
        f"/g/%00{GAME}/replay/",
        "/jobs/%00/",
        "/t/phone/%00/",
        "/c/cup/games/%00/places/",
        "/c/cup/audits/%00/",
        "/c/cup/entries/?q=%00",
        "/e/cup/%00/",
    ],
)
def test_an_address_with_a_nul_cannot_be_read(client: Client, address: str) -> None:
    begun()
    client.force_login(User.objects.get(username="fredi"))
    answer = client.get(address)
    assert answer.status_code == 400
    assert "http/bad_request" in answer.content.decode()


@pytest.mark.parametrize(
    ("name", "field"), [("round_act", "reason"), ("standings_export", "what"), ("entry_add", "note")]
)
def test_a_form_with_a_nul_cannot_be_read_and_nothing_happens(client: Client, name: str, field: str) -> None:
    made = begun()
    client.force_login(User.objects.get(username="fredi"))
    act = {"number": 1, "act": "close"} if name == "round_act" else {}
    sent = {"force": "on", "family_name": "Ernst", "format": "csv", "what": "standings", field: "a\0b"}
    answer = client.post(reverse(name, kwargs={"slug": "cup", **act}), sent)
    assert answer.status_code == 400
    assert "http/bad_request" in answer.content.decode()
    assert first_of(made).status == "open"
    assert made.entries.count() == 8


@pytest.mark.parametrize("typing", ["\0", "a\0b", "", "é", "a" * 51])
def test_the_name_of_a_typing_is_plain(client: Client, typing: str) -> None:
    begun(hand_in="totals", confirmation="paper")
    client.force_login(User.objects.get(username="fredi"))
    line = {"id": typing, "seen": 0, "scores": [200, 114], "signed": True}
    answer = client.post(
        reverse("round_result", args=["cup", 1, 1]), json.dumps(line), content_type="application/json"
    )
    assert answer.json()["code"] == "results/unreadable"
