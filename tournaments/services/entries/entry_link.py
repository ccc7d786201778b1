"""Self-registration without an account, by a link that the desk has sent.

The entry is like one made by the desk: neither paid nor present, and waiting if all places are taken. The
person gets a page of their own.
"""

import hmac
import secrets
from typing import Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.errors import TooMuch
from games.messaging.rate_limit import Budget
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry, EntryMail, OwnPage
from tournaments.names import TwoNames
from tournaments.permissions import Actor
from tournaments.services import locks
from tournaments.services.entries import (
    entries,
    entry_mails,
    entry_terms,
    own_pages,
    own_partner,
    pairs,
    waiting_list,
)

ADDRESS_BUDGET: Final = Budget("entry-link-address", most=60, seconds=600)
"""Budget of entries for each network address. It is enough for a club that enters its members from one
address.
"""
LINK_BUDGET: Final = Budget("entry-link", most=400, seconds=3600)
LINK_BYTES: Final = 12
"""Number of random bytes of a link: too many to guess."""


def set_link(championship: Championship, *, on: bool, actor: Actor) -> str:
    """Create a link for entering, which replaces an existing one; if `on` is False, end the link. Return the
    link, "" if ended.

    Raises NotAllowed, TournamentError `championship/archived`, `entries/finished`.
    """
    with locks.locked_for(championship, actor, "enter") as locked:
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


class Entered(NamedTuple):
    """A person who has entered. `token`: of the link to their own page."""

    entry: Entry
    token: str


def enter_by_link(
    championship: Championship,
    link: str,
    network: str,
    new: entries.NewEntry,
    *,
    partner: TwoNames | None = None,
    with_partner: bool = False,
) -> list[Entered]:
    """Enter a person by the link. `network`: the network address of the request.

    `partner`: the name of the person's partner, if pairs are fixed; `with_partner`: enter the partner too, so
    that both get places or both wait.

    Raises TournamentError `entries/link_ended`, `entries/finished`, `pairs/oneself`, what
    `entry_terms.require_open` and `entries.add_entries` raise, TooMuch `entries/too_many_by_link`.
    """
    count = pairs.PARTNERS if partner is not None and with_partner else 1
    # People held up at one address must not use up the link of others.
    seconds = ADDRESS_BUDGET.spend(network, count=count) or LINK_BUDGET.spend(championship.pk, count=count)
    if seconds:
        raise TooMuch(
            "too many entries came by this link", code="entries/too_many_by_link", minutes=-(-seconds // 60)
        )
    with transaction.atomic():
        locked = locks.lock_writable(championship.pk)
        if locked.entry_link != link:
            raise TournamentError("entries/link_ended", _("This link no longer works. Ask the organiser."))
        if locked.status == Championship.Status.FINISHED:
            raise _finished_error()
        entry_terms.require_open(locked)
        if new.fee is not None and new.fee.championship_id != locked.pk:
            raise ValueError(f"a fee of another championship: {new.fee.pk}")
        people = [_keep_what_is_theirs(new)]
        if partner is not None and with_partner and pairs.has_fixed_pairs(locked):
            people.append(entries.NewEntry(family_name=partner.family, first_name=partner.first, fee=new.fee))
        waits = waiting_list.has_to_wait(locked, len(people))
        made = entries.add_entries(locked, [one._replace(waits=waits) for one in people], actor=None)
        entered = [Entered(entry, own_pages.make_page(entry)) for entry in made]
        _name_partner(locked, made, partner)
        for entry in made:
            entry_mails.write_mail(entry, EntryMail.Kind.ENTERED)
    return entered


def _keep_what_is_theirs(new: entries.NewEntry) -> entries.NewEntry:
    """Return the entry with only the fields that people may fill in themselves."""
    own = ("family_name", "first_name", "club", "team", "consents", "email", "fee")
    return entries.NewEntry(**{name: getattr(new, name) for name in own})


def _name_partner(championship: Championship, made: list[Entry], partner: TwoNames | None) -> None:
    if not pairs.has_fixed_pairs(championship):
        return
    pages = [OwnPage.objects.select_related("entry__championship").get(entry=entry) for entry in made]
    if len(pages) == pairs.PARTNERS:
        own_partner.join_entered(championship, *pages)
    else:
        own_partner.note_wish(championship, pages[0], partner.running if partner is not None else "")


def _finished_error() -> TournamentError:
    return TournamentError("entries/finished", _("The championship is over: entering is closed."))
