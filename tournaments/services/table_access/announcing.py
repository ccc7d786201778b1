"""Announcements of the director on walls and round pages, in up to two languages."""

from typing import Final

from django.db import transaction

from tournaments.models import Championship
from tournaments.names import clean
from tournaments.permissions import Actor, require
from tournaments.services import locks

MAX_ANNOUNCEMENT_LENGTH: Final = 120


def set_announcement(championship: Championship, text: str, too: str = "", *, actor: Actor) -> None:
    """Set the announcement, with a second language below it; empty texts remove it.

    Raises TournamentError `names/too_long`, `names/forbidden_characters`.
    """
    require(actor, "open", championship)
    said, also = (clean(one, longest=MAX_ANNOUNCEMENT_LENGTH, field="announced") for one in (text, too))
    with transaction.atomic():
        locked = locks.require_official(championship, actor, "open")
        locked.announced, locked.announced_too = (said, also) if said else (also, "")
        locked.save(update_fields=["announced", "announced_too"])
