"""Offices, seats and accounts are offered by one-time links and accepted; passwords are reset by links."""

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from frontend.forms.accounts import NewAccountForm
from games.models import User
from tests.frontend.accounts import PASSWORD, browser, code, sign_in, with_app, with_password
from tests.frontend.evening import championship, client, entry, html, person
from tournaments.accounts import invitations, resets
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Invitation, PasswordReset
from tournaments.permissions import may
from tournaments.services.championships import officials
from tournaments.services.entries import entries

pytestmark = pytest.mark.django_db
NEW = {"username": "ida", "name": "Ida Imhof", "password": "vier Trumpf und ein Nell"}


def link_in(answer: Any) -> str:
    """Return the path of the link that a page shows."""
    found = re.search(r'value="https?://[^/"]+(/[^"]+)"', html(answer))
    assert found is not None, html(answer)
    return found[1]


def offered(role: str = "referee", name: str = "") -> str:
    answer = client("fredi").post(
        reverse("invitation_make", args=["herbstcup"]), {"role": role, "name": name}
    )
    assert answer.headers["Cache-Control"] == "no-store"
    return link_in(answer)


def test_an_office_is_accepted_with_a_new_account() -> None:
    made = championship(0)
    link = offered(name="Ida")
    assert "You are invited to be referee" in html(browser().get(link))
    assert not User.objects.filter(username="ida").exists()

    here = browser()
    answer = here.post(link, NEW, follow=True)
    ida = User.objects.get(username="ida")
    assert may(ida, "rule", made)
    assert ida.check_password(NEW["password"])
    assert "Signed in as ida" in html(answer)
    assert Invitation.objects.get().used_by == ida


def test_an_office_is_accepted_with_an_account_after_the_sign_in() -> None:
    made = championship(0)
    eva = with_password("eva")
    link = offered()
    here = browser()
    page = html(here.get(link))
    assert f"{reverse('sign_in')}?next={link}" in page
    answer = sign_in(here, "eva", next=link)
    assert answer.headers["Location"] == link
    assert "Accept as eva" in html(here.get(link))
    assert not may(eva, "rule", made), "not before the person accepts"
    here.post(link)
    assert may(eva, "rule", made)


def test_a_link_works_once_and_makes_no_second_account() -> None:
    championship(0)
    link = offered()
    browser().post(link, NEW)
    again = browser().post(link, {**NEW, "username": "uli"})
    assert again.status_code == 404
    assert "This link has ended" in html(again)
    assert not User.objects.filter(username="uli").exists()


def test_a_form_that_is_sent_twice_at_once_makes_one_account(monkeypatch: pytest.MonkeyPatch) -> None:
    championship(0)
    link = offered()
    monkeypatch.setattr(NewAccountForm, "clean_username", lambda form: form.cleaned_data["username"])
    assert browser().post(link, {**NEW, "username": "fredi"}).status_code == 404
    assert Invitation.objects.get().used_at is None


def test_an_account_is_not_left_over_where_the_offer_ended_meanwhile() -> None:
    made = championship(0)
    found = invitations.offer_office(made, "desk", actor=person("fredi")).invitation
    Invitation.objects.filter(pk=found.pk).update(used_at=timezone.now())
    with pytest.raises(TournamentError, match="used"):
        invitations.accept(found, person("eva"))
    assert not may(person("eva"), "enter", made)


@pytest.mark.parametrize("how", ["expired", "withdrawn", "dismissed", "invented"])
def test_a_link_that_holds_no_more_is_refused(how: str) -> None:
    made = championship(0)
    link = offered()
    if how == "expired":
        Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    elif how == "withdrawn":
        pk = Invitation.objects.get().pk
        client("fredi").post(reverse("invitation_withdraw", args=["herbstcup", pk]))
    elif how == "dismissed":
        officials.appoint(made, person("eva"), "director", actor=person("fredi"))
        officials.dismiss(made, person("fredi"), "director", actor=person("eva"))
    else:
        link = f"{link[:-1]}x/"
    answer = browser().post(link, NEW)
    assert answer.status_code == 404
    assert not User.objects.filter(username="ida").exists()


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"username": "FREDI"}, "already an account “FREDI”"),
        ({"username": "ＦＲＥＤＩ"}, "already an account “FREDI”"),
        ({"username": "a b"}, "valid username"),
        ({"password": "kurz"}, "at least 10"),
        ({"password": "password123"}, "too common"),
        ({"password": "ida-imhof-ida"}, "too similar"),
    ],
)
def test_a_new_account_has_a_free_name_and_a_good_password(sent: dict[str, str], sentence: str) -> None:
    championship(0)
    answer = browser().post(offered(), {**NEW, **sent})
    assert answer.status_code == 400
    assert sentence in html(answer)
    assert Invitation.objects.get().used_at is None


def test_an_office_is_offered_to_a_known_account_which_accepts_or_declines() -> None:
    made = championship(0)
    eva = person("eva")
    fields = {"user": "eva", "role": "referee"}
    client("fredi").post(reverse("official_appoint", args=["herbstcup"]), fields)
    assert not may(eva, "rule", made)
    assert "Herbstcup" in html(client("eva").get("/"))
    found = Invitation.objects.get()
    for other in ("anna", None):
        address = reverse("offer_answer", args=[found.pk, "accept"])
        assert client(other).post(address).status_code == (404 if other else 302)
    client("eva").post(reverse("offer_answer", args=[found.pk, "decline"]))
    assert not Invitation.objects.exists()

    client("fredi").post(reverse("official_appoint", args=["herbstcup"]), fields)
    client("fredi").post(reverse("official_appoint", args=["herbstcup"]), fields)
    found = Invitation.objects.get()
    client("eva").post(reverse("offer_answer", args=[found.pk, "accept"]))
    assert may(eva, "rule", made)


def test_a_seat_is_taken_with_a_new_account() -> None:
    made = championship(4)
    answer = client("hanna").post(reverse("entry_invite", args=["herbstcup", 2]))
    link, here = link_in(answer), browser()
    here.post(link, NEW)
    assert entry(made, "Beat Bühler").user == User.objects.get(username="ida")

    other = link_in(client("hanna").post(reverse("entry_invite", args=["herbstcup", 3])))
    entries.link_account(made.entries.get(number=3), person("uli"), actor=person("hanna"))
    assert browser().post(other, {**NEW, "username": "eva"}).status_code == 404, "the desk was quicker"
    assert made.entries.get(number=3).user == person("uli")


def test_only_directors_offer_offices_and_only_the_desk_seats() -> None:
    made = championship(4)
    for who in ("hanna", "gabi", "anna", "eva"):
        with pytest.raises(NotAllowed):
            invitations.offer_office(made, "director", actor=person(who))
    with pytest.raises(NotAllowed):
        invitations.offer_seat(made.entries.get(number=2), actor=person("gabi"))
    with pytest.raises(NotAllowed):
        invitations.offer_account(actor=person("fredi"))


def test_the_maximum_counts_offers_of_an_office_and_an_offer_at_the_maximum_is_renewed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(invitations, "MAX_OPEN", 2)
    made = championship(4)
    for number in (2, 3):
        invitations.offer_seat(made.entries.get(number=number), actor=person("hanna"))
    invitations.offer_office(made, "desk", actor=person("fredi"))
    first = invitations.offer_office(made, "referee", actor=person("fredi"), user=person("eva"))

    again = invitations.offer_office(made, "referee", actor=person("fredi"), user=person("eva"))

    assert [one.pk for one in invitations.offers_to(person("eva"))] == [again.invitation.pk]
    assert again.invitation.pk != first.invitation.pk
    for more in ({"user": person("uli")}, {"name": "Ida"}):
        with pytest.raises(TournamentError) as refused:
            invitations.offer_office(made, "referee", actor=person("fredi"), **more)
        assert refused.value.code == "invitation/too_many"


def owner() -> Client:
    with_password("fredi", is_superuser=True)
    return client("fredi")


def test_the_owner_invites_to_an_account() -> None:
    link = link_in(owner().post(reverse("account_invite"), {"name": "Ida", "may_found": "on"}))
    browser().post(link, NEW)
    ida = User.objects.get(username="ida")
    assert ida.may_found
    assert not ida.is_superuser


def test_the_owner_withdraws_an_invitation_to_an_account() -> None:
    fredis = owner()
    link = link_in(fredis.post(reverse("account_invite"), {"name": "Ida", "may_found": "on"}))
    page = html(fredis.get(reverse("account_list")))
    for told in ("Open invitations", "Ida", "Fredi", "may create championships"):
        assert told in page
    found = Invitation.objects.get()
    fredis.post(reverse("account_invitation_withdraw", args=[found.pk]))
    assert "Open invitations" not in html(fredis.get(reverse("account_list")))
    assert browser().post(link, NEW).status_code == 404
    assert not User.objects.filter(username="ida").exists()


def test_only_an_owner_withdraws_invitations_to_an_account_and_only_those() -> None:
    made = championship(0)
    fredis = owner()
    fredis.post(reverse("account_invite"), {"name": "Ida"})
    account = Invitation.objects.get()
    office = invitations.offer_office(made, "desk", actor=person("fredi")).invitation
    for who, status in ((None, 302), ("eva", 404), ("hanna", 404)):
        address = reverse("account_invitation_withdraw", args=[account.pk])
        assert client(who).post(address).status_code == status, who
    with pytest.raises(NotAllowed):
        invitations.withdraw_account(account.pk, actor=person("hanna"))
    fredis.post(reverse("account_invitation_withdraw", args=[office.pk]))
    assert set(Invitation.objects.all()) == {account, office}


def reset_link(name: str) -> str:
    return link_in(owner().post(reverse("account_act", args=[person(name).pk, "reset"])))


def test_a_reset_sets_a_password_ends_sessions_and_is_told() -> None:
    with_password("eva")
    stolen = browser()
    sign_in(stolen, "eva")
    link = reset_link("eva")
    here = browser()
    assert "at least 10" in html(here.post(link, {"password": "kurz"}))
    assert here.post(link, {"password": "Neu-und-lang-genug-8"}).headers["Location"] == reverse("sign_in")
    assert "Signed in as" not in html(stolen.get("/"))
    assert "Signed in as" not in html(here.get("/")), "the sign-in follows"

    assert browser().get(link).status_code == 404
    assert sign_in(browser(), "eva").status_code == 200, "the old password"
    answer = here.post(
        reverse("sign_in"), {"username": "eva", "password": "Neu-und-lang-genug-8"}, follow=True
    )
    assert "Fredi made a link on" in html(answer)
    assert "was changed" in html(answer)
    again = browser()
    answer = again.post(
        reverse("sign_in"), {"username": "eva", "password": "Neu-und-lang-genug-8"}, follow=True
    )
    assert "made a link" not in html(answer), "once"


def test_a_reset_takes_no_second_step_away() -> None:
    eva = with_password("eva")
    secret = with_app(eva)
    here = browser()
    here.post(reset_link("eva"), {"password": "Neu-und-lang-genug-8"})
    answer = sign_in(here, "eva", "Neu-und-lang-genug-8")
    assert answer.headers["Location"] == reverse("mfa_authenticate")
    here.post(reverse("mfa_authenticate"), {"code": code(secret)})
    assert "Signed in as eva" in html(here.get("/"))


def test_a_second_reset_ends_the_first_and_each_lasts_a_day() -> None:
    with_password("eva")
    first, second = reset_link("eva"), reset_link("eva")
    assert browser().get(first).status_code == 404
    assert browser().get(second).status_code == 200
    PasswordReset.objects.update(expires_at=timezone.now())
    assert browser().get(second).status_code == 404


def test_only_an_owner_makes_resets() -> None:
    with_password("eva")
    assert client("hanna").post(reverse("account_act", args=[person("eva").pk, "reset"])).status_code == 404
    with pytest.raises(NotAllowed):
        resets.make_reset(person("eva"), actor=person("hanna"))


def test_the_owner_finds_locks_and_unlocks_accounts() -> None:
    made = championship(4)
    with_password("gabi")
    gabis = browser()
    sign_in(gabis, "gabi")
    fredis = owner()
    page = html(fredis.get(reverse("account_list"), {"q": "gab"}))
    assert ("gabi" in page, "hanna" in page) == (True, False)
    assert made.name in page
    fredis.post(reverse("account_act", args=[person("gabi").pk, "lock"]))
    assert "Signed in as" not in html(gabis.get("/"))
    assert sign_in(browser(), "gabi", PASSWORD).status_code == 200
    assert "locked" in html(fredis.get(reverse("account_list"), {"q": "gabi"}))
    fredis.post(reverse("account_act", args=[person("gabi").pk, "unlock"]))
    assert sign_in(browser(), "gabi", PASSWORD).status_code == 302


def test_the_owner_sees_whoever_can_sign_in_the_last_used_first() -> None:
    for name in ("erased-by-myself", "zora", "hanna+beat@club"):
        person(name)
    sign_in(browser(), with_password("gabi").username)
    fredis = owner()
    page = html(fredis.get(reverse("account_list")))
    assert sorted(("gabi", "erased-by-myself", "zora"), key=page.index)[0] == "gabi"
    act = reverse("account_act", args=[person("hanna+beat@club").pk, "lock"])
    assert "hanna+beat@club" in html(fredis.post(act, follow=True)).partition("<tbody>")[2]


def test_nobody_locks_or_deletes_themselves() -> None:
    fredis = owner()
    for act in ("lock", "delete"):
        answer = fredis.post(reverse("account_act", args=[person("fredi").pk, act]), follow=True)
        assert "accounts/own" in html(answer)
    assert User.objects.get(username="fredi").is_active


def test_an_account_is_deleted_as_a_person_is_erased() -> None:
    eva = with_password("eva")
    with_app(eva)
    fredis = owner()
    fredis.post(reverse("account_act", args=[eva.pk, "delete"]))
    eva.refresh_from_db()
    assert eva.username.startswith("erased-")
    assert not eva.is_active
    assert not Authenticator.objects.filter(user=eva).exists()
    assert "erased" not in html(fredis.get(reverse("account_list")))
    championship(0)
    answer = fredis.post(reverse("account_act", args=[person("gabi").pk, "delete"]), follow=True)
    assert "people/in_charge" in html(answer)


@pytest.mark.parametrize("act", ["lock", "unlock", "found", "not-found", "reset", "delete"])
def test_an_erased_account_stays_erased(act: str) -> None:
    eva = with_password("eva")
    fredis = owner()
    fredis.post(reverse("account_act", args=[eva.pk, "delete"]))
    erased = User.objects.values().get(pk=eva.pk)
    answer = fredis.post(reverse("account_act", args=[eva.pk, act]), follow=True)
    assert "accounts/erased" in html(answer)
    assert User.objects.values().get(pk=eva.pk) == erased
    assert not PasswordReset.objects.filter(user=eva).exists()


def test_a_locked_account_with_such_a_name_is_unlocked() -> None:
    eva = with_password("erased-by-myself")
    fredis = owner()
    for act, page in (("lock", "locked"), ("unlock", "erased-by-myself")):
        fredis.post(reverse("account_act", args=[eva.pk, act]))
        assert page in html(fredis.get(reverse("account_list"), {"q": "erased-by"}))
    eva.refresh_from_db()
    assert eva.is_active


def test_the_list_takes_as_many_questions_for_many_accounts(django_assert_max_num_queries: Any) -> None:
    championship(8)
    fredis = owner()
    fredis.get(reverse("account_list"))
    for number in range(30):
        person(f"gast{number}")
    with django_assert_max_num_queries(12):
        fredis.get(reverse("account_list"))


def test_others_than_the_owner_find_no_list() -> None:
    championship(0)
    for who, status in ((None, 302), ("eva", 404), ("gabi", 404), ("fredi", 404)):
        assert client(who).get(reverse("account_list")).status_code == status, who
