"""Resets: one-time links with which a person sets a new password. An owner of the installation makes a reset,
or the platform mails it to the confirmed address of the account.

The reset is logged, and shown to the person at their next sign-in. The second factor stays: the link alone
gives no access to an account that has one.
"""

import secrets
from datetime import timedelta
from typing import Final

import structlog
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import User
from games.rights.tokens import hash_token
from tournaments import personal_data
from tournaments.accounts import invitations, signed_in
from tournaments.errors import TournamentError
from tournaments.models import PasswordReset

TOKEN_BYTES: Final = 18
RESET_LINK_LIFETIME: Final = timedelta(hours=24)
MAILED_LINK_LIFETIME: Final = timedelta(hours=1)
"""Validity of a mailed link. Mail servers that delay mail of unknown senders take up to half an hour."""

log = structlog.get_logger(__name__)


def make_reset(user: User, *, actor: User) -> str:
    """Make a link for this account and return its token. An earlier link becomes invalid.

    Raises NotAllowed, TournamentError `accounts/erased`.
    """
    invitations.require_owner(actor)
    personal_data.require_not_erased(user)
    token = make_token()
    with transaction.atomic():
        now = timezone.now()
        PasswordReset.objects.filter(user=user, used_at=None, expires_at__gt=now).update(expires_at=now)
        PasswordReset.objects.create(
            digest=hash_token(token), user=user, made_by=actor, expires_at=now + RESET_LINK_LIFETIME
        )
    log.warning("password_reset_made", user=user.pk, by=actor.pk)
    return token


def make_token() -> str:
    """Make the random token of a link."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def open_mailed_reset(user: User, token: str) -> None:
    """Make the mailed link for a new password valid. Call it only after the mail was sent.

    An earlier mailed link becomes invalid. Links made by owners stay valid, because anybody may request a
    mail.
    """
    with transaction.atomic():
        end_mailed(user)
        PasswordReset.objects.create(
            digest=hash_token(token),
            user=user,
            by_mail=True,
            expires_at=timezone.now() + MAILED_LINK_LIFETIME,
        )
    log.warning("password_reset_mailed", user=user.pk)


def end_mailed(user: User) -> None:
    """Invalidate the open mailed links of an account, because its password or its address has changed."""
    now = timezone.now()
    PasswordReset.objects.filter(user=user, by_mail=True, used_at=None, expires_at__gt=now).update(
        expires_at=now
    )


def find_reset(token: str) -> PasswordReset | None:
    """Find the open reset to which a link belongs. None if there is none, or if the account is locked."""
    open_ones = PasswordReset.objects.filter(used_at=None, expires_at__gt=timezone.now())
    found = open_ones.filter(digest=hash_token(token), user__is_active=True)
    return found.select_related("user").first()


def use_reset(reset: PasswordReset, password: str) -> None:
    """Set the new password, and end all sessions of the account. The reset is used up.

    Raises TournamentError `reset/over` if the link was used or has ended meanwhile, or the account is locked.
    """
    with transaction.atomic():
        now = timezone.now()
        open_ones = PasswordReset.objects.filter(
            pk=reset.pk, used_at=None, expires_at__gt=now, user__is_active=True
        )
        if not open_ones.update(used_at=now):
            raise TournamentError("reset/over", _("This link was used or has expired. Ask for another."))
        user = reset.user
        user.set_password(password)
        user.save(update_fields=["password"])
        end_mailed(user)
        signed_in.end_sessions(user)
    log.warning("password_reset_used", user=user.pk)


def take_unseen_resets(user: User) -> list[PasswordReset]:
    """Return the resets that the person has not been shown yet, and mark them as shown."""
    found = list(
        PasswordReset.objects.filter(user=user, told_at=None).select_related("made_by").order_by("pk")
    )
    if found:
        PasswordReset.objects.filter(pk__in=[one.pk for one in found]).update(told_at=timezone.now())
    return found
