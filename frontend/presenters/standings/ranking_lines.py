"""The ranking for pages: names, moves since the round before, and what separates people with the same
total.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from frontend.presenters.names.playing_teams import load_teams_by_number
from frontend.presenters.names.round_partners import Partners
from frontend.presenters.words.figures import Comparison, describe_comparison, format_figure
from frontend.presenters.words.vocabulary import START_TIE_BREAKS, TIE_BREAKS, word
from tournaments.models import Championship, Entry
from tournaments.services.current_regulations import has_sessions
from tournaments.services.scores.ruling_marks import Mark, Marks
from tournaments.services.series.winners import Winners
from tournaments.standings import Figure, RankingRow, Separation

UNFINISHED: Final[Mapping[str, Promise]] = {
    "so_far": gettext_lazy("so far"),
    "broken_off": gettext_lazy("finished early"),
    "none_yet": gettext_lazy("no result yet"),
    "none": gettext_lazy("no result"),
}
"""State of a result that is not final → its words."""


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """One round of an entrant. `points`: None without a result; `counts`: the result counts in the total;
    `played`: the result is that of a table; `unfinished`: the state of a result that is not final; `absent`:
    the entrant missed the round.
    """

    points: Figure | None
    sweeps: int
    counts: bool
    played: bool
    round: int
    marks: tuple[Mark, ...] = ()
    """Rulings at the entrant's table in this round."""
    unfinished: str = ""
    absent: bool = False
    broken_off: bool = False
    """Whether the table was broken off and a credit counts in its place."""

    @property
    def has_table(self) -> bool:
        """Whether the entrant has a table in this round, even if a credit counts in its place."""
        return self.played or self.broken_off

    @property
    def text(self) -> str:
        """The points; an ellipsis for a result that is awaited, a dash if there will be none."""
        if self.points is None:
            return "…" if self.unfinished == "none_yet" else "–"
        return format_figure(self.points)

    @property
    def note(self) -> str | Promise:
        """A word that explains an unusual result; empty for an ordinary one."""
        if self.absent:
            return _("absent")
        if self.broken_off:
            return UNFINISHED["broken_off"]
        if not self.played:
            return _("had a bye")
        return UNFINISHED.get(self.unfinished) or ("" if self.counts else _("does not count"))


@dataclass(frozen=True, slots=True)
class StandingsLine:
    place: int
    shared: bool
    number: int
    name: str
    club: str
    cells: tuple[ScoreCell | None, ...]
    total: Figure
    sweeps: int
    reason: Comparison | None
    moved: int | None
    withdrawn: bool
    mine: bool
    provisional: bool = False
    """Whether a ruling that affects this row is under appeal."""
    off: Figure | None = None
    """The difference of the total to the sealed number, if the ranking uses one and it is known."""
    partners: tuple[tuple[int, str], ...] = ()
    """(round, name of the partner), if partners are drawn for each round."""
    has_result: bool = True
    """Whether there is a result in any round that counts."""
    is_team: bool = False
    who: tuple[tuple[int, str], ...] = ()
    """Number and name of each person in this row."""

    @property
    def sum(self) -> str:
        """The total; a dash without any result."""
        return format_figure(self.total) if self.has_result else "–"

    @property
    def medal(self) -> bool:
        return self.place <= 3 and bool(self.cells)

    @property
    def marks(self) -> tuple[Mark, ...]:
        """All rulings that affect this row, round by round."""
        return tuple(mark for cell in self.cells if cell is not None for mark in cell.marks)

    @property
    def climbed(self) -> int:
        return abs(self.moved or 0)


class RankedPeople(dict[int, Entry]):
    """Number → entry of the people in a ranking. teams: key of the ranking's row → name of the team, if teams
    are ranked.
    """

    teams: Mapping[int, str] = MappingProxyType({})
    by_start: bool = False
    """Whether the columns are the starts of a person, and not rounds."""


def load_ranked_people(championship: Championship, rows: Collection[RankingRow]) -> RankedPeople:
    """Load the entries whose numbers these rows or their separations contain. At most four queries."""
    numbers = {number for row in rows for number in row.numbers}
    others = {row.separation.against for row in rows if row.separation is not None} - numbers
    found = Q(number__in=numbers | others)
    if others and any(row.members for row in rows):
        found |= Q(entrant__number__in=others)
    fields = ("number", "name", "club", "status", "championship_id", "entrant_id")
    people = RankedPeople({e.number: e for e in championship.entries.filter(found).only(*fields)})
    people.by_start = has_sessions(championship)
    if any(row.members for row in rows):
        people.teams = load_teams_by_number(championship)
    return people


def ranked_lines(
    rows: Sequence[RankingRow],
    entries: RankedPeople,
    rounds: Sequence[int],
    *,
    before: Mapping[int, int] | None = None,
    mine: int | None = None,
    marks: Marks | None = None,
    partners: Partners | None = None,
) -> list[StandingsLine]:
    """Return the lines of a ranking. `rounds`: the rounds that are columns; `before`: row's key → place after
    the round before; `mine`: the requesting person's number; `marks`: the rulings by round and number;
    `partners`: of each round.
    """
    lines = [_line(row, entries, rounds, before or {}, mine, marks or {}) for row in rows]
    known = partners or {}
    return [
        line if line.is_team else replace(line, partners=tuple(sorted(known.get(line.number, {}).items())))
        for line in lines
    ]


def numbers_in(rows: Iterable[RankingRow]) -> list[int]:
    """Return the numbers of all entries in these rows."""
    return [number for row in rows for number in row.numbers]


def row_with(rows: Iterable[RankingRow], number: int | None) -> RankingRow | None:
    """Return the row that contains the entry with this number; None if there is none."""
    return next((row for row in rows if number in row.numbers), None)


def name_in(entries: RankedPeople, row: RankingRow) -> str:
    """Return the name of a row: of a person, of a pair ("Anna Ammann / Beat Bühler"), or of a team."""
    return entries.teams.get(row.key) or " / ".join(name_of(entries, number) for number in row.numbers)


def club_in(entries: RankedPeople, row: RankingRow) -> str:
    """Return the club of a person or the clubs of a pair; "" for a team."""
    if row.key in entries.teams:
        return ""
    here = [entries[number] for number in row.numbers if number in entries]
    return " / ".join(dict.fromkeys(entry.club for entry in here if entry.club))


def name_of(entries: Mapping[int, Entry], number: int) -> str:
    """Return the name of the person with this number; "No. 7" if there is no name."""
    entry = entries.get(number)
    return entry.name if entry is not None and entry.name else _("No. %(n)d") % {"n": number}


def describe_winners(won: Winners | None) -> str:
    """Join the names of the winners, and say how many more there are; empty without winners."""
    return "" if won is None else join_winners([entry.name for entry in won.entries], won.further)


def join_winners(names: Sequence[str], further: int) -> str:
    """Join the names, and say how many `further` winners there are."""
    joined = " / ".join(names)
    if further <= 0:
        return joined
    sentence = ngettext("%(names)s and %(n)d more", "%(names)s and %(n)d more", further)
    return sentence % {"names": joined, "n": further}


def _line(
    row: RankingRow,
    entries: RankedPeople,
    rounds: Sequence[int],
    before: Mapping[int, int],
    mine: int | None,
    marks: Marks,
) -> StandingsLine:
    here = [entries[number] for number in row.numbers if number in entries]
    by_round = {
        r.round: ScoreCell(
            r.points,
            r.sweeps,
            r.counts,
            r.played,
            r.round,
            _marks(marks, r.round, row),
            r.unfinished or "",
            r.absent is True,
            r.broken_off is True,
        )
        for r in row.rounds
    }
    was = before.get(row.key)
    return StandingsLine(
        place=row.place,
        shared=row.shared,
        number=row.key,
        name=name_in(entries, row),
        is_team=row.key in entries.teams,
        who=tuple((number, name_of(entries, number)) for number in row.numbers),
        club=club_in(entries, row),
        cells=tuple(by_round.get(number) for number in rounds),
        total=row.total,
        sweeps=row.sweeps,
        reason=None if row.separation is None else _reason(row, row.separation, entries),
        moved=was - row.place if was is not None else None,
        withdrawn=bool(here) and all(entry.status == Entry.Status.WITHDRAWN for entry in here),
        mine=mine in row.numbers,
        provisional=any(mark.provisional for cell in by_round.values() for mark in cell.marks),
        off=row.off,
        has_result=row.has_result,
    )


def _marks(marks: Marks, round_: int, row: RankingRow) -> tuple[Mark, ...]:
    """Return the rulings of one round of a row. A ruling that affects both partners is listed once."""
    return tuple(dict.fromkeys(mark for number in row.numbers for mark in marks.get((round_, number), ())))


def _reason(row: RankingRow, why: Separation, entries: RankedPeople) -> Comparison:
    """Describe what separates two rows with the same total: "highest round 702 : 655 against Beat Brunner"; a
    pair is named in full.
    """
    other = entries.get(why.against)
    together = [
        number
        for number, entry in sorted(entries.items())
        if row.members and other is not None and other.entrant_id and entry.entrant_id == other.entrant_id
    ]
    return describe_comparison(
        word(START_TIE_BREAKS if entries.by_start else TIE_BREAKS, why.tie_break),
        why.mine,
        why.theirs,
        entries.teams.get(why.against)
        or " / ".join(name_of(entries, number) for number in together or [why.against]),
    )
