"""Clocks of online tables, which wait until everyone is present or the director starts them."""

from django.db import transaction
from django.db.models import Exists, OuterRef

from games.models import Game, Seat
from games.play import waiting_for_players
from tournaments.models import Round, Seating
from tournaments.permissions import Actor, require
from tournaments.services import locks


def list_missing(round_: Round) -> dict[int, list[str]]:
    """Return table number → names of the people its clock waits for. One query."""
    absent = Seat.objects.filter(
        game=OuterRef("table__game"), number=OuterRef("seat"), bot="", came_at=None, game__clock_waits=True
    )
    rows = Seating.objects.filter(Exists(absent), round=round_).select_related("entry", "table")
    found: dict[int, list[str]] = {}
    for seating in rows.order_by("table__number", "seat"):
        found.setdefault(seating.table.number, []).append(seating.entry.name)
    return found


def start_clocks(round_: Round, *, actor: Actor) -> int:
    """Start the waiting clocks of all tables of the round; return their number."""
    require(actor, "open", round_.championship)
    with transaction.atomic():
        locks.require_official(round_.championship, actor, "open")
        waiting = Game.objects.filter(tournament_table__round=round_, clock_waits=True).order_by("pk")
        return sum(waiting_for_players.start_clock(pk) for pk in waiting.values_list("pk", flat=True))
