"""What every answer tells a browser."""

import secrets

import pytest
from django.test import Client
from pytest_django import Settings


def policy(client: Client, path: str = "/sign-in/") -> dict[str, list[str]]:
    header = client.get(path)["Content-Security-Policy"]
    return {name: words for name, *words in (part.split() for part in header.split(";"))}


def test_the_content_policy_allows_only_our_own_files(client: Client) -> None:
    found = policy(client)
    assert found["default-src"] == ["'none'"]
    assert found["script-src"] == found["style-src"] == found["connect-src"] == ["'self'"]
    assert found["frame-ancestors"] == found["base-uri"] == ["'none'"]
    assert not any("unsafe" in word for words in found.values() for word in words)


@pytest.mark.parametrize("path", ["/manifest.webmanifest", "/robots.txt"])
def test_a_file_may_have_inline_styles_of_the_browser(client: Client, path: str) -> None:
    found = policy(client, path)
    assert found.pop("style-src") == ["'unsafe-inline'"]
    assert found == {name: words for name, words in policy(client).items() if name != "style-src"}


def test_answers_are_not_framed_not_sniffed_and_tell_no_other_site_where_one_was(client: Client) -> None:
    answer = client.get("/sign-in/")
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"


def test_an_unknown_host_is_refused(client: Client) -> None:
    assert client.get("/sign-in/", headers={"host": "evil.example.org"}).status_code == 400


@pytest.mark.django_db
def test_who_guesses_passwords_is_locked_out_at_that_address_only(client: Client, settings: Settings) -> None:
    from frontend import sign_in_attempts
    from games.models import User

    settings.LIMITS = True
    settings.REDIS_PREFIX = f"{settings.REDIS_PREFIX}-{secrets.token_hex(4)}"
    User.objects.create_user("fredi", password="Ein-Trumpf-im-Aermel-7")
    right = {"username": "fredi", "password": "Ein-Trumpf-im-Aermel-7"}
    for _ in range(sign_in_attempts.FROM_HERE.most):
        client.post("/sign-in/", {**right, "password": "wrong"})
    assert client.post("/sign-in/", right).status_code == 429
    elsewhere = Client(REMOTE_ADDR="192.0.2.7")
    assert elsewhere.post("/sign-in/", right).status_code == 302
