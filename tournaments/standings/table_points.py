"""Results of entrants at the tables of one round: points, matches, opponents."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from tournaments.competition import PARTNERED, Competition, PlayedRound, PlayedTable, Points, sides_of
from tournaments.standings.field_credits import credit_against_field
from tournaments.standings.match_points import Conversion
from tournaments.standings.rows import Unfinished

Refs = tuple[str, ...]
"""Entrants on one side. A person who is no entrant is one, under a name that no entrant has."""
Lack = Literal["", "broken_off", "walkover"]
"""What a round at a table lacks to give points of its own: an end, an opponent."""
_STRANGER = "\0"


@dataclass(frozen=True, slots=True)
class EntrantRound:
    """What one entrant got at the tables of one round.

    points: what counts, None without a result; at_table: its points, where `points` is another figure; lack:
    why a credit replaces the points.
    """

    points: Points | None
    at_table: Points | None
    won: bool = False
    opponents: Refs = ()
    unfinished: Unfinished | None = None
    lack: Lack = ""


@dataclass(frozen=True, slots=True)
class SideMeeting:
    """Two sides that met in one round, and the points of both."""

    sides: tuple[Refs, Refs]
    points: tuple[Points, Points]


@dataclass(frozen=True, slots=True)
class RoundOfTables:
    """All tables of a round. of: by entrant, strangers too; meetings: of two sides, with known points."""

    of: Mapping[str, EntrantRound]
    meetings: Sequence[SideMeeting]


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of a table. points: by ref; key: table and side, unique in the round."""

    key: tuple[int, int]
    refs: Refs
    points: Mapping[str, Points | None]
    total: Points | None


class _Encounter:
    """What an entrant's sides and one opponent's sides made against each other in a round."""

    def __init__(self) -> None:
        self._mine: dict[tuple[int, int], Points | None] = {}
        self._theirs: dict[tuple[int, int], Points | None] = {}

    def add(self, mine: _Side, theirs: _Side) -> None:
        self._mine[mine.key] = mine.total
        self._theirs[theirs.key] = theirs.total

    def sums(self, sum_best: Callable[[Sequence[Points]], Points]) -> tuple[Points, Points] | None:
        """Return the points of both, None while a side has none."""
        mine = [one for one in self._mine.values() if one is not None]
        theirs = [one for one in self._theirs.values() if one is not None]
        if len(mine) + len(theirs) < len(self._mine) + len(self._theirs):
            return None
        return sum_best(mine), sum_best(theirs)


@dataclass(slots=True)
class _Gathered:
    """The tables of one entrant while they are read."""

    values: list[Points | None] = field(default_factory=list)
    encounters: dict[Refs, _Encounter] = field(default_factory=lambda: defaultdict(_Encounter))
    lack: Lack = ""
    broken_off: bool = False


class RoundReader:
    """Reads the results of rounds. convert: points of a lead in a match; None: the table points count."""

    def __init__(self, competition: Competition, convert: Conversion | None) -> None:
        self._competition = competition
        self._convert = convert
        self._partnered = detect_partners(competition)
        self._single = all(len(entrant.persons) == 1 for entrant in competition.entrants)

    def read(self, one: PlayedRound) -> RoundOfTables:
        """Read the tables of a round."""
        credits: list[list[Fraction | None]] | None = None
        if self._competition.counting.credit == "field":
            credits = credit_against_field([table.deals for table in one.tables])
        gathered: dict[str, _Gathered] = defaultdict(_Gathered)
        meetings: dict[tuple[Refs, Refs], _Encounter] = defaultdict(_Encounter)
        for at, table in enumerate(one.tables):
            sides = self._read_sides(at, table, credits[at] if credits is not None else None)
            self._gather(sides, table, gathered)
            if len(sides) == 2:
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

    def _read_sides(
        self, at: int, table: PlayedTable, credits: Sequence[Fraction | None] | None
    ) -> list[_Side]:
        """Return the sides of a table without those that did not come."""
        sides = []
        seat_of = {person: seat for seat, person in enumerate(table.seats)}
        for number, persons in enumerate(sides_of(table.seats, self._partnered)):
            refs = [self._competition.ref_of.get(person, _STRANGER + person) for person in persons]
            known = [ref for ref in refs if not is_stranger(ref)]
            if not self._single and len(known) < len(refs):  # a substitute plays for the entrant beside
                refs = [(known or refs)[0]] * len(refs)
            of: dict[str, list[Points | None]] = {}
            for person, ref in zip(persons, refs, strict=True):
                points: Points | None = table.points[seat_of[person]] if table.points else None
                if credits is not None:
                    points = credits[number] if number < len(credits) else None
                of.setdefault(ref, []).append(points)
            if of.keys().isdisjoint(table.walkover):
                total = _merge([points for found in of.values() for points in found])
                by_ref = {ref: _merge(found) for ref, found in of.items()}
                sides.append(_Side((at, number), tuple(sorted(of)), by_ref, total))
        return sides

    def _gather(self, sides: Sequence[_Side], table: PlayedTable, gathered: dict[str, _Gathered]) -> None:
        """Add a table to the entrants who sat at it."""
        for side in sides:
            against = [other for other in sides if other is not side]
            for ref in side.refs:
                mine, value = gathered[ref], side.points[ref]
                mine.values.append(value)
                if table.walkover and not against and (value is None or self._convert is not None):
                    mine.lack = "walkover"
                if table.broken_off:
                    mine.broken_off = True
                    if self._competition.broken_off is not None:
                        mine.lack = "broken_off"
                for other in against:
                    if ref not in other.refs:
                        mine.encounters[other.refs].add(side, other)

    def _count(self, found: _Gathered) -> EntrantRound:
        """Return the result of one entrant."""
        sums = [both for met in found.encounters.values() if (both := met.sums(self._sum_best)) is not None]
        leads = [self._competition.direction * (mine - theirs) for mine, theirs in sums]
        known = [value for value in found.values if value is not None]
        complete = len(known) == len(found.values)
        at_table = self._sum_best(known) if known else None
        points = at_table
        if self._convert is not None:
            complete = len(leads) == len(found.encounters)
            results = [self._convert(lead) for lead in leads]
            points = Fraction(sum(results), len(results)) if results else None
        unfinished: Unfinished | None = None if complete else "so_far"
        if found.broken_off:
            unfinished = "none" if points is None else "broken_off"
        elif points is None:
            unfinished = "none_yet"
        return EntrantRound(
            points,
            at_table,
            won=bool(leads) and len(leads) == len(found.encounters) and all(lead > 0 for lead in leads),
            opponents=tuple(sorted({ref for refs in found.encounters for ref in refs})) if leads else (),
            unfinished=unfinished,
            lack=found.lack,
        )

    def _sum_best(self, values: Sequence[Points]) -> Points:
        """Return the sum of the values, or of the best ones where only so many members count."""
        if not self._competition.counting.members:
            return sum(values)
        best = sorted(values, reverse=self._competition.direction > 0)
        return sum(best[: self._competition.counting.members])


def detect_partners(competition: Competition) -> bool:
    """Return whether 0 and 2 play together at tables of four.

    Where the document does not say so they do if both sides of all tables with points have one number each.
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
    """Return the points of seats that score together: their one number, or the sum of different ones."""
    known = [points for points in found if points is not None]
    if not known:
        return None
    return known[0] if all(points == known[0] for points in known) else sum(known)


def is_stranger(ref: str) -> bool:
    """Return whether this names a person who is no entrant."""
    return ref.startswith(_STRANGER)
