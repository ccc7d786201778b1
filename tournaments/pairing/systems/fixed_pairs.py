"""Pairs that stay together; opponents are drawn, and nobody meets an opponent twice while that is possible.

The rounds are those of the circle method; the seed draws their order and the pairs' numbers. A round of this
plan is drawn if each pair (but one of an odd number) has a table, none meet again while other pairs have met
less often, no opponents are to be kept apart or of one team, and no pair gets a bye before its turn.
Otherwise the best round of the plan is repaired by exact matching. For up to `_MOST_TO_SIMULATE` pairs
several repairs are compared by a simulation of the rounds to come.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from tournaments.competition import Competition, ordered
from tournaments.pairing.circle_method import CirclePlan, Meeting
from tournaments.pairing.exact_matching import Pair, match_exactly
from tournaments.pairing.first_field import list_first_field
from tournaments.pairing.first_seats import count_first_seats
from tournaments.pairing.stream import NumberStream
from tournaments.pairing.systems.separation import find_separated, list_unkept
from tournaments.pairing.systems.system import (
    DrawNote,
    NextRound,
    Options,
    PairingSystem,
    match_tables,
    past_meetings,
)

_MOST_TO_SIMULATE: Final = 24
_REPAIRS: Final = 4
"""Number of repairs that are compared."""
_MOST_ROUNDS_TO_SEARCH: Final = 200
"""Largest number of the plan's rounds that are compared."""
_SMALL_FIELD: Final = 120
"""Largest number of pairs for which a repair matches all of them again."""
_LARGEST_POOL: Final = 400
"""Largest pool (pairs to match again) in which a repair considers all opponents."""
_CANDIDATES: Final = 12
"""Number of random shifts that give each pair of a larger pool its possible opponents."""


class FixedPairsOptions(Options, frozen=True, kw_only=True):
    """Options of the system `fixed_pairs`: it has none."""


_Cost = tuple[int, int, int, int]


@dataclass(frozen=True)
class _State:
    """The state before a round.

    number: of the round. met: meetings by two pairs. byes: byes by pair. least_met: smallest number of
    meetings between any two present pairs.
    """

    number: int
    met: Counter[Pair]
    byes: Counter[str]
    least_met: int


@dataclass(frozen=True)
class _Setting:
    """The data that is the same in all rounds.

    order: the numbers of the plan's rounds in drawn order. hard, soft: entrants that must not meet, or should
    not. present: refs by round, filled on demand.
    """

    competition: Competition
    plan: CirclePlan
    order: list[int]
    hard: frozenset[Pair]
    soft: frozenset[Pair]
    present: dict[int, list[str]] = field(default_factory=dict)

    def list_present(self, number: int) -> list[str]:
        if number not in self.present:
            self.present[number] = [one.ref for one in self.competition.present(number)]
        return self.present[number]

    def have_one_team(self, pair: Pair) -> bool:
        one, other = (self.competition.by_ref[ref].team for ref in pair)
        return one is not None and one == other

    def is_soft(self, pair: Pair) -> bool:
        return pair in self.soft or self.have_one_team(pair)


def _next_round(competition: Competition, options: FixedPairsOptions) -> NextRound:
    setting = _prepare(competition)
    state = _start(
        setting,
        competition.next_number,
        Counter(past_meetings(competition, partnered=True).opponents),
        Counter(competition.bye_counts),
    )
    pairs = _choose(setting, state)
    numbers = NumberStream(competition.seed.encode(), f"fixed_pairs/{state.number}/seats")
    meetings = _seat(competition, pairs, numbers)
    numbers.shuffle(meetings)
    refs = competition.by_ref
    byes = sorted(set(setting.list_present(state.number)).difference(*pairs))
    return NextRound(
        state.number,
        tuple(
            seats
            for one, other in meetings
            for seats in match_tables(refs[one], refs[other], competition.size)
        ),
        tuple(byes),
        tuple(_list_notes(setting, state, meetings, byes)),
    )


def _prepare(competition: Competition) -> _Setting:
    numbers = NumberStream(competition.lasting_seed.encode(), "fixed_pairs")
    names = list_first_field(competition)
    numbers.shuffle(names)
    plan = CirclePlan(tuple(names))
    order = list(range(1, plan.rounds + 1))
    numbers.shuffle(order)
    separated = find_separated(competition)
    return _Setting(
        competition,
        plan,
        order,
        frozenset(pair for pair, how in separated.items() if how == "hard"),
        frozenset(pair for pair, how in separated.items() if how == "soft"),
    )


def _choose(setting: _Setting, state: _State) -> list[Pair]:
    planned = _find_planned(setting, state)
    if not any(_measure(setting, state, planned)):
        return planned
    if len(setting.list_present(state.number)) > _MOST_TO_SIMULATE:
        return _repair(setting, state, planned, 0)
    repairs = [_repair(setting, state, planned, salt) for salt in range(_REPAIRS)]
    return min(
        enumerate(repairs), key=lambda found: (_simulate(setting, state, found[1], found[0]), found[0])
    )[1]


def _find_planned(setting: _Setting, state: _State) -> list[Pair]:
    """Return the meetings of the plan's first round without any cost, else those of the round with the lowest
    cost.

    Meetings that cannot take place are left out.
    """
    present = set(setting.list_present(state.number))
    start = (state.number - 1) % max(1, len(setting.order))
    best: tuple[_Cost, list[Pair]] = (_measure(setting, state, []), [])
    for number in (setting.order[start:] + setting.order[:start])[:_MOST_ROUNDS_TO_SEARCH]:
        planned = (ordered(a, b) for a, b in setting.plan.list_meetings(number))
        pairs = [pair for pair in planned if present.issuperset(pair) and pair not in setting.hard]
        cost = _measure(setting, state, pairs)
        if cost < best[0]:
            best = cost, pairs
        if not any(cost):
            break
    return best[1]


def _measure(setting: _Setting, state: _State, pairs: list[Pair]) -> _Cost:
    """Return the cost of a round: entrants without a table, repeated meetings, byes out of turn, and meetings
    within a team or kept apart `soft`.
    """
    present = setting.list_present(state.number)
    alone = set(present).difference(*pairs)
    least_byes = min((state.byes[ref] for ref in present), default=0)
    return (
        len(alone) - len(present) % 2,
        sum(state.met[pair] ** 2 - state.least_met**2 for pair in pairs),
        sum(state.byes[ref] - least_byes for ref in alone),
        sum(setting.is_soft(pair) for pair in pairs),
    )


def _repair(setting: _Setting, state: _State, planned: list[Pair], salt: int) -> list[Pair]:
    """Match again the entrants whom the plan leaves alone or matches badly, and more entrants until nothing
    costs.
    """
    numbers = NumberStream(setting.competition.seed.encode(), f"fixed_pairs/{state.number}/{salt}")
    present = setting.list_present(state.number)
    kept = [pair for pair in planned if state.met[pair] <= state.least_met and not setting.is_soft(pair)]
    loose = sorted(set(present).difference(*kept))
    numbers.shuffle(kept)
    kept.sort(key=lambda pair: min(state.byes[ref] for ref in pair))
    count = len(kept) if len(present) <= _SMALL_FIELD else _SMALL_FIELD // 2
    while True:
        pool = [*loose, *(ref for pair in kept[:count] for ref in pair)]
        found = [*kept[count:], *_match(setting, state, pool, set(planned), numbers)]
        if count >= len(kept) or 2 * len(pool) > _LARGEST_POOL or not any(_measure(setting, state, found)):
            return found
        count *= 2


def _match(
    setting: _Setting, state: _State, names: list[str], planned: set[Pair], numbers: NumberStream
) -> list[Pair]:
    most_byes = max((state.byes[name] for name in names), default=0)
    pairs = _list_candidates(setting, state, names, numbers)
    costs = {
        (a, b): (
            state.met[a, b] ** 2,
            2 * most_byes - state.byes[a] - state.byes[b],
            int(setting.is_soft((a, b))),
            int((a, b) not in planned),
        )
        for a, b in pairs
        if (a, b) not in setting.hard
    }
    return match_exactly(costs, numbers)


def _list_candidates(
    setting: _Setting, state: _State, names: list[str], numbers: NumberStream
) -> Iterable[Pair]:
    """Return all pairs of these names; in a pool larger than _LARGEST_POOL some random pairs with
    each name.
    """
    if len(names) <= _LARGEST_POOL:
        return (ordered(a, b) for a, b in combinations(names, 2))
    drawn = list(names)
    numbers.shuffle(drawn)
    near = (
        (shift, ordered(a, b))
        for shift in (1, *(1 + numbers.below(len(drawn) - 1) for _ in range(_CANDIDATES)))
        for a, b in zip(drawn, drawn[shift:] + drawn[:shift], strict=True)
    )
    return (
        pair
        for shift, pair in near
        if shift == 1 or (state.met[pair] <= state.least_met and not setting.is_soft(pair))
    )


def _simulate(setting: _Setting, state: _State, pairs: list[Pair], salt: int) -> _Cost:
    """Return the sum of costs of this round and of simulated following rounds."""
    total = _measure(setting, state, pairs)
    rounds = setting.competition.rounds
    last = setting.plan.rounds if rounds is None else min(rounds, state.number + setting.plan.rounds)
    while state.number < last:
        state = _advance(setting, state, pairs)
        pairs = _find_planned(setting, state)
        if any(_measure(setting, state, pairs)):
            pairs = _repair(setting, state, pairs, salt)
        cost = _measure(setting, state, pairs)
        total = (total[0] + cost[0], total[1] + cost[1], total[2] + cost[2], total[3] + cost[3])
    return total


def _advance(setting: _Setting, state: _State, pairs: list[Pair]) -> _State:
    alone = set(setting.list_present(state.number)).difference(*pairs)
    return _start(setting, state.number + 1, state.met + Counter(pairs), state.byes + Counter(alone))


def _start(setting: _Setting, number: int, met: Counter[Pair], byes: Counter[str]) -> _State:
    present = set(setting.list_present(number))
    times = [count for pair, count in met.items() if present.issuperset(pair)]
    everybody_met = len(times) == len(present) * (len(present) - 1) // 2
    return _State(number, met, byes, min(times) if times and everybody_met else 0)


def _seat(competition: Competition, pairs: list[Pair], numbers: NumberStream) -> list[Meeting]:
    """Return the meetings of a round. The entrant with the smaller lead of first seats sits first, else the
    lot decides.
    """
    lead, _ = count_first_seats(competition)
    meetings = []
    for a, b in sorted(pairs):
        by_lot = numbers.below(2)
        first_is_a = lead[a] < lead[b] or (lead[a] == lead[b] and by_lot)
        meetings.append((a, b) if first_is_a else (b, a))
    return meetings


def _list_notes(
    setting: _Setting, state: _State, meetings: list[Meeting], byes: list[str]
) -> Iterable[DrawNote]:
    repeated = [pair for pair in meetings if state.met[ordered(*pair)]]
    if repeated:
        yield DrawNote("pairing/repeats", {"meetings": len(repeated)})
    yield from list_unkept(setting.competition, meetings)
    for table, pair in enumerate(meetings, 1):
        if setting.have_one_team(pair):
            yield DrawNote("pairing/one_team", {"table": table, "one": pair[0], "other": pair[1]})
    present = setting.list_present(state.number)
    least = min((state.byes[ref] for ref in present), default=0)
    for ref in byes:
        if state.byes[ref] > least:
            yield DrawNote("pairing/bye_again", {"ref": ref, "before": state.byes[ref]})
    if len(byes) > len(present) % 2:
        for ref in byes:
            yield DrawNote("pairing/no_opponent", {"ref": ref})


SYSTEM = PairingSystem(
    key="fixed_pairs",
    title="Fixed pairs, opponents drawn",
    options=FixedPairsOptions,
    sizes=(4,),
    kinds=("pair",),
    next_round=_next_round,
    abilities=frozenset({"all_rounds_known"}),
    keeps=frozenset({"never_meet"}),
)
