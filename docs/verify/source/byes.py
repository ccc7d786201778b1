"""Byes and tables of three of a draw."""

from __future__ import annotations

from .draw_problem import SeededNumbers


def draw_byes(problem):
    """Return the players with a bye, for each round."""
    if not problem.bye_count:
        return [[] for _ in range(problem.rounds)]
    numbers, chosen = SeededNumbers(problem.seed, "byes"), []
    times = [0] * problem.players
    if problem.version == "1":  # version 1 counted only byes of entered players
        for player in (player for one in problem.past for player in one["byes"] if player >= 0):
            times[player] += 1
    else:
        times = [len(problem.past)] * problem.players
        for player in (p for one in problem.past for table in one["tables"] for p in table if p >= 0):
            times[player] -= 1
    rank = {player: at for at, player in enumerate(problem.first_out)}
    units = problem.fixed_pairs + [(p,) for p in range(problem.players) if p not in problem.fixed]
    for _ in range(problem.rounds):
        numbers.shuffle(units)
        units.sort(
            key=lambda unit: (
                not problem.last_out.isdisjoint(unit),
                max(times[p] for p in unit),
                min(rank.get(p, len(rank)) for p in unit),
            )
        )
        out = sorted(choose_units(units, problem.bye_count) or [])
        for player in out:
            times[player] += 1
        chosen.append(out)
    return chosen


def draw_threes(problem, byes):
    """Return the players at tables of three, for each round: no player twice before all others once."""
    if not problem.threes:
        return [[] for _ in byes]
    numbers, players, chosen = SeededNumbers(problem.seed, "threes"), list(range(problem.players)), []
    times = [0] * problem.players
    for player in (p for one in problem.past for t in one["tables"] if len(t) == 3 for p in t if p >= 0):
        times[player] += 1
    for out in byes:
        numbers.shuffle(players)
        players.sort(key=lambda p: (p in out, times[p]))
        chosen.append(sorted(players[: 3 * problem.threes]))
        for player in chosen[-1]:
            times[player] += 1
    return chosen


def choose_units(units, count, since=0):
    """Return the first units, in their order, that have exactly `count` players together, or None."""
    if count == 0:
        return []
    for at in range(since, len(units)):
        if len(units[at]) <= count:
            rest = choose_units(units, count - len(units[at]), at + 1)
            if rest is not None:
                return [*units[at], *rest]
    return None
