"""Chair exchanges and substitutions since the draw, with names, and the people who can be chosen for
either.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, Q, When
from django.utils.translation import gettext as _

from frontend.presenters.rounds.seating import Seats
from games.models import Game
from tournaments.models import Championship, Entry, Round, last_substitutions
from tournaments.services.draw.seat_exchanges import ChairExchange
from tournaments.services.draw.substitutions import Step


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """An exchange of chairs between two people. `tables`: their tables after it. `by_lot`: the lot for the
    first dealer caused it, and `one` deals.
    """

    at: datetime
    one: Entry
    other: Entry
    tables: tuple[int, int]
    by_lot: bool


@dataclass(frozen=True, slots=True)
class Seated:
    """A person whom a form suggests for an exchange or a free seat. `where`: the person's seat, or why they
    have none; empty if they are present without one.
    """

    number: int
    name: str
    where: str = ""


def exchange_lines(championship: Championship, changes: list[ChairExchange]) -> list[ChangeLine]:
    """Return a line for each exchange. No query without exchanges."""
    named = _load_named(championship, {ref for one in changes for ref, _chair in (one.one, one.other)})
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


@dataclass(frozen=True, slots=True)
class StepLine:
    """A replacement in a round, or a substitution within it: `entry` takes the chair of `replaced` (None: it
    was free). `deal`: the first deal of a substitute, else None. `was_out`: `entry` had a bye before.
    """

    at: datetime
    entry: Entry
    replaced: Entry | None
    table: int
    deal: int | None
    was_out: bool


def replacement_lines(championship: Championship, steps: Sequence[Step]) -> list[StepLine]:
    """Return a line for each step. No query without steps."""
    named = _load_named(championship, {ref for step in steps for ref in (step.player, step.instead)})
    return [StepLine(s.at, named[s.player], named.get(s.instead), s.table, s.deal, s.was_out) for s in steps]


def _load_named(championship: Championship, refs: Collection[str]) -> dict[str, Entry]:
    """Return reference → entry; no query without references."""
    found = Entry.objects.filter(championship=championship, player_ref__in=refs) if refs else ()
    return {entry.player_ref: entry for entry in found}


def list_seat_candidates(
    round_: Round, out: Collection[int], most: int, *, substitutes: bool = False
) -> list[Seated]:
    """Return at most `most` people who have no chair in this round, play no last deals as a substitute and
    have not withdrawn: first those with a bye (`out`: their primary keys), then others; in both groups
    present people before absent ones. `substitutes`: return the substitutes too.
    """
    without = Entry.objects.filter(championship=round_.championship_id).exclude(seatings__round=round_)
    if not substitutes:
        busy = last_substitutions().filter(table__round=round_).values("entry")
        without = without.exclude(pk__in=busy)
    has_bye, present = Q(pk__in=out), Q(status=Entry.Status.ARRIVED)
    group = Case(When(has_bye & present, then=0), When(has_bye, then=1), When(present, then=2), default=3)
    found = (
        without.exclude(status=Entry.Status.WITHDRAWN)
        .order_by(group, "sort_name", "number")
        .values_list("pk", "number", "name", "status")[:most]
    )
    bye, absent = _("has a bye"), _("not here so far")
    return [
        Seated(number, name, bye if pk in out else "" if status == Entry.Status.ARRIVED else absent)
        for pk, number, name, status in found
    ]


def list_exchange_candidates(tables: Iterable[Seats]) -> list[Seated]:
    """Return the people seated at these tables, without tables for which the platform already deals the
    cards.
    """
    sentence = _("Table %(table)s, %(mark)s")
    return [
        Seated(chair.number, chair.name, sentence % {"table": table.number, "mark": chair.letter})
        for table in tables
        if not (table.game_id and table.mode == Game.Mode.DEALT)
        for chair in table.chairs
    ]
