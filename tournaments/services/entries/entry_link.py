"""People who enter themselves by a link that the desk has sent them: names alone, without an account. Who has
entered so is on the list like anybody whom the desk has written down, and has neither paid nor arrived.
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

OF_ADDRESS: Final = Budget("entry-link-address", most=60, seconds=600)
"""A club that enters in its hall, behind one address."""
OF_LINK: Final = Budget("entry-link", most=400, seconds=3600)
BYTES: Final = 12
"""Of chance in a link: nobody guesses one."""


def set_link(championship: Championship, *, on: bool, actor: Actor) -> str:
    """A new link, in place of the one there may have been, or none any more: "". Raises NotAllowed,
    TournamentError `championship/archived`, `entries/finished`."""
    with transaction.atomic():
        locked = locks.in_office(championship, actor, "enter")
        if on and locked.status == Championship.Status.FINISHED:
            raise _finished()
        locked.entry_link = secrets.token_urlsafe(BYTES) if on else ""
        locked.save(update_fields=["entry_link"])
    championship.entry_link = locked.entry_link
    return locked.entry_link


def championship_of_link(slug: str, link: str) -> Championship | None:
    """Whose link this is; None where it is nobody's, or has ended."""
    found = Championship.objects.filter(slug=slug).exclude(entry_link="").first()
    return found if found is not None and hmac.compare_digest(found.entry_link, link) else None


def enter_oneself(championship: Championship, link: str, network: str, new: entries.NewEntry) -> Entry:
    """Somebody enters himself; `network`: from where he asks. Raises TournamentError `entries/link_ended`,
    `entries/finished` and what `entries.add_all` raises, TooMuch `entries/too_many_by_link`."""
    if seconds := OF_ADDRESS.spend(network) or OF_LINK.spend(championship.pk):
        raise TooMuch(
            "too many entries came by this link", code="entries/too_many_by_link", minutes=-(-seconds // 60)
        )
    with transaction.atomic():
        locked = locks.writable(championship.pk)
        if locked.entry_link != link:
            raise TournamentError("entries/link_ended", _("This link has ended. Ask the organiser."))
        if locked.status == Championship.Status.FINISHED:
            raise _finished()
        named = entries.NewEntry(
            family_name=new.family_name, first_name=new.first_name, club=new.club, consents=new.consents
        )
        return entries.add_all(locked, [named], actor=None)[0]


def _finished() -> TournamentError:
    return TournamentError("entries/finished", _("The championship is over: nobody enters any more."))
