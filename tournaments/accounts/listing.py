"""The accounts of an installation for its owner: search, lock, unlock and delete."""

import structlog
from allauth.mfa.models import Authenticator
from django.db.models import Exists, F, Max, OuterRef, Prefetch, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from games.models import User
from tournaments import personal_data
from tournaments.accounts import invitations, signed_in
from tournaments.errors import TournamentError
from tournaments.models import Championship, Official

log = structlog.get_logger(__name__)


def find_accounts(query: str) -> QuerySet[User]:
    """Return the accounts whose names contain each of the query's first five words, the last used first,
    without erased ones.

    Attributes: `seen_at`, the time of the last use, exact to some minutes; `factor`, whether signing in needs
    a second factor; `current_offices`, the offices in unfinished championships.
    """
    found = User.objects.exclude(personal_data.IS_ERASED)
    for word in query.split()[:5]:
        found = found.filter(
            Q(username__icontains=word) | Q(first_name__icontains=word) | Q(last_name__icontains=word)
        )
    offices = Official.objects.exclude(championship__status=Championship.Status.FINISHED)
    return (
        found.annotate(
            seen_at=Coalesce(Max("signed_in_sessions__seen_at"), "last_login"),
            factor=Exists(Authenticator.objects.filter(user=OuterRef("pk"))),
        )
        .prefetch_related(
            Prefetch("offices", offices.select_related("championship").order_by("pk"), "current_offices")
        )
        .order_by(F("seen_at").desc(nulls_last=True), "username")
    )


def set_locked(user: User, *, locked: bool, actor: User) -> None:
    """Lock an account, which ends its sessions at once, or unlock it.

    Raises NotAllowed, TournamentError `accounts/own`, `accounts/erased`.
    """
    _require_other(user, actor)
    User.objects.filter(pk=user.pk).update(is_active=not locked)
    if locked:
        signed_in.end_sessions(user)
    log.warning("account_locked" if locked else "account_unlocked", user=user.pk, by=actor.pk)


def set_may_found(user: User, *, may_found: bool, actor: User) -> None:
    """Decide whether the account may start championships.

    Raises NotAllowed, TournamentError `accounts/erased`.
    """
    invitations.require_owner(actor)
    personal_data.require_not_erased(user)
    User.objects.filter(pk=user.pk).update(may_found=may_found)


def delete_account(user: User, *, actor: User) -> None:
    """Delete an account, and erase the data of its person. Games, rankings and seals stay, without the name.

    Raises NotAllowed, TournamentError `accounts/own`, `accounts/erased`, and the errors of
    `personal_data.erase_data`.
    """
    _require_other(user, actor)
    personal_data.erase_data(personal_data.load_user_subject(user))
    log.warning("account_deleted", user=user.pk, by=actor.pk)


def _require_other(user: User, actor: User) -> None:
    """Raise TournamentError for the actor's own account and for erased accounts.

    The installation thus keeps an owner.
    """
    invitations.require_owner(actor)
    if user.pk == actor.pk:
        raise TournamentError("accounts/own", _("This is your own account: another owner must do that."))
    personal_data.require_not_erased(user)
