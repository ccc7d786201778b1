"""Signing in, signing out, and the waiting time after failures."""

import secrets

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.internal.flows import auth
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from frontend import sign_in_attempts
from tests.client_responses import Answer
from tests.frontend.accounts import with_app
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
    assert "The name or the password is wrong." in page
    assert 'value="fredi"' in page
    assert "falsch" not in page


def test_after_too_many_wrong_passwords_the_page_says_how_long_to_wait(settings: Settings) -> None:
    settings.LIMITS = True
    settings.REDIS_PREFIX = f"{settings.REDIS_PREFIX}-{secrets.token_hex(4)}"
    browser = client()
    answers = [send(browser, "falsch") for _ in range(sign_in_attempts.FROM_HERE.most)]

    status, page = send(browser, PASSWORD)

    assert answers[0][0] == 200
    assert status == 429
    assert "sign_in/locked" in page
    assert "Try again in 15 minutes." in page
    assert "This address is plain http" in page
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


NEW = "Der-Bauer-sticht-das-Nell-9"


def change(browser: Client, old: str = PASSWORD, new: str = NEW, again: str = NEW) -> Answer:
    return browser.post(
        reverse("password"), {"old_password": old, "new_password1": new, "new_password2": again}
    )


def test_a_new_password_holds_here_and_ends_what_is_signed_in_elsewhere() -> None:
    here, elsewhere = client("fredi"), client("fredi")

    answer = change(here)

    assert answer.headers["Location"] == "/"
    shown = html(here.get("/"))
    assert "Signed in as fredi" in shown
    assert "The new password is valid now." in shown
    assert "Signed in as fredi" not in html(elsewhere.get("/"))
    assert send(client(), PASSWORD)[0] == 200
    assert send(client(), NEW)[0] == 302


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"old": "falsch"}, "Your old password was entered incorrectly"),
        ({"again": "etwas-anderes-3"}, "two password fields didn"),
        ({"new": "1234", "again": "1234"}, "too short"),
    ],
)
def test_a_password_that_will_not_do_is_refused(sent: dict[str, str], sentence: str) -> None:
    answer = change(client("fredi"), **sent)

    assert sentence in html(answer)
    assert send(client(), PASSWORD)[0] == 302


def test_who_is_not_signed_in_has_no_password_to_change() -> None:
    answer = client().get(reverse("password"))

    assert answer.status_code == 302
    assert answer.headers["Location"].startswith(reverse("sign_in"))


def test_a_name_longer_than_names_are_is_not_looked_up() -> None:
    answer = client().post(reverse("sign_in"), {"username": "a" * 300, "password": "x"})
    assert answer.status_code == 200
    assert not answer.wsgi_request.user.is_authenticated


def test_the_second_step_offers_a_passkey_only_to_a_person_who_has_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fredi = person("fredi")
    with_app(fredi)
    browser = client()
    send(browser, PASSWORD)
    page = reverse("mfa_authenticate")
    assert "Code of the app" in html(browser.get(page))
    assert "Use a passkey" not in html(browser.get(page))
    Authenticator.objects.create(user=fredi, type=Authenticator.Type.WEBAUTHN, data={})
    monkeypatch.setattr(auth, "begin_authentication", lambda user: {})
    assert "Use a passkey" in html(browser.get(page))
