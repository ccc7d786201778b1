"""Results of tables, and the rounds, meetings and ranked lines that are derived from them for entrants."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from tournaments.standings.field_credits import credit_against_field
from tournaments.standings.match_points import WIN, Conversion
from tournaments.standings.rows import Figure, Meeting, ScoredEntrant, ScoredRound, Unfinished
from tournaments.standings.unplayed_rounds import Averages, UnplayedCredits, Worth, average, count_own_mean

Place = tuple[int, int]
"""A table: number of the round and number of the table."""
DealPoints = tuple[int | None, ...]
"""Points of a deal by side."""
BROKEN_OFF: Final = "closed"
"""Status of a game that was broken off."""
SIDES_OF_MATCH: Final = 2


class Crediting(NamedTuple):
    """The rule by which a table credits its seats.

    kind: `points` (points of the seat's side), `field` (points against the other tables) or `wins` (number of
    opponents beaten). convert: function from the side's lead to match points, if matches count. direction: 1
    if the most points win a table, else -1.
    """

    kind: str = "points"
    convert: Conversion | None = None
    direction: int = 1


class TableResult(msgspec.Struct, frozen=True, gc=False):
    """The result of one table so far.

    `status`: of the game. `entries`: number of the entry by seat; `sides`: side by seat; `totals`, `sweeps`:
    by side, after rulings; `winners`: winning sides, empty before the end; `deals`: number of valid deals
    with known scores; `complete`: every deal of the round is written, or the game has ended.
    """

    round: int
    table: int
    status: str
    entries: tuple[int, ...]
    sides: tuple[int, ...]
    totals: tuple[int, ...]
    sweeps: tuple[int, ...]
    winners: tuple[int, ...] = ()
    deals: int = 0
    complete: bool = False
    scaled: bool = False
    """Whether this is a table of three whose results are scaled to a table of four."""
    credited: bool = False
    """Whether a credit replaces the result if the table is broken off."""
    by_deal: tuple[DealPoints | None, ...] = ()
    """Points by deal of the round, and in each deal by side; set if tables are compared deal by deal."""
    outside: tuple[int, ...] = ()
    """Points of each side that belong to no deal, such as a penalty. They are not compared with other tables.
    """
    against_field: tuple[Fraction | None, ...] = ()
    """Credit of each side against the other tables (`count_against_field`)."""

    @property
    def place(self) -> Place:
        return self.round, self.table

    @property
    def has_result(self) -> bool:
        """Whether a deal has counted, the game has ended, or a ruling has moved points."""
        return bool(self.totals) and (self.deals > 0 or self.complete or any(self.totals))

    @property
    def is_replaced(self) -> bool:
        """Whether the table was broken off, and the regulations replace its result by a credit."""
        return self.credited and self.status == BROKEN_OFF and not self.complete

    @property
    def unfinished(self) -> Unfinished | None:
        """The state of a result that is not final; None if it is final."""
        if self.complete:
            return None
        broken_off = self.status == BROKEN_OFF
        if not self.has_result:
            return "none" if broken_off else "none_yet"
        return "broken_off" if broken_off else "so_far"

    def credit(self, seat: int, kind: str) -> Figure | None:
        """Return the credit of a seat: points of its side, number of opponents beaten, or points against the
        field.

        kind: as in `Crediting`. None without a result. The number of opponents beaten is None before the game
        has a winner. Points against the field are None as long as no other table has played a deal that this
        table has played.
        """
        if not self.has_result:
            return None
        side = self.sides[seat]
        if kind == "field":
            return self.against_field[side] if side < len(self.against_field) else None
        if kind == "points":
            return _scale(self.totals[side], 4, 3) if self.scaled else self.totals[side]
        if not self.winners:
            return None
        beaten = sum(other not in self.winners for other in self.sides) if side in self.winners else 0
        return _scale(beaten, 3, 2) if self.scaled else beaten

    def worth(self, seat: int, crediting: Crediting) -> Figure | None:
        """Return the points that this table credits to a seat; None without a result, or if match points
        count and the table has not two sides.
        """
        if crediting.convert is None:
            return self.credit(seat, crediting.kind)
        if not self.has_result or len(self.totals) != SIDES_OF_MATCH:
            return None
        side = self.sides[seat]
        return crediting.convert(crediting.direction * (self.totals[side] - self.totals[1 - side]))

    def leads(self, seat: int, direction: int) -> bool:
        """Return whether the seat's side has better points than every other side."""
        side = self.sides[seat]
        return self.has_result and all(
            direction * (self.totals[side] - other) > 0 for at, other in enumerate(self.totals) if at != side
        )

    def won(self, seat: int) -> bool:
        """Return whether the seat's side is the only winner."""
        return bool(self.winners) and self.winners == (self.sides[seat],)

    def scored(self, crediting: Crediting) -> Iterator[tuple[int, ScoredRound]]:
        """Yield (number of the entry, its result in this round) for each entry at this table."""
        unfinished, has_result = self.unfinished, self.has_result
        for seat, number in enumerate(self.entries):
            points = self.worth(seat, crediting)
            state = unfinished
            if points is None and has_result:
                state = "none" if self.complete or self.status == BROKEN_OFF else "none_yet"
            yield (
                number,
                ScoredRound(
                    self.round,
                    points,
                    self.sweeps[self.sides[seat]] if has_result else 0,
                    table=self.totals[self.sides[seat]] if has_result else None,
                    won=self.won(seat),
                    unfinished=state,
                    at=self.table,
                    broken_off=self.is_replaced,
                ),
            )


def count_against_field(tables: Sequence[TableResult]) -> list[TableResult]:
    """Return the tables with their credits against the field of their round. Unchanged tables are the same
    objects.

    Tables of different sizes have different hands, so tables of each size are compared separately.
    """
    fields: dict[tuple[int, int], list[int]] = {}
    for at, table in enumerate(tables):
        fields.setdefault((table.round, len(table.entries)), []).append(at)
    found = list(tables)
    for places in fields.values():
        credits = credit_against_field([tables[at].by_deal for at in places])
        for at, compared in zip(places, credits, strict=True):
            beside = tables[at].outside or (0,) * len(compared)
            credit = tuple(
                None if points is None else points + more
                for points, more in zip(compared, beside, strict=False)
            )
            if tables[at].against_field != credit:
                found[at] = replace(tables[at], against_field=credit)
    return found


def value_unplayed_round(
    worth: Worth,
    fixed: int,
    tables: Iterable[TableResult],
    crediting: Crediting,
    *,
    direction: int,
    matches: bool,
    averages: Averages,
) -> Figure | None:
    """Return the credit of entrants who did not play in a round with these tables; None if it depends on the
    seats and no seat has points yet.

    worth: `fixed`: the number `fixed`; `average`: the mean of the seats; `own`: the same, for people without
    own rounds; `win`: a won match with `matches`, otherwise the mean of the seats that lead their tables, or
    of all if none leads; `worst`: the worst credit (direction 1: the lowest, otherwise the highest).

    If a seat has a final result, seats without one do not count. Tables whose result a credit replaces never
    count.
    """
    if worth == "fixed":
        return fixed
    if worth == "win" and matches:
        return WIN
    credits = [
        (one.complete, one.leads(seat, crediting.direction), points)
        for one in tables
        if not one.is_replaced
        for seat in range(len(one.entries))
        if (points := one.worth(seat, crediting)) is not None
    ]
    there = [one for one in credits if one[0]] or credits
    if worth == "win":
        there = [one for one in there if one[1]] or there
    given = [points for _, _, points in there]
    if not given:
        return None
    if worth == "worst":
        return min(given) if direction > 0 else max(given)
    return average(given, averages)


def _scale(points: int, by: int, of: int) -> int:
    """Multiply points by the fraction `by`/`of`; half a point is rounded up."""
    return (2 * points * by + of) // (2 * of)


class RankingInputs(msgspec.Struct, frozen=True, dict=True):
    """Inputs of the ranking other than tables, as tuples.

    byes: (number of the entry, round, points). entries: every entry, as (number, status, cut,
    lot). members: (number of the pair, number of a member). twice: people entered twice, as (kept number,
    merged number). reached: (number, place) in a bracket, which ranks before all points. starts: in an open
    heat, (number of the ranked person or pair, number of a start), including their own entry; the members of
    a pair are the first entries of its persons. own_mean: how the average of the own rounds is computed, if a
    bye counts that; else None. absences: credits for missed rounds; broken_off: credits for tables broken
    off. excused: (number, rounds missed with notice), if only these absences count; else None.
    """

    byes: tuple[tuple[int, int, Figure], ...]
    entries: tuple[tuple[int, str, int | None, int | None], ...]
    members: tuple[tuple[int, int], ...] = ()
    twice: tuple[tuple[int, int], ...] = ()
    reached: tuple[tuple[int, int], ...] = ()
    starts: tuple[tuple[int, int], ...] = ()
    own_mean: Averages | None = None
    absences: UnplayedCredits | None = None
    broken_off: UnplayedCredits | None = None
    excused: tuple[tuple[int, tuple[int, ...]], ...] | None = None

    @cached_property
    def excused_of(self) -> Mapping[int, tuple[int, ...]]:
        """Rounds missed with notice, by number of the entry."""
        return dict(self.excused or ())

    @property
    def counted_for(self) -> dict[int, int]:
        """Number of the row for which an entry counts, by number of the entry, if the two differ."""
        if self.starts:
            return {start: ranked for ranked, start in self.starts if start != ranked}
        pair_of = {member: pair for pair, member in self.members}
        return pair_of | {other: pair_of.get(kept, kept) for kept, other in self.twice}


class Rankable(msgspec.Struct, frozen=True, gc=False):
    """An entrant that may be ranked.

    `numbers`: entries whose rounds count for it; `given`: their results of byes; `plays`: it is ranked even
    without any round; `cut`, `lot`: recorded tie-break values; `members`: entries ranked as one; `reached`:
    place in a bracket; `starts`: each table counts as a round of its own, numbered from 1; `own_mean`: how
    the average of the played rounds is computed, if a bye counts that; `stays`: it has not withdrawn;
    `absences`, `broken_off`: credits for missed rounds and for tables broken off; `excused`: rounds missed
    with notice, if only these count.
    """

    key: int
    numbers: tuple[int, ...]
    given: tuple[tuple[ScoredRound, ...], ...]
    plays: bool
    cut: int | None
    lot: int | None
    members: tuple[int, ...] = ()
    reached: int | None = None
    starts: bool = False
    own_mean: Averages | None = None
    stays: bool = True
    absences: UnplayedCredits | None = None
    broken_off: UnplayedCredits | None = None
    excused: frozenset[int] | None = None

    def entrant(self, played: Callable[[int], Iterable[ScoredRound]]) -> ScoredEntrant | None:
        """Return the entrant with its rounds: played ones, byes and credits. None if it is not ranked.

        played: function from the number of an entry to its rounds.
        """
        if self.starts:
            rounds = _number_starts(one for n in self.numbers for one in played(n))
        else:
            rounds = _merge_rounds(
                [(*played(n), *given) for n, given in zip(self.numbers, self.given, strict=True)]
            )
            if self.own_mean:
                rounds = count_own_mean(rounds, self.own_mean)
            if self.absences is not None:
                rounds = self.absences.add_absences(rounds, stays=self.stays, excused=self.excused)
            if self.broken_off is not None:
                rounds = self.broken_off.replace_broken_off(rounds)
        if not (self.plays or rounds):
            return None
        return ScoredEntrant(
            self.key, rounds, cut=self.cut, lot=self.lot, members=self.members, reached=self.reached
        )


def build_rankables(inputs: RankingInputs) -> dict[int, Rankable]:
    """Return all entrants that may be ranked, by key."""
    if inputs.starts:
        return _build_persons(inputs)
    byes: dict[int, list[ScoredRound]] = {}
    for number, round_, points in inputs.byes:
        byes.setdefault(number, []).append(ScoredRound(round_, points, 0, played=False))
    twice: dict[int, list[int]] = {}
    for kept, other in inputs.twice:
        twice.setdefault(kept, []).append(other)
    together: dict[int, list[int]] = {}
    for pair, member in inputs.members:
        together.setdefault(pair, []).append(member)
    pair_of = {member: pair for pair, member in inputs.members}
    plays = {pair_of.get(number, number) for number, status, *_ in inputs.entries if status == "arrived"}
    stay = {pair_of.get(number, number) for number, status, *_ in inputs.entries if status != "withdrawn"}
    recorded = {number: (cut, lot) for number, _status, cut, lot in inputs.entries}
    places = dict(inputs.reached)
    outside = max(places.values(), default=0) + 1
    found = {}
    for key in sorted({pair_of.get(number, number) for number, *_ in inputs.entries}):
        members = tuple(together.get(key, ()))
        numbers = tuple(n for member in members or (key,) for n in (member, *twice.get(member, ())))
        cut, lot = recorded.get(key, (None, None))
        given = tuple(tuple(byes.get(number, ())) for number in numbers)
        reached = places.get(key, outside) if places else None
        found[key] = Rankable(
            key,
            numbers,
            given,
            key in plays,
            cut,
            lot,
            members,
            reached,
            own_mean=inputs.own_mean,
            stays=key in stay,
            absences=inputs.absences,
            broken_off=inputs.broken_off,
            excused=_list_excused(inputs, numbers),
        )
    return found


def _list_excused(inputs: RankingInputs, numbers: Collection[int]) -> frozenset[int] | None:
    """Return the rounds that one of these entries misses with notice; None if all absences count."""
    if inputs.excused is None:
        return None
    return frozenset(one for number in numbers for one in inputs.excused_of.get(number, ()))


def _build_persons(inputs: RankingInputs) -> dict[int, Rankable]:
    """Return the persons or pairs of an open heat that may be ranked, by number."""
    recorded = {number: (cut, lot) for number, _status, cut, lot in inputs.entries}
    members: dict[int, tuple[int, ...]] = {}
    for pair, member in inputs.members:
        members[pair] = (*members.get(pair, ()), member)
    starts: dict[int, list[int]] = {}
    for person, number in inputs.starts:
        starts.setdefault(person, []).append(number)
    return {
        key: Rankable(
            key,
            tuple(sorted(starts[key])),
            (),
            False,
            *recorded.get(key, (None, None)),
            members=members.get(key, ()),
            starts=True,
        )
        for key in sorted(starts)
    }


def build_entrants(
    inputs: RankingInputs, tables: Iterable[TableResult], crediting: Crediting
) -> list[ScoredEntrant]:
    """Build all entrants with their rounds. A pair is one entrant. `crediting`: the rule for the credits of
    tables.
    """
    scored: dict[int, list[ScoredRound]] = {}
    for result in tables:
        for number, round_ in result.scored(crediting):
            scored.setdefault(number, []).append(round_)
    found = (line.entrant(lambda number: scored.get(number, ())) for line in build_rankables(inputs).values())
    return [entrant for entrant in found if entrant is not None]


def _merge_rounds(of_numbers: Sequence[tuple[ScoredRound, ...]]) -> tuple[ScoredRound, ...]:
    """Merge the rounds of several entries. For each round the first result from a table counts, else the
    first from a bye.
    """
    if len(of_numbers) == 1:
        return of_numbers[0]
    rounds: dict[int, ScoredRound] = {}
    for one in (one for scored in of_numbers for one in scored):
        if one.round not in rounds or _precedence(one) > _precedence(rounds[one.round]):
            rounds[one.round] = one
    return tuple(rounds.values())


def _number_starts(rounds: Iterable[ScoredRound]) -> tuple[ScoredRound, ...]:
    """Number the tables of a person from 1, in the order of the starts. A table counts once for a pair."""
    tables: dict[Place, ScoredRound] = {}
    for one in rounds:
        tables.setdefault((one.round, one.at), one)
    return tuple(replace(one, round=number) for number, one in enumerate(tables.values(), 1))


def _precedence(one: ScoredRound) -> int:
    return 0 if one.points is None else 1 + one.played


def build_meetings(tables: Iterable[TableResult], counted_for: Mapping[int, int]) -> list[Meeting]:
    """Build the meetings at tables with two sides and a result.

    counted_for: number of the row for which an entry counts, by number of the entry.
    """
    return [
        Meeting(result.round, *_keys_by_side(result, counted_for), (result.totals[0], result.totals[1]))
        for result in tables
        if len(result.totals) == SIDES_OF_MATCH and result.has_result
    ]


def _keys_by_side(
    result: TableResult, counted_for: Mapping[int, int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the ranked keys of both sides. A pair appears once."""
    sides: tuple[dict[int, None], dict[int, None]] = ({}, {})
    for number, side in zip(result.entries, result.sides, strict=True):
        sides[side][counted_for.get(number, number)] = None
    return tuple(sides[0]), tuple(sides[1])
