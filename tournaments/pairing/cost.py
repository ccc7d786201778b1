"""Cost of a draw, counted anew from its rounds, and the weights by which a search adds up repeats.

The fields of `Cost` are in the order of minimisation (docs/developers/seats.md). Each occurrence after the
first is a repeat.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from tournaments.pairing.problem import PARTNERED, DrawnRound, PairingProblem, Seats

PARTNER_WEIGHT: Final = 20_000
MEETING_WEIGHT: Final = 3
OPPONENT_WEIGHT: Final = 4
"""What a repeat adds to the single number that the search lowers; each further repeat of a pair adds more."""
FORBIDDEN_WEIGHT: Final = 1_000_000_000
"""What a pair that must never be partners, or never meet, adds to it."""


@dataclass(frozen=True, slots=True, order=True, kw_only=True)
class Cost:
    """The cost of a draw: numbers of repeats and broken constraints, compared field by field; smaller is
    better.

    avoided_meetings: number of pairs that the draw was to avoid, as partners or at one table. bye_spread:
    largest minus smallest number of byes of a player.
    """

    broken_constraints: int
    partner_repeats: int
    meeting_repeats: int
    opponent_repeats: int
    avoided_meetings: int = 0
    seat_repeats: int
    table_repeats: int
    bye_spread: int

    def as_dict(self) -> dict[str, int]:
        """Return the numbers by field name, without `avoided_meetings` if it is 0."""
        figures = {name: getattr(self, name) for name in self.__slots__}
        return {name: n for name, n in figures.items() if n or name != "avoided_meetings"}


def partner_pairs(seats: Seats, in_pairs: bool) -> list[tuple[int, int]]:
    """Return the pairs of partners at one table; none unless `in_pairs` and it has four seats."""
    return [(seats[0], seats[2]), (seats[1], seats[3])] if in_pairs and len(seats) == PARTNERED else []


def split_into_tables(positions: Sequence[int], sizes: Iterable[int]) -> list[Seats]:
    """Split players into tables of these sizes, in order."""
    tables, at = [], 0
    for size in sizes:
        tables.append(tuple(positions[at : at + size]))
        at += size
    return tables


def _count_repeats(counts: Counter[tuple[int, int]]) -> int:
    return sum(n - 1 for n in counts.values() if n > 1)


def _ordered(pairs: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    return ((a, b) if a < b else (b, a) for a, b in pairs if a >= 0 and b >= 0)


def compute_cost(problem: PairingProblem, rounds: Iterable[DrawnRound]) -> Cost:
    """Compute the cost of `rounds`. Repeats and byes count together with those of `problem.past`."""
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
            together = set(_ordered(partner_pairs(table, problem.in_pairs)))
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
        broken_constraints=_count_broken(problem, drawn),
        partner_repeats=_count_repeats(partners),
        meeting_repeats=_count_repeats(meetings),
        opponent_repeats=_count_repeats(opponents),
        avoided_meetings=count_avoided(problem, [table for one in drawn for table in one.tables]),
        seat_repeats=_count_repeats(seats),
        table_repeats=_count_repeats(tables),
        bye_spread=max(byes) - min(byes),
    )


def list_avoided(problem: PairingProblem, table: Seats) -> list[tuple[int, int]]:
    """Return the pairs at a table that the draw was to avoid, as partners or at one table."""
    avoided = problem.avoided
    partners = avoided.partner.intersection(_ordered(partner_pairs(table, problem.in_pairs)))
    return sorted(partners | avoided.meet.intersection(_ordered(combinations(table, 2))))


def count_avoided(problem: PairingProblem, tables: Iterable[Seats]) -> int:
    """Count the pairs at these tables that the draw was to avoid (`list_avoided`)."""
    return sum(len(list_avoided(problem, table)) for table in tables) if any(problem.avoided) else 0


def _count_broken(problem: PairingProblem, drawn: tuple[DrawnRound, ...]) -> int:
    fixed = {(min(p), max(p)) for p in problem.fixed_pairs}
    never_partner = {(min(p), max(p)) for p in problem.never_partner}
    never_meet = {(min(p), max(p)) for p in problem.never_meet}
    if not (fixed or never_partner or never_meet):
        return 0
    broken = 0
    for one in drawn:
        split = set(fixed)
        for table in one.tables:
            together = set(_ordered(partner_pairs(table, problem.in_pairs)))
            met = set(_ordered(combinations(table, 2)))
            broken += len(together & never_partner) + len(met & never_meet)
            split -= together
        out = set(one.byes)
        broken += sum(not (a in out and b in out) for a, b in split)
    return broken
