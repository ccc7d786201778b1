"""Who has changed chairs since the draw, by name, and who could."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from frontend.presenters.seating import Seats
from games.models import Game
from tournaments.models import Championship, Entry
from tournaments.services.draw.seat_exchanges import ChairExchange


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """`one` drew higher and deals, if it was `by_lot`."""

    at: datetime
    one: Entry
    other: Entry
    tables: tuple[int, int]
    by_lot: bool


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody who may have changed chairs, as a field offers him."""

    number: int
    name: str
    table: int
    mark: str


def exchange_lines(championship: Championship, changes: list[ChairExchange]) -> list[ChangeLine]:
    """The changes with names: one query, none where nobody moved."""
    refs = {ref for change in changes for ref, _chair in (change.one, change.other)}
    if not refs:
        return []
    people = Entry.objects.filter(championship=championship, player_ref__in=refs)
    named = {entry.player_ref: entry for entry in people}
    return [
        ChangeLine(
            change.at,
            named[change.one[0]],
            named[change.other[0]],
            (change.one[1].table, change.other[1].table),
            change.by_lot,
        )
        for change in changes
    ]


def who_may_change(tables: Iterable[Seats]) -> list[Seated]:
    """Everybody but those at open tables that are dealt here."""
    return [
        Seated(chair.number, chair.name, table.number, chair.letter)
        for table in tables
        if not (table.game_id and table.mode == Game.Mode.DEALT)
        for chair in table.chairs
    ]
