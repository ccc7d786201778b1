"""Invitations: one-time links that offer an office, the account of an entry, or only an account.

The link is printed or sent by any messenger; without a mail server invitations are the only way to an
account. The database stores the hash of the link's token. A link works once: one transaction marks it as used
and gives the office. It becomes invalid when its maker loses the right to make it.
"""

import secrets
from datetime import timedelta
from typing import Final, NamedTuple

import structlog
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import User
from games.rights.tokens import hash_token
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Entry, Invitation, Official
from tournaments.permissions import Actor, may
from tournaments.services import locks
from tournaments.services.championships import officials
from tournaments.services.entries import entries

TOKEN_BYTES: Final = 18
INVITATION_LIFETIME: Final = timedelta(days=14)
MAX_OPEN: Final = 200
"""Number of open offers of an office in a championship at which no further one is made."""

log = structlog.get_logger(__name__)


class Made(NamedTuple):
    """A new invitation with the token of its link, which is shown once."""

    invitation: Invitation
    token: str


def offer_office(
    championship: Championship, role: str, *, actor: Actor, name: str = "", user: User | None = None
) -> Made:
    """Offer an office in a championship to anyone with the link, or only to `user`.

    An earlier offer of this office to `user` is deleted. `name`: a note on the invitation. Raises NotAllowed,
    TournamentError `championship/archived`, `invitation/too_many`.
    """
    with locks.locked_for(championship, actor, "appoint") as locked:
        offers = open_invitations(locked).exclude(role="")
        if user is not None:
            offers.filter(user=user, role=role).delete()
        if offers.count() >= MAX_OPEN:
            raise TournamentError(
                "invitation/too_many", _("There are too many open invitations: revoke some.")
            )
        return _store(championship=locked, role=Official.Role(role), name=name, made_by=actor, user=user)


def offer_seat(entry: Entry, *, actor: Actor) -> Made:
    """Offer an account for an entry. An earlier invitation for the entry becomes invalid.

    Raises NotAllowed, TournamentError `championship/archived`.
    """
    with locks.locked_for(entry.championship, actor, "enter") as locked:
        open_invitations(locked).filter(entry=entry).delete()
        return _store(championship=locked, entry=entry, name=entry.name[:80], made_by=actor)


def offer_account(*, actor: User, name: str = "", may_found: bool = False) -> Made:
    """Offer an account without an office. `may_found`: the account may start championships.

    Raises NotAllowed if the actor is no owner of the installation.
    """
    require_owner(actor)
    return _store(name=name, may_found=may_found, made_by=actor)


def require_owner(actor: User) -> None:
    """Raise NotAllowed `accounts/not_owner` unless the actor owns the installation."""
    if not (actor.is_active and actor.is_superuser):
        raise NotAllowed("accounts/not_owner", _("Only an owner of the installation may do that."))


def _store(**more: object) -> Made:
    token = secrets.token_urlsafe(TOKEN_BYTES)
    expires = timezone.now() + INVITATION_LIFETIME
    invitation = Invitation.objects.create(digest=hash_token(token), expires_at=expires, **more)
    return Made(invitation, token)


def open_invitations(championship: Championship | None) -> QuerySet[Invitation]:
    """Return the invitations of a championship that are neither used nor expired.

    None as championship: the invitations that offer only an account.
    """
    return Invitation.objects.filter(_open(), championship=championship)


def _open() -> Q:
    return Q(used_at=None, expires_at__gt=timezone.now())


def find_invitation(token: str) -> Invitation | None:
    """Find the open invitation of a link. Returns None if there is none, its maker has lost the right to make
    it, or its entry has an account.
    """
    related = ("championship", "entry__championship", "made_by", "user")
    found = Invitation.objects.filter(_open(), digest=hash_token(token)).select_related(*related).first()
    return found if found is not None and _is_backed(found) else None


def offers_to(user: User) -> list[Invitation]:
    """List the valid invitations that name this account."""
    found = Invitation.objects.filter(_open(), user=user).select_related("championship", "made_by")
    return [one for one in found if _is_backed(one)]


def _is_backed(invitation: Invitation) -> bool:
    """Return whether the maker still has the right to make the invitation, and its entry has no
    account yet.
    """
    maker, entry = invitation.made_by, invitation.entry
    if maker is None or not maker.is_active or (entry is not None and entry.user_id is not None):
        return False
    if invitation.championship is None:
        return maker.is_superuser
    return may(maker, "appoint" if invitation.role else "enter", invitation.championship)


def accept(invitation: Invitation, user: User) -> None:
    """Accept an invitation as `user`. The maker of the invitation counts as the giver of the office; their
    present rights are checked.

    Raises TournamentError `invitation/over` if the invitation is for another account or `find_invitation` no
    longer finds it; NotAllowed; and the errors of `entries.link_account`.
    """
    if invitation.user_id not in (None, user.pk):
        raise _over_error()
    with transaction.atomic():
        if invitation.championship is not None:
            locks.lock_championship(invitation.championship.pk)
        now, maker = timezone.now(), invitation.made_by
        # One statement takes it, so that of two at once one succeeds.
        taken = Invitation.objects.filter(_open(), pk=invitation.pk).update(used_at=now, used_by=user)
        if not taken or maker is None or not _is_backed(invitation):  # an actor None would be the server
            raise _over_error()
        if invitation.may_found:
            User.objects.filter(pk=user.pk).update(may_found=True)
        if invitation.championship is not None and invitation.role:
            officials.appoint(invitation.championship, user, invitation.role, actor=maker)
        elif invitation.entry is not None:
            entries.link_account(invitation.entry, user, actor=maker)
    log.info("invitation_accepted", invitation=invitation.pk, user=user.pk)


def _over_error() -> TournamentError:
    return TournamentError("invitation/over", _("This invitation was used or has expired. Ask for another."))


def decline_offer(invitation_id: int, user: User) -> bool:
    """Delete an open invitation that names this account. Returns False if there is no such invitation."""
    return bool(Invitation.objects.filter(_open(), pk=invitation_id, user=user).delete()[0])


def withdraw_account(invitation_id: int, *, actor: User) -> bool:
    """Withdraw an open invitation that offers only an account. Returns False if there is none.

    Raises NotAllowed if the actor is no owner of the installation.
    """
    require_owner(actor)
    withdrawn = bool(open_invitations(None).filter(pk=invitation_id).delete()[0])
    if withdrawn:
        log.info("invitation_withdrawn", invitation=invitation_id, by=actor.pk)
    return withdrawn


def withdraw(championship: Championship, invitation_id: int, *, actor: Actor) -> bool:
    """Withdraw an open invitation of a championship. Returns False if there is none.

    Raises NotAllowed, TournamentError `championship/archived`.
    """
    locks.require_official_unlocked(championship, actor, "appoint")
    return bool(open_invitations(championship).filter(pk=invitation_id).delete()[0])
