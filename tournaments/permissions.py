"""Permissions of officials in a championship, for services, pages and the API.

An actor is a user, or None for the server itself (a deadline, a person's own page).
"""

from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext_lazy as _

from games.models import User
from tournaments.errors import NotAllowed
from tournaments.models import Championship, Entry, Official

Actor = User | None

_DIRECTOR: Final = frozenset({Official.Role.DIRECTOR})
_DESK: Final = frozenset({Official.Role.DIRECTOR, Official.Role.DESK})
_REFEREE: Final = frozenset({Official.Role.REFEREE})
_ALL: Final = frozenset(Official.Role)

ACTIONS: Final[dict[str, frozenset[Official.Role]]] = {
    "edit": _DIRECTOR,
    "appoint": _DIRECTOR,
    "enter": _DESK,
    "reseat": _DESK | _REFEREE,
    "import": _DESK,
    "draw": _DIRECTOR,
    "open": _DIRECTOR,
    "close": _DIRECTOR,
    "rule": _REFEREE,
    "rule_alone": frozenset({Official.Role.DIRECTOR, Official.Role.REFEREE}),
    "correct": _ALL,
    "correct_confirmed": frozenset({Official.Role.DIRECTOR, Official.Role.REFEREE}),
    "look": frozenset({Official.Role.DIRECTOR, Official.Role.REFEREE}),
    "audit": frozenset({Official.Role.DIRECTOR, Official.Role.REFEREE}),
    "board": _ALL,
    "export_entries": _DESK,
    "prizes": _DIRECTOR,
    "cash": _DESK,
}
"""Roles that may do an action, by action. `rule_alone`: ruling when no referee is available for a table."""


def roles_of(user: User | AnonymousUser | None, championship: Championship) -> frozenset[str]:
    """Return the roles of a user in a championship."""
    if user is None or not user.is_authenticated:
        return frozenset()
    return frozenset(championship.officials.filter(user_id=user.pk).values_list("role", flat=True))


def may(user: User | AnonymousUser | None, action: str, championship: Championship) -> bool:
    """Return whether this user may do an action. `action`: a key of ACTIONS."""
    return bool(ACTIONS[action] & roles_of(user, championship))


def require(actor: Actor, action: str, championship: Championship) -> str:
    """Raise NotAllowed unless the actor may do `action`, a key of ACTIONS.

    Returns the actor's reference in the streams of the championship; "server" for None.
    """
    if actor is None:
        return "server"
    ref = (
        Official.objects.filter(championship=championship, user=actor, role__in=ACTIONS[action])
        .values_list("ref", flat=True)
        .first()
    )
    if ref is None:
        raise NotAllowed(
            "tournaments/not_allowed", _("You may not do that in this championship."), action=action
        )
    return ref


def member_ref(actor: Actor, championship: Championship) -> str:
    """Return the actor's reference in this championship: of their office, otherwise of their entry.

    Returns "server" for None. Raises NotAllowed if they have neither.
    """
    if actor is None:
        return "server"
    office = Official.objects.filter(championship=championship, user=actor).values_list("ref", flat=True)
    entry = Entry.objects.filter(championship=championship, user=actor).values_list("player_ref", flat=True)
    found = office.first() or entry.first()
    if found is None:
        raise NotAllowed("tournaments/not_taking_part", _("You do not take part in this championship."))
    return found
