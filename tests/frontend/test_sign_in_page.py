"""Signing in, out, and being told how long to wait."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.frontend.evening import client, html, person

pytestmark = pytest.mark.django_db
PASSWORD = "Ein-Trumpf-im-Aermel-7"


@pytest.fixture(autouse=True)
def _fredi_has_a_password() -> None:
    fredi = person("fredi")
    fredi.set_password(PASSWORD)
    fredi.save()


def send(browser: Client, password: str, **more: str) -> tuple[int, str]:
    answer = browser.post(reverse("sign_in"), {"username": "fredi", "password": password, **more})
    return answer.status_code, html(answer)


def test_the_right_password_leads_where_one_wanted_to_go() -> None:
    browser = client()

    answer = browser.post(
        reverse("sign_in"), {"username": "fredi", "password": PASSWORD, "next": reverse("championship_new")}
    )

    assert answer.headers["Location"] == reverse("championship_new")
    assert "Signed in as fredi" in html(browser.get("/"))


@pytest.mark.parametrize("target", ["https://example.org/", "//example.org"])
def test_signing_in_leads_to_no_other_site(target: str) -> None:
    answer = client().post(reverse("sign_in"), {"username": "fredi", "password": PASSWORD, "next": target})

    assert answer.headers["Location"] == "/"


def test_a_wrong_password_says_so_and_keeps_the_name() -> None:
    status, page = send(client(), "falsch")

    assert status == 200
    assert "Please enter a correct username and password" in page
    assert 'value="fredi"' in page
    assert "falsch" not in page


def test_after_too_many_wrong_passwords_the_page_says_how_long_to_wait(settings: Settings) -> None:
    settings.AXES_ENABLED = True
    browser = client()
    answers = [send(browser, "falsch") for _ in range(settings.AXES_FAILURE_LIMIT)]

    status, page = send(browser, PASSWORD)

    assert answers[0][0] == 200
    assert status == 429
    assert "sign_in/locked" in page
    assert "Try again in 15 minutes." in page
    assert "Signed in as" not in page


def test_signing_out_needs_more_than_a_link() -> None:
    browser = client("fredi")

    assert browser.get(reverse("sign_out")).status_code == 405
    browser.post(reverse("sign_out"))

    assert "Signed in as" not in html(browser.get("/"))


def test_the_language_is_remembered() -> None:
    browser = client()

    browser.post(reverse("set_language"), {"language": "de", "next": "/"})

    assert '<html lang="de"' in html(browser.get("/"))
