"""Who sits out when the players do not fill the tables: each as seldom as anybody else, latecomers first."""

from tournaments.pairing.problem import PairingProblem
from tournaments.pairing.stream import NumberStream

Unit = tuple[int, ...]
"""One player, or a fixed pair, which sits out together."""


def choose_byes(problem: PairingProblem, numbers: NumberStream) -> list[tuple[int, ...]]:
    """For each round to draw the players who sit out, in the order of their numbers."""
    if not problem.sitting_out:
        return [()] * problem.rounds
    times = [0] * problem.players
    for one in problem.past:
        for player in one.byes:
            if player >= 0:
                times[player] += 1
    first = {player: rank for rank, player in enumerate(problem.sit_out_first)}
    paired = {player for pair in problem.fixed_pairs for player in pair}
    units: list[Unit] = [*problem.fixed_pairs, *((p,) for p in range(problem.players) if p not in paired)]
    chosen = []
    for _ in range(problem.rounds):
        numbers.shuffle(units)
        units.sort(
            key=lambda unit: (max(times[p] for p in unit), min(first.get(p, len(first)) for p in unit))
        )
        out = _fill(units, problem.sitting_out) or []
        for player in out:
            times[player] += 1
        chosen.append(tuple(sorted(out)))
    return chosen


def _fill(units: list[Unit], count: int, since: int = 0) -> list[int] | None:
    """The first units, in their order, that come to exactly `count` players.

    There always are some for what is left over: an odd number of players has one who is in no pair.
    """
    if count == 0:
        return []
    for i in range(since, len(units)):
        if len(units[i]) <= count:
            rest = _fill(units, count - len(units[i]), i + 1)
            if rest is not None:
                return [*units[i], *rest]
    return None
