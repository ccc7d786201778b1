"""Mails to people who enter: sent where a mail server is set, and marked where one refuses."""

import re
import smtplib
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.utils import timezone, translation
from pytest_django.fixtures import Settings

from games.messaging import task_queue
from games.messaging.rate_limit import Budget
from games.models import User
from tournaments.errors import NotAllowed, TournamentError
from tournaments.mails import sending
from tournaments.models import Entry, EntryMail, OwnPage
from tournaments.services.championships import archiving, championships
from tournaments.services.entries import entry_link, entry_mails, entry_terms, own_pages, waiting_list
from tournaments.services.entries.entries import NewEntry, edit_entry

pytestmark = pytest.mark.django_db


class Post:
    """A championship of one place whose people give an address."""

    def __init__(self, fredi: User) -> None:
        self.fredi = fredi
        self.made = championships.create(actor=fredi, name="Clubabend", place="Santiago")
        entry_link.set_link(self.made, on=True, actor=fredi)
        entry_terms.set_terms(self.made, actor=fredi, limit=1, opens_at=None, closes_at=None)

    def enter(self, name: str, email: str = "anna@example.ch") -> entry_link.Entered:
        new = NewEntry(family_name=name, email=email, club="Kauft bei http://boese.example")
        return entry_link.enter_by_link(self.made, self.made.entry_link, "192.0.2.1", new)[0]

    def states(self) -> list[tuple[str, str]]:
        return list(EntryMail.objects.order_by("pk").values_list("kind", "state"))


@pytest.fixture
def post(fredi: User, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Post:
    settings.MAIL_FROM, settings.ORIGIN = "jass@example.org", "https://jass.example.org"
    monkeypatch.setattr(task_queue, "send", lambda *_: None)
    return Post(fredi)


def failing(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def send(_self: EmailMessage, **_: Any) -> int:
        raise error

    monkeypatch.setattr(EmailMessage, "send", send)


def later(hours: float) -> None:
    """Let time pass for the mails."""
    for one in EntryMail.objects.all():
        EntryMail.objects.filter(pk=one.pk).update(due_at=one.due_at - timedelta(hours=hours))


def test_who_enters_gets_the_link_in_their_language(post: Post) -> None:
    with translation.override("de"):
        _entry, token = post.enter("Anna")

    assert entry_mails.send_mails() == 1
    [sent] = mail.outbox
    assert (sent.to, sent.from_email) == (["anna@example.ch"], "jass@example.org")
    assert f"https://jass.example.org/e/clubabend/me/{token}/" in sent.body
    assert "Clubabend" in sent.subject
    assert OwnPage.objects.get().language == "de"
    assert post.states() == [("entered", "sent")]
    assert entry_mails.send_mails() == 0


def test_a_mail_contains_nothing_that_whoever_entered_has_typed(post: Post) -> None:
    post.enter("Böse http://boese.example")

    entry_mails.send_mails()

    assert not re.search("boese|Böse", f"{mail.outbox[0].subject}{mail.outbox[0].body}")


def test_who_waits_is_told_so_and_told_again_when_they_move_up(post: Post) -> None:
    post.enter("Anna")
    post.enter("Beat", "beat@example.ch")
    entry_mails.send_mails()
    assert "number 1 on the waiting list" in mail.outbox[1].body

    own_pages.withdraw_oneself(OwnPage.objects.select_related("entry__championship").get(entry__name="Anna"))

    assert entry_mails.send_mails() == 0, "the desk may undo it for a minute"
    later(1)
    assert entry_mails.send_mails() == 1
    assert mail.outbox[2].to == ["beat@example.ch"]
    assert "have a place" in mail.outbox[2].body
    token = own_pages.token_of(OwnPage.objects.select_related("entry").get(entry__name="Beat"))
    assert f"/me/{token}/" in mail.outbox[2].body


def test_moving_up_that_is_undone_is_told_nobody(post: Post) -> None:
    post.enter("Anna")
    post.enter("Beat")
    EntryMail.objects.all().delete()
    for _ in range(3):
        waiting_list.move_up(post.made.entries.get(name="Beat"), actor=post.fredi)
        waiting_list.put_back(post.made.entries.get(name="Beat"), actor=post.fredi)

    later(1)
    entry_mails.send_mails()

    assert (mail.outbox, post.states()) == ([], [])


def test_without_a_mail_server_nothing_is_written(post: Post, settings: Settings) -> None:
    settings.MAIL_FROM = ""
    post.enter("Anna")

    assert (post.states(), entry_mails.send_mails()) == ([], 0)


def test_without_an_address_nothing_is_written(post: Post) -> None:
    post.enter("Anna", "")

    assert post.states() == []


REFUSALS = [
    smtplib.SMTPRecipientsRefused({"anna@example.ch": (550, b"no such user")}),
    smtplib.SMTPSenderRefused(553, b"not allowed", "jass@example.org"),
    smtplib.SMTPDataError(554, b"spam"),
    ValueError("a header with a new line"),
]


@pytest.mark.parametrize("error", REFUSALS, ids=lambda one: type(one).__name__)
def test_a_mail_that_is_refused_is_marked_and_the_entry_stays(
    post: Post, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    failing(monkeypatch, error)
    made = post.enter("Anna").entry

    assert entry_mails.send_mails() == 0

    assert post.states() == [("entered", "failed")]
    assert Entry.objects.annotate(failed=entry_mails.failed_of()).get(pk=made.pk).failed
    assert entry_mails.send_mails() == 0


DELAYS = [
    ConnectionRefusedError(),
    TimeoutError(),
    smtplib.SMTPServerDisconnected("gone"),
    smtplib.SMTPRecipientsRefused({"anna@example.ch": (451, b"later")}),
]


@pytest.mark.parametrize("error", DELAYS, ids=lambda one: type(one).__name__)
def test_a_server_that_is_away_is_tried_again_and_at_last_given_up(
    post: Post, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    failing(monkeypatch, error)
    post.enter("Anna")

    for turn in range(len(entry_mails.WAITS)):
        assert entry_mails.send_mails() == 0
        assert post.states() == [("entered", "waiting")], turn
        assert not entry_mails.list_due().exists(), "not at once"
        later(7)
    entry_mails.send_mails()

    assert post.states() == [("entered", "failed")]


def test_a_mail_is_sent_once_also_by_two_workers(post: Post) -> None:
    post.enter("Anna")
    [first] = entry_mails.list_due()
    taken = EntryMail.objects.filter(pk=first.pk).update(due_at=timezone.now() + sending.LEASE)

    assert taken == 1
    assert entry_mails.send_mails() == 0
    later(1)
    assert entry_mails.send_mails() == 1, "the other worker has died"


def test_one_address_is_not_flooded(post: Post, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.LIMITS = True
    budget = Budget(f"mails-of-this-test-{timezone.now().timestamp()}", most=2, seconds=600)
    monkeypatch.setattr(entry_mails, "ADDRESS_BUDGET", budget)
    for number in range(4):
        post.enter(f"Gast {number}", "Opfer@example.ch" if number % 2 else "opfer@example.ch")

    assert entry_mails.send_mails() == 2
    assert [state for _kind, state in post.states()] == ["sent", "sent", "failed", "failed"]
    assert post.made.entries.count() == 4


def test_another_link_is_not_repeated_by_old_keys(post: Post, settings: Settings) -> None:
    _entry, token = post.enter("Anna")
    settings.SECRET_KEY = "another one"

    entry_mails.send_mails()

    assert "/me/" not in mail.outbox[0].body
    assert own_pages.find_page("clubabend", token) is not None, "the link itself still leads there"


def test_what_is_archived_or_has_no_address_any_more_is_told_nothing(post: Post) -> None:
    entry, _token = post.enter("Anna")
    edit_entry(entry, actor=post.fredi, email="")
    assert (entry_mails.send_mails(), post.states()) == (0, [])

    post.enter("Beat")
    archiving.archive(post.made, actor=post.fredi)
    assert (entry_mails.send_mails(), mail.outbox) == (0, [])


def test_a_mail_that_came_back_late_is_marked_and_sent_again_to_the_corrected_address(post: Post) -> None:
    entry, token = post.enter("Anna", "ana@example.ch")
    entry_mails.send_mails()

    entry_mails.mark_returned(entry, actor=post.fredi)
    assert post.states() == [("entered", "failed")]
    assert Entry.objects.annotate(failed=entry_mails.failed_of()).get(pk=entry.pk).failed
    edit_entry(entry, actor=post.fredi, email="anna@example.ch")
    for _double_press in range(2):
        entry_mails.send_again(entry, actor=post.fredi)
    entry_mails.send_mails()

    assert [one.to for one in mail.outbox] == [["ana@example.ch"], ["anna@example.ch"]]
    assert f"/me/{token}/" in mail.outbox[1].body, "the link is the same one"
    assert post.states() == [("entered", "failed"), ("entered", "sent")]
    assert not Entry.objects.annotate(failed=entry_mails.failed_of()).get(pk=entry.pk).failed


def test_nothing_is_sent_again_without_an_address_and_nothing_comes_back_that_was_not_sent(
    post: Post, eva: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry, _token = post.enter("Anna", "")
    for act in (entry_mails.send_again, entry_mails.mark_returned):
        with pytest.raises(TournamentError) as refused:
            act(entry, actor=post.fredi)
        assert refused.value.code == "entries/no_mail"
        with pytest.raises(NotAllowed):
            act(entry, actor=eva)
    edit_entry(entry, actor=post.fredi, email="anna@example.ch")
    settings.LIMITS = True
    budget = Budget(f"mails-of-this-test-{timezone.now().timestamp()}", most=1, seconds=600)
    monkeypatch.setattr(entry_mails, "ADDRESS_BUDGET", budget)
    entry_mails.send_again(entry, actor=post.fredi)
    entry_mails.send_mails()
    with pytest.raises(TournamentError) as refused:
        entry_mails.send_again(entry, actor=post.fredi)
    assert refused.value.code == "entries/too_many_mails"
    assert post.states() == [("entered", "sent")], "nothing is half done"
