"""A person reads, downloads and erases what is stored of them."""

import json

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth import SESSION_KEY
from django.urls import reverse
from pytest_django import Settings

from frontend.presenters.accounts.own_data import TABLES
from games.models import User
from tests.frontend.accounts import PASSWORD, browser, sign_in, with_app, with_password
from tests.frontend.evening import championship, client, entry, first, html, person
from tournaments import personal_data
from tournaments.accounts import own_data
from tournaments.models import Championship, Entry
from tournaments.services.championships import championships
from tournaments.services.draw import drawing
from tournaments.services.entries import entries

pytestmark = pytest.mark.django_db


def entered(name: str = "eva") -> User:
    """Link an account to an entry with further data."""
    user = with_password(name)
    made = championship(4)
    found = entry(made, "Beat Bühler")
    entries.edit_entry(found, actor=person("fredi"), club="Kartenfreunde", licence="L-77", note="vegetarisch")
    found.refresh_from_db()
    entries.link_account(found, user, actor=person("fredi"))
    return user


def test_the_page_shows_what_is_stored() -> None:
    eva = entered()
    with_app(eva)
    EmailAddress.objects.create(user=eva, email="eva@example.ch", verified=True, primary=True)
    page = html(client("eva").get(reverse("own_data")))
    for told in ("eva@example.ch", "Beat Bühler", "Kartenfreunde", "L-77", "vegetarisch", "App with codes"):
        assert told in page, told
    for others in ("Anna Ammann", "fredi", "Fredi"):
        assert others not in page
    assert reverse("own_data") in html(client("eva").get(reverse("account")))


def test_the_file_holds_everything_of_this_person_and_nothing_of_others() -> None:
    eva = entered()
    with_app(eva)
    answer = client("eva").get(reverse("own_data_file"))
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "attachment" in answer.headers["Content-Disposition"]
    found = json.loads(answer.content)
    assert found["rows"]["games.user"][0]["username"] == "eva"
    assert "password" not in found["rows"]["games.user"][0]
    assert [row["licence"] for row in found["rows"]["tournaments.entry"]] == ["L-77"]
    assert all("data" not in row for row in found["rows"]["mfa.authenticator"])
    for others in ("Ammann", "fredi"):
        assert others not in answer.content.decode()


def test_a_person_withdraws_the_consent_to_be_named_and_gives_it_again() -> None:
    entered()
    here, found = client("eva"), Entry.objects.get(user__username="eva")
    assert "Withdraw my consent" in html(here.get(reverse("own_data")))
    page = html(here.post(reverse("own_data_named"), {"named": ""}, follow=True))
    assert "I agree to be named again" in page
    assert "withdrawn on" in page
    found.refresh_from_db()
    assert found.unnamed_since is not None
    assert found.championship.someone_unnamed
    assert found.person is not None
    assert found.person.unnamed_since is not None
    again = championships.create(actor=person("fredi"), name="Frühlingscup")
    entries.add_entries(again, [entries.NewEntry("Beat Bühler", person=found.person)], actor=person("fredi"))
    again.refresh_from_db()
    assert again.someone_unnamed, "the next evening knows it"
    assert "Withdraw my consent" in html(here.post(reverse("own_data_named"), {"named": "yes"}, follow=True))
    assert not Championship.objects.filter(someone_unnamed=True).exists()
    assert not Entry.objects.exclude(unnamed_since=None).exists()


def test_only_the_person_sees_their_data(settings: Settings) -> None:
    entered()
    for address in ("own_data", "own_data_file"):
        assert browser().get(reverse(address)).status_code == 302
        assert "Beat Bühler" not in client("gabi").get(reverse(address)).content.decode()
    settings.PASSWORD_AGAIN_AFTER = 600
    here = browser()
    here.force_login(person("eva"))
    for address in ("own_data", "own_data_file"):
        answer = here.get(reverse(address))
        assert answer.headers["Location"].startswith(reverse("account_reauthenticate")), address
    here.post(f"{reverse('account_reauthenticate')}?next={reverse('own_data')}", {"password_again": PASSWORD})
    assert here.get(reverse("own_data_file")).status_code == 200
    here.session.flush()
    other = browser()
    other.force_login(person("eva"))
    assert other.post(reverse("own_data_erase"), {"name": "eva"}).status_code == 403


def test_downloads_are_limited(settings: Settings) -> None:
    settings.LIMITS = True
    settings.REDIS_PREFIX = f"{settings.REDIS_PREFIX}-data"
    with_password("eva")
    here = client("eva")
    statuses = [here.get(reverse("own_data_file")).status_code for _ in range(own_data.DOWNLOADS.most + 1)]
    assert statuses == [200] * own_data.DOWNLOADS.most + [429]


def test_a_person_erases_themselves_after_typing_their_name() -> None:
    eva = entered()
    with_app(eva)
    elsewhere = browser()
    elsewhere.force_login(eva)
    here = client("eva")
    here.post(reverse("own_data_erase"), {"name": "gabi"})
    assert User.objects.filter(username="eva").exists()
    answer = here.post(reverse("own_data_erase"), {"name": "eva"}, follow=True)
    assert "Your account is erased" in html(answer)
    assert SESSION_KEY not in here.session
    assert "Signed in as" not in html(elsewhere.get("/"))
    eva.refresh_from_db()
    assert (eva.username.startswith("erased-"), eva.is_active, eva.email) == (True, False, "")
    assert not Authenticator.objects.filter(user=eva).exists()
    erased = Entry.objects.get(number=2)
    assert (erased.name, erased.club, erased.licence, erased.note, erased.user) == ("№ 2", "", "", "", None)
    assert sign_in(browser(), "eva").status_code == 200


def test_nobody_erases_themselves_with_an_office_or_a_seat_in_an_open_round() -> None:
    eva = entered()
    answer = client("gabi").post(reverse("own_data_erase"), {"name": "gabi"}, follow=True)
    assert "people/in_charge" in html(answer)
    made = Championship.objects.get()
    drawing.draw_round(first(made), actor=person("fredi"))
    answer = client("eva").post(reverse("own_data_erase"), {"name": "eva"}, follow=True)
    assert "people/seated" in html(answer)
    eva.refresh_from_db()
    assert eva.is_active


def test_an_installation_keeps_an_owner() -> None:
    with_password("ursin", is_superuser=True)
    answer = client("ursin").post(reverse("own_data_erase"), {"name": "ursin"}, follow=True)
    assert "accounts/last_owner" in html(answer)
    with_password("eva", is_superuser=True)
    client("ursin").post(reverse("own_data_erase"), {"name": "ursin"})
    assert not User.objects.filter(username="ursin").exists()


def test_each_table_with_rows_of_people_has_a_name_on_the_page() -> None:
    person_ = personal_data.load_user_subject(with_password("eva"))
    pointing = {
        personal_data._row_label(model)
        for model, _ in personal_data._related_rows(person_, sessions=False)
        if any(one.related_model in (User, Entry) for one in personal_data._foreign_keys(model))
    }
    assert pointing | {"games.user", "tournaments.outsideperson"} == set(TABLES)
