"""The entrants of a Swiss round in order of standing, and the costs of each possible table and bye.

Entrants are numbers: positions in the order of standing, level entrants ordered by lot. Ranks are doubled, so
that the mean rank of level entrants is whole. Costs are tuples, compared from the left.

No rule picks the odd player who leaves a score group: `RoundCost.distance` decides.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

import msgspec

from tournaments.competition import Competition, EntrantRecord, ordered
from tournaments.pairing.stream import NumberStream
from tournaments.pairing.systems.separation import find_separated_positions
from tournaments.pairing.systems.system import NextRound, Options, past_meetings
from tournaments.standings.competition_ranking import rank_competition

Pair = tuple[int, int]


class RoundCost(NamedTuple):
    """Criteria of a Swiss round, the most important first; smaller is better. The cost of a round is the sum
    of the costs of its tables and its bye.

    apart: number of tables whose entrants are kept apart `hard`. repeats: number of tables whose entrants
    have met before, or, once everybody has met everybody, more often than others. bye: position of the
    entrant with the bye in the order of `bye_classes`. soft: number of tables whose entrants are kept apart
    `soft`, or are of one team. distance: sum of squared differences of doubled ranks.
    """

    apart: int = 0
    repeats: int = 0
    bye: int = 0
    soft: int = 0
    distance: int = 0


@dataclass(frozen=True)
class SwissField:
    """The entrants of a Swiss round; refs, ranks, byes and teams are listed by position in the standing.

    ranks: doubled ranks, ascending. byes: number of earlier byes. met: number of earlier meetings by pair.
    hard, soft: pairs that are kept apart. In each pair the lower position comes first. teams: the team of
    each entrant, or None; empty if all are equal.
    """

    refs: tuple[str, ...]
    ranks: tuple[int, ...]
    byes: tuple[int, ...]
    met: Mapping[Pair, int] = field(default_factory=dict)
    hard: frozenset[Pair] = frozenset()
    soft: frozenset[Pair] = frozenset()
    teams: tuple[str | None, ...] = ()

    @property
    def size(self) -> int:
        return len(self.refs)

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """Position by ref."""
        return {ref: position for position, ref in enumerate(self.refs)}

    @cached_property
    def bye_classes(self) -> tuple[int, ...]:
        """By position: the entrant's turn for the bye, 0 first. Fewer byes come first, then a lower standing.

        Level entrants have the same value.
        """
        keys = [(had, -rank) for had, rank in zip(self.byes, self.ranks, strict=True)]
        classes = {key: at for at, key in enumerate(sorted(set(keys)))}
        return tuple(classes[key] for key in keys)

    @cached_property
    def least_meetings(self) -> int:
        """Smallest number of earlier meetings of any two entrants."""
        everybody = len(self.met) == self.size * (self.size - 1) // 2
        return min(self.met.values(), default=0) if everybody else 0

    @cached_property
    def barriers(self) -> tuple[Sequence[int], ...]:
        """For each entrant, the ascending positions of its barriers: entrants that it has met more often than
        `least_meetings`, or that are kept apart from it. Members of its team are no barriers.
        """
        found: list[set[int]] = [set() for _ in self.refs]
        again = (pair for pair, times in self.met.items() if times > self.least_meetings)
        for a, b in (*again, *self.hard, *self.soft):
            found[a].add(b)
            found[b].add(a)
        return tuple(sorted(one) for one in found)

    @cached_property
    def team_mates(self) -> Mapping[str, Sequence[int]]:
        """Positions of the members by team, ascending."""
        found: dict[str, list[int]] = {}
        for position, team in enumerate(self.teams):
            if team is not None:
                found.setdefault(team, []).append(position)
        return found

    def same_team(self, a: int, b: int) -> bool:
        return bool(self.teams) and self.teams[a] is not None and self.teams[a] == self.teams[b]

    def mates_of(self, position: int) -> Sequence[int]:
        """Return the positions of an entrant's team, the entrant included; empty without a team."""
        team = self.teams[position] if self.teams else None
        return () if team is None else self.team_mates[team]

    def barriers_within(self, position: int, low: int, high: int) -> list[int]:
        """Return the positions from `low` to `high` (included) whose table with the entrant costs more than
        distance.

        They are barriers of the entrant, or members of its team.
        """
        found: set[int] = set()
        for known in (self.barriers[position], self.mates_of(position)):
            found.update(known[bisect_left(known, low) : bisect_right(known, high)])
        found.discard(position)
        return sorted(found)

    def table_cost(self, a: int, b: int) -> RoundCost:
        """Return the cost of a table of two entrants."""
        pair = (a, b) if a < b else (b, a)
        return RoundCost(
            apart=int(pair in self.hard),
            repeats=int(self.met.get(pair, 0) > self.least_meetings),
            soft=int(pair in self.soft or self.same_team(a, b)),
            distance=(self.ranks[a] - self.ranks[b]) ** 2,
        )

    def bye_cost(self, position: int) -> RoundCost:
        """Return the cost of giving an entrant the bye."""
        return RoundCost(bye=self.bye_classes[position])

    def cost_of(self, tables: Iterable[Pair], byes: Iterable[int] = ()) -> RoundCost:
        """Return the cost of a round with these tables and byes."""
        return add_costs(*(self.table_cost(a, b) for a, b in tables), *map(self.bye_cost, byes))


def add_costs(*costs: RoundCost) -> RoundCost:
    """Return the sum of costs, criterion by criterion."""
    return RoundCost(*map(sum, zip(*costs, strict=True))) if costs else RoundCost()


class SwissOptions(Options, frozen=True, kw_only=True):
    """Options of the Swiss system.

    repeats: entrants may meet again at no cost. first: ranks before any result: `lot` (all level, ordered by
    lot) or `start_rank`. reasons: add a note for each table whose opponents could be nearer in rank, with the
    reason.
    """

    repeats: bool = False
    first: Literal["lot", "start_rank"] = "lot"
    reasons: bool = False


def build_field(competition: Competition, options: SwissOptions) -> SwissField:
    """Return the entrants of the next round, ordered by standing."""
    entrants = competition.present()
    places = _places(competition, options.first == "start_rank")
    sizes = Counter(places.values())
    lots = _draw_lots(competition, entrants)
    entrants.sort(key=lambda entrant: (places[entrant.ref], lots[entrant.ref]))
    position_of = {entrant.ref: position for position, entrant in enumerate(entrants)}
    apart = find_separated_positions(competition, position_of)
    teams = tuple(entrant.team for entrant in entrants)
    return SwissField(
        refs=tuple(position_of),
        ranks=tuple(2 * places[ref] + sizes[places[ref]] - 1 for ref in position_of),
        byes=tuple(competition.bye_counts[ref] for ref in position_of),
        met={} if options.repeats else _count_met(competition, position_of),
        hard=apart["hard"],
        soft=apart["soft"],
        teams=teams if len(set(teams)) > 1 else (),  # members of the only team cannot avoid each other
    )


def read_swiss_options(competition: Competition) -> SwissOptions:
    """Read the options of a competition. Raises msgspec.ValidationError."""
    return msgspec.convert(competition.options, SwissOptions)


def read_round(
    competition: Competition, swiss: SwissField, drawn_round: NextRound
) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return the positions that meet at each table, and the positions with a bye.

    The tables of a match of teams count as one.
    """
    refs = [tuple(dict.fromkeys(competition.ref_of[p] for p in seats)) for seats in drawn_round.tables]
    tables = dict.fromkeys(tuple(swiss.positions[ref] for ref in table) for table in refs)
    return list(tables), [swiss.positions[ref] for ref in drawn_round.byes]


def has_results(competition: Competition) -> bool:
    """Return whether any seat of a past round has points."""
    return any(
        points is not None for one in competition.past for table in one.tables for points in table.points
    )


def _places(competition: Competition, by_start_rank: bool) -> dict[str, int]:
    """Return the place by ref. Level entrants share the best of their places."""
    if has_results(competition):
        return {line.ref: line.place for line in rank_competition(competition)}
    if not by_start_rank:
        return dict.fromkeys(competition.by_ref, 1)
    keys: dict[str, Any] = {
        ref: (entrant.start_rank is None, entrant.start_rank or 0)
        for ref, entrant in competition.by_ref.items()
    }
    rising = sorted(keys.values())
    return {ref: bisect_left(rising, key) + 1 for ref, key in keys.items()}


def _draw_lots(competition: Competition, entrants: list[EntrantRecord]) -> dict[str, int]:
    """Return the lot by ref: the entrants' order after a shuffle by the seed of the round."""
    refs = [entrant.ref for entrant in entrants]
    NumberStream(competition.seed.encode(), f"swiss/{competition.next_number}/lots").shuffle(refs)
    return {ref: lot for lot, ref in enumerate(refs)}


def _count_met(competition: Competition, position_of: dict[str, int]) -> dict[Pair, int]:
    history = past_meetings(competition, partnered=True)
    return {
        (min(position_of[a], position_of[b]), max(position_of[a], position_of[b])): times
        for (a, b), times in (history.partners + history.opponents).items()
        if a in position_of and b in position_of
    }


def name_pair(swiss: SwissField, pair: Pair) -> tuple[str, str]:
    """Return the refs of a pair in alphabetical order."""
    return ordered(swiss.refs[pair[0]], swiss.refs[pair[1]])
