"""One's own account: second step of the sign-in, recovery codes, sessions, the password asked for again."""

import io
import re
from datetime import timedelta
from pathlib import Path

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from frontend.account_urls import urlpatterns
from frontend.accounts import activity
from frontend.accounts.adapters import reencrypt_secrets
from frontend.presenters.accounts.browsers import describe_browser
from games import encryption
from games.rights.sessions import hash_session_key
from tests.frontend.accounts import (
    PASSWORD,
    browser,
    code,
    decrypted,
    recovery_codes,
    sign_in,
    with_app,
    with_password,
)
from tests.frontend.evening import championship, client, html, person
from tournaments.accounts import signed_in
from tournaments.models import Championship, SignedInSession

pytestmark = pytest.mark.django_db


def test_an_app_is_set_up_and_asked_for_at_the_next_sign_in() -> None:
    fredi = with_password("fredi")
    here = browser()
    sign_in(here, "fredi")
    answer = here.get(reverse("mfa_activate_totp"))
    assert "no-store" in answer.headers["Cache-Control"], "it shows the secret"
    page = html(answer)
    assert "<svg" in page
    assert "style=" not in page
    secret = re.search(r"<code>(\w+)</code>", page)
    assert secret is not None

    assert here.post(reverse("mfa_activate_totp"), {"code": "000000"}).status_code == 200
    answer = here.post(reverse("mfa_activate_totp"), {"code": code(secret[1])}, follow=True)
    assert all(one in html(answer) for one in recovery_codes(fredi)), "they are shown at once, to be printed"

    elsewhere = browser()
    answer = sign_in(elsewhere, "fredi", next=reverse("championship_new"))
    assert answer.headers["Location"] == reverse("mfa_authenticate")
    assert "Signed in as" not in html(elsewhere.get("/"))
    assert "Open the app on your phone" in html(elsewhere.get(reverse("mfa_authenticate")))
    answer = elsewhere.post(reverse("mfa_authenticate"), {"code": code(secret[1], later=1)})
    assert answer.headers["Location"] == reverse("championship_new"), "where the person wanted to go"
    assert "puur_device" in elsewhere.cookies


def test_a_page_of_second_steps_asks_for_the_password_again(settings: Settings) -> None:
    settings.PASSWORD_AGAIN_AFTER = 600
    with_password("fredi")
    here = browser()
    here.force_login(person("fredi"))
    answer = here.get(reverse("mfa_activate_totp"))
    assert answer.headers["Location"] == f"{reverse('account_reauthenticate')}?next=/account/app/"
    assert "This is not your password." in html(
        here.post(answer.headers["Location"], {"password_again": "x"})
    )
    answer = here.post(answer.headers["Location"], {"password_again": PASSWORD})
    assert answer.headers["Location"] == "/account/app/"
    assert here.get("/account/app/").status_code == 200


def test_closing_asks_for_the_password_and_keeps_what_was_sent(settings: Settings) -> None:
    settings.PASSWORD_AGAIN_AFTER = 600
    with_password("fredi")
    made = championship(0)
    here = browser()
    here.force_login(person("fredi"))
    address = reverse("championship_delete", args=[made.slug])

    asked = here.post(address, {"name": "<Herbst>", "confirm": ["a", "b"]})
    assert asked.status_code == 403
    assert 'name="name" value="&lt;Herbst&gt;"' in html(asked)
    assert html(asked).count('name="confirm"') == 2
    wrong = here.post(address, {"name": "Herbstcup", "password_again": "falsch"})
    assert "This is not your password." in html(wrong)
    assert Championship.objects.filter(pk=made.pk).exists()
    here.post(address, {"name": "Herbstcup", "password_again": PASSWORD})
    assert not Championship.objects.filter(pk=made.pk).exists()

    other = championship(0, slug="zweiter")
    assert here.post(reverse("championship_delete", args=[other.slug])).status_code == 302, "not asked twice"


def test_who_has_just_signed_in_is_not_asked_again(settings: Settings) -> None:
    settings.PASSWORD_AGAIN_AFTER = 600
    with_password("fredi")
    made = championship(0)
    here = browser()
    sign_in(here, "fredi")
    assert here.post(reverse("championship_delete", args=[made.slug])).status_code == 302
    settings.PASSWORD_AGAIN_AFTER = -1
    other = championship(0, slug="zweiter")
    assert here.post(reverse("championship_delete", args=[other.slug])).status_code == 403


def test_browsers_are_listed_and_signed_out() -> None:
    with_password("fredi")
    here, phone, found = browser(), browser(), browser()
    for one in (here, phone, found):
        sign_in(one, "fredi")
    page = html(here.get(reverse("account")))
    assert page.count("Firefox, Windows") == 3
    assert page.count("this browser") == 1

    row = hash_session_key(phone.session.session_key or "")
    here.post(reverse("session_end", args=[row]))
    assert "Signed in as" not in html(phone.get("/"))
    assert "Signed in as" in html(found.get("/"))
    here.post(reverse("sessions_end"))
    assert "Signed in as" not in html(found.get("/"))
    assert "Signed in as" in html(here.get("/"))
    assert SignedInSession.objects.count() == 1


def test_nobody_ends_the_session_of_somebody_else() -> None:
    with_password("fredi")
    with_password("eva")
    fredis, evas = browser(), browser()
    sign_in(fredis, "fredi")
    sign_in(evas, "eva")
    evas.post(reverse("session_end", args=[hash_session_key(fredis.session.session_key or "")]))
    evas.post(reverse("sessions_end"))
    assert "Signed in as" in html(fredis.get("/"))


def test_a_listed_session_names_no_key_that_opens_it() -> None:
    with_password("fredi")
    here = browser()
    sign_in(here, "fredi")
    key = here.session.session_key
    assert key is not None
    assert key not in html(here.get(reverse("account")))
    assert not SignedInSession.objects.filter(pk=key).exists()


def test_a_session_from_before_is_listed_at_its_next_request() -> None:
    here = browser()
    here.force_login(person("fredi"))
    SignedInSession.objects.all().delete()
    session = here.session
    session.pop(activity.SEEN)
    session.save()
    here.get("/")
    assert len(signed_in.list_sessions(person("fredi"))) == 1


def test_an_idle_official_is_signed_out_and_a_player_is_not(settings: Settings) -> None:
    settings.IDLE_SECONDS = 3600
    championship(0)
    for name, stays in (("gabi", False), ("eva", True)):
        here = browser()
        here.force_login(person(name))
        session = here.session
        row, at = session[activity.SEEN]
        session[activity.SEEN] = [row, at - 4000]
        session.save()
        assert ("Signed in as" in html(here.get("/"))) is stays, name


def test_an_official_sets_up_a_second_step_where_it_is_demanded(settings: Settings) -> None:
    settings.SECOND_FACTOR_OF_OFFICIALS = True
    championship(0)
    gabi, eva = with_password("gabi"), with_password("eva")
    assert sign_in(browser(), "eva").headers["Location"] == "/", "a player needs none"

    here = browser()
    answer = sign_in(here, "gabi", next=reverse("officials", args=["herbstcup"]))
    assert answer.headers["Location"] == reverse("second_factor_set_up")
    assert "Signed in as" not in html(here.get("/"))
    page = here.get(reverse("second_factor_set_up"))
    assert "no-store" in page.headers["Cache-Control"]
    secret = re.search(r"<code>(\w+)</code>", html(page))
    assert secret is not None
    assert "is wrong" in html(here.post(reverse("second_factor_set_up"), {"code": "000000"}))
    answer = here.post(reverse("second_factor_set_up"), {"code": code(secret[1])}, follow=True)
    assert all(one in html(answer) for one in recovery_codes(gabi))
    assert "Signed in as gabi" in html(here.get("/"))
    assert sign_in(browser(), "gabi").headers["Location"] == reverse("mfa_authenticate")

    player = browser()
    sign_in(player, "eva")
    fields = {"user": "eva", "role": "desk"}
    client("fredi").post(reverse("official_appoint", args=["herbstcup"]), fields)
    offer = eva.offers.get()
    player.post(reverse("offer_answer", args=[offer.pk, "accept"]))
    assert "Signed in as" not in html(player.get("/")), "a new official"


def test_a_session_from_before_ends_where_a_second_step_is_demanded(settings: Settings) -> None:
    championship(0)
    here = browser()
    here.force_login(person("gabi"))
    settings.SECOND_FACTOR_OF_OFFICIALS = True
    session = here.session
    row, at = session[activity.SEEN]
    session[activity.SEEN] = [row, at - activity.FRESH_SECONDS - 1]
    session.save()
    assert "Signed in as" not in html(here.get("/"))


def test_expired_sessions_go_with_address_and_browser() -> None:
    from deploy.tasks import forget_sign_ins

    here = browser()
    here.force_login(person("fredi"))
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert signed_in.list_sessions(person("fredi")) == []
    forget_sign_ins()
    assert not SignedInSession.objects.exists()


def test_secrets_are_encrypted_and_go_over_to_a_new_data_key(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_KEY = tmp_path / "data_key"
    before = encryption.make_data_key(settings.DATA_KEY)
    fredi = with_password("fredi")
    secret, codes = with_app(fredi), recovery_codes(person("fredi"))
    rows = Authenticator.objects.filter(user=fredi)
    assert not {secret, *codes} & set(str([row.data for row in rows]).split("'"))

    newest = encryption.next_key(settings.DATA_KEY, {before})
    assert newest != before
    assert sum(reencrypt_secrets()) == 2
    assert sum(reencrypt_secrets()) == 0
    closed = [row.data.get("secret") or row.data["seed"] for row in rows.all()]
    assert [one.partition(":")[0] for one in closed] == [newest, newest]
    assert decrypted(rows.get(type="totp").data["secret"]) == secret
    assert recovery_codes(fredi) == codes


def test_a_person_without_phone_and_codes_is_helped_on_the_machine() -> None:
    with_app(with_password("fredi"))
    call_command("forget_second_factor", "fredi", stdout=io.StringIO())
    assert sign_in(browser(), "fredi").headers["Location"] == "/"
    with pytest.raises(CommandError):
        call_command("forget_second_factor", "nobody")


@pytest.mark.parametrize(
    ("sent", "name"),
    [
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1",
            "Safari, iPhone",
        ),
        ("Mozilla/5.0 (Linux; Android 15) Chrome/131.0 Mobile Safari/537.36", "Chrome, Android"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/131.0 Safari/537.36 Edg/131.0", "Edge, Windows"),
        ("", "an unknown browser"),
    ],
)
def test_a_browser_is_named_by_what_it_sends(sent: str, name: str) -> None:
    assert describe_browser(sent) == name


@pytest.mark.parametrize(
    "address", ["/signup/", "/sign-up/", "/account/signup/", "/accounts/signup/", "/accounts/login/"]
)
def test_there_is_no_public_sign_up(address: str) -> None:
    assert browser().get(address).status_code == 404


@pytest.mark.parametrize(
    ("new", "sentence"),
    [("password123", "too common"), ("kurz-9", "at least 10"), ("8472619350", "entirely numeric")],
)
def test_frequent_and_short_passwords_are_refused(new: str, sentence: str) -> None:
    with_password("fredi")
    here = browser()
    sign_in(here, "fredi")
    fields = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert sentence in html(here.post(reverse("password"), fields))


OPEN = {
    "sign_in",
    "account_login",
    "invitation",
    "password_reset",
    "forgotten_password",
    "address_confirm",
    "open_id_start",
    "open_id_back",
}
"""Addresses for people who are not signed in; links that are over show a page of their own."""


def test_pages_of_accounts_open_for_their_owners_only() -> None:
    championship(0)
    with_app(person("fredi"))
    parts = {"row": "0" * 40, "pk": 0, "invitation_id": 0, "act": "accept", "token": "x", "user_id": 0}
    parts |= {"key": "x"}
    for pattern in urlpatterns:
        given = {name: parts[name] for name in pattern.pattern.converters}
        address = reverse(str(pattern.name), kwargs=given)
        for who in (None, "gabi"):
            statuses = [client(who).get(address).status_code, client(who).post(address).status_code]
            if pattern.name in OPEN:
                continue
            if who is None:
                assert set(statuses) <= {302, 405}, (pattern.name, statuses)
            elif str(pattern.name).startswith("account_") and "accounts/" in address:
                assert set(statuses) <= {404, 405}, (pattern.name, statuses)
            else:
                assert 500 not in statuses, (pattern.name, statuses)
