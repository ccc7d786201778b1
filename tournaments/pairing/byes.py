"""Fair choice of byes and of tables of three: no player gets more than necessary of either.

A missed round counts as a bye (not in version 1), so late arrivals get byes last.
"""

from tournaments.pairing.problem import THREE, PairingProblem
from tournaments.pairing.stream import NumberStream

Unit = tuple[int, ...]
"""Players who get byes together: one player, or a fixed pair."""


def choose_byes(
    problem: PairingProblem, numbers: NumberStream, *, missed: bool = True
) -> list[tuple[int, ...]]:
    """Return the players with a bye, in ascending order, for each round.

    missed: whether a round that a player missed, for any reason, counts as a bye.
    """
    if not problem.bye_count:
        return [()] * problem.rounds
    times = _count_missed(problem) if missed else _count_byes(problem)
    first = {player: rank for rank, player in enumerate(problem.sit_out_first)}
    last = set(problem.sit_out_last)
    paired = {player for pair in problem.fixed_pairs for player in pair}
    units: list[Unit] = [*problem.fixed_pairs, *((p,) for p in range(problem.players) if p not in paired)]
    chosen = []
    for _ in range(problem.rounds):
        numbers.shuffle(units)
        units.sort(
            key=lambda unit: (
                not last.isdisjoint(unit),
                max(times[p] for p in unit),
                min(first.get(p, len(first)) for p in unit),
            )
        )
        out = _select_units(units, problem.bye_count) or []
        for player in out:
            times[player] += 1
        chosen.append(tuple(sorted(out)))
    return chosen


def choose_threes(
    problem: PairingProblem, byes: list[tuple[int, ...]], numbers: NumberStream
) -> list[tuple[int, ...]]:
    """Return the players at tables of three, in ascending order, for each round.

    Players without a bye who had the fewest rounds at such tables are chosen. `byes`: for each round.
    """
    if not problem.threes:
        return [()] * problem.rounds
    times = [0] * problem.players
    for one in problem.past:
        for player in (p for table in one.tables if len(table) == THREE for p in table if p >= 0):
            times[player] += 1
    players = list(range(problem.players))
    chosen = []
    for out in byes:
        numbers.shuffle(players)
        players.sort(key=lambda p: (p in out, times[p]))
        here = players[: THREE * problem.threes]
        for player in here:
            times[player] += 1
        chosen.append(tuple(sorted(here)))
    return chosen


def _count_byes(problem: PairingProblem) -> list[int]:
    times = [0] * problem.players
    for player in (p for one in problem.past for p in one.byes if p >= 0):
        times[player] += 1
    return times


def _count_missed(problem: PairingProblem) -> list[int]:
    times = [len(problem.past)] * problem.players
    for player in (p for one in problem.past for table in one.tables for p in table if p >= 0):
        times[player] -= 1
    return times


def _select_units(units: list[Unit], count: int, since: int = 0) -> list[int] | None:
    """Return the players of the earliest units that together have exactly `count` players, else None.

    With an odd number of players such units always exist, because one player is in no pair.
    """
    if count == 0:
        return []
    for i in range(since, len(units)):
        if len(units[i]) <= count:
            rest = _select_units(units, count - len(units[i]), i + 1)
            if rest is not None:
                return [*units[i], *rest]
    return None
