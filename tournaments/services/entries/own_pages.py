"""Own pages: each entered person gets a link to a page that shows and changes their own entry only.

The database contains only the hash of a link. The link is a keyed hash of the page's salt, so a mail can
contain it again later. Without the platform's secret key, the database reveals no link.
"""

import base64
import hmac
import secrets
from typing import Final

from django.db import transaction
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from games.errors import TooMuch
from games.messaging.rate_limit import Budget
from games.rights.tokens import hash_token
from tournaments.errors import TournamentError
from tournaments.models import Entry, OwnPage
from tournaments.permissions import Actor
from tournaments.services import locks
from tournaments.services.entries import entries, waiting_list

LINK_BYTES: Final = 16
CHANGES: Final = Budget("own-page-changes", most=40, seconds=3600)
"""Budget of changes made on one page."""


def make_page(entry: Entry) -> str:
    """Make the page of an entry, in the language of the request; return the token of its link.

    An earlier link becomes invalid.
    """
    salt = secrets.token_hex(16)
    token = _token(entry, salt)
    made = {"digest": hash_token(token), "salt": salt, "language": (get_language() or "en")[:8]}
    OwnPage.objects.update_or_create(entry=entry, defaults=made)
    return token


def make_new_link(entry: Entry, *, actor: Actor) -> str:
    """Make a new link for a person who has lost theirs, and return its token. The desk shows it once.

    For a further start this is the link of the person, since further starts have none. Raises NotAllowed,
    TournamentError `championship/archived`.
    """
    entry = entry.start_of or entry
    with locks.locked_for(entry.championship, actor, "enter"):
        known = OwnPage.objects.filter(entry=entry).values_list("language", flat=True).first()
        token = make_page(entry)
        if known:
            OwnPage.objects.filter(entry=entry).update(language=known)
    return token


def token_of(page: OwnPage) -> str:
    """Return the token of the page's link; "" if the platform's secret key has changed since the link was
    made.
    """
    token = _token(page.entry, page.salt)
    return token if hmac.compare_digest(hash_token(token), page.digest) else ""


def _token(entry: Entry, salt: str) -> str:
    made = salted_hmac("tournaments.own_page", f"{entry.player_ref}.{salt}", algorithm="sha256")
    return base64.urlsafe_b64encode(made.digest()[:LINK_BYTES]).decode().rstrip("=")


def find_page(slug: str, token: str) -> OwnPage | None:
    """Find the page of a link in the championship with this slug; None if the link is unknown."""
    found = OwnPage.objects.filter(digest=hash_token(token), entry__championship__slug=slug)
    return found.select_related("entry__championship", "entry__merged_into", "partner").first()


def can_withdraw(page: OwnPage) -> bool:
    """Return whether the person can withdraw on their own page: until a round is drawn or the championship is
    archived.
    """
    return page.entry.championship.archived_at is None and waiting_list.fills_by_itself(
        page.entry.championship
    )


def withdraw_oneself(page: OwnPage) -> None:
    """Withdraw the person with all their starts, or remove them from the waiting list.

    Freed places go to the waiting list. Raises TooMuch, TournamentError `entries/drawn_already`,
    `championship/archived`, and what `entries.withdraw_entry` raises.
    """
    count_change(page)
    with transaction.atomic():
        locked = locks.lock_writable(page.entry.championship_id)
        if not waiting_list.fills_by_itself(locked):
            raise make_drawn_already_error()
        entries.withdraw_entry(page.entry, actor=None)
        for start in page.entry.starts.exclude(status=Entry.Status.WITHDRAWN).order_by("number"):
            entries.withdraw_entry(start, actor=None)


def count_change(page: OwnPage) -> None:
    """Count a change made on a person's own page. Raises TooMuch `entries/too_many_changes`."""
    if seconds := CHANGES.spend(page.pk):
        raise TooMuch(
            "too many changes by this link", code="entries/too_many_changes", minutes=-(-seconds // 60)
        )


def make_drawn_already_error() -> TournamentError:
    """Return the error for a change that only the desk can make, since a round is drawn already."""
    return TournamentError("entries/drawn_already", _("A round is already drawn. Ask the desk."))
