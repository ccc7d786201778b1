"""The panel for push subscriptions, and its requests."""

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.client_responses import Answer
from tests.frontend.evening import championship, client, drawn, entry, html, person
from tests.tournaments.notices.push_service import Phone
from tournaments.models import Championship, Entry, Subscription
from tournaments.notices import subscriptions
from tournaments.notices.keys import make_push_key
from tournaments.services.entries import merging

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def key(tmp_path: Path, settings: Settings) -> str:
    settings.PUSH_KEY = tmp_path / "push_key"
    return make_push_key(settings.PUSH_KEY).public


def post(phone: Phone, what: str, number: int = 1, *, browser: Client | None = None, **more: str) -> Answer:
    sent = {**phone.sent, "what": what, **more}
    return (browser or client()).post(reverse("notices", args=["herbstcup", number]), sent)


@pytest.mark.parametrize("name", ["persons_evening", "follow", "round_slip"])
def test_pages_about_a_person_offer_it_and_ask_nothing_by_themselves(name: str, key: str) -> None:
    round_ = drawn()
    number = round_.seatings.order_by("pk")[0].entry.number
    shown = html(
        client().get(reverse(name, args=["herbstcup", *([1] if name == "round_slip" else []), number]))
    )
    panel = re.search(r'<section[^>]* data-notices="([^"]+)" data-key="([^"]+)"[^>]* hidden>', shown)

    assert panel is not None
    assert panel.groups() == (reverse("notices", args=["herbstcup", number]), key)
    assert not Subscription.objects.exists()


def test_nothing_is_offered_that_would_be_refused(settings: Settings) -> None:
    championship(4)

    def offered() -> bool:
        return "data-notices" in html(client().get(reverse("persons_evening", args=["herbstcup", 1])))

    assert offered()
    Entry.objects.filter(number=1).update(status=Entry.Status.WITHDRAWN)
    assert not offered()
    Entry.objects.filter(number=1).update(status=Entry.Status.ARRIVED)
    Championship.objects.update(status=Championship.Status.FINISHED)
    assert not offered()
    Championship.objects.update(status=Championship.Status.RUNNING)
    settings.PUSH_HOSTS = ["none"]
    assert not offered()


def test_a_phone_is_told_asks_and_is_told_no_more() -> None:
    championship(4)
    phone = Phone()

    assert post(phone, "ask").json() == {"on": False}
    assert post(phone, "on").json() == {"on": True}
    assert post(phone, "ask").json() == {"on": True}
    assert post(phone, "ask", 2).json() == {"on": False}
    assert post(Phone(), "ask").json() == {"on": False}, "who does not know the address learns nothing"
    assert post(phone, "on", 2).json() == {"on": True}
    assert post(phone, "off").json() == {"on": False, "left": 1}
    assert post(phone, "off", 2).json() == {"on": False, "left": 0}
    assert post(phone, "off", 2)["Cache-Control"] == "no-store"


def test_a_browser_without_a_token_says_where_it_is_reached_now() -> None:
    championship(4)
    before, now = Phone(), Phone()
    post(before, "on")
    browser = Client(enforce_csrf_checks=True)

    def moved(**sent: str) -> Answer:
        return browser.post(reverse("notices_moved"), {"before": before.url, **now.sent, **sent})

    assert moved(before="").json()["code"] == "notices/malformed"
    assert moved(endpoint="https://169.254.169.254/").json()["code"] == "notices/endpoint_inside"
    assert moved(before="https://push.example.com/nobodys").json() == {"moved": 0}
    assert post(before, "ask").json() == {"on": True}
    assert moved().json() == {"moved": 1}
    assert post(before, "ask").json() == {"on": False}
    assert post(now, "ask").json() == {"on": True}
    assert browser.get(reverse("notices_moved")).status_code == 405


def test_it_is_in_the_language_of_the_page_and_knows_who_was_signed_in() -> None:
    championship(4)
    browser = client("anna")
    browser.cookies["django_language"] = "it"
    post(Phone(), "on", browser=browser)
    post(Phone(), "on")

    assert set(Subscription.objects.values_list("language", "user__username")) == {
        ("it", "anna"),
        ("en", None),
    }


@pytest.mark.parametrize(
    ("more", "status", "code"),
    [
        ({"what": "everything"}, 400, "notices/malformed"),
        ({"endpoint": ""}, 400, "notices/malformed"),
        ({"endpoint": "https://a.ch/" + "x" * 2000}, 400, "notices/malformed"),
        ({"endpoint": "http://a.ch/"}, 409, "notices/endpoint"),
        ({"endpoint": "https://169.254.169.254/"}, 409, "notices/endpoint_inside"),
        ({"p256dh": "AAAA"}, 409, "notices/endpoint_keys"),
        ({"auth": "!"}, 409, "notices/endpoint_keys"),
    ],
)
def test_bad_input_is_refused_by_code_and_changes_nothing(
    more: dict[str, str], status: int, code: str
) -> None:
    championship(4)
    sent = {**Phone().sent, "what": "on", **more}
    answer = client().post(reverse("notices", args=["herbstcup", 1]), sent)

    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["detail"]
    assert not Subscription.objects.exists()


def test_a_refusal_says_nothing_of_the_network_it_stands_in() -> None:
    championship(4)
    told = {
        post(Phone(), "on", endpoint=f"https://{host}/x").content
        for host in ("127.0.0.1", "10.0.0.1", "localhost", "db.internal", "nowhere.local", "169.254.169.254")
    }
    assert len(told) == 1


def test_it_takes_a_token_of_the_page_and_another_site_has_none() -> None:
    championship(4)
    strict = Client(enforce_csrf_checks=True)
    assert post(Phone(), "on", browser=strict).status_code == 403
    assert client().get(reverse("notices", args=["herbstcup", 1])).status_code == 405


def test_a_championship_that_is_not_public_is_there_for_nobody_else() -> None:
    championship(4)
    Championship.objects.update(public=False)
    assert post(Phone(), "on").status_code == 404
    assert post(Phone(), "on", browser=client("eva")).status_code == 404
    assert post(Phone(), "on", browser=client("anna")).status_code == 200
    assert post(Phone(), "on", 99, browser=client("anna")).status_code == 404


def test_who_was_struck_as_entered_twice_is_asked_about_under_the_number_that_counts() -> None:
    made = championship(5)
    merging.merge_entries(entry(made, "Anna Ammann"), entry(made, "Elsbeth Egli"), actor=person("fredi"))
    phone = Phone()
    post(phone, "on", 5)
    assert Subscription.objects.get().entry.number == 1
    assert subscriptions.is_subscribed(entry(made, "Anna Ammann"), phone.url)


def test_who_looks_for_himself_is_led_there_also_before_the_first_draw() -> None:
    championship(8)
    at = reverse("persons_evening", args=["herbstcup", 3]) + "#notices"

    def found(query: str, name: str | None = None) -> str:
        return html(client(name).get(reverse("where", args=["herbstcup"]), {"q": query} if query else {}))

    assert at in found("chiara")
    assert "Chiara Caduff" in found("chiara")
    assert "No round is drawn yet" in found("chiara")
    assert "#notices" not in found("")
    assert "#notices" not in found("a"), "there are several"
    assert at.replace("/3/", "/1/") in found("", "anna")
    assert "where-query" in html(client().get(reverse("championship", args=["herbstcup"])))
