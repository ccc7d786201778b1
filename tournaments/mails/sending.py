"""Sending due mails, each by one worker only; further attempts; the answers of the mail server."""

import smtplib
from collections.abc import Callable, Collection, Sequence
from datetime import timedelta
from typing import Final, NamedTuple, TypeVar

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import QuerySet
from django.utils import timezone

from games.messaging import task_queue
from tournaments.models import AccountMail, EntryMail

LEASE: Final = timedelta(minutes=5)
"""Time after which a mail whose worker has died is sent again."""
BATCH: Final = 20
REFUSED_FROM: Final = 500
"""Lowest code with which a mail server refuses permanently (RFC 5321)."""

M = TypeVar("M", EntryMail, AccountMail)


class MailWords(NamedTuple):
    """The texts of a mail, in the language of the person."""

    subject: str
    body: str


def has_mail_server() -> bool:
    """Return whether a mail server is configured."""
    return bool(settings.MAIL_FROM)


def send_due_mails(
    list_mails: Callable[[], "QuerySet[M]"], beside: Collection[str], send: Callable[[M], bool], task: str
) -> int:
    """Send at most BATCH of the mails of `list_mails`, each by one worker only; return how many were sent.

    `beside`: relations to load with the mails. `send`: sends one mail and returns whether it was accepted.
    `task`: name of the task that is queued again if more mails are due.
    """
    sent = 0
    for mail in list(list_mails().select_related(*beside)[:BATCH]):
        same = list_mails().order_by().filter(pk=mail.pk, due_at=mail.due_at)
        if same.update(due_at=timezone.now() + LEASE, tries=mail.tries + 1):
            mail.tries += 1
            sent += send(mail)
    if list_mails().exists():
        task_queue.send(task)
    return sent


def send_or_postpone(
    mail: EntryMail | AccountMail,
    words: Callable[[], MailWords],
    address: str,
    *,
    waits: Sequence[int],
    give_up: Callable[[Exception], None],
) -> bool:
    """Send one mail with these texts to `address`, and return whether it was accepted. Otherwise schedule the
    next attempt, or call `give_up` if the server has refused the mail or no attempt is left.

    `waits`: seconds before each further attempt.
    """
    try:
        subject, body = words()
        EmailMessage(subject, body, settings.MAIL_FROM, [address]).send()
    except (smtplib.SMTPException, OSError, ValueError) as error:
        if is_refused(error) or mail.tries > len(waits):
            give_up(error)
        else:
            due = timezone.now() + timedelta(seconds=waits[mail.tries - 1])
            type(mail).objects.filter(pk=mail.pk).update(due_at=due)
        return False
    return True


def is_refused(error: Exception) -> bool:
    """Return whether the mail server has refused the mail permanently, or the mail is invalid."""
    answers = list_answers(error)
    return isinstance(error, ValueError) or (bool(answers) and min(answers) >= REFUSED_FROM)


def list_answers(error: Exception) -> list[int]:
    """Return the reply codes of the mail server in an error; empty if the server has not answered."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return [code for code, _sentence in error.recipients.values()]
    if isinstance(error, smtplib.SMTPResponseException):
        return [error.smtp_code]
    return []
