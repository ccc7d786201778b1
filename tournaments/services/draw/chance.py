"""Chance that people add to a round's own: numbers drawn in the hall, bytes from phones.

It comes after the seed was committed to and before the first table is opened, so that neither the platform
nor whoever adds something alone decides on the cards.
"""

import re
from typing import Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games import store
from games.ids import new_id
from games.randomness import round_seed as chance
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Entry, Round
from tournaments.permissions import Actor, may, ref_of
from tournaments.services import locks

FROM_THE_HALL: Final = re.compile(r"[0-9][0-9 ,;.:/+-]{0,199}")
"""Numbers only: what is added stands in the log for ever, and no name may."""
FROM_A_DEVICE: Final = re.compile(r"[0-9a-f]{32,64}")
MOST_PER_PERSON: Final = 3
MOST_PER_ROUND: Final = 500


class Contribution(NamedTuple):
    """What one person added. `by`: his reference in the streams; `device`: drawn by a phone."""

    text: str
    by: str
    at: str
    device: bool


def contribute(round_: Round, text: str, *, actor: Actor) -> None:
    """Add numbers (officials who draw) or what a device drew (anybody who plays or has an office).

    Raises TournamentError `chance/malformed`, `chance/enough`, `chance/too_late`, NotAllowed.
    """
    ref = ref_of(actor, round_.championship)
    text = text.strip()
    if not FROM_A_DEVICE.fullmatch(text):
        if not may(actor, "draw", round_.championship):
            raise NotAllowed("tournaments/not_allowed", _("You may not do that in this championship."))
        if not FROM_THE_HALL.fullmatch(text):
            raise TournamentError("chance/malformed", _("Only numbers, at most 200 characters: 4, 17, 23."))
    with transaction.atomic():
        locks.writable(round_.championship_id)
        locked = locks.round_(round_.pk)
        if not _waits(locked):
            raise TournamentError("chance/too_late", _("The cards of this round are fixed already."))
        given = of_round(locked)
        mine = sum(one.by == ref for one in given)
        if len(given) >= MOST_PER_ROUND or (
            mine >= MOST_PER_PERSON and not may(actor, "draw", round_.championship)
        ):
            raise TournamentError("chance/enough", _("You have added enough; thank you."))
        chance.add_entropy(locked.stream_id, text, actor=ref, command_id=new_id())


def of_round(round_: Round) -> list[Contribution]:
    """What has been added to the seed that holds now, in order."""
    return [
        Contribution(
            event.body["entropy"],
            event.actor,
            event.recorded_at,
            FROM_A_DEVICE.fullmatch(event.body["entropy"]) is not None,
        )
        for event in chance.chapters_of(store.read(round_.stream_id, parts=False))[-1].events
        if event.type == "entropy_added"
    ]


def may_add(actor: Actor, round_: Round) -> bool:
    """Whether this person plays here or has an office, and the round waits for chance."""
    if actor is None or not _waits(round_):
        return False
    championship = round_.championship
    return (
        championship.officials.filter(user=actor).exists()
        or Entry.objects.filter(championship=championship, user=actor).exists()
    )


def _waits(round_: Round) -> bool:
    planned = round_.status in (Round.Status.PLANNED, Round.Status.DRAWN)
    return planned and chance.waits_for_chance(round_.stream_id)
