"""Draws made in the hall: recording them, and comparing them with a draw by the regulations."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from engine import Refused
from games.randomness import round_seed
from tournaments.errors import TournamentError
from tournaments.events import SeatsDrawn
from tournaments.models import Entry, Round
from tournaments.names import join_names
from tournaments.permissions import Actor, require
from tournaments.regulations import Regulations
from tournaments.services import locks
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import encounters
from tournaments.services.draw.drawing import (
    DrawField,
    DrawnSeats,
    SystemField,
    load_arrived,
    load_field,
    make_changed_meanwhile_error,
    mark_drawn,
    require_planned,
    store_seats,
    table_sizes,
)
from tournaments.services.entries import pairs

BY_HAND = "by hand"


def seat_by_hand(
    round_: Round, tables: Sequence[Sequence[int]], *, actor: Actor, byes_confirmed: bool = False
) -> Round:
    """Record a draw made in the hall. `tables`: entry numbers of each table, in the order of play.

    Everyone present without a seat, except bots, gets a bye. If the regulations allow a draw of these people,
    repeated meetings are recorded, and compared with that draw. Raises TournamentError `draw/…`:
    `draw/table_forgotten` if the people with a bye, without the house, could fill a table, unless
    `byes_confirmed` confirms the byes; `draw/changed_meanwhile` if the regulations changed during the search.
    """
    ref = require(actor, "draw", round_.championship)
    regulations = load_regulations(round_.championship)
    own = _draw_for_comparison(round_, regulations)  # outside the transaction: a search takes seconds
    with locks.locked_for(round_.championship, actor, "draw") as locked_championship:
        round_.refresh_from_db()
        require_planned(round_)
        if load_regulations(locked_championship) != regulations:
            raise make_changed_meanwhile_error()
        sizes = table_sizes(regulations)
        there = {entry.number: entry for entry in load_arrived(round_)}
        seen: set[int] = set()
        for table in tables:
            if len(table) not in sizes:
                raise TournamentError(
                    "draw/table_size", _("A table has %(seats)s seats."), seats=" / ".join(map(str, sizes))
                )
            for number in table:
                if number not in there or number in seen:
                    raise TournamentError(
                        "draw/seat",
                        _("Entry %(number)s does not exist, or is seated twice."),
                        number=number,
                    )
                seen.add(number)
        out = [entry for number, entry in there.items() if number not in seen and not entry.bot]
        forgotten = [entry for entry in out if not entry.house]
        if len(forgotten) >= regulations.play.seats and not byes_confirmed:
            raise TournamentError(
                "draw/table_forgotten",
                _("Present without a seat (%(count)s): %(names)s. Is a table missing?"),
                count=len(forgotten),
                names=join_names([f"{entry.number} {entry.name}" for entry in forgotten], 12),
            )
        seated = [[there[n] for n in table] for table in tables]
        if regulations.play.format == pairs.FORMAT:
            _require_opposite(there, tables)
        if regulations.plays_in_teams:
            encounters.require_encounters(there, tables, regulations)
        round_seed.renew_seed(round_.stream_id, actor=ref)
        event = SeatsDrawn(
            draw=round_.draws + 1,
            seed="",
            algorithm=BY_HAND,
            players=tuple(entry.player_ref for entry in there.values()),
            problem={},
            tables=tuple(tuple(there[n].player_ref for n in table) for table in tables),
            sit_out=tuple(entry.player_ref for entry in out),
            cost={} if own is None else _compare_with_own(*own, seated),
        )
        mark_drawn(round_, event)
        store_seats(round_, regulations.play.mode, seated, out, event, ref)
    round_.refresh_from_db()
    return round_


def _draw_for_comparison(
    round_: Round, regulations: Regulations
) -> tuple[DrawField | SystemField, DrawnSeats] | None:
    """Draw the round by the regulations without storing it; None if it cannot be drawn."""
    try:
        field = load_field(round_, regulations)
        return field, field.draw()
    except Refused:
        return None


def _compare_with_own(
    field: DrawField | SystemField, own: DrawnSeats, tables: Sequence[Sequence[Entry]]
) -> dict[str, Any]:
    """Return the cost of a draw by hand, with a note that compares it with `own`, the draw by the
    regulations.

    Empty if somebody seated by hand is not in `field`.
    """
    cost = field.count_repeats(tables)
    if cost is None:
        return {}
    alike = {frozenset(e.pk for e in table) for table in tables} & {
        frozenset(e.pk for e in table) for table in own.tables
    }
    note = {
        "code": "pairing/by_hand",
        "alike": len(alike),
        "tables": len(tables),
        "here": cost["meeting_repeats"],
        "own": own.cost["meeting_repeats"],
    }
    return {**cost, "notes": [note]}


def _require_opposite(there: Mapping[int, Entry], tables: Sequence[Sequence[int]]) -> None:
    """Check that partners sit across from each other at every table."""
    for table in tables:
        for one, other in zip(table[:2], table[2:], strict=True):
            if there[one].entrant_id is None or there[one].entrant_id != there[other].entrant_id:
                raise TournamentError(
                    "draw/partners_apart",
                    _("%(one)s and %(other)s would sit across from each other, but are not a pair."),
                    one=there[one].name,
                    other=there[other].name,
                )
