"""What a column of a list is: guessed from its heading in any of five languages, then chosen by people."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.lists.bounds import MOST_COLUMNS
from tournaments.names import folded

KINDS: Final = (
    *("family_name", "first_name", "name", "partner", "club", "place", "number", "start_rank"),
    *("email", "paid", "category", "birth_year", "licence", "note", "consents"),
)
"""What there is to be imported. `name`: both in one; `place`: goes into the note; "" is left out."""
NAMED: Final = frozenset({"family_name", "name"})
"""Without one of them nobody can be entered."""
UNNAMED: Final = ("name", "club", "licence", "note")
"""How columns without headings are taken."""
FIRST_VALUES: Final = 3


def _heading(text: str) -> str:
    return folded(text).strip(" .:*").strip()


def _known() -> Iterator[tuple[str, str]]:
    for line in Path(__file__).with_name("headings.txt").read_text().splitlines():
        kind, colon, headings = line.partition(":")
        if colon and not line.startswith("#"):
            yield from ((_heading(heading), kind) for heading in headings.split(" | "))


_KIND_OF: Final = dict(_known())
"""Heading → what the column is."""


class Column(NamedTuple):
    """A column of the file: its heading ("" where the file has none), the first values in it, what it is."""

    at: int
    heading: str
    values: tuple[str, ...]
    kind: str


def has_headings(first: Sequence[str]) -> bool:
    """Whether the first line names the columns and is no entry: one of them is a name, or most are known."""
    kinds = [_KIND_OF.get(_heading(cell), "") for cell in first]
    if any(kind in (*NAMED, "first_name") for kind in kinds):
        return True
    return sum(map(bool, kinds)) > sum(bool(cell.strip()) for cell in first) / 2


def kinds_guessed(first: Sequence[str], *, headed: bool) -> tuple[str, ...]:
    """What each column is, by the first line of the file; "" for what nobody knows."""
    if not headed:
        return tuple(UNNAMED[at] if at < len(UNNAMED) else "" for at in range(len(first)))
    kinds = [_KIND_OF.get(_heading(cell), "") for cell in first]
    once = [kind if kinds.index(kind) == at else "" for at, kind in enumerate(kinds)]
    if "place" in once and "club" not in once:
        once[once.index("place")] = "club"
    # "Name" beside "Vorname" is the family name; "Nome" alone, or beside no family name, is both in one.
    if "first_name" in once and "family_name" not in once:
        one = "name" if "name" in once else "first_name"
        once[once.index(one)] = "family_name" if one == "name" else "name"
    return tuple(once)


def described(
    rows: Sequence[tuple[int, Sequence[str]]], kinds: Sequence[str], *, headed: bool
) -> tuple[Column, ...]:
    """Every column of the file, also those that are left out."""
    width = max((len(cells) for _number, cells in rows), default=0)
    body = rows[1:] if headed else rows
    found = []
    for at in range(width):
        values = (cells[at].strip() for _number, cells in body if at < len(cells) and cells[at].strip())
        first = tuple(value[:40] for value, _n in zip(values, range(FIRST_VALUES), strict=False))
        heading = rows[0][1][at].strip()[:40] if headed and at < len(rows[0][1]) else ""
        found.append(Column(at, heading, first, kinds[at] if at < len(kinds) else ""))
    return tuple(found)


def refuse_impossible(kinds: Sequence[str]) -> None:
    """Raises TournamentError `import/column_twice`, `import/no_name_column`, `import/unknown_column`."""
    given = [kind for kind in kinds if kind]
    if len(kinds) > MOST_COLUMNS or any(kind not in KINDS for kind in given):
        raise TournamentError("import/unknown_column", _("Choose for each column what it is."))
    if len(set(given)) < len(given):
        raise TournamentError(
            "import/column_twice", _("Two columns are said to be the same: choose another for one of them.")
        )
    if not NAMED & set(given):
        raise TournamentError(
            "import/no_name_column", _("Choose the column in which the names stand, and look again.")
        )
