"""What is wrong with a draw, counted from nothing but the rounds themselves.

The order of the fields is the order in which they are to be minimised (design: tournaments.md, "The draw,
exactly"). A repeat is every time beyond the first; sitting out is compared between the one who does it most
often and the one who does it least.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments.pairing.problem import PARTNERED, DrawnRound, PairingProblem, Seats


@dataclass(frozen=True, slots=True, order=True)
class Cost:
    """Compared field by field, smaller is better."""

    broken_constraints: int
    partner_repeats: int
    meeting_repeats: int
    opponent_repeats: int
    seat_repeats: int
    table_repeats: int
    bye_spread: int

    def as_dict(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in self.__slots__}


def partners_of(seats: Seats, in_pairs: bool) -> list[tuple[int, int]]:
    """The pairs of partners of one table; at a table of three everyone plays alone."""
    return [(seats[0], seats[2]), (seats[1], seats[3])] if in_pairs and len(seats) == PARTNERED else []


def in_tables(positions: Sequence[int], sizes: Iterable[int]) -> list[Seats]:
    """Players by position, taken apart into tables."""
    tables, at = [], 0
    for size in sizes:
        tables.append(tuple(positions[at : at + size]))
        at += size
    return tables


def _repeats(counts: Counter[tuple[int, int]]) -> int:
    return sum(n - 1 for n in counts.values() if n > 1)


def _ordered(pairs: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    return ((a, b) if a < b else (b, a) for a, b in pairs if a >= 0 and b >= 0)


def cost_of(problem: PairingProblem, rounds: Iterable[DrawnRound]) -> Cost:
    """The cost of `rounds` on top of `problem.past`; repeats count over everything played."""
    drawn = tuple(rounds)
    partners: Counter[tuple[int, int]] = Counter()
    meetings: Counter[tuple[int, int]] = Counter()
    opponents: Counter[tuple[int, int]] = Counter()
    seats: Counter[tuple[int, int]] = Counter()
    tables: Counter[tuple[int, int]] = Counter()
    byes = [0] * problem.players
    fixed = {(min(p), max(p)) for p in problem.fixed_pairs}
    for one in (*problem.past, *drawn):
        for number, table in enumerate(one.tables):
            together = set(_ordered(partners_of(table, problem.in_pairs)))
            partners.update(together - fixed)
            met = set(_ordered(combinations(table, 2))) - fixed
            meetings.update(met)
            opponents.update(met - together)
            for seat, player in enumerate(table):
                if player >= 0:
                    seats[player, seat] += 1
                    tables[player, number] += 1
        for player in one.byes:
            if player >= 0:
                byes[player] += 1
    return Cost(
        broken_constraints=_broken(problem, drawn),
        partner_repeats=_repeats(partners),
        meeting_repeats=_repeats(meetings),
        opponent_repeats=_repeats(opponents),
        seat_repeats=_repeats(seats),
        table_repeats=_repeats(tables),
        bye_spread=max(byes) - min(byes),
    )


def _broken(problem: PairingProblem, drawn: tuple[DrawnRound, ...]) -> int:
    fixed = {(min(p), max(p)) for p in problem.fixed_pairs}
    never_partner = {(min(p), max(p)) for p in problem.never_partner}
    never_meet = {(min(p), max(p)) for p in problem.never_meet}
    if not (fixed or never_partner or never_meet):
        return 0
    broken = 0
    for one in drawn:
        split = set(fixed)
        for table in one.tables:
            together = set(_ordered(partners_of(table, problem.in_pairs)))
            met = set(_ordered(combinations(table, 2)))
            broken += len(together & never_partner) + len(met & never_meet)
            split -= together
        out = set(one.byes)
        broken += sum(not (a in out and b in out) for a, b in split)
    return broken
