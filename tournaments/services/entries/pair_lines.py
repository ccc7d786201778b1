"""Entering pairs from a list, one in each line, and pairing the people left."""

import random
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, TypeVar

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry
from tournaments.names import is_family_first, read_name
from tournaments.names.splitting import is_given
from tournaments.permissions import Actor, require
from tournaments.services import locks
from tournaments.services.entries import entries, entry_search, pairs
from tournaments.spreadsheets.values import clean_cell

MAX_LINES: Final = 2_000
_SEPARATORS: Final = re.compile(
    r"\s*[/&+]\s*|\s+(?:und|u\.|mit|et|e|ed|ou|y|and|with|avec|con|cun|ensemen cun)\s+|\s+[-–—]+\s+|\s*;\s*"
)
"""Separators between the two names of a pair."""
_AND_PATTERN: Final = re.compile(r"[&+]|\s(?:und|u\.|et|e|ed|y|and)\s")
_NUMBERING_PATTERN: Final = re.compile(
    r"^\s*(?:(?:paar|paarung|team|pair|equipe|équipe|coppia|pareja)?\s*(?:nr\.?\s*)?\d{1,4}\s*[.):]|[-–—•*·])\s+"
    r"(?=[^\W\d])",
    re.IGNORECASE,
)
T = TypeVar("T")
_RANDOM: Final = random.SystemRandom()


class RowRefusal(NamedTuple):
    """A refused row. `row`: its number, from 1; `error`: the reason."""

    row: int
    error: TournamentError


class RowsRefused(TournamentError):
    """Error for refused rows of a list; nothing has been entered. `rows`: all refused rows."""

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
    """Enter lines like "Fredi Müller / Heidi Meier", all or none; return their number. A line with one name
    forms no pair.

    A number, or the full name of an entry, refers to that entry. `status`: of new entries. Raises
    RowsRefused, TournamentError `pairs/too_many_lines`, `pairs/no_lines`.
    """
    require(actor, "enter", championship)
    lines = [(row, line.strip()) for row, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise TournamentError("pairs/no_lines", _("Write one pair per line: Fredi Müller / Heidi Meier."))
    if len(lines) > MAX_LINES:
        raise TournamentError(
            "pairs/too_many_lines", _("At most %(most)s lines can be entered at once."), most=MAX_LINES
        )

    family_first = is_family_first(name for _row, line in lines for name in split_pair(line))

    def enter(line: str) -> None:
        names = split_pair(line)
        if len(names) > pairs.PARTNERS or not all(names):
            raise TournamentError(
                "pairs/line", _("One pair per line, with one / or & between the two names.")
            )
        people = [_entry_or_new(championship, name, family_first, status, actor) for name in names]
        if len(people) == pairs.PARTNERS:
            _refuse_other_partner(people[0], people[1])
            pairs.pair(people[0], people[1], actor=actor)

    with locks.locked_for(championship, actor, "enter"):
        _apply_to_rows(((row, line) for row, line in lines), enter)
    return len(lines)


def split_pair(line: str) -> list[str]:
    """Split "Anna Ammann / Beat Bühler" into names. Other separators: for example &, +, "und", a dash, a tab.

    A single name is returned alone. In "Anna und Beat Bühler" both people get the family name.
    """
    line = _NUMBERING_PATTERN.sub("", line)
    cells = [clean_cell(cell) for cell in line.strip().split("\t")]
    if len(cells) == 2 * pairs.PARTNERS and all(cells):
        cells = [f"{cells[0]} {cells[1]}", f"{cells[2]} {cells[3]}"]
    if len(cells) > 1:
        return [cell for cell in cells if cell]
    names = [clean_cell(name) for name in _SEPARATORS.split(cells[0])]
    if len(names) == pairs.PARTNERS and _AND_PATTERN.search(cells[0]):
        return _share_family_name(names[0], names[1])
    return names


def _share_family_name(one: str, other: str) -> list[str]:
    """Return the two names. If one of them is only a first name, it gets the family name of the other.

    Examples: "Anna" and "Beat Bühler", "Bühler Anna" and "Beat".
    """
    words, others = one.split(), other.split()
    if len(words) == 1 and len(others) > 1 and one.isalpha() and is_given(one):
        family = read_name(other).family
        return [f"{one} {family}", other] if family else [one, other]
    if len(others) == 1 and len(words) > 1 and other.isalpha() and is_given(other) and not is_given(words[0]):
        return [one, f"{read_name(one).family} {other}"]
    return [one, other]


def pair_remaining(championship: Championship, *, by_lot: bool, actor: Actor) -> int:
    """Pair the people without a partner in order of number or, if `by_lot`, by lot. Of an odd number one
    stays alone.

    Return the number of new pairs. Raises what `pairs.pair` raises.
    """
    with locks.for_official(championship, actor, "enter") as (locked, _ref):
        alone = pairs.list_unpaired(locked)
        if by_lot:
            _RANDOM.shuffle(alone)
        made = list(zip(alone[::2], alone[1::2], strict=False))
        pairs.pair_up(locked, made, actor=actor)
    return len(made)


def _apply_to_rows(rows: Iterable[tuple[int, T]], act: Callable[[T], None]) -> None:
    """Apply the function to each row. Raises RowsRefused with all refused rows, after trying every row."""
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
        found = entry_search.find_entry(championship, name)
        if found is not None:
            return found
    there = championship.entries.exclude(status=Entry.Status.WITHDRAWN).order_by("number")
    called = entry_search.match_full_names(there, name)
    if len(called) > 1:
        raise entry_search.make_ambiguous_error(name, [f"{entry.number} {entry.name}" for entry in called])
    if called:
        return called[0]
    names = read_name(name, family_first=family_first)
    return entries.add_entry(
        championship, actor=actor, status=status, family_name=names.family, first_name=names.first
    )


def _refuse_other_partner(entry: Entry, partner: Entry) -> None:
    """Refuse a new partner for a person who has another one already."""
    now = pairs.find_partner(entry)
    if now is not None and now != partner:
        raise TournamentError(
            "pairs/taken",
            _("%(name)s is already the partner of %(other)s."),
            name=entry.name,
            other=now.name,
        )
