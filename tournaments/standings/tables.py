"""Results of tables, and what they are for the entrants who sat there: rounds, meetings, ranked lines."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from tournaments.standings.rows import Meeting, ScoredEntrant, ScoredRound, Unfinished

Place = tuple[int, int]
"""A table: the number of the round, and its own."""
BROKEN_OFF: Final = "closed"
"""The status of a game that was broken off."""


class TableResult(msgspec.Struct, frozen=True, gc=False):
    """The result of one table so far. `entries`: numbers by seat, `sides` their sides; totals and sweeps: by
    side, after rulings; `winners`: the sides that have won, none before the end; `deals`: how many deals with
    known scores stand, `complete`: every deal of the round is written down, or the game has ended.
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
    """A table of three whose results count as those of four."""

    @property
    def place(self) -> Place:
        return self.round, self.table

    @property
    def has_result(self) -> bool:
        """Whether anything has counted here: a deal, the end of the game, a ruling that moved points."""
        return bool(self.totals) and (self.deals > 0 or self.complete or any(self.totals))

    @property
    def unfinished(self) -> Unfinished | None:
        """The state of a result that is not final, else None."""
        if self.complete:
            return None
        broken_off = self.status == BROKEN_OFF
        if not self.has_result:
            return "none" if broken_off else "none_yet"
        return "broken_off" if broken_off else "so_far"

    def credit(self, seat: int, kind: str) -> int | None:
        """The credit of a seat by the regulations: the points of its side, or the number of opponents beaten.
        None without a result; a game that nobody has won yet has no opponents beaten.
        """
        if not self.has_result:
            return None
        side = self.sides[seat]
        if kind == "points":
            return _times(self.totals[side], 4, 3) if self.scaled else self.totals[side]
        if not self.winners:
            return None
        beaten = sum(other not in self.winners for other in self.sides) if side in self.winners else 0
        return _times(beaten, 3, 2) if self.scaled else beaten

    def won(self, seat: int) -> bool:
        """Whether the seat's side, and no other, has won."""
        return bool(self.winners) and self.winners == (self.sides[seat],)

    def scored(self, credit: str) -> Iterator[tuple[int, ScoredRound]]:
        """The number of each entry at this table, with its result of this round."""
        unfinished, has_result = self.unfinished, self.has_result
        for seat, number in enumerate(self.entries):
            points = self.credit(seat, credit)
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
                ),
            )


def _times(points: int, by: int, of: int) -> int:
    """Half a point counts as one."""
    return (2 * points * by + of) // (2 * of)


class RankingInputs(msgspec.Struct, frozen=True, gc=False):
    """What counts beside the tables: (number, round, points) of those who sat out, every entry as
    (number, status, cut, lot), (number of the pair, number of a member) of those ranked as one, and (number,
    number of the other) of a person who was entered twice.
    """

    sat_out: tuple[tuple[int, int, int], ...]
    entries: tuple[tuple[int, str, int | None, int | None], ...]
    members: tuple[tuple[int, int], ...] = ()
    twice: tuple[tuple[int, int], ...] = ()

    @property
    def counted_for(self) -> dict[int, int]:
        """The number that sat at a table → that of the line in the ranking, where these differ."""
        pair_of = {member: pair for pair, member in self.members}
        return pair_of | {other: pair_of.get(kept, kept) for kept, other in self.twice}


class Rankable(msgspec.Struct, frozen=True, gc=False):
    """Who may stand in one line of the ranking. `numbers`: those whose rounds count for it, and `given` what
    each of them has for sitting out; `plays`: whether it is ranked without any round."""

    key: int
    numbers: tuple[int, ...]
    given: tuple[tuple[ScoredRound, ...], ...]
    plays: bool
    cut: int | None
    lot: int | None
    members: tuple[int, ...] = ()

    def entrant(self, played: Callable[[int], Iterable[ScoredRound]]) -> ScoredEntrant | None:
        """With the rounds that each of its numbers has played; None where it is not ranked."""
        rounds = _as_one([(*played(n), *given) for n, given in zip(self.numbers, self.given, strict=True)])
        if not (self.plays or rounds):
            return None
        return ScoredEntrant(self.key, rounds, cut=self.cut, lot=self.lot, members=self.members)


def rankables_of(beside: RankingInputs) -> dict[int, Rankable]:
    """All who may be ranked, by key."""
    sat_out: dict[int, list[ScoredRound]] = {}
    for number, round_, points in beside.sat_out:
        sat_out.setdefault(number, []).append(ScoredRound(round_, points, 0, played=False))
    twice: dict[int, list[int]] = {}
    for kept, other in beside.twice:
        twice.setdefault(kept, []).append(other)
    together: dict[int, list[int]] = {}
    for pair, member in beside.members:
        together.setdefault(pair, []).append(member)
    pair_of = {member: pair for pair, member in beside.members}
    plays = {pair_of.get(number, number) for number, status, *_ in beside.entries if status == "arrived"}
    recorded = {number: (cut, lot) for number, _status, cut, lot in beside.entries}
    found = {}
    for key in sorted({pair_of.get(number, number) for number, *_ in beside.entries}):
        members = tuple(together.get(key, ()))
        numbers = tuple(n for member in members or (key,) for n in (member, *twice.get(member, ())))
        cut, lot = recorded.get(key, (None, None))
        given = tuple(tuple(sat_out.get(number, ())) for number in numbers)
        found[key] = Rankable(key, numbers, given, key in plays, cut, lot, members)
    return found


def entrants_of(beside: RankingInputs, tables: Iterable[TableResult], credit: str) -> list[ScoredEntrant]:
    """Everybody who plays or has played, pairs as one, with their rounds, credited as the regulations say."""
    scored: dict[int, list[ScoredRound]] = {}
    for result in tables:
        for number, round_ in result.scored(credit):
            scored.setdefault(number, []).append(round_)
    found = (line.entrant(lambda number: scored.get(number, ())) for line in rankables_of(beside).values())
    return [entrant for entrant in found if entrant is not None]


def _as_one(of_numbers: Sequence[tuple[ScoredRound, ...]]) -> tuple[ScoredRound, ...]:
    """A round counts once: the first result from a table, else the first from a bye, else none."""
    if len(of_numbers) == 1:
        return of_numbers[0]
    rounds: dict[int, ScoredRound] = {}
    for one in (one for scored in of_numbers for one in scored):
        if one.round not in rounds or _precedence(one) > _precedence(rounds[one.round]):
            rounds[one.round] = one
    return tuple(rounds.values())


def _precedence(one: ScoredRound) -> int:
    return 0 if one.points is None else 1 + one.played


def meetings_of(tables: Iterable[TableResult], counted_for: Mapping[int, int]) -> list[Meeting]:
    """Side against side at tables with two sides; `counted_for` as Beside has it."""
    return [
        Meeting(result.round, *_sides(result, counted_for), (result.totals[0], result.totals[1]))
        for result in tables
        if len(result.totals) == 2 and result.has_result
    ]


def _sides(result: TableResult, counted_for: Mapping[int, int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who of the ranking sat on either side; a pair once."""
    sides: tuple[dict[int, None], dict[int, None]] = ({}, {})
    for number, side in zip(result.entries, result.sides, strict=True):
        sides[side][counted_for.get(number, number)] = None
    return tuple(sides[0]), tuple(sides[1])
