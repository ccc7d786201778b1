"""Entrants of a ranking: persons and pairs with the rounds that count for them, byes and credits included."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property

import msgspec
from msgspec.structs import replace

from tournaments.standings.rows import Figure, ScoredEntrant, ScoredRound
from tournaments.standings.table_results import Crediting, Place, TableResult
from tournaments.standings.unplayed_points import Averages, UnplayedCredits, count_own_mean


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
