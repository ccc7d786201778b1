"""Self-registration by a link that the desk has sent: names only, no account.

Such an entry is like one made by the desk, neither paid nor present.
"""

import hmac
import secrets
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.errors import TooMuch
from games.messaging.rate_limit import Budget
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry
from tournaments.permissions import Actor
from tournaments.services import locks
from tournaments.services.entries import entries

ADDRESS_BUDGET: Final = Budget("entry-link-address", most=60, seconds=600)
"""Allows a club to enter its members from one network address."""
LINK_BUDGET: Final = Budget("entry-link", most=400, seconds=3600)
LINK_BYTES: Final = 12
"""Random bytes of a link, so that it cannot be guessed."""


def set_link(championship: Championship, *, on: bool, actor: Actor) -> str:
    """Create a new link that replaces an existing one, or end it (""). Raises NotAllowed, TournamentError
    `championship/archived`, `entries/finished`."""
    with transaction.atomic():
        locked = locks.require_official(championship, actor, "enter")
        if on and locked.status == Championship.Status.FINISHED:
            raise _finished_error()
        locked.entry_link = secrets.token_urlsafe(LINK_BYTES) if on else ""
        locked.save(update_fields=["entry_link"])
    championship.entry_link = locked.entry_link
    return locked.entry_link


def find_by_link(slug: str, link: str) -> Championship | None:
    """Find the championship of a link; None if the link is unknown or has ended."""
    found = Championship.objects.filter(slug=slug).exclude(entry_link="").first()
    return found if found is not None and hmac.compare_digest(found.entry_link, link) else None


def enter_by_link(championship: Championship, link: str, network: str, new: entries.NewEntry) -> Entry:
    """Enter a person by the link; `network`: their address.

    Raises TournamentError `entries/link_ended`, `entries/finished` and what `entries.add_all` raises, TooMuch
    `entries/too_many_by_link`.
    """
    if seconds := ADDRESS_BUDGET.spend(network) or LINK_BUDGET.spend(championship.pk):
        raise TooMuch(
            "too many entries came by this link", code="entries/too_many_by_link", minutes=-(-seconds // 60)
        )
    with transaction.atomic():
        locked = locks.lock_writable(championship.pk)
        if locked.entry_link != link:
            raise TournamentError("entries/link_ended", _("This link has ended. Ask the organiser."))
        if locked.status == Championship.Status.FINISHED:
            raise _finished_error()
        named = entries.NewEntry(
            family_name=new.family_name,
            first_name=new.first_name,
            club=new.club,
            team=new.team,
            consents=new.consents,
        )
        return entries.add_entries(locked, [named], actor=None)[0]


def _finished_error() -> TournamentError:
    return TournamentError("entries/finished", _("The championship is over: nobody enters any more."))
