"""Evenings of a club with a published ranking, for tests of its series."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from games.models import User
from tournaments.clubs import rolls
from tournaments.models import Championship, Club, StandingsSnapshot
from tournaments.services.championships import championships
from tournaments.services.entries import entries
from tournaments.standings import RankingRow, RoundScore


def club_of(fredi: User) -> Club:
    """Return Fredi's club, which has a name and therefore a public page."""
    club = rolls.default_club(fredi)
    return club if club.named else rolls.rename_club(club, "Jassklub", actor=fredi)


def evening(
    fredi: User, name: str, totals: Mapping[str, int], *, finished: bool = True, **more: Any
) -> Championship:
    """Create a championship of Fredi's club whose published ranking has these totals, the highest first."""
    made = championships.create(actor=fredi, name=name, **{"club": club_of(fredi)} | more)
    entered = entries.add_entries(made, [entries.NewEntry(one) for one in totals], actor=fredi)
    publish_totals(made, [entry.number for entry in entered], list(totals.values()))
    if finished:
        made.status = Championship.Status.FINISHED
        made.save(update_fields=["status"])
    return made


def publish_totals(made: Championship, numbers: Sequence[int], totals: Sequence[int]) -> None:
    """Publish a ranking by totals; level ones share a place."""
    rows = [
        RankingRow(
            place=1 + sum(other > total for other in totals),
            shared=totals.count(total) > 1,
            key=number,
            total=total,
            sweeps=0,
            rounds=(RoundScore(1, total, 0, True, True),),
        )
        for number, total in sorted(zip(numbers, totals, strict=True), key=lambda pair: -pair[1])
    ]
    version = made.snapshots.count() + 1
    StandingsSnapshot.objects.create(
        championship=made, after_round=1, version=version, rows=msgspec.to_builtins(rows), reason="round"
    )
