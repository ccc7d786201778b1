"""The ranking of a competition given as plain data, in exact numbers.

This module converts the competition to the lines that `rank` places. Points become whole numbers of one small
unit, so that fractions are added and compared exactly.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm

import msgspec
from msgspec.structs import replace

from tournaments.bracket import KNOCK_OUT, rank_knock_out
from tournaments.competition import Competition, EntrantRecord, PlayedRound, Points
from tournaments.standings.buchholz import Strengths
from tournaments.standings.competition_credits import RoundCredits, check_award
from tournaments.standings.counting_rules import BUCHHOLZ, COUNTS, TIE_BREAKS, Counting, Directions
from tournaments.standings.errors import StandingsError
from tournaments.standings.match_points import check_scale, find_conversion
from tournaments.standings.ranking import rank
from tournaments.standings.rows import Meeting, ScoredEntrant, ScoredRound
from tournaments.standings.table_points import RoundOfTables, RoundReader
from tournaments.standings.totals import count_entrant


class CompetitionLine(msgspec.Struct, frozen=True):
    """One line of the ranking.

    rounds: points by round, None for a round without points. tie_break: the tie-break that decided the place,
    if any.
    """

    place: int
    ref: str
    total: Points
    rounds: tuple[Points | None, ...]
    tie_break: str | None = None


Lines = Mapping[str, Sequence[str]]
"""By ref of a line, the refs of the entrants whose rounds count for it."""


def rank_competition(competition: Competition) -> list[CompetitionLine]:
    """Rank the entrants or persons, first place first; level entrants share a place, ordered by ref.

    The places of a knock-out follow from its bracket. Raises StandingsError `standings/…` for rules that
    cannot be applied.
    """
    if competition.system == KNOCK_OUT:
        return [CompetitionLine(*line) for line in rank_knock_out(competition)]
    check_rules(competition)
    if competition.counting.by == "person":
        return _rank_lines(*_list_appearances(competition))
    return _rank_lines(_name_starts(competition), {ref: [ref] for ref in competition.by_ref})


def check_rules(competition: Competition) -> None:
    """Raise StandingsError `standings/…` unless the counting rules can be applied."""
    rules = competition.counting
    if rules.what not in COUNTS:
        raise StandingsError("standings/unknown_counting", f"unknown way of counting: {rules.what!r}")
    if rules.number < (rules.what in ("drop_worst", "best")):
        raise StandingsError(
            "standings/number", f"{rules.number} rounds cannot be counted so", number=rules.number
        )
    for at, name in enumerate(rules.tie_breaks or ()):
        if name not in TIE_BREAKS or name in (rules.tie_breaks or ())[:at]:
            raise StandingsError(
                "standings/tie_breaks", f"unknown or repeated tie-break: {name!r}", tie_break=name
            )
    if rules.scale:
        check_scale(rules.scale)
    for credit in (competition.bye, competition.absence, competition.broken_off, competition.walkover):
        if credit is not None:
            check_award(credit.points)
    if rules.buchholz_unplayed is not None:
        check_award(rules.buchholz_unplayed)


def _rank_lines(competition: Competition, lines: Lines) -> list[CompetitionLine]:
    """Rank lines by the rounds of their entrants."""
    rules = competition.counting
    convert = find_conversion(rules.what, rules.scale)
    reader = RoundReader(competition, convert)
    book = _Book(
        competition, lines, [reader.read(one) for one in competition.past], matched=convert is not None
    )
    rows = rank(
        book.entrants(),
        book.counting,
        rounds_held=book.rounds_held,
        directions=book.directions,
        meetings=book.meetings(),
        sealed=None if rules.sealed is None or rules.what != "nearest" else rules.sealed * book.unit,
    )
    return [
        CompetitionLine(
            row.place,
            book.refs[row.key],
            book.read(row.total),
            book.list_rounds(book.refs[row.key]),
            row.separation.tie_break if row.separation is not None else None,
        )
        for row in rows
    ]


class _Book:
    """The rounds of all entrants in whole numbers of one unit, and the lines that `rank` places."""

    def __init__(
        self, competition: Competition, lines: Lines, tables: Sequence[RoundOfTables], *, matched: bool
    ) -> None:
        rules = competition.counting
        self._competition = competition
        self._lines = lines
        self._tables = tables
        self._by_person = rules.by == "person"
        self.refs = sorted(lines)
        self._key_of = {ref: key for key, line in enumerate(self.refs) for ref in lines[line]}
        self._credits = RoundCredits(competition, tables)
        self._granted = self._credits.grant()
        self.rounds_held = max(map(len, lines.values()), default=0) if self._by_person else len(tables)
        self.directions = Directions(1 if matched else competition.direction, competition.direction)
        self.counting = Counting(
            what="sum" if matched else rules.what,
            number=rules.least_rounds if rules.what == "average" else rules.number,
            tie_breaks=rules.tie_breaks or (),
        )
        self._unplayed = self._value_unplayed()
        self.unit = _find_unit(self._list_points())
        self._table_unit = _find_unit(
            [
                *(one.at_table for found in tables for one in found.results.values()),
                *(points for found in tables for met in found.meetings for points in met.points),
            ]
        )

    def read(self, total: Points) -> Points:
        """Return the points that a number of units stands for."""
        exact = Fraction(total) / self.unit
        return exact.numerator if exact.denominator == 1 else exact

    def list_rounds(self, line: str) -> tuple[Points | None, ...]:
        """Return the points of a line by round; in a ranking of persons, by table."""
        if self._by_person:
            return tuple(
                points
                for ref in self._lines[line]
                for at in range(len(self._tables))
                if (points := self._points_in(ref, at)) is not None
            )
        return tuple(self._points_in(ref, at) for ref in self._lines[line] for at in range(len(self._tables)))

    def _points_in(self, ref: str, at: int) -> Points | None:
        """Return the points of an entrant in a round: its credit, or the points at its tables; None if it has
        neither.
        """
        if ref in self._granted[at]:
            return self._granted[at][ref]
        found = self._tables[at].results.get(ref)
        return found.points if found is not None and not found.lack else None

    def entrants(self) -> list[ScoredEntrant]:
        lots = self._draw_lots() if "lot" in self.counting.tie_breaks else {}
        found = [ScoredEntrant(key, self._score(ref), lot=lots.get(ref)) for key, ref in enumerate(self.refs)]
        if BUCHHOLZ not in self.counting.tie_breaks:
            return found
        strengths = self._compute_buchholz(found)
        return [replace(one, buchholz=strengths[one.key]) for one in found]

    def meetings(self) -> list[Meeting]:
        """Return the meetings between entrants. Persons who are no entrants are left out."""
        found = []
        for number, one in enumerate(self._tables, 1):
            for met in one.meetings:
                mine, theirs = (
                    tuple(self._key_of[ref] for ref in refs if ref in self._key_of) for refs in met.sides
                )
                first, second = (int(points * self._table_unit) for points in met.points)
                found.append(Meeting(number, mine, theirs, (first, second)))
        return found

    def _score(
        self, line: str, unplayed: Mapping[tuple[str, int], Points] | None = None
    ) -> tuple[ScoredRound, ...]:
        """Return the rounds of a line. `unplayed`: points that replace those of unplayed rounds, by ref and
        round index.
        """
        rounds: list[ScoredRound] = []
        for ref in self._lines[line]:
            for at, tables in enumerate(self._tables):
                number = len(rounds) + 1 if self._by_person else at + 1
                found = tables.results.get(ref)
                if found is not None and not found.lack:
                    rounds.append(
                        ScoredRound(
                            number,
                            None if found.points is None else int(found.points * self.unit),
                            table=None if found.at_table is None else int(found.at_table * self._table_unit),
                            won=found.won,
                            unfinished=found.unfinished,
                            at=found.at,
                        )
                    )
                    continue
                points = self._granted[at].get(ref)
                if unplayed is not None:
                    points = unplayed.get((ref, at), points)
                if points is not None:
                    rounds.append(ScoredRound(number, int(points * self.unit), played=False))
        return tuple(rounds)

    def _value_unplayed(self) -> dict[tuple[str, int], Points]:
        """Return the points that unplayed rounds add to an opponent's total, by ref and round index.

        Empty unless the rules state them (`buchholz_unplayed`).
        """
        award = self._competition.counting.buchholz_unplayed
        if award is None:
            return {}
        return {
            (ref, at): points
            for at, tables in enumerate(self._tables)
            for ref in self._key_of
            if ((found := tables.results.get(ref)) is None or found.lack)
            and (points := self._credits.evaluate(award, ref, at)) is not None
        }

    def _list_points(self) -> Iterable[Points | None]:
        yield from (one.points for tables in self._tables for one in tables.results.values())
        yield from (points for granted in self._granted for points in granted.values())
        yield from self._unplayed.values()

    def _compute_buchholz(self, lines: Sequence[ScoredEntrant]) -> list[Points]:
        """Return the strength of the opponents by key (`buchholz`). A walkover counts like a bye."""
        totals = [self._total(line) for line in lines]
        met: list[list[list[int]]] = [[] for _line in lines]
        byes = [0] * len(lines)
        for past, tables in zip(self._competition.past, self._tables, strict=True):
            alone = set(past.byes)
            for ref, key in self._key_of.items():
                found = tables.results.get(ref)
                if found is None:
                    byes[key] += ref in alone
                elif found.lack == "walkover":
                    byes[key] += 1
                elif not found.lack:
                    others = [self._key_of[one] for one in found.opponents if one in self._key_of]
                    met[key].append(others)
        strengths = Strengths(lines.__getitem__, totals.__getitem__, self._count_as_opponent)
        return [strengths.sum_up(key, met[key], byes[key]) for key in range(len(lines))]

    def _count_as_opponent(self, line: ScoredEntrant, total: Points) -> Points:
        """Return what a line with this total adds to the strength of an opponent."""
        if not self._unplayed:
            return total
        return self._total(replace(line, rounds=self._score(self.refs[line.key], self._unplayed)))

    def _total(self, line: ScoredEntrant) -> Points:
        return count_entrant(line, self.counting, self.directions, self.rounds_held, None).total

    def _draw_lots(self) -> dict[str, int]:
        """Return the lot of each entrant: its place, from 1, in the order of SHA-256 of seed and ref."""
        seed = self._competition.lasting_seed

        def digest(ref: str) -> bytes:
            return hashlib.sha256(f"{seed}\0lot\0{ref}".encode()).digest()

        return {ref: lot for lot, ref in enumerate(sorted(self.refs, key=digest), 1)}


def _find_unit(points: Iterable[Points | None]) -> int:
    """Return the least common denominator of the points."""
    return lcm(*{one.denominator for one in points if one is not None})


def _name_starts(competition: Competition) -> Competition:
    """Replace persons in seats by the start that they play, if a person has several starts.

    The tables of a person belong to their starts in turn, in the order of refs, unless the seat names the
    start itself.
    """
    starts: dict[str, list[str]] = {}
    for entrant in competition.by_ref.values():
        for person in entrant.persons:
            starts.setdefault(person, []).append(entrant.ref)
    if all(len(refs) == 1 for refs in starts.values()):
        return competition
    left = {person: iter(refs) for person, refs in starts.items()}

    def name_start(name: str) -> str:
        return name if name in competition.by_ref else next(left.get(name, iter(())), name)

    entrants = tuple(EntrantRecord(ref=ref) for ref in competition.by_ref)
    return replace(competition, entrants=entrants, past=_rename_seats(competition.past, name_start))


def _list_appearances(competition: Competition) -> tuple[Competition, Lines]:
    """Return the competition with one entrant for each taken seat, and the refs of these entrants by person.

    A person who only waited has no start: rounds without a table do not count.
    """
    person_of = {e.ref: e.persons[0] for e in competition.entrants if len(e.persons) == 1}
    lines: dict[str, list[str]] = {person: [] for e in competition.entrants for person in e.persons}

    def name_appearance(name: str) -> str:
        person = person_of.get(name, name)
        found = lines.setdefault(person, [])
        found.append(f"{person}\0{len(found) + 1}")
        return found[-1]

    past = tuple(
        replace(one, byes=(), absent=(), no_show=(), given={})
        for one in _rename_seats(competition.past, name_appearance)
    )
    entrants = tuple(EntrantRecord(ref=ref) for refs in lines.values() for ref in refs)
    return replace(competition, entrants=entrants, past=past, absent_rounds={}), lines


def _rename_seats(past: Iterable[PlayedRound], rename: Callable[[str], str]) -> tuple[PlayedRound, ...]:
    """Return the rounds with `rename` applied to the persons in all seats, in order."""
    return tuple(
        replace(one, tables=tuple(replace(t, seats=tuple(map(rename, t.seats))) for t in one.tables))
        for one in past
    )
