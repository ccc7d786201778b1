"""A mail address of an account, confirmed by a link, and a link for a new password by mail."""

import re
import smtplib
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from frontend import sign_in_attempts
from games.messaging import task_queue
from games.models import User
from tests.frontend.accounts import PASSWORD, browser, code, sign_in, with_app, with_password
from tests.frontend.evening import client, html, person
from tournaments.accounts import mails, resets
from tournaments.errors import TournamentError
from tournaments.models import AccountMail, PasswordReset

pytestmark = pytest.mark.django_db
ADDRESS = "eva@example.ch"
NEW = "Neu-und-lang-genug-8"


@pytest.fixture(autouse=True)
def _mail_server(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MAIL_FROM, settings.ORIGIN = "jass@example.org", "https://jass.example.org"
    monkeypatch.setattr(task_queue, "send", lambda *_: None)


def with_address(name: str = "eva", address: str = ADDRESS) -> User:
    user = with_password(name, email=address)
    EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
    return user


def link_in_mail() -> str:
    """Return the path of the link in the newest mail."""
    found = re.search(r"https://jass\.example\.org(/\S+/)", str(mail.outbox[-1].body).split("\n", 1)[1])
    assert found is not None, mail.outbox[-1].body
    return found[1]


def ask(who: str, here: Client | None = None) -> Any:
    return (here or browser()).post(reverse("forgotten_password"), {"who": who})


def state(here: Client, address: str = ADDRESS) -> Any:
    return here.post(reverse("account_address"), {"address": address}, follow=True)


def test_without_a_mail_server_there_is_none_of_it(settings: Settings) -> None:
    settings.MAIL_FROM = ""
    with_address()
    assert "Forgotten" not in html(browser().get(reverse("sign_in")))
    assert ask("eva").status_code == 404
    assert reverse("account_address") not in html(client("eva").get(reverse("account")))
    assert client("eva").post(reverse("account_address"), {"address": ADDRESS}).status_code == 404
    assert not AccountMail.objects.exists()


def test_an_address_is_confirmed_by_a_link() -> None:
    with_password("eva")
    page = html(state(client("eva"), "Eva@Example.ch"))
    assert "a link is on its way" in page
    assert "not confirmed yet" in page
    assert mails.send_account_mails() == 1
    assert mail.outbox[0].to == [ADDRESS]
    link = link_in_mail()
    assert "for the account eva" in html(browser().get(link))
    assert not EmailAddress.objects.get().verified, "a program that opens links confirms nothing"
    browser().post(link)
    assert EmailAddress.objects.get().verified
    assert User.objects.get(username="eva").email == ADDRESS
    assert browser().post(link).status_code == 404
    assert "confirmed" in html(client("eva").get(reverse("account")))
    assert "a link is on its way" not in html(state(client("eva")))


def test_a_link_that_confirms_ends_after_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    state(client("eva"))
    mails.send_account_mails()
    link = link_in_mail()
    now = timezone.now().timestamp()
    monkeypatch.setattr("django.core.signing.time.time", lambda: now + 86_400 + 5)
    assert browser().post(link).status_code == 404
    assert not EmailAddress.objects.get().verified


def test_a_new_address_holds_when_it_is_confirmed_and_the_old_one_is_told() -> None:
    eva = with_address()
    ask("eva")
    mails.send_account_mails()
    reset = link_in_mail()
    state(client("eva"), "neu@example.ch")
    mails.send_account_mails()
    found = mails.find_confirmed_address(eva)
    assert found is not None
    assert found.email == ADDRESS
    client("eva").post(link_in_mail())
    assert [one.email for one in EmailAddress.objects.all()] == ["neu@example.ch"]
    mails.send_account_mails()
    assert mail.outbox[-1].to == [ADDRESS]
    assert "no longer has this address" in mail.outbox[-1].body
    assert browser().get(reset).status_code == 404, "it went to the earlier address"


def test_an_address_of_another_account_is_not_taken() -> None:
    with_address("eva")
    page = html(state(client("gabi")))
    assert "a link is on its way" in page, "nobody learns whose address it is"
    mails.send_account_mails()
    answer = client("gabi").post(link_in_mail(), follow=True)
    assert "accounts/address_taken" in html(answer)
    assert [one.user.username for one in EmailAddress.objects.filter(verified=True)] == ["eva"]


def test_an_address_is_removed_and_told_of() -> None:
    with_address()
    client("eva").post(reverse("account_address"), {"remove": "1"})
    assert not EmailAddress.objects.exists()
    assert User.objects.get(username="eva").email == ""
    mails.send_account_mails()
    assert mail.outbox[0].to == [ADDRESS]


def test_the_password_is_asked_for_again_before_an_address_is_stated(settings: Settings) -> None:
    settings.PASSWORD_AGAIN_AFTER = 600
    with_password("eva")
    here = browser()
    here.force_login(person("eva"))
    assert here.post(reverse("account_address"), {"address": ADDRESS}).status_code == 403
    assert not EmailAddress.objects.exists()


@pytest.mark.parametrize("who", ["eva", ADDRESS, "EVA@example.ch"])
def test_a_link_for_a_new_password_comes_by_mail(who: str) -> None:
    with_address()
    stolen = browser()
    sign_in(stolen, "eva")
    assert "Forgot your password?" in html(browser().get(reverse("sign_in")))
    ask(who)
    assert mails.send_account_mails() == 1
    assert mail.outbox[0].to == [ADDRESS]
    assert not AccountMail.objects.exists()
    link = link_in_mail()
    assert browser().post(link, {"password": NEW}).headers["Location"] == reverse("sign_in")
    assert "Signed in as" not in html(stolen.get("/"))
    assert browser().get(link).status_code == 404
    assert sign_in(browser(), "eva").status_code == 200, "the old password"
    answer = browser().post(reverse("sign_in"), {"username": "eva", "password": NEW}, follow=True)
    assert "Your password was changed with a link that was mailed to you" in html(answer)


def test_a_mailed_link_takes_no_second_step_away() -> None:
    secret = with_app(with_address())
    ask("eva")
    mails.send_account_mails()
    here = browser()
    here.post(link_in_mail(), {"password": NEW})
    assert sign_in(here, "eva", NEW).headers["Location"] == reverse("mfa_authenticate")
    here.post(reverse("mfa_authenticate"), {"code": code(secret)})
    assert "Signed in as eva" in html(here.get("/"))


def test_an_account_that_is_locked_after_its_link_was_opened_gets_no_password() -> None:
    with_address()
    ask("eva")
    mails.send_account_mails()
    found = resets.find_reset(link_in_mail().rstrip("/").rsplit("/", 1)[1])
    assert found is not None
    User.objects.filter(username="eva").update(is_active=False)
    with pytest.raises(TournamentError) as refused:
        resets.use_reset(found, NEW)
    assert refused.value.code == "reset/over"
    assert not User.objects.get(username="eva").check_password(NEW)


def test_the_answer_is_the_same_whether_the_account_exists(django_assert_num_queries: Any) -> None:
    with_address("eva")
    with_password("gabi")
    with_address("beat", "beat@example.ch")
    User.objects.filter(username="beat").update(is_active=False)
    state(client("hanna"), "hanna@example.ch")
    AccountMail.objects.all().delete()
    pages = set()
    for who in ("eva", ADDRESS, "gabi", "beat", "nobody", "hanna", "x@example.ch"):
        here = browser()
        with django_assert_num_queries(1):  # the row of the mail: nobody is looked up
            answer = ask(who, here)
        pages.add(html(answer).partition("<main")[2].partition("</main>")[0])
    assert len(pages) == 1
    assert mails.send_account_mails() == 2
    assert [one.to for one in mail.outbox] == [[ADDRESS], [ADDRESS]]
    assert not AccountMail.objects.exists()


def test_the_mail_is_sent_by_a_worker_after_the_commit(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(task_queue, "send", lambda *task: sent.append(task))
    with django_capture_on_commit_callbacks(execute=True):
        ask("nobody")
        assert sent == []
    assert sent == [(mails.SEND_TASK,)]


def test_a_mailed_link_ends_after_an_hour_with_the_next_one_and_with_a_new_password() -> None:
    eva = with_address()
    links = []
    for _ in range(2):
        ask("eva")
        mails.send_account_mails()
        links.append(link_in_mail())
    assert [browser().get(link).status_code for link in links] == [404, 200]
    here = client("eva")
    here.post(reverse("password"), {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW})
    assert browser().get(links[1]).status_code == 404
    eva.refresh_from_db()
    ask("eva")
    mails.send_account_mails()
    PasswordReset.objects.update(expires_at=timezone.now())
    assert browser().get(link_in_mail()).status_code == 404


def test_a_stranger_ends_no_link_of_an_owner() -> None:
    eva = with_address()
    with_password("fredi", is_superuser=True)
    client("fredi").post(reverse("account_act", args=[eva.pk, "reset"]))
    ask("eva")
    mails.send_account_mails()
    assert PasswordReset.objects.filter(expires_at__gt=timezone.now()).count() == 2


def test_mails_are_limited_by_name_by_address_and_by_account(settings: Settings) -> None:
    settings.LIMITS = True
    settings.REDIS_PREFIX = f"{settings.REDIS_PREFIX}-mails"
    with_address()
    for who in ("eva", "nobody"):
        here = browser(REMOTE_ADDR="203.0.113.1")
        for _ in range(sign_in_attempts.FORGOTTEN_NAME.most):
            assert ask(who, here).status_code == 200
        answer = ask(who, here)
        assert answer.status_code == 429, who
        assert int(answer.headers["Retry-After"]) > 0
    hall = browser(REMOTE_ADDR="203.0.113.2")
    statuses = [
        ask(f"guess {n}", hall).status_code for n in range(sign_in_attempts.FORGOTTEN_FROM_ADDRESS.most + 2)
    ]
    assert statuses[-3:] == [200, 429, 429]
    for _ in range(20):
        mails.ask_reset(ADDRESS)
    while mails.list_due_account_mails().exists():
        mails.send_account_mails()
    assert len(mail.outbox) == mails.RESETS_OF_ACCOUNT.most


def test_a_server_that_is_away_is_asked_again_and_the_log_has_no_address(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with_address()
    ask("eva")

    def refuse(_self: EmailMessage, **_: Any) -> int:
        raise smtplib.SMTPServerDisconnected

    with monkeypatch.context() as away:
        away.setattr(EmailMessage, "send", refuse)
        assert mails.send_account_mails() == 0
        for _ in range(len(mails.WAITS)):
            AccountMail.objects.update(due_at=timezone.now() - timedelta(seconds=1))
            mails.send_account_mails()
    assert not AccountMail.objects.exists(), "given up"
    assert not PasswordReset.objects.exists(), "a link that nobody has"
    ask("eva")
    mails.send_account_mails()
    token = link_in_mail().split("/")[2]
    said = "".join(capfd.readouterr())
    assert ADDRESS not in said
    assert token not in said


@pytest.mark.parametrize(
    "failure",
    [smtplib.SMTPRecipientsRefused({ADDRESS: (550, b"no such user")}), smtplib.SMTPServerDisconnected()],
)
def test_a_mail_that_fails_leaves_no_link_and_ends_no_earlier_one(
    failure: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    eva = with_address()
    ask("eva")
    mails.send_account_mails()
    earlier = link_in_mail()
    ask("eva")

    def refuse(_self: EmailMessage, **_: Any) -> int:
        raise failure

    monkeypatch.setattr(EmailMessage, "send", refuse)
    assert mails.send_account_mails() == 0
    assert PasswordReset.objects.filter(user=eva).count() == 1
    assert browser().get(earlier).status_code == 200


def test_a_link_to_an_address_that_changed_meanwhile_opens_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    eva = with_address()
    ask("eva")
    send = EmailMessage.send

    def send_slowly(message: EmailMessage, **more: Any) -> int:
        mails.remove_address(eva)
        return send(message, **more)

    monkeypatch.setattr(EmailMessage, "send", send_slowly)
    mails.send_account_mails()
    assert browser().get(link_in_mail()).status_code == 404


def test_mails_speak_the_language_of_the_page() -> None:
    with_address()
    here = Client(headers={"accept-language": "de"})
    ask("eva", here)
    assert AccountMail.objects.get().language == "de"
