"""Pairs as a list brings them: one line a pair, or a column that names each partner. All of them, or none."""

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, TypeVar

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry
from tournaments.names import family_comes_first, read_name
from tournaments.permissions import Actor, require
from tournaments.services import locks
from tournaments.services.desk import entries, finding, pairs

MOST_LINES: Final = 2_000
T = TypeVar("T")
_LOT: Final = random.SystemRandom()


class RowRefusal(NamedTuple):
    """Why one row cannot be: its number, and the refusal with code and sentence."""

    row: int
    error: TournamentError


class RowsRefused(TournamentError):
    """Rows that cannot be, each with its reason; nothing has been entered. `rows`: all of them."""

    def __init__(self, code: str, rows: Sequence[RowRefusal]) -> None:
        self.rows = tuple(rows)
        first = self.rows[0]
        super().__init__(
            code,
            _("Line %(row)s: %(reason)s Nothing has been entered."),
            row=first.row,
            reason=str(first.error),
            count=len(self.rows),
        )


def enter_lines(championship: Championship, text: str, *, status: str, actor: Actor) -> int:
    """Enter "Fredi Müller / Heidi Meier" line by line; a name alone has no partner yet. How many lines.

    A number, or the whole name of somebody who is entered, means that entry. Raises RowsRefused, and
    TournamentError `pairs/too_many_lines`, `pairs/no_lines`.
    """
    require(actor, "enter", championship)
    lines = [(row, line.strip()) for row, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise TournamentError("pairs/no_lines", _("Write one pair a line: Fredi Müller / Heidi Meier."))
    if len(lines) > MOST_LINES:
        raise TournamentError(
            "pairs/too_many_lines", _("At most %(most)s lines can be entered at once."), most=MOST_LINES
        )

    family_first = family_comes_first(name for _row, line in lines for name in line.split("/"))

    def enter(line: str) -> None:
        names = [" ".join(name.split()) for name in line.split("/")]
        if len(names) > pairs.PARTNERS or not all(names):
            raise TournamentError("pairs/line", _("One pair a line, with one / between the two names."))
        people = [_entry_or_new(championship, name, family_first, status, actor) for name in names]
        if len(people) == pairs.PARTNERS:
            _refuse_other_partner(people[0], people[1])
            pairs.pair(people[0], people[1], actor=actor)

    with transaction.atomic():
        locks.in_office(championship, actor, "enter")
        _each(((row, line) for row, line in lines), enter)
    return len(lines)


def pair_rows(championship: Championship, rows: Iterable[tuple[int, Entry, str]], *, actor: Actor) -> None:
    """The partner that each row (its number, the entry, number or name of the partner) asks for; no text, no
    partner. Raises RowsRefused."""
    require(actor, "enter", championship)

    def join(wish: tuple[Entry, str]) -> None:
        partner = finding.entry_of(championship, wish[1])
        if partner is not None:
            _refuse_other_partner(wish[0], partner)
            pairs.pair(wish[0], partner, actor=actor)

    with transaction.atomic():
        locks.in_office(championship, actor, "enter")
        _each(((row, (entry, text)) for row, entry, text in rows), join)


def pair_the_rest(championship: Championship, *, by_lot: bool, actor: Actor) -> int:
    """Pairs of all who have no partner yet, by number or by lot; an odd one stays alone. How many pairs."""
    require(actor, "enter", championship)
    with transaction.atomic():
        locked = locks.in_office(championship, actor, "enter")
        alone = pairs.without_partner(locked)
        if by_lot:
            _LOT.shuffle(alone)
        made = list(zip(alone[::2], alone[1::2], strict=False))
        pairs.pair_up(locked, made, actor=actor)
    return len(made)


def _each(rows: Iterable[tuple[int, T]], act: Callable[[T], None]) -> None:
    """Do it for each row; where one cannot be, see what else cannot, and refuse all."""
    refused = []
    for row, value in rows:
        try:
            with transaction.atomic():
                act(value)
        except TournamentError as error:
            refused.append(RowRefusal(row, error))
    if refused:
        raise RowsRefused("pairs/rows", refused)


def _entry_or_new(
    championship: Championship, name: str, family_first: bool, status: str, actor: Actor
) -> Entry:
    if name.isdecimal():
        found = finding.entry_of(championship, name)
        if found is not None:
            return found
    there = championship.entries.exclude(status=Entry.Status.WITHDRAWN).order_by("number")
    called = finding.entries_called(there, name)
    if len(called) > 1:
        raise finding.ambiguous(name, [f"{entry.number} {entry.name}" for entry in called])
    if called:
        return called[0]
    names = read_name(name, family_first=family_first)
    return entries.add(
        championship, actor=actor, status=status, family_name=names.family, first_name=names.first
    )


def _refuse_other_partner(entry: Entry, partner: Entry) -> None:
    """In a list nobody changes partners: two rows that want the same one contradict each other."""
    now = pairs.partner_of(entry)
    if now is not None and now != partner:
        raise TournamentError(
            "pairs/taken",
            _("%(name)s is the partner of %(other)s already."),
            name=entry.name,
            other=now.name,
        )
