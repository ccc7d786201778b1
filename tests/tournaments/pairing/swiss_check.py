"""Check of a drawn Swiss round without a solver: what must hold, and that no exchange would be better."""

from collections import Counter
from collections.abc import Iterator

from tournaments.competition import Competition
from tournaments.pairing.systems.swiss_field import (
    Pair,
    RoundCost,
    SwissField,
    add_costs,
    build_field,
    read_round,
    read_swiss_options,
)
from tournaments.pairing.systems.system import NextRound


def verify_round(competition: Competition, drawn_round: NextRound) -> list[str]:
    """Return what is wrong with a round that was drawn for the next round of this competition.

    A round without a finding is not proven to be the best one: only an exchange of more than two tables
    could be better. Tables of three and four come from a bounded search: their exchanges are not checked.
    """
    swiss = build_field(competition, read_swiss_options(competition))
    found = list(_check_seats(competition, drawn_round))
    if found:
        return found
    tables, byes = read_round(competition, swiss, drawn_round)
    size = max(map(len, tables), default=2)
    if len(byes) != swiss.size % size and tables:
        found.append(f"{len(byes)} byes instead of {swiss.size % size}")
    if size == 2:
        pairs = [(min(table), max(table)) for table in tables]
        found += _check_exchanges(swiss, pairs)
        found += (text for bye in byes for text in _check_bye(swiss, pairs, bye))
    elif byes:
        found += _check_byes(swiss, byes)
    return found


def _check_seats(competition: Competition, drawn_round: NextRound) -> Iterator[str]:
    present = {entrant.ref: entrant for entrant in competition.present()}
    seated = Counter(person for seats in drawn_round.tables for person in seats)
    seated.update(p for ref in drawn_round.byes if ref in present for p in present[ref].persons)
    expected = {person for entrant in present.values() for person in entrant.persons}
    for person in sorted(expected | set(seated)):
        if person not in expected:
            yield f"{person} is not expected in this round"
        elif seated[person] != 1:
            yield f"{person} has {seated[person]} tables and byes"


def _check_exchanges(swiss: SwissField, pairs: list[Pair]) -> Iterator[str]:
    """Yield the exchanges of two tables that would be better.

    Of tables that cost distance only, and have no position in common, no exchange is better.
    """
    costs = {pair: swiss.table_cost(*pair) for pair in pairs}
    order = sorted(pairs)
    broken = {pair: None for pair in order if any(costs[pair][:-1])}
    for at, (a, b) in enumerate(order):
        near = []
        for other in order[at + 1 :]:
            if other[0] > b:
                break
            near.append(other)
        alone = (a, b) not in broken
        for c, d in (*near, *(pair for pair in broken if pair[0] > b or (alone and pair[1] < a))):
            before = add_costs(costs[a, b], costs[c, d])
            for better in (((a, c), (b, d)), ((a, d), (b, c))):
                if swiss.cost_of(better) < before:
                    names = [" and ".join(swiss.refs[p] for p in pair) for pair in better]
                    yield f"better: {names[0]}, {names[1]}"


def _check_bye(swiss: SwissField, pairs: list[Pair], bye: int) -> Iterator[str]:
    """Yield the exchanges of the bye with one at a table that would be better."""
    for a, b in pairs:
        before = add_costs(swiss.table_cost(a, b), swiss.bye_cost(bye))
        for free, stays in ((a, b), (b, a)):
            after: RoundCost = add_costs(swiss.table_cost(bye, stays), swiss.bye_cost(free))
            if after < before:
                yield f"better: the bye for {swiss.refs[free]} instead of {swiss.refs[bye]}"


def _check_byes(swiss: SwissField, byes: list[int]) -> Iterator[str]:
    due = sorted(swiss.bye_classes)[: len(byes)]
    if sorted(swiss.bye_classes[position] for position in byes) != due:
        yield "byes for " + ", ".join(swiss.refs[position] for position in byes) + " before others"
