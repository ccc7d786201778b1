"""Everybody meets everybody, once or twice, by the circle method; the entrants' numbers are drawn.

The plan is made for the field of the first round. It cannot be followed if entrants came late, are absent or
have left, or a round was made by hand. Then small fields compare several candidates: the possible meetings of
the plan with all other entrants matched among themselves, and some exact matchings of entrants who have still
to meet. The rest of the competition is simulated after each candidate. The candidate with which most meetings
take place, in the fewest rounds, is drawn. Entrants kept apart `hard` do not meet; `soft` is not considered.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

import msgspec

from tournaments.competition import MAX_ROUNDS, Competition, CompetitionError, PlayedTable, ordered
from tournaments.pairing.circle_method import CirclePlan, Meeting
from tournaments.pairing.exact_matching import Pair, match_exactly
from tournaments.pairing.first_field import list_first_field
from tournaments.pairing.first_seats import balance_first_seats, count_first_seats
from tournaments.pairing.stream import NumberStream
from tournaments.pairing.systems.separation import find_separated, list_unkept
from tournaments.pairing.systems.system import (
    DrawNote,
    NextRound,
    Options,
    PairingSystem,
    count_meetings,
    kind_of,
    match_tables,
    past_meetings,
)

_MOST_TO_SIMULATE: Final = 32
"""Largest number of entrants for which the rest of the competition is simulated."""
_MATCHINGS: Final = 4
"""Number of exact matchings that are compared."""


class RoundRobinOptions(Options, frozen=True, kw_only=True):
    """Options of the round robin. twice: everybody meets everybody twice; in the second cycle the seats are
    reversed.
    """

    twice: bool = False


@dataclass(frozen=True)
class _State:
    """The state before a round.

    number: of the round. met: meetings by two entrants. byes: byes by entrant.
    """

    number: int
    met: Counter[Pair]
    byes: Counter[str]


@dataclass(frozen=True)
class _Setting:
    """The data that is the same in all rounds.

    apart: entrants kept apart `hard`. present: refs by round, filled on demand.
    """

    competition: Competition
    plan: CirclePlan
    apart: frozenset[Pair]
    present: dict[int, list[str]] = field(default_factory=dict)

    def list_present(self, number: int) -> list[str]:
        if number not in self.present:
            self.present[number] = [one.ref for one in self.competition.present(number)]
        return self.present[number]

    def may_meet(self, state: _State, pair: Pair) -> bool:
        return state.met[pair] < self.plan.cycles and pair not in self.apart


Chooser = Callable[[_Setting, _State], list[Pair]]


def _next_round(competition: Competition, options: RoundRobinOptions) -> NextRound | None:
    _check_tables(competition)
    setting = _Setting(
        competition,
        _draw_plan(competition, 2 if options.twice else 1),
        frozenset(pair for pair, how in find_separated(competition).items() if how == "hard"),
    )
    state = _State(
        competition.next_number,
        Counter(past_meetings(competition, partnered=True).opponents),
        Counter(competition.bye_counts),
    )
    if not _is_open(setting, state):
        return None
    pairs, following, notes = _choose(setting, state)
    meetings = _seat(setting, state, pairs, following)
    seated = {ref for pair in pairs for ref in pair}
    byes = [ref for ref in setting.list_present(state.number) if ref not in seated]
    refs = competition.by_ref
    tables = tuple(
        seats
        for one, other in meetings
        for seats in match_tables(refs[one], refs[other], competition.size, competition.next_number)
    )
    refs_at = (competition.entrants_at(PlayedTable(seats=seats)) for seats in tables)
    return NextRound(
        state.number,
        tables,
        tuple(byes),
        (*notes, *_list_without_opponent(byes, setting, state), *list_unkept(competition, refs_at)),
    )


def _check_tables(competition: Competition) -> None:
    """Raise CompetitionError unless an entrant fills one side of one or more tables."""
    side = competition.size // 2
    if any(len(entrant.persons) % side for entrant in competition.entrants):
        kind = kind_of(competition.entrants)
        raise CompetitionError(
            "pairing/table_size",
            f"a {kind} does not fill one side of tables of {competition.size}",
            size=competition.size,
        )


def _draw_plan(competition: Competition, cycles: int) -> CirclePlan:
    names = list_first_field(competition)
    NumberStream(competition.lasting_seed.encode(), "round_robin").shuffle(names)
    return CirclePlan(tuple(names), cycles)


def _is_open(setting: _Setting, state: _State) -> bool:
    """Return whether two entrants have still to meet, and are both expected in this or a later round."""
    competition = setting.competition
    changes = [one.from_round for one in competition.entrants]
    changes += [number + 1 for rounds in competition.absent_rounds.values() for number in rounds]
    last = competition.rounds or MAX_ROUNDS
    wanted = {state.number, *(number for number in changes if number > state.number)}
    return any(
        setting.may_meet(state, pair)
        for number in sorted(wanted)
        if number <= last
        for pair in combinations(setting.list_present(number), 2)
    )


def _choose(setting: _Setting, state: _State) -> tuple[list[Pair], list[Pair], list[DrawNote]]:
    """Return the pairs of the round, the pairs of later rounds as far as they are known, and notes."""
    planned = [ordered(a, b) for a, b in setting.plan.list_meetings(state.number)]
    present, names = set(setting.list_present(state.number)), set(setting.plan.names)
    if planned and present == names and all(setting.may_meet(state, pair) for pair in planned):
        return planned, _rest_of_plan(setting, state), []
    notes = [DrawNote("pairing/replanned")]
    if len(present) > _MOST_TO_SIMULATE:
        choose = _follow_plan if planned and present <= names else _matching(0)
        return choose(setting, state), _rest_of_plan(setting, state), notes
    candidates = [_follow_plan, *(_matching(at) for at in range(_MATCHINGS))]
    simulated = [_simulate(setting, state, choose) for choose in candidates]
    best = min(simulated, key=lambda rounds: (-sum(map(len, rounds)), len(rounds)))
    following = [pair for pairs in best[1:] for pair in pairs]
    missing = _count_missing(setting, state, [*best[0], *following])
    if missing:
        notes.append(DrawNote("pairing/unmet", {"meetings": missing}))
    return best[0], following, notes


def _count_missing(setting: _Setting, state: _State, expected: list[Pair]) -> int:
    """Count the meetings that will not take place, between entrants who have not left. expected: future
    meetings.
    """
    met = state.met + Counter(expected)
    refs = [
        one.ref
        for one in setting.competition.by_ref.values()
        if one.until_round is None or one.until_round >= state.number
    ]
    return sum(setting.plan.cycles - met[pair] for pair in combinations(refs, 2) if pair not in setting.apart)


def _rest_of_plan(setting: _Setting, state: _State) -> list[Pair]:
    numbers = range(state.number + 1, min(setting.plan.rounds, _last_round(setting)) + 1)
    pairs = (ordered(a, b) for number in numbers for a, b in setting.plan.list_meetings(number))
    return [pair for pair in pairs if setting.may_meet(state, pair)]


def _last_round(setting: _Setting) -> int:
    rounds = setting.competition.rounds
    return setting.plan.rounds if rounds is None else rounds


def _follow_plan(setting: _Setting, state: _State) -> list[Pair]:
    """Keep the meetings of the plan that can take place, and match all others among themselves."""
    present = set(setting.list_present(state.number))
    planned = [
        ordered(a, b) for a, b in setting.plan.list_meetings(state.number) if a in present and b in present
    ]
    kept = [pair for pair in planned if setting.may_meet(state, pair)]
    others = present.difference(*kept)
    return kept + _match(setting, state, sorted(others), 0)


def _matching(salt: int) -> Chooser:
    def choose(setting: _Setting, state: _State) -> list[Pair]:
        return _match(setting, state, setting.list_present(state.number), salt)

    return choose


def _match(setting: _Setting, state: _State, names: list[str], salt: int) -> list[Pair]:
    """Match as many names as possible. The rest are names with few byes, then with few opponents left."""
    allowed = [pair for pair in combinations(names, 2) if setting.may_meet(state, pair)]
    left = Counter(name for pair in allowed for name in pair)
    most_byes = max((state.byes[name] for name in names), default=0)
    most_left = max(left.values(), default=0)
    planned = {ordered(a, b) for a, b in setting.plan.list_meetings(state.number)}
    costs = {
        (a, b): (
            state.met[a, b],
            2 * most_byes - state.byes[a] - state.byes[b],
            2 * most_left**2 - left[a] ** 2 - left[b] ** 2,
            int((a, b) not in planned),
        )
        for a, b in allowed
    }
    label = f"round_robin/{state.number}/{salt}"
    return match_exactly(costs, NumberStream(setting.competition.seed.encode(), label))


def _simulate(setting: _Setting, state: _State, choose: Chooser) -> list[list[Pair]]:
    """Return the pairs of this round and of all following rounds, one list per round."""
    rounds = []
    while _is_open(setting, state):
        pairs = choose(setting, state)
        rounds.append(pairs)
        present = set(setting.list_present(state.number))
        met = state.met + Counter(pairs)
        byes = state.byes + Counter(present.difference(*pairs))
        state = _State(state.number + 1, met, byes)
    return rounds


def _seat(setting: _Setting, state: _State, pairs: list[Pair], following: list[Pair]) -> list[Meeting]:
    """Return the meetings of the round in the order of the plan, each with the entrant who sits first.

    At a second meeting the other entrant sits first. Otherwise the plan decides, unless another choice makes
    the final numbers of first seats more even.
    """
    lead, first_before = count_first_seats(setting.competition)
    numbers = range(1, min(setting.plan.rounds, _last_round(setting)) + 1)
    planned = {ordered(a, b): a for n in reversed(numbers) for a, b in setting.plan.list_meetings(n)}
    first_of: dict[Pair, str] = {}
    to_balance: list[Meeting] = []
    for (a, b), meetings in Counter([*pairs, *following]).items():
        first = planned.get((a, b), a)
        if (a, b) in first_before:
            first = b if first_before[a, b] == a else a
            lead.update({first: 1, a if first == b else b: -1})
        elif meetings == 1:
            to_balance.append((first, b if first == a else a))
        first_of[a, b] = first
    first_of |= balance_first_seats(lead, to_balance)
    order = {ordered(a, b): at for at, (a, b) in enumerate(setting.plan.list_meetings(state.number))}
    pairs = sorted(pairs, key=lambda pair: (order.get(pair, len(order)), pair))
    return [(a, b) if first_of[a, b] == a else (b, a) for a, b in pairs]


def _list_without_opponent(byes: Iterable[str], setting: _Setting, state: _State) -> list[DrawNote]:
    """Return a note for each bye, if there are more byes than an odd number of entrants requires."""
    odd = len(setting.list_present(state.number)) % 2
    names = list(byes)
    return [DrawNote("pairing/no_opponent", {"ref": ref}) for ref in names] if len(names) > odd else []


def _explain(competition: Competition, drawn_round: NextRound) -> Iterator[DrawNote]:
    """Yield a note with the numbers of the plan's round and entrants, if the round follows the plan."""
    options = msgspec.convert(competition.options, RoundRobinOptions)
    plan = _draw_plan(competition, 2 if options.twice else 1)
    planned = {ordered(a, b) for a, b in plan.list_meetings(drawn_round.number)}
    met = count_meetings(competition, drawn_round.tables, partnered=True).opponents
    if planned == met.keys():
        yield DrawNote("why/circle", {"round": drawn_round.number, "entrants": len(plan.names)})


SYSTEM = PairingSystem(
    key="round_robin",
    title="Everybody meets everybody",
    options=RoundRobinOptions,
    sizes=(2, 4),
    kinds=("person", "pair", "team"),
    next_round=_next_round,
    abilities=frozenset({"all_rounds_known"}),
    explain=_explain,
    keeps=frozenset({"never_meet"}),
)
