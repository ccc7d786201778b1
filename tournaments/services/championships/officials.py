"""Appointing and dismissing the officials of a championship, with their access to tables."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.models import User
from tournaments.errors import TournamentError
from tournaments.models import Championship, Official
from tournaments.permissions import Actor
from tournaments.services import locks
from tournaments.services.seats import table_rights


def appoint(championship: Championship, user: User, role: str, *, actor: Actor) -> Official:
    """Give a user an office (`role`: one of `Official.Role`), with access to tables. Idempotent."""
    with locks.for_official(championship, actor, "appoint"):
        official, _created = Official.objects.get_or_create(
            championship=championship, user=user, role=Official.Role(role)
        )
        table_rights.grant_official(official)
    return official


def dismiss(championship: Championship, user: User, role: str, *, actor: Actor) -> None:
    """Take an office (`role`) from a user. Raises TournamentError `officials/last_director` for the last
    director.
    """
    with locks.locked_for(championship, actor, "appoint"):
        _dismiss(championship, user, role)


def resign(championship: Championship, *, actor: User) -> None:
    """Give up all offices of the actor.

    Raises TournamentError `officials/last_director` if the actor is the only director.
    """
    with transaction.atomic():
        locks.lock_championship(championship.pk)
        for role in championship.officials.filter(user=actor).values_list("role", flat=True):
            _dismiss(championship, actor, role)


def _dismiss(championship: Championship, user: User, role: str) -> None:
    with transaction.atomic():
        locks.lock_championship(championship.pk)
        offices = championship.officials.filter(role=Official.Role(role))
        if role == Official.Role.DIRECTOR and not offices.exclude(user=user).exists():
            raise TournamentError(
                "officials/last_director", _("A championship needs a director: appoint another one first.")
            )
        for official in offices.filter(user=user):
            table_rights.revoke_official(official)
            official.delete()
        for office_left in championship.officials.filter(user=user):
            table_rights.grant_official(office_left)
