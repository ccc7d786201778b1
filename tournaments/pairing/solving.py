"""Solver of pairing problems. Its steps are byes, start, search, and tables and chairs; each step has a
random stream of its own.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from tournaments.pairing.byes import choose_byes, choose_threes
from tournaments.pairing.constructions import Schedule, circle_schedule, schedule_without_repeats
from tournaments.pairing.cost import Cost, compute_cost, split_into_tables
from tournaments.pairing.problem import THREE, DrawnRound, PairingProblem
from tournaments.pairing.repeat_avoidance import (
    Search,
    compute_floor,
    has_few_tables,
    seat_avoiding,
)
from tournaments.pairing.seating import SeatingPlan
from tournaments.pairing.stream import NumberStream
from tournaments.pairing.subspaces import subspace_schedule

VERSION = "2"
"""Version of the algorithm, recorded with every draw. It changes whenever a seed would give another draw."""
AVOIDING_VERSION = "3"
"""Version recorded with draws that avoid pairs: the algorithm of VERSION with a last step."""
KNOWN_VERSIONS = ("1", VERSION, AVOIDING_VERSION)
"""Versions that can be recomputed. In version 1 a missed round did not count as a bye."""

_THRESHOLD = 4
_ITERATIONS = 480_000
_SMALL_WORK = 320
"""Largest product of players and rounds for which eight short searches do better than three long ones."""
_LARGE_WORK = 1_200
"""Product of players and rounds above which repairing the few repeats replaces a search over everything."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Drawn rounds, their cost, and the version of the algorithm."""

    rounds: tuple[DrawnRound, ...]
    cost: Cost
    version: str = VERSION


def draw(problem: PairingProblem, version: str | None = None) -> Draw:
    """Draw `problem.rounds` rounds. The same problem gives the same draw on every machine.

    version: of a recorded draw; None: the present version. A constraint that cannot be kept is broken, and
    counted in the cost.
    """
    if version is None:
        version = AVOIDING_VERSION if any(problem.avoided) else VERSION
    byes = choose_byes(problem, NumberStream(problem.seed, "byes"), missed=version != "1")
    met = _find_rounds(replace(problem, avoid_partner=(), avoid_meet=()), byes)
    if version == AVOIDING_VERSION and any(problem.avoided):
        met = avoid_pairs(problem, met)
    tables = [split_into_tables(one, problem.sizes) for one in met]
    placed = SeatingPlan(problem, tables, NumberStream(problem.seed, "seating")).place()
    rounds = tuple(DrawnRound(one, out) for one, out in zip(placed, byes, strict=True))
    return Draw(rounds, compute_cost(problem, rounds), version)


def _find_rounds(problem: PairingProblem, byes: list[tuple[int, ...]]) -> list[list[int]]:
    """Find rounds with few repeats, by constructions and search. Each is a list of players by position."""
    free = problem.is_free
    threes = choose_threes(problem, byes, NumberStream(problem.seed, "threes"))
    if free and problem.table_size == 4:
        known = schedule_without_repeats(problem.players, problem.rounds)
        if known is None:
            planes = subspace_schedule(problem.players, problem.rounds, NumberStream(problem.seed, "planes"))
            known = planes.schedule if planes is not None and planes.best else None
        if known is not None:
            return _assign_players(problem, known, NumberStream(problem.seed, "names"))
    work = problem.players * problem.rounds
    runs = 8 if work <= _SMALL_WORK else 3 if work <= _LARGE_WORK else 1
    starts = _search_starts(problem, byes, threes, free)
    best = Search(problem, next(starts))

    @cache
    def floor() -> int:
        out = byes[0]
        return compute_floor(problem, tuple(p for p in range(problem.players) if p not in out))

    for run in range(runs):
        search = Search(problem, next(starts)) if run else best
        numbers = NumberStream(problem.seed, f"search {run}")
        if work > _LARGE_WORK:
            search.repair(_ITERATIONS // 4, numbers)
            search.run(_ITERATIONS // 2, 0, numbers)
        else:
            search.run(_ITERATIONS // runs, _THRESHOLD, numbers, floor)
        if search.repeats() < best.repeats():
            best = search
        if best.cost <= best.floor:
            break
    return best.drawn()


def avoid_pairs(problem: PairingProblem, rounds: list[list[int]]) -> list[list[int]]:
    """Return rounds (players by position) changed so that fewer pairs to be avoided meet, if possible,
    without breaking a constraint or adding a repeat.

    A single round of few tables is computed exactly. In a free draw the players first exchange their numbers,
    which adds no repeat. Then searches start from the best rounds so far, every second search from random
    rounds.
    """
    names = NumberStream(problem.seed, "avoid names")
    if problem.rounds == 1 and has_few_tables(problem):
        return [_seat_one_round(problem, rounds[0], names)]
    if problem.is_free:
        rounds = exchange_numbers(problem, rounds, names)
    work = problem.players * problem.rounds
    runs = 8 if work <= _SMALL_WORK else 3 if work <= _LARGE_WORK else 1
    best = Search(problem, rounds, avoids=True)
    for run in range(runs):
        if not best.count_avoided():
            break
        start = best.drawn()
        if run % 2:
            again = NumberStream(problem.seed, f"avoid start {run}")
            start = [_shuffle_round(problem, one, again) for one in start]
        search = Search(problem, start, avoids=True)
        numbers = NumberStream(problem.seed, f"avoid {run}")
        if work > _LARGE_WORK:
            search.repair(_ITERATIONS // 4, numbers)
            search.run(_ITERATIONS // 2, 0, numbers)
        else:
            search.run(_ITERATIONS // runs, _THRESHOLD * search.scale if run else 0, numbers)
        if search.cost < best.cost:
            best = search
    return best.drawn()


def _seat_one_round(problem: PairingProblem, one: list[int], numbers: NumberStream) -> list[int]:
    """Return one round of few tables at the least cost; `one` itself if its cost is already the least."""
    seated = one[: problem.seated]
    numbers.shuffle(seated)
    found = [*seat_avoiding(problem, tuple(seated)), *one[problem.seated :]]
    costs = [Search(problem, [seats], avoids=True).cost for seats in (one, found)]
    return found if costs[1] < costs[0] else one


def exchange_numbers(
    problem: PairingProblem, rounds: list[list[int]], numbers: NumberStream
) -> list[list[int]]:
    """Exchange players in all rounds while this reduces the meetings of pairs to be avoided.

    The number of repeats does not change.
    """
    avoided = problem.avoided
    others: dict[int, list[int]] = {}
    for a, b in sorted(avoided.partner | avoided.meet):
        others.setdefault(a, []).append(b)
        others.setdefault(b, []).append(a)
    size = problem.table_size
    places = [[0] * problem.players for _ in rounds]
    for of, one in zip(places, rounds, strict=True):
        for place, player in enumerate(one):
            of[player] = place

    def count(*players: int) -> int:
        pairs = {(min(a, b), max(a, b)) for a in players for b in others.get(a, ())}
        return sum(
            of[a] // size == of[b] // size and ((a, b) in avoided.meet or (of[a] - of[b]) % 2 == 0)
            for of in places
            for a, b in pairs
        )

    def exchange(a: int, b: int) -> None:
        for of in places:
            of[a], of[b] = of[b], of[a]

    everybody = list(range(problem.players))
    improved = True
    while improved:
        improved = False
        for a in sorted(others):
            if not count(a):
                continue
            numbers.shuffle(everybody)
            for b in everybody:
                before = count(a, b)
                exchange(a, b)
                if count(a, b) < before:
                    improved = True
                    break
                exchange(a, b)
    return [sorted(everybody, key=of.__getitem__) for of in places]


def _search_starts(
    problem: PairingProblem, byes: list[tuple[int, ...]], threes: list[tuple[int, ...]], free: bool
) -> Iterator[list[list[int]]]:
    """Yield starts of the searches: in short free draws at tables of four alternately from the circle method
    and from a construction, otherwise random.
    """
    run = 0
    known_first = _longest_known(problem) if free and problem.table_size == 4 else []
    while True:
        numbers = NumberStream(problem.seed, f"start {run}")
        if free and problem.table_size == 4 and problem.rounds < problem.players:
            turns = circle_schedule(problem.players, problem.rounds)
            known = known_first if run % 2 else []
            yield _assign_players(problem, known + turns[len(known) :], numbers)
        else:
            yield [_random_round(problem, *one, numbers) for one in zip(byes, threes, strict=True)]
        run += 1


def _longest_known(problem: PairingProblem) -> Schedule:
    """Return the longest known schedule without a second meeting that is shorter than the draw.

    It is empty if the draw has more rounds than half the players, because partners are then too scarce.
    """
    longest: Schedule = []
    for rounds in range(2, problem.rounds if problem.rounds <= problem.players // 2 else 0):
        known = schedule_without_repeats(problem.players, rounds)
        if known is None:
            break
        longest = known
    return longest


def _assign_players(problem: PairingProblem, schedule: Schedule, numbers: NumberStream) -> list[list[int]]:
    """Assign players to the numbers of a schedule at random, and shuffle its rounds."""
    names = list(range(problem.players))
    numbers.shuffle(names)
    rounds = [[names[player] for table in one for player in table] for one in schedule]
    numbers.shuffle(rounds)
    return rounds


def _shuffle_round(problem: PairingProblem, one: list[int], numbers: NumberStream) -> list[int]:
    """Shuffle a round (players by position), keeping its byes and its players at tables of three."""
    fours = problem.seated - THREE * problem.threes
    return _random_round(problem, tuple(one[problem.seated :]), tuple(one[fours : problem.seated]), numbers)


def _random_round(
    problem: PairingProblem, out: tuple[int, ...], threes: tuple[int, ...], numbers: NumberStream
) -> list[int]:
    """Build a random round as players by position: fixed pairs on partner seats, tables of three, byes."""
    gone = {*out, *threes}
    pairs = [pair for pair in problem.fixed_pairs if pair[0] not in gone]
    paired = {player for pair in pairs for player in pair}
    singles = [p for p in range(problem.players) if p not in gone and p not in paired]
    numbers.shuffle(singles)
    last = list(threes)
    numbers.shuffle(last)
    if not problem.in_pairs:
        return [*singles, *last, *out]
    pairs += list(pairwise(singles))[::2]
    numbers.shuffle(pairs)
    seated = [
        player for (a, b), (c, d) in zip(pairs[0::2], pairs[1::2], strict=True) for player in (a, c, b, d)
    ]
    return [*seated, *last, *out]
