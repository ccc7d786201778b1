"""Accounts under attack: many guesses at once, lists of stolen passwords from many networks, stolen cookies,
links that are guessed or used again, second steps that are tried out.
"""

import itertools
import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.core.cache.backends.locmem import LocMemCache
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from frontend import devices, sign_in_attempts
from games.models import User
from tests.frontend.accounts import (
    PASSWORD,
    browser,
    code,
    recovery_codes,
    sign_in,
    with_app,
    with_password,
)
from tests.frontend.evening import championship, client, html, person
from tests.frontend.test_invitations import NEW, link_in
from tests.games.databases import in_threads
from tournaments.accounts import invitations
from tournaments.models import Invitation

pytestmark = pytest.mark.django_db
networks = (f"203.0.{number // 250}.{number % 250 + 1}" for number in itertools.count(1))


@pytest.fixture(autouse=True)
def _counted(settings: Settings) -> None:
    settings.LIMITS = True
    settings.REDIS_PREFIX = f"{settings.REDIS_PREFIX}-{secrets.token_hex(4)}"


def at_once(number: int, act: Callable[[int], Any]) -> list[Any]:
    """Do it in so many threads that begin together; return the results."""
    return in_threads([partial(act, one) for one in range(number)])


@pytest.mark.django_db(transaction=True)
def test_forty_guesses_at_once_are_forty_guesses(monkeypatch: pytest.MonkeyPatch) -> None:
    with_password("fredi")
    checked: list[str] = []

    def check(_user: User, password: str) -> bool:
        checked.append(password)
        return False

    monkeypatch.setattr(User, "check_password", check)
    statuses = at_once(40, lambda one: sign_in(browser(), "fredi", f"guess {one}").status_code)
    assert len(checked) == sign_in_attempts.FROM_HERE.most
    assert sorted(statuses) == [200] * 8 + [429] * 32


def test_a_list_of_passwords_from_many_networks_is_slow_and_the_owner_gets_in() -> None:
    with_password("fredi")
    laptop = browser()
    assert sign_in(laptop, "fredi").status_code == 302
    laptop.post(reverse("sign_out"))
    statuses = [
        sign_in(browser(REMOTE_ADDR=next(networks)), "fredi", f"guess {one}").status_code
        for one in range(sign_in_attempts.ANYWHERE.most + 5)
    ]
    assert statuses == [200] * sign_in_attempts.ANYWHERE.most + [429] * 5
    assert sign_in(browser(REMOTE_ADDR=next(networks)), "eva", "x").status_code == 200, (
        "others are not locked"
    )
    assert sign_in(laptop, "fredi").status_code == 302, "a browser that has signed in before"


def test_right_passwords_use_nothing_up() -> None:
    with_password("fredi")
    for _ in range(sign_in_attempts.FROM_HERE.most + 3):
        assert sign_in(browser(REMOTE_ADDR="198.51.100.7"), "fredi").status_code == 302
    assert sign_in_attempts.ANYWHERE.wait(devices.hash_name("fredi")) == 0


@pytest.mark.parametrize("how", ["sign_out", "password", "ended", "locked"])
def test_a_stolen_cookie_is_dead_after(how: str) -> None:
    fredi = with_password("fredi")
    owner, thief = browser(), browser()
    sign_in(owner, "fredi")
    thief.cookies["sessionid"] = owner.cookies["sessionid"].value
    assert "Signed in as fredi" in html(thief.get("/"))
    if how == "sign_out":
        owner.post(reverse("sign_out"))
    elif how == "password":
        new = "Der-Bauer-sticht-das-Nell-9"
        fields = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
        assert owner.post(reverse("password"), fields).status_code == 302
    elif how == "ended":
        other = browser()
        sign_in(other, "fredi")
        other.post(reverse("sessions_end"))
    else:
        with_password("eva", is_superuser=True)
        client("eva").post(reverse("account_act", args=[fredi.pk, "lock"]))
    assert "Signed in as" not in html(thief.get("/"))
    assert thief.get(reverse("account")).status_code == 302


def test_a_session_from_before_the_sign_in_is_not_carried_over() -> None:
    with_password("fredi")
    owner = browser()
    owner.get(reverse("sign_in"))
    session = owner.session
    session["x"] = 1
    session.save()
    planted = owner.cookies["sessionid"].value
    sign_in(owner, "fredi")
    assert owner.cookies["sessionid"].value != planted
    thief = browser()
    thief.cookies["sessionid"] = planted
    assert "Signed in as" not in html(thief.get("/"))


def test_a_password_alone_opens_nothing_where_a_second_step_is_set_up() -> None:
    with_app(with_password("fredi", is_superuser=True))
    championship(0)
    thief = browser()
    sign_in(thief, "fredi")
    for address in ("account", "account_list", "password", "mfa_view_recovery_codes", "mfa_deactivate_totp"):
        answer = thief.get(reverse(address))
        assert answer.status_code in (302, 404), address
    assert thief.get(reverse("officials", args=["herbstcup"])).status_code == 302


def test_codes_of_the_second_step_are_not_tried_out() -> None:
    secret = with_app(with_password("fredi"))
    thieves = [browser(REMOTE_ADDR=next(networks)) for _ in range(3)]
    for thief in thieves:
        sign_in(thief, "fredi")
    for number in range(sign_in_attempts.SECOND_FACTOR.most):
        answer = thieves[number % 3].post(reverse("mfa_authenticate"), {"code": f"{number:06}"})
        assert "is wrong" in html(answer)
    answer = thieves[0].post(reverse("mfa_authenticate"), {"code": code(secret)})
    assert "Too many wrong codes" in html(answer), "by account, from wherever it is tried"
    assert "Signed in as" not in html(thieves[0].get("/"))
    for thief in thieves:
        answer = thief.post(reverse("mfa_authenticate"), {"code": code(secret)})
        assert answer.status_code == 200


@pytest.mark.django_db(transaction=True)
def test_one_code_signs_in_once_also_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache that allauth asks is of one process, so it must not matter."""
    monkeypatch.setattr(LocMemCache, "add", lambda *_, **__: True)
    user = with_password("fredi")
    secret = with_app(user)
    clients = [browser() for _ in range(6)]
    for one in clients:
        sign_in(one, "fredi")
    now = code(secret)
    statuses = at_once(
        6, lambda one: clients[one].post(reverse("mfa_authenticate"), {"code": now}).status_code
    )
    assert sorted(statuses) == [200] * 5 + [302]


def test_a_recovery_code_works_once() -> None:
    user = with_password("fredi")
    with_app(user)
    first = recovery_codes(user)[0]
    for expected in (302, 200):
        here = browser()
        sign_in(here, "fredi")
        assert here.post(reverse("mfa_authenticate"), {"code": first}).status_code == expected
    assert first not in recovery_codes(user)


def test_links_are_not_guessed_and_their_hashes_open_nothing() -> None:
    made = championship(0)
    token = invitations.offer_office(made, "director", actor=person("fredi")).token
    stored = Invitation.objects.get().digest
    assert token not in stored
    for guess in (stored, token[:-1], token.swapcase(), "x" * 24, "%00", "..", "0"):
        assert browser().get(f"/invitation/{guess}/").status_code in (400, 404), guess
    assert browser().get(f"/invitation/{token}/").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_one_link_makes_one_official_also_at_once() -> None:
    made = championship(0)
    token = invitations.offer_office(made, "director", actor=person("fredi")).token
    before = made.officials.count()
    at_once(
        5,
        lambda one: browser().post(f"/invitation/{token}/", {**NEW, "username": f"ida{one}"}).status_code,
    )
    assert made.officials.count() == before + 1
    assert User.objects.filter(username__startswith="ida").count() == 1


def test_an_offer_to_one_is_not_accepted_by_another() -> None:
    made = championship(0)
    offered = invitations.offer_office(made, "director", actor=person("fredi"), user=person("gabi"))
    client("eva").post(f"/invitation/{offered.token}/")
    browser().post(f"/invitation/{offered.token}/", NEW)
    assert not made.officials.filter(role="director").exclude(user=person("fredi")).exists()
    assert not User.objects.filter(username="ida").exists()


def test_the_desk_makes_no_director_of_itself_by_a_link() -> None:
    championship(0)
    for who in ("hanna", "gabi"):
        answer = client(who).post(reverse("invitation_make", args=["herbstcup"]), {"role": "director"})
        assert answer.status_code == 403
    assert not Invitation.objects.exists()
    link = link_in(client("fredi").post(reverse("invitation_make", args=["herbstcup"]), {"role": "desk"}))
    client("eva").post(link, {"role": "director"})
    assert [one.role for one in person("eva").offices.all()] == ["desk"]


def test_a_password_asked_for_again_is_not_guessed(settings: Settings) -> None:
    settings.PASSWORD_AGAIN_AFTER = 600
    with_password("fredi")
    made = championship(0)
    found: Client = browser()
    found.force_login(person("fredi"))
    address = reverse("championship_delete", args=[made.slug])
    for number in range(sign_in_attempts.OLD_PASSWORD.most):
        found.post(address, {"password_again": f"guess {number}"})
    answer = found.post(address, {"password_again": PASSWORD})
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0
    assert type(made).objects.filter(pk=made.pk).exists()
