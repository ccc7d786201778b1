"""Results of entrants at the tables of one round: points, matches, opponents."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Literal

import msgspec

from tournaments.competition import PARTNERED, Competition, PlayedRound, PlayedTable, Points, divide
from tournaments.standings.field_credits import credit_against_field
from tournaments.standings.match_points import Conversion
from tournaments.standings.rows import Unfinished

Refs = tuple[str, ...]
"""Refs of the entrants on one side. A person who is no entrant appears under a name that no entrant has."""
Lack = Literal["", "broken_off", "walkover"]
"""Reason why a round at a table gives no points of its own: it was broken off, or the opponents did not come.
"""
_STRANGER = "\0"
_PARTNERS = ((0, 2), (1, 3))
_OF_MATCHES = frozenset({"wins", "direct_encounter", "buchholz"})
"""Tie-breaks that depend on results of matches between entrants."""


class EntrantRound(msgspec.Struct, frozen=True, gc=False):
    """The points of one entrant at its tables of one round.

    points: the points that count, None without a result. at_table: the points at the tables; `points` can
    be another figure. won, opponents: set only if the ranking depends on matches. lack: the reason why a
    credit replaces the points, if any. at: number of the table.
    """

    points: Points | None
    at_table: Points | None
    won: bool = False
    opponents: Refs = ()
    unfinished: Unfinished | None = None
    lack: Lack = ""
    at: int = 0


class SideMeeting(msgspec.Struct, frozen=True, gc=False):
    """Two sides that met in one round, and the points of both sides."""

    sides: tuple[Refs, Refs]
    points: tuple[Points, Points]


class RoundOfTables(msgspec.Struct, frozen=True):
    """All tables of a round.

    results: by ref, also of persons at the tables who are no entrants; meetings: sides that met and have
    points; empty unless the ranking depends on matches.
    """

    results: Mapping[str, EntrantRound]
    meetings: Sequence[SideMeeting]


class _Side(msgspec.Struct, frozen=True, gc=False):
    """One side of a table. points: of its members, by ref; total: of the side, None without a result."""

    refs: Refs
    points: Mapping[str, Points | None]
    total: Points | None


class _Encounter:
    """The points that an entrant's sides and one opponent's sides made against each other in a round."""

    __slots__ = ("_mine", "_theirs")

    def __init__(self) -> None:
        self._mine: list[_Side] = []
        self._theirs: list[_Side] = []

    def add(self, mine: _Side, theirs: _Side) -> None:
        if not any(one is mine for one in self._mine):
            self._mine.append(mine)
        if not any(one is theirs for one in self._theirs):
            self._theirs.append(theirs)

    def sums(self, sum_best: Callable[[Sequence[Points]], Points]) -> tuple[Points, Points] | None:
        """Return the points of the entrant and of the opponent; None if a side has no points yet."""
        mine = [one.total for one in self._mine if one.total is not None]
        theirs = [one.total for one in self._theirs if one.total is not None]
        if len(mine) < len(self._mine) or len(theirs) < len(self._theirs):
            return None
        return sum_best(mine), sum_best(theirs)


class _Gathered:
    """The data of one entrant's tables in a round, while they are read."""

    __slots__ = ("at", "broken_off", "encounters", "lack", "values")

    def __init__(self) -> None:
        self.values: list[Points | None] = []
        self.encounters: dict[Refs, _Encounter] = {}
        self.lack: Lack = ""
        self.broken_off = False
        self.at = 0


class RoundReader:
    """Reader of the results of rounds.

    convert: function from the lead in a match to match points; None if the points at the table count.
    """

    def __init__(self, competition: Competition, convert: Conversion | None) -> None:
        self._competition = competition
        self._convert = convert
        self._split: dict[int, tuple[tuple[int, ...], ...]] = {
            count: tuple((seat,) for seat in range(count)) for count in range(2, PARTNERED + 1)
        }
        if detect_partners(competition):
            self._split[PARTNERED] = _PARTNERS
        self._single = all(len(entrant.persons) == 1 for entrant in competition.entrants)
        self._matched = convert is not None or needs_matches(competition)

    def read(self, one: PlayedRound) -> RoundOfTables:
        credits: list[list[Fraction | None]] | None = None
        if self._competition.counting.credit == "field":
            credits = credit_against_field([table.deals for table in one.tables])
        gathered: dict[str, _Gathered] = defaultdict(_Gathered)
        meetings: dict[tuple[Refs, Refs], _Encounter] = defaultdict(_Encounter)
        for at, table in enumerate(one.tables):
            sides = self._read_sides(table, credits[at] if credits is not None else None)
            self._gather(sides, table, gathered, at + 1)
            if self._matched and len(sides) == 2:
                first, second = sorted(sides, key=lambda side: side.refs)
                meetings[first.refs, second.refs].add(first, second)
        return RoundOfTables(
            {ref: self._count(found) for ref, found in gathered.items()},
            [
                SideMeeting(sides, points)
                for sides, met in meetings.items()
                if set(sides[0]).isdisjoint(sides[1]) and (points := met.sums(self._sum_best)) is not None
            ],
        )

    def _read_sides(self, table: PlayedTable, credits: Sequence[Fraction | None] | None) -> list[_Side]:
        """Return the sides of a table, except sides that did not come."""
        ref_of, seats = self._competition.ref_of, table.seats
        points: Sequence[Points | None] = table.points or (None,) * len(seats)
        sides = []
        for number, side in enumerate(self._split[len(seats)]):
            refs = [ref_of.get(seats[seat]) or _STRANGER + seats[seat] for seat in side]
            values = [points[seat] for seat in side]
            if credits is not None:
                values = [credits[number] if number < len(credits) else None] * len(side)
            if len(side) > 1 and not self._single:  # a substitute plays for the entrant beside
                known = [ref for ref in refs if not is_stranger(ref)]
                if len(known) < len(refs):
                    refs = [(known or refs)[0]] * len(refs)
            total = _merge(values)
            by_ref = {refs[0]: total}
            if len(set(refs)) > 1:
                by_ref = dict(zip(refs, values, strict=True))
            if not table.walkover or by_ref.keys().isdisjoint(table.walkover):
                sides.append(_Side(tuple(sorted(by_ref)), by_ref, total))
        return sides

    def _gather(
        self, sides: Sequence[_Side], table: PlayedTable, gathered: dict[str, _Gathered], at: int
    ) -> None:
        """Add a table to the data of the entrants who sat at it."""
        matched = self._matched
        for side in sides:
            for ref in side.refs:
                mine, value = gathered[ref], side.points[ref]
                mine.values.append(value)
                mine.at = mine.at or at
                if table.walkover and len(sides) == 1 and (value is None or self._convert is not None):
                    mine.lack = "walkover"
                if table.broken_off:
                    mine.broken_off = True
                    if self._competition.broken_off is not None:
                        mine.lack = "broken_off"
                for other in sides if matched else ():
                    if ref not in other.refs:
                        mine.encounters.setdefault(other.refs, _Encounter()).add(side, other)

    def _count(self, found: _Gathered) -> EntrantRound:
        """Return the result of one entrant from its tables."""
        known = [value for value in found.values if value is not None]
        at_table = self._sum_best(known) if known else None
        sums = [both for met in found.encounters.values() if (both := met.sums(self._sum_best)) is not None]
        leads = [self._competition.direction * (mine - theirs) for mine, theirs in sums]
        met_all = len(leads) == len(found.encounters)
        points, complete = at_table, len(known) == len(found.values)
        if self._convert is not None:
            results = [self._convert(lead) for lead in leads]
            points, complete = (divide(sum(results), len(results)) if results else None), met_all
        unfinished: Unfinished | None = None if complete else "so_far"
        if found.broken_off:
            unfinished = "none" if points is None else "broken_off"
        elif points is None:
            unfinished = "none_yet"
        return EntrantRound(
            points,
            at_table,
            won=bool(leads) and met_all and all(lead > 0 for lead in leads),
            opponents=tuple(sorted({ref for refs in found.encounters for ref in refs})) if leads else (),
            unfinished=unfinished,
            lack=found.lack,
            at=found.at,
        )

    def _sum_best(self, values: Sequence[Points]) -> Points:
        """Return the sum of the values, or of the best ones if `counting.members` limits their number."""
        if not self._competition.counting.members:
            return sum(values)
        best = sorted(values, reverse=self._competition.direction > 0)
        return sum(best[: self._competition.counting.members])


def needs_matches(competition: Competition) -> bool:
    """Return whether the ranking depends on who beat whom, apart from match points."""
    credits = (competition.bye, competition.absence, competition.broken_off)
    return (
        not _OF_MATCHES.isdisjoint(competition.counting.tie_breaks or ())
        or any(credit is not None and credit.points == "win" for credit in credits)
        or competition.counting.buchholz_unplayed == "win"
        or any(table.walkover for one in competition.past for table in one.tables)
    )


def detect_partners(competition: Competition) -> bool:
    """Return whether seats 0 and 2 play together at tables of four.

    If the document does not say it, they do if no deal has four sides, and at all tables both seats of each
    side have the same points.
    """
    if competition.partners is not None:
        return competition.partners
    fours = [t for one in competition.past for t in one.tables if len(t.seats) == PARTNERED]
    if any(deal is not None and len(deal) == PARTNERED for table in fours for deal in table.deals):
        return False
    return all(_is_alike(t.points[0::2]) and _is_alike(t.points[1::2]) for t in fours)


def _is_alike(points: Sequence[int | None]) -> bool:
    return len({one for one in points if one is not None}) < 2


def _merge(found: Sequence[Points | None]) -> Points | None:
    """Return the points of seats that score together: their common number if equal, else the sum.

    None if no seat has points.
    """
    known = [points for points in found if points is not None]
    if not known:
        return None
    return known[0] if all(points == known[0] for points in known) else sum(known)


def is_stranger(ref: str) -> bool:
    """Return whether this ref stands for a person who is no entrant."""
    return ref.startswith(_STRANGER)
