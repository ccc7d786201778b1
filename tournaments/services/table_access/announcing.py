"""What the director says to everybody, on the walls and on the pages of rounds, in up to two languages."""

from typing import Final

from django.db import transaction

from tournaments.models import Championship
from tournaments.names import clean
from tournaments.permissions import Actor, require
from tournaments.services import locks

LONGEST: Final = 120


def say_to_all(championship: Championship, text: str, too: str = "", *, actor: Actor) -> None:
    """Say this, and the same in another language below it; nothing: what was said is taken away. Raises
    TournamentError `names/too_long`, `names/forbidden_characters`."""
    require(actor, "open", championship)
    said, also = (clean(one, longest=LONGEST, field="announced") for one in (text, too))
    with transaction.atomic():
        locked = locks.in_office(championship, actor, "open")
        locked.announced, locked.announced_too = (said, also) if said else (also, "")
        locked.save(update_fields=["announced", "announced_too"])
