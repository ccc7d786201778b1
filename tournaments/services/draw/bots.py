"""Bots that fill empty chairs at online tables.

A bot is an entry of the house, played by the server. Bots are not ranked. The result of their table counts
for its human players as usual.
"""

from collections.abc import Iterable
from typing import Final

from django.db.models import Max
from django.utils import timezone

from games.appending import record
from games.bots.runner import BOT
from tournaments.events import EntryAdded
from tournaments.models import Championship, Entry, Table
from tournaments.names import TwoNames
from tournaments.permissions import Actor
from tournaments.services import locks

BOT_NAME_PREFIX: Final = "Computer"


def ensure_bots(championship: Championship, count: int, *, actor: Actor) -> None:
    """Create bots, marked as present, until `count` of them are present."""
    with locks.for_official(championship, actor, "draw") as (locked, ref):
        there = locked.entries.filter(bot=True, status=Entry.Status.ARRIVED).count()
        last = locked.entries.aggregate(last=Max("number"))["last"] or 0
        made = []
        for n in range(there + 1, count + 1):
            bot = Entry(
                championship=locked,
                number=last + n - there,
                house=True,
                bot=True,
                status=Entry.Status.ARRIVED,
                arrived_at=timezone.now(),
            )
            bot.call(TwoNames("", f"{BOT_NAME_PREFIX} {n}"))
            made.append(bot)
        if made:
            Entry.objects.bulk_create(made)
            events = [EntryAdded(player=bot.player_ref, number=bot.number) for bot in made]
            record(locked.stream_id, *events, actor=ref)


def load_bots_by_table(tables: Iterable[Table]) -> dict[int, dict[int, str]]:
    """Return table number → seat → name of the bot, as `rounds.open_round` needs it.

    The seatings of the tables must be prefetched.
    """
    found: dict[int, dict[int, str]] = {}
    for table in tables:
        for seating in table.seatings.all():
            if seating.entry.bot:
                found.setdefault(table.number, {})[seating.seat] = BOT
    return found
