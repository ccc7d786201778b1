"""Evenings at which all tables play the same cards, and a recount of them that shares no code."""

from collections import defaultdict
from datetime import timedelta
from fractions import Fraction
from typing import Any
from unittest.mock import patch

from django.utils import timezone

from games import store
from games.models import User
from games.timers import deadlines
from tournaments import regulations
from tournaments.models import Championship, Entry, Table
from tournaments.presets import PRESETS
from tournaments.services.championships import championships
from tournaments.services.current_regulations import load_regulations
from tournaments.services.entries import entries, pairs


def found(
    fredi: User,
    people: int,
    *,
    preset: str = "against_the_field",
    play: dict[str, Any] | None = None,
    **changes: Any,
) -> Championship:
    """Create a championship with the same cards at all tables and this many people present; pair them up if
    pairs are fixed.
    """
    held = regulations.encode(PRESETS[preset])
    made = championships.create(
        actor=fredi,
        name="Feld",
        preset=preset,
        changes={"play": {**held["play"], **(play or {})}, "same_cards": True, **changes},
    )
    wanted = [entries.NewEntry(f"Person {n:02}", status=Entry.Status.ARRIVED) for n in range(1, people + 1)]
    there = entries.add_entries(made, wanted, actor=fredi)
    if load_regulations(made).play.format == "fixed_pairs":
        pairs.pair_up(made, zip(there[0::2], there[1::2], strict=True), actor=fredi)
    return made


def show_what_is_open() -> None:
    """Let a minute pass, and workers show what is open to the public."""
    later = timezone.now() + timedelta(minutes=2)
    with patch.object(timezone, "now", lambda: later):
        while found := deadlines.due(later):
            for number in found:
                deadlines.run(number, later)


def read_deals(table: Table, planned: int) -> dict[int, list[int]]:
    """Read the points of each deal from the log of a table without rulings."""
    found: dict[int, list[int]] = {}
    for event in store.read(str(table.game_id)):
        if event.type in ("deal_scored", "result_entered", "result_corrected"):
            found[event.body["deal"]] = list(event.body["scores"])
        elif event.type == "deal_annulled":
            found.pop(event.body["deal"], None)
    return {deal: points for deal, points in found.items() if deal <= planned}


def recount(championship: Championship) -> dict[int, Fraction]:
    """Entry number → sum against the field over all rounds, by the definition."""
    planned = load_regulations(championship).deals
    totals: dict[int, Fraction] = defaultdict(Fraction)
    for round_ in championship.rounds.filter(status__in=("open", "closed")):
        tables = list(Table.objects.filter(round=round_, game__isnull=False))
        played = {table.pk: read_deals(table, planned) for table in tables}
        held = len({deal for deals in played.values() for deal in deals})
        for table in tables:
            for side in (0, 1):
                credits = []
                for deal, points in played[table.pk].items():
                    others = [of[deal][side] for pk, of in played.items() if pk != table.pk and deal in of]
                    if others:
                        credits.append(points[side] - Fraction(sum(others), len(others)))
                if credits:
                    gets = sum(credits) * Fraction(held, len(credits))
                    for seating in table.seatings.select_related("entry"):
                        if seating.seat % 2 == side:
                            totals[seating.entry.number] += gets
    return totals
