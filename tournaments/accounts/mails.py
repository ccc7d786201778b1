"""The mail address of an account, and mails about accounts: confirmations and changes of an address, links
for a new password.

Without a mail server in the settings no mail is sent. A mail is a row that a worker sends after the commit;
the periodic sweep retries while the server cannot be reached. The account is looked up only after the
response, so neither text nor time of the response reveals whether the account exists.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

import structlog
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from games.messaging import task_queue
from games.messaging.rate_limit import Budget
from games.models import User
from games.rights.tokens import hash_token
from tournaments.accounts import resets
from tournaments.errors import TournamentError
from tournaments.mails import sending
from tournaments.mails.sending import MailWords
from tournaments.models import AccountMail

SEND_TASK: Final = "tournaments.account_mail"
"""Name of the sending task."""
RESETS_OF_ACCOUNT: Final = Budget("reset-mails", most=10, seconds=86_400)
CONFIRMATIONS_OF_ACCOUNT: Final = Budget("confirmation-mails", most=10, seconds=86_400)
CONFIRMATIONS_OF_ADDRESS: Final = Budget("confirmed-address", most=6, seconds=86_400)
"""Limit of confirmation mails, so that nobody can flood a stranger's address."""
WAITS: Final = (60, 300, 1800)
"""Seconds before each retry of a mail. After the last retry the mail is given up."""

log = structlog.get_logger(__name__)

Words = Callable[[AccountMail, str], MailWords]
_words: list[Words] = []


def register_account_mail_words(words: Words) -> None:
    """Register the frontend's function that writes the text of a mail. The function gets the token of the
    link.
    """
    _words[:] = [words]


def find_confirmed_address(user: User) -> EmailAddress | None:
    """Return the confirmed address of an account; None if the account has none."""
    return EmailAddress.objects.filter(user=user, verified=True).first()


def find_unconfirmed_address(user: User) -> EmailAddress | None:
    """Return the latest stated address that is not confirmed yet; None if the account has none."""
    return EmailAddress.objects.filter(user=user, verified=False).order_by("-pk").first()


def ask_reset(typed: str) -> None:
    """Queue a request to mail a link for a new password. `typed`: name or address of an account."""
    if sending.has_mail_server():
        _write(AccountMail.Kind.RESET, typed)


def state_address(user: User, address: str) -> bool:
    """Store an address that the person has stated, and mail a link that confirms it. The confirmed address
    stays valid until the person opens the link; other unconfirmed ones are deleted.

    Returns False if the account has confirmed the address already. Raises TournamentError
    `accounts/too_many_mails`.
    """
    address = address.lower()
    digest = hash_token(address)
    if CONFIRMATIONS_OF_ACCOUNT.spend(user.pk) or CONFIRMATIONS_OF_ADDRESS.spend(digest):
        raise TournamentError(
            "accounts/too_many_mails", _("Too many mails to this address or for you: try again tomorrow.")
        )
    with transaction.atomic():
        EmailAddress.objects.filter(user=user, verified=False).exclude(email=address).delete()
        stated, _new = EmailAddress.objects.get_or_create(user=user, email=address)
        if not stated.verified:
            _write(AccountMail.Kind.CONFIRM, address, user)
    return not stated.verified


def find_unconfirmed(key: str) -> EmailAddress | None:
    """Find the unconfirmed address to which a link belongs. None if there is none, or if the account is
    locked.
    """
    found = EmailConfirmationHMAC.from_key(key)
    if found is None or not found.email_address.user.is_active:
        return None
    address: EmailAddress = found.email_address
    return address


def confirm_address(address: EmailAddress) -> None:
    """Make a stated address the only one of its account, notify the previous one, and end mailed resets.

    Raises TournamentError `accounts/address_taken` if another account has confirmed it.
    """
    try:
        with transaction.atomic():
            if not address.set_verified():
                raise IntegrityError
            _forget_others(address.user, address.pk)
            address.set_as_primary()
            resets.end_mailed(address.user)
    except IntegrityError:
        raise TournamentError(
            "accounts/address_taken", _("Another account has this address: enter a different one.")
        ) from None
    log.warning("address_confirmed", user=address.user.pk)


def remove_address(user: User) -> None:
    """Delete the addresses of an account, mail a notice to the confirmed one, and end mailed resets."""
    with transaction.atomic():
        _forget_others(user)
        User.objects.filter(pk=user.pk).update(email="")
        resets.end_mailed(user)
    log.warning("address_removed", user=user.pk)


def _forget_others(user: User, but: int | None = None) -> None:
    found = EmailAddress.objects.filter(user=user).exclude(pk=but)
    for address in found.filter(verified=True):
        _write(AccountMail.Kind.CHANGED, address.email, user)
    found.delete()


def _write(kind: AccountMail.Kind, asked: str, user: User | None = None) -> None:
    language = translation.get_language() or settings.LANGUAGE_CODE
    AccountMail.objects.create(kind=kind, asked=asked, user=user, language=language, due_at=timezone.now())
    transaction.on_commit(lambda: task_queue.send(SEND_TASK), robust=True)


def list_due_account_mails() -> "QuerySet[AccountMail]":
    """Return the mails that are due; none if no mail server is set."""
    found = AccountMail.objects.filter(due_at__lte=timezone.now()).order_by("due_at", "pk")
    return found if sending.has_mail_server() else found.none()


def send_account_mails() -> int:
    """Send the mails about accounts that are due; return how many the mail server accepted."""
    return sending.send_due_mails(list_due_account_mails, ["user"], _send, SEND_TASK)


def _send(mail: AccountMail) -> bool:
    address, token = _address_and_token(mail)
    if not address:
        mail.delete()
        return False

    def give_up(error: Exception) -> None:
        """Delete the mail. The log does not contain the address."""
        log.warning("accounts/mail_failed", mail=mail.pk, error=type(error).__name__)
        AccountMail.objects.filter(pk=mail.pk).delete()

    words = partial(_words[0], mail, token)
    if not sending.send_or_postpone(mail, words, address, waits=WAITS, give_up=give_up):
        return False
    if mail.kind == AccountMail.Kind.RESET:
        confirmed = _find_confirmed(mail.asked)  # the address may have changed while a slow server took it
        if confirmed is not None and confirmed.email == address:
            resets.open_mailed_reset(confirmed.user, token)
    mail.delete()
    return True


def _address_and_token(mail: AccountMail) -> tuple[str, str]:
    """Return the recipient's address ("": send no mail) and the token of the link. Sets `mail.user` for a new
    password.
    """
    if mail.kind == AccountMail.Kind.CHANGED:
        return mail.asked, ""
    if mail.kind == AccountMail.Kind.CONFIRM:
        stated = EmailAddress.objects.filter(user=mail.user, email=mail.asked, verified=False).first()
        return ("", "") if stated is None else (stated.email, EmailConfirmationHMAC(stated).key)
    address = _find_confirmed(mail.asked)
    if address is None or (mail.tries == 1 and RESETS_OF_ACCOUNT.spend(address.user.pk)):
        return "", ""
    mail.user = address.user
    return address.email, resets.make_token()


def _find_confirmed(typed: str) -> EmailAddress | None:
    """Find a confirmed address by the name of its account, or by the address itself."""
    known = EmailAddress.objects.filter(verified=True, user__is_active=True).select_related("user")
    name = User.normalize_username(typed)
    return known.filter(user__username=name).first() or known.filter(email=typed.lower()).first()
