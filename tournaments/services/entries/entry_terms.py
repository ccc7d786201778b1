"""The terms of entering by link: the opening time, the closing time, and the number of places."""

from datetime import datetime
from enum import StrEnum
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.models import Championship
from tournaments.permissions import Actor
from tournaments.services import locks
from tournaments.services.entries import waiting_list
from tournaments.typed_dates import wrong_moment

MOST_PLACES: Final = 9_999


class Opening(StrEnum):
    """The state of an entry link: before its opening time, open, or after its closing time."""

    NOT_YET = "not_yet"
    OPEN = "open"
    OVER = "over"


def opening_of(championship: Championship) -> Opening:
    """Return the present state of the entry link according to its opening and closing times."""
    now = timezone.now()
    if championship.entries_close_at is not None and championship.entries_close_at <= now:
        return Opening.OVER
    if championship.entries_open_at is not None and now < championship.entries_open_at:
        return Opening.NOT_YET
    return Opening.OPEN


def set_terms(
    championship: Championship,
    *,
    actor: Actor,
    limit: int | None,
    opens_at: datetime | None,
    closes_at: datetime | None,
) -> int:
    """Set the number of places and the times of entering. Return how many people got a place from the waiting
    list.

    None means no limit, no opening time, or no closing time. With a lower `limit` nobody loses their place.
    Raises NotAllowed, TournamentError `entries/limit`, `entries/bad_moment`, `entries/closes_first`,
    `championship/archived`.
    """
    if limit is not None and not 0 < limit <= MOST_PLACES:
        raise TournamentError(
            "entries/limit", _("The number of places must be 1 to %(most)s, or empty."), most=MOST_PLACES
        )
    for moment in filter(None, (opens_at, closes_at)):
        if (wrong := wrong_moment(moment)) is not None:
            raise TournamentError("entries/bad_moment", wrong[1])
    if opens_at is not None and closes_at is not None and closes_at <= opens_at:
        raise TournamentError("entries/closes_first", _("Entering must close after it opens."))
    with locks.locked_for(championship, actor, "enter") as locked:
        locked.entry_limit, locked.entries_open_at, locked.entries_close_at = limit, opens_at, closes_at
        locked.save(update_fields=["entry_limit", "entries_open_at", "entries_close_at"])
        moved = waiting_list.fill_free_places(locked)
    championship.entry_limit = limit
    championship.entries_open_at, championship.entries_close_at = opens_at, closes_at
    return len(moved)


def require_open(championship: Championship) -> None:
    """Raise TournamentError `entries/not_open_yet` before the opening time, `entries/closed` after the
    closing time.
    """
    opening = opening_of(championship)
    if opening == Opening.NOT_YET:
        raise TournamentError("entries/not_open_yet", _("Nobody can enter yet. The page says from when."))
    if opening == Opening.OVER:
        raise TournamentError("entries/closed", _("Entering has closed. Ask the organiser."))
