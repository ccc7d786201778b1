"""Mails to people who have entered: the confirmation with their link, and a message when they get a place.

No mail is written if the settings have no mail server. A mail is a row. A worker sends it after the commit,
and the sweep sends it again if the server could not be reached. If a server refuses a mail, or the desk
reports that it came back, the mail is marked for the desk, which corrects the address and sends it again; the
entry stays. The texts contain nothing that a person typed when entering, so strangers cannot send messages to
others.
"""

import logging
import smtplib
from collections.abc import Callable
from datetime import timedelta
from hashlib import blake2b
from typing import Final

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.messaging import task_queue
from games.messaging.rate_limit import Budget
from tournaments.errors import TournamentError
from tournaments.mails.sending import MailWords, has_mail_server, is_refused, list_answers, send_due_mails
from tournaments.models import Entry, EntryMail, OwnPage
from tournaments.permissions import Actor
from tournaments.services import locks

SEND_TASK: Final = "tournaments.mail"
"""Name of the task that sends the mails."""
ADDRESS_BUDGET: Final = Budget("entry-mail", most=6, seconds=86_400)
"""Budget of confirmations for each mail address. A family may share one address."""
SETTLES: Final = timedelta(seconds=60)
"""Delay before the message about a place is sent. Meanwhile the desk may put the person back on the list."""
WAITS: Final = (60, 300, 1800, 7200, 21_600)
"""Seconds before each further attempt. After the last attempt the mail has failed."""

log = logging.getLogger(__name__)
_words: list[Callable[[EntryMail], MailWords]] = []


def register_mail_words(words: Callable[[EntryMail], MailWords]) -> None:
    """Register the function of the frontend that writes the texts of mails."""
    _words[:] = [words]


def write_mail(entry: Entry, kind: str) -> EntryMail | None:
    """Write a mail of this kind (of `EntryMail.Kind`), to be sent after the commit, and return it.

    None without a mail server, an address or an own page. A mail of this kind that still waits is returned
    instead. A confirmation beyond ADDRESS_BUDGET is stored as failed.
    """
    if not (has_mail_server() and entry.email and OwnPage.objects.filter(entry=entry).exists()):
        return None
    waiting = EntryMail.objects.filter(entry=entry, kind=kind, state=EntryMail.State.WAITING).first()
    if waiting is not None:
        return waiting
    confirms = kind == EntryMail.Kind.ENTERED
    address = blake2b(entry.email.casefold().encode(), digest_size=12).hexdigest()
    held_up = confirms and ADDRESS_BUDGET.spend(address) > 0
    mail = EntryMail.objects.create(
        entry=entry,
        kind=kind,
        state=EntryMail.State.FAILED if held_up else EntryMail.State.WAITING,
        due_at=timezone.now() if confirms else timezone.now() + SETTLES,
    )
    transaction.on_commit(lambda: task_queue.send(SEND_TASK), robust=True)
    return mail


def send_again(entry: Entry, *, actor: Actor) -> EntryMail:
    """Send the person's link once more, to the present address of the entry.

    Raises TournamentError `entries/no_mail` without a mail server, an address or a link,
    `entries/too_many_mails` if the address has received the most mails allowed in a day.
    """
    entry = entry.start_of or entry
    with locks.locked_for(entry.championship, actor, "enter"):
        mail = write_mail(entry, EntryMail.Kind.ENTERED)
        if mail is None:
            raise TournamentError("entries/no_mail", _("There is no address yet, or no link: make one."))
        if mail.state == EntryMail.State.FAILED:
            raise TournamentError(
                "entries/too_many_mails",
                _("This address has reached its daily limit of mails: try again tomorrow."),
            )
    return mail


def mark_returned(entry: Entry, *, actor: Actor) -> None:
    """Mark the newest mail as not delivered: the mail server accepted it, but it came back.

    Raises TournamentError `entries/no_mail` if the newest mail was not sent, or there is none.
    """
    entry = entry.start_of or entry
    with locks.locked_for(entry.championship, actor, "enter"):
        newest = load_latest_mail(entry)
        if newest is None or newest.state != EntryMail.State.SENT:
            raise TournamentError("entries/no_mail", _("No mail was sent."))
        EntryMail.objects.filter(pk=newest.pk).update(state=EntryMail.State.FAILED)


def load_latest_mail(entry: Entry) -> EntryMail | None:
    """Return the newest mail to the person of an entry, None if there is none."""
    return EntryMail.objects.filter(entry=entry.start_of or entry).order_by("-pk").first()


def list_due() -> "QuerySet[EntryMail]":
    """Return the mails that are due now, none without a mail server."""
    found = EntryMail.objects.filter(state=EntryMail.State.WAITING, due_at__lte=timezone.now())
    return found.order_by("due_at", "pk") if has_mail_server() else found.none()


def failed_of() -> Exists:
    """Return an expression for queries of entries: whether the newest mail to the entry has failed."""
    failed = EntryMail.objects.filter(entry=OuterRef("pk"), state=EntryMail.State.FAILED)
    later = EntryMail.objects.filter(entry=OuterRef("entry"), pk__gt=OuterRef("pk"))
    return Exists(failed.exclude(Exists(later)))


def send_mails() -> int:
    """Send at most `sending.BATCH` due mails; return how many the mail server accepted."""
    return send_due_mails(list_due, ("entry__championship", "entry__own_page"), _send, SEND_TASK)


def _send(mail: EntryMail) -> bool:
    if not _is_still_true(mail):
        mail.delete()
        return False
    try:
        words = _words[0](mail)
        EmailMessage(words.subject, words.body, settings.MAIL_FROM, [mail.entry.email]).send()
    except (smtplib.SMTPException, OSError, ValueError) as error:
        _record_failure(mail, error)
        return False
    EntryMail.objects.filter(pk=mail.pk).update(state=EntryMail.State.SENT, due_at=timezone.now())
    return True


def _is_still_true(mail: EntryMail) -> bool:
    moved_up = mail.kind != EntryMail.Kind.MOVED_UP or mail.entry.status != Entry.Status.WITHDRAWN
    return moved_up and bool(mail.entry.email) and mail.entry.championship.archived_at is None


def _record_failure(mail: EntryMail, error: Exception) -> None:
    """Schedule the next attempt, or mark the mail as failed. The mail address is not written to the log."""
    answers = list_answers(error)
    if is_refused(error) or mail.tries > len(WAITS):
        log.warning("entries/mail_failed: mail %s (%s %s)", mail.pk, type(error).__name__, answers)
        EntryMail.objects.filter(pk=mail.pk).update(state=EntryMail.State.FAILED)
    else:
        due = timezone.now() + timedelta(seconds=WAITS[mail.tries - 1])
        EntryMail.objects.filter(pk=mail.pk).update(due_at=due)
