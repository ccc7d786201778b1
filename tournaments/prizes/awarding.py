"""Awarding of prizes by a ranking and a prize plan."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from tournaments.prizes.plan import Award, Candidate, Prize, PrizePlan
from tournaments.standings import Figure

COIN: Final = 5
"""The smallest coin, in Rappen. Shares of divided prizes are multiples of it if the sum is."""

Level = list[Candidate]


def award(plan: PrizePlan, ranking: Iterable[Candidate], *, lowest_wins: bool = False) -> list[Award]:
    """Award the prizes; return awards in order of plan line, place and key. A prize that nobody can win is
    not awarded.

    No money is lost in a division: the shares of a prize, or of prizes that level people divide, add up to
    the whole. `lowest_wins`: the fewest points win.
    """
    people = sorted(ranking, key=lambda one: one.order)
    special = [one for one in people if one.complete or not plan.complete]
    awards: list[Award] = []
    served: set[int] = set()
    for (kind, _category), lines in _group_lines(plan).items():
        if kind == "club_team":
            awards += _award_teams(plan, lines, special, lowest_wins)
            continue
        open_to = people if kind == "place" else special
        left = [one for one in open_to if kind == "place" or not plan.once or one.key not in served]
        won = _award_levels(plan, lines, _group_levels(plan.prizes[lines[0]], left, lowest_wins))
        awards += won
        served |= {one.key for one in won}
    return sorted(awards, key=lambda one: (one.prize, one.place, one.key))


def _group_lines(plan: PrizePlan) -> dict[tuple[str, str], list[int]]:
    """Group the lines of the plan by kind and category, each group sorted by the number of the prize."""
    found: dict[tuple[str, str], list[int]] = {("place", ""): []}
    for line, prize in enumerate(plan.prizes):
        found.setdefault((prize.kind, prize.category), []).append(line)
    return {
        what: sorted(lines, key=lambda line: plan.prizes[line].number)
        for what, lines in found.items()
        if lines
    }


def _group_levels(prize: Prize, people: Sequence[Candidate], lowest_wins: bool) -> list[Level]:
    """Return the people eligible for a prize in groups of level people, best group first."""
    better = -1 if lowest_wins else 1
    worth: dict[str, Callable[[Candidate], Figure | None]] = {
        "place": lambda one: -one.place,
        "category": lambda one: -one.place if prize.category in one.categories else None,
        "oldest": lambda one: -one.birth_year or None,
        "sweeps": lambda one: one.sweeps or None,
        "best_round": lambda one: None if one.best_round is None else better * one.best_round,
        "last": lambda one: one.place,
    }
    value_of = worth[prize.kind]
    valued = [(value, one) for one in people if (value := value_of(one)) is not None]
    valued.sort(key=lambda pair: (-pair[0], pair[1].order))
    return [[one for _value, one in group] for _, group in groupby(valued, key=lambda pair: pair[0])]


def _award_levels(plan: PrizePlan, lines: Sequence[int], levels: Iterable[Level]) -> list[Award]:
    by_number = {plan.prizes[line].number: line for line in lines}
    awards: list[Award] = []
    first = 1
    for level in levels:
        taken = {n: by_number[n] for n in range(first, first + len(level)) if n in by_number}
        at = {line: number - first for number, line in taken.items()}
        awards += _award_level(plan, at, level)
        first += len(level)
    return awards


def _award_level(plan: PrizePlan, at: Mapping[int, int], level: Level) -> list[Award]:
    """Award lines of the plan to level people. `at`: by line, the index of its person in `level`.

    Money is divided among them or given in order, as the plan says; things are always given in order.
    """
    divided = plan.sharing == "shared" and len(level) > 1
    money = sum(plan.prizes[line].amount for line in at)
    awards = []
    for line, turn in at.items():
        prize, whose = plan.prizes[line], level[turn]
        amount = 0 if divided else prize.amount
        if amount or prize.thing:
            is_level = len(level) > 1
            awards.append(
                Award(
                    prize=line,
                    key=whose.key,
                    place=whose.place,
                    amount=amount,
                    thing=prize.thing,
                    level=is_level,
                )
            )
    if divided and money:
        awards += _divide(next(iter(at)), money, level)
    return awards


def _award_teams(
    plan: PrizePlan, lines: Sequence[int], people: Sequence[Candidate], lowest_wins: bool
) -> list[Award]:
    """Award the prizes for clubs.

    A club with too few people gets none. Of level clubs the one whose best person is ranked higher wins.
    """
    awards: list[Award] = []
    for line in lines:
        prize = plan.prizes[line]
        clubs: dict[str, Level] = {}
        for one in people:
            if one.club:
                clubs.setdefault(one.club, []).append(one)
        teams = [members[: prize.number] for members in clubs.values() if len(members) >= prize.number]
        better = 1 if lowest_wins else -1
        best = min(
            teams, key=lambda team: (better * sum(one.total for one in team), team[0].order), default=[]
        )
        awards += _divide(line, prize.amount, best, prize.thing)
    return awards


def _divide(line: int, amount: int, among: Level, thing: str = "") -> list[Award]:
    """Divide an amount in Rappen among people, in coins if possible. The coins of the remainder go to the
    first of them.
    """
    coin = COIN if amount % COIN == 0 else 1
    each, over = divmod(amount // coin, len(among) or 1)
    return [
        Award(
            prize=line,
            key=one.key,
            place=one.place,
            amount=(each + (turn < over)) * coin,
            thing=thing,
            shared_by=len(among),
        )
        for turn, one in enumerate(among)
    ]
