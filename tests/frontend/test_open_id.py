"""Signing in at an OpenID Connect provider: a round trip over HTTP with a small provider on loopback."""

import base64
import time
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from deploy.doctor.services import check_open_id
from deploy.environment import OpenId
from frontend.accounts import open_id
from games.models import User
from tests.frontend.accounts import browser, code, sign_in, with_app, with_password
from tests.frontend.evening import championship, client, html, person
from tests.frontend.open_id_provider import CLIENT_ID, CLIENT_SECRET, FakeProvider, make_key, provider
from tournaments.accounts import invitations, resets
from tournaments.models import Invitation

pytestmark = pytest.mark.django_db


@pytest.fixture
def fake(settings: Settings) -> Iterator[FakeProvider]:
    """A provider that the installation uses."""
    with provider() as made:
        settings.OPEN_ID = OpenId(made.address, CLIENT_ID, CLIENT_SECRET, "Verband")
        settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [settings.OPEN_ID.app]}}
        open_id._configs.clear()
        yield made
        open_id._configs.clear()


def start(here: Client, name: str = "open_id_start", **sent: str) -> str:
    """Press the button; returns the address at the provider that the page leads to."""
    answer = here.post(reverse(name), sent)
    assert answer.status_code == 200, answer.headers.get("Location")
    return answer.headers["Refresh"].removeprefix("0; url=")


def go(here: Client, fake: FakeProvider, subject: str = "subject-1", **sent: str) -> Any:
    """Sign in at the provider and come back."""
    return here.get(fake.authorize(start(here, **sent), subject), follow=True)


def link(user: User, settings: Settings, subject: str = "subject-1") -> None:
    SocialAccount.objects.create(user=user, provider=settings.OPEN_ID.provider_id, uid=subject)


def is_signed_in(here: Client) -> bool:
    return "Signed in as" in html(here.get("/"))


@pytest.mark.parametrize(
    "address", ["open_id_start", "open_id_back", "open_id_link", "open_id_unlink", "open_id_confirm"]
)
def test_without_a_provider_there_is_none_of_it(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_id.ProviderAdapter, "openid_config", property(lambda _: pytest.fail("asked")))
    with_password("eva")
    here = browser()
    sign_in(here, "eva")
    for method in (here.get, here.post):
        assert method(reverse(address)).status_code == 404
    for page in (browser().get(reverse("sign_in")), here.get(reverse("account"))):
        assert "open_id" not in html(page)
        assert "/provider/" not in html(page)


def test_a_linked_account_signs_in(fake: FakeProvider, settings: Settings) -> None:
    link(with_password("eva"), settings)
    here = browser()
    assert "Sign in with Verband" in html(here.get(reverse("sign_in")))
    assert fake.asked == [], "a page asks the provider nothing"
    assert "Signed in as" in html(go(here, fake, next=reverse("account")))
    assert fake.asked == ["/.well-known/openid-configuration", "/token", "/keys"]
    assert SocialAccount.objects.get().extra_data == {}, "nothing of the person is stored"


def test_the_second_step_still_holds(fake: FakeProvider, settings: Settings) -> None:
    eva = with_password("eva")
    app = with_app(eva)
    link(eva, settings)
    here = browser()
    answer = go(here, fake)
    assert answer.redirect_chain[-1][0] == reverse("mfa_authenticate")
    assert not is_signed_in(here)
    here.post(reverse("mfa_authenticate"), {"code": code(app)})
    assert is_signed_in(here)


def test_an_official_without_a_second_step_sets_one_up(fake: FakeProvider, settings: Settings) -> None:
    settings.SECOND_FACTOR_OF_OFFICIALS = True
    link(with_password("eva", may_found=True), settings)
    here = browser()
    assert go(here, fake).redirect_chain[-1][0] == reverse("second_factor_set_up")
    assert not is_signed_in(here)


def test_an_address_links_nothing(fake: FakeProvider) -> None:
    """Even one that the provider calls verified."""
    with_password("eva", email="eva@example.ch")
    here = browser()
    answer = go(here, fake)
    assert "open_id/not_linked" in html(answer)
    assert not is_signed_in(here)
    assert not SocialAccount.objects.exists()
    assert User.objects.count() == 1


def test_a_signed_in_person_links_and_unlinks(fake: FakeProvider, settings: Settings) -> None:
    eva = with_password("eva")
    here = browser()
    sign_in(here, "eva")
    assert "Link with Verband" in html(here.get(reverse("account")))
    page = html(here.get(fake.authorize(start(here, "open_id_link")), follow=True))
    assert "Your account is linked." in page
    assert SocialAccount.objects.get().user == eva
    other = browser()
    go(other, fake)
    assert is_signed_in(other)
    assert "The link is removed." in html(here.post(reverse("open_id_unlink"), follow=True))
    assert "open_id/not_linked" in html(go(browser(), fake))


def test_linking_asks_for_the_password(fake: FakeProvider, settings: Settings) -> None:
    settings.PASSWORD_AGAIN_AFTER = 600
    with_password("eva")
    here = browser()
    here.force_login(person("eva"))
    for name in ("open_id_link", "open_id_unlink"):
        assert here.post(reverse(name)).status_code == 403


def test_an_identity_belongs_to_one_account(fake: FakeProvider, settings: Settings) -> None:
    link(with_password("eva"), settings)
    with_password("beat")
    here = browser()
    sign_in(here, "beat")
    page = html(here.get(fake.authorize(start(here, "open_id_link")), follow=True))
    assert "open_id/taken" in page
    assert SocialAccount.objects.get().user.username == "eva"


def test_a_link_that_was_begun_by_somebody_else_at_this_browser_is_not_made(
    fake: FakeProvider,
) -> None:
    with_password("eva")
    with_password("beat")
    here = browser()
    sign_in(here, "eva")
    back = fake.authorize(start(here, "open_id_link"))
    session = here.session
    states = session["socialaccount_states"]
    here.logout()
    sign_in(here, "beat")
    session = here.session
    session["socialaccount_states"] = states
    session.save()
    assert "open_id/failed" in html(here.get(back, follow=True))
    assert not SocialAccount.objects.exists()


def test_an_invitation_makes_an_account_with_it(fake: FakeProvider, settings: Settings) -> None:
    made = championship(4)
    with_password("eva.egli")
    offered = invitations.offer_office(made, "desk", actor=person("fredi"))
    here, page = browser(), reverse("invitation", args=[offered.token])
    assert "Go on with Verband" in html(here.get(page))
    go(here, fake, invitation=offered.token)
    assert is_signed_in(here)
    user = SocialAccount.objects.get().user
    assert (user.username, user.first_name) == ("eva.egli2", "Eva Egli")
    assert not user.has_usable_password()
    assert made.officials.filter(user=user, role="desk").exists()
    assert Invitation.objects.get().used_by == user
    assert "open_id/not_linked" in html(go(browser(), fake, "subject-2", invitation=offered.token)), "once"
    answer = here.post(reverse("open_id_unlink"), follow=True)
    assert "open_id/only_way" in html(answer)


def without_password(fake: FakeProvider, settings: Settings) -> tuple[Client, str, User]:
    """A browser of Eva, who signs in at the provider only, a page that asks again who she is, and Eva."""
    settings.PASSWORD_AGAIN_AFTER = 600
    eva = with_password("eva")
    eva.set_unusable_password()
    eva.save()
    link(eva, settings)
    here = browser()
    go(here, fake)
    return here, reverse("own_data"), eva


def test_a_person_without_a_password_confirms_at_the_provider(fake: FakeProvider, settings: Settings) -> None:
    here, page, _eva = without_password(fake, settings)
    asked = here.get(page, follow=True)
    assert "Confirm with Verband" in html(asked)
    assert "password_again" not in html(asked)
    for claims, told in (
        ({}, "open_id/not_fresh"),
        ({"auth_time": int(time.time()) - 3600}, "open_id/not_fresh"),
        ({"auth_time": int(time.time())}, "Your data"),
    ):
        fake.claims = claims
        wanted = start(here, "open_id_confirm", next=page)
        assert "max_age=0" in wanted
        assert "prompt=login" in wanted
        assert told in html(here.get(fake.authorize(wanted), follow=True))
    fake.claims = {"auth_time": int(time.time())}
    here.session.flush()
    other = browser()
    sign_in(other, with_password("beat").username)
    back = fake.authorize(start(other, "open_id_confirm"))
    assert "open_id/not_fresh" in html(other.get(back, follow=True)), "the identity of somebody else"


def test_without_auth_time_a_password_by_a_link_is_the_way_out(
    fake: FakeProvider, settings: Settings
) -> None:
    here, page, eva = without_password(fake, settings)
    for claims in ({}, {"auth_time": None}, {"auth_time": str(int(time.time()))}, {"auth_time": True}):
        fake.claims = claims
        answer = html(here.get(fake.authorize(start(here, "open_id_confirm", next=page)), follow=True))
        assert "open_id/not_fresh" in answer
        assert "ask an owner of this installation for a link for a new password" in answer
        assert "Your data" not in html(here.get(page, follow=True)), "nothing is confirmed"
    token = resets.make_reset(eva, actor=with_password("olga", is_superuser=True))
    new = "a long new one"
    browser().post(reverse("password_reset", args=[token]), {"password": new, "again": new})
    eva.refresh_from_db()
    assert eva.check_password(new)
    assert not is_signed_in(here), "a new password ends all sessions"
    go(here, fake)
    asked = html(here.get(page, follow=True))
    assert "password_again" in asked
    done = here.post(
        reverse("account_reauthenticate") + f"?next={page}", {"password_again": new}, follow=True
    )
    assert "Your data" in html(done)


def test_a_locked_account_stays_locked(fake: FakeProvider, settings: Settings) -> None:
    link(with_password("eva", is_active=False), settings)
    here = browser()
    assert "open_id/locked" in html(go(here, fake))
    assert not is_signed_in(here)


def test_another_issuer_has_other_people(fake: FakeProvider, settings: Settings) -> None:
    link(with_password("eva"), settings)
    old = settings.OPEN_ID.provider_id
    with provider() as another:
        settings.OPEN_ID = OpenId(another.address, CLIENT_ID, CLIENT_SECRET, "Club")
        settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [settings.OPEN_ID.app]}}
        assert settings.OPEN_ID.provider_id != old
        assert "open_id/not_linked" in html(go(browser(), another))


FORGED: dict[str, dict[str, Any]] = {
    "another key": {"key": "make"},
    "an unknown key": {"key_id": "two"},
    "no signature": {"algorithm": "none", "key": ""},
    "the public key as a secret": {"algorithm": "HS256", "key": "public"},
    "expired": {"claims": {"exp": int(time.time()) - 3600}},
    "another issuer": {"claims": {"iss": "https://elsewhere.example"}},
    "another program": {"claims": {"aud": "another"}},
    "several programs": {"claims": {"aud": [CLIENT_ID, "another"]}},
    "another nonce": {"claims": {"nonce": "of another request"}},
    "no nonce": {"claims": {"nonce": None}},
    "no end": {"claims": {"exp": None}},
    "no person": {"claims": {"sub": None}},
    "no token": {"broken": {"/token"}},
    "no keys": {"broken": {"/keys"}},
}


@pytest.mark.parametrize("how", FORGED)
def test_a_forged_or_old_token_signs_nobody_in(how: str, fake: FakeProvider, settings: Settings) -> None:
    link(with_password("eva"), settings)
    for name, value in FORGED[how].items():
        if value == "make":
            value = make_key()
        elif value == "public":
            value = base64.urlsafe_b64decode(fake.list_keys()["keys"][0]["n"] + "==")
        setattr(fake, name, value)
    here = browser()
    assert "open_id/failed" in html(go(here, fake))
    assert not is_signed_in(here)


def test_a_state_is_used_once_and_by_its_own_browser(fake: FakeProvider, settings: Settings) -> None:
    link(with_password("eva"), settings)
    here, other = browser(), browser()
    back = fake.authorize(start(here))
    assert "open_id/failed" in html(other.get(back, follow=True)), "sent to somebody else"
    assert not is_signed_in(other)
    here.get(back)
    assert is_signed_in(here)
    here.logout()
    assert "open_id/failed" in html(here.get(back, follow=True)), "used"
    for wrong in ("", "?code=code-0", "?code=code-0&state=made-up", "?error=access_denied&state=made-up"):
        assert "open_id/failed" in html(other.get(reverse("open_id_back") + wrong, follow=True))


def test_a_person_who_cancels_is_back_at_the_sign_in(fake: FakeProvider) -> None:
    here = browser()
    state = fake.authorize(start(here)).partition("state=")[2]
    answer = here.get(f"{reverse('open_id_back')}?error=access_denied&state={state}", follow=True)
    assert answer.redirect_chain[-1][0] == reverse("sign_in")
    assert "open_id/failed" in html(answer)


@pytest.mark.parametrize("how", ["away", "broken", "another"])
def test_a_provider_that_is_away_is_told(how: str, fake: FakeProvider, settings: Settings) -> None:
    if how == "away":
        settings.OPEN_ID = OpenId("http://127.0.0.1:1", CLIENT_ID, CLIENT_SECRET, "Verband")
        settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [settings.OPEN_ID.app]}}
    elif how == "broken":
        fake.broken = {"/.well-known/openid-configuration"}
    else:
        fake.issuer = "https://elsewhere.example"
    answer = browser().post(reverse("open_id_start"), follow=True)
    assert "open_id/failed" in html(answer)


def test_the_doctor_asks_the_provider(fake: FakeProvider, settings: Settings) -> None:
    assert check_open_id().state == "ok"
    assert fake.asked == ["/.well-known/openid-configuration"]
    fake.broken = {"/.well-known/openid-configuration"}
    assert (check_open_id().state, "Verband" in check_open_id().sentence) == ("error", True)
    asked = len(fake.asked)
    settings.OPEN_ID = OpenId()
    assert check_open_id().state == "ok"
    assert len(fake.asked) == asked


def test_it_leads_to_no_other_site_and_is_limited(fake: FakeProvider, settings: Settings) -> None:
    link(with_password("eva"), settings)
    answer = go(browser(), fake, next="https://elsewhere.example/")
    assert all("elsewhere" not in url for url, _status in answer.redirect_chain)
    settings.LIMITS = True
    settings.REDIS_PREFIX = f"{settings.REDIS_PREFIX}-open-id"
    here = browser(REMOTE_ADDR="203.0.113.9")
    statuses = [here.post(reverse("open_id_start")).status_code for _ in range(302)]
    assert statuses[-1] == 429


def test_the_link_is_exported_and_erased_with_the_person(fake: FakeProvider, settings: Settings) -> None:
    eva = with_password("eva")
    link(eva, settings)
    found = client("eva").get(reverse("own_data_file")).json()["rows"]
    assert [row["uid"] for row in found["socialaccount.socialaccount"]] == ["subject-1"]
    client("eva").post(reverse("own_data_erase"), {"name": "eva"})
    assert not SocialAccount.objects.exists()
    assert not Authenticator.objects.exists()
    assert "open_id/not_linked" in html(go(browser(), fake))
