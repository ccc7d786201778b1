"""Swiss competitions played at random, and a reference that knows nothing of the solver."""

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, Final

from tournaments.competition import Competition, decode_competition
from tournaments.pairing.systems import NextRound, draw_next
from tournaments.standings.competition_ranking import rank_competition

Pairs = tuple[tuple[str, str], ...]
Breaches = tuple[int, int, int, Fraction, int, Fraction]
TOTAL: Final = 157


def make_document(count: int, **more: Any) -> dict[str, Any]:
    """Return a competition of single players at tables of two."""
    entrants = [{"ref": f"E{n}"} for n in range(count)]
    return {"system": "swiss", "size": 2, "seed": "s", "entrants": entrants} | more


def make_pairs(count: int, **more: Any) -> dict[str, Any]:
    """Return a competition of fixed pairs at tables of four."""
    entrants = [{"ref": f"E{n}", "members": [f"E{n}a", f"E{n}b"]} for n in range(count)]
    return {"system": "swiss", "size": 4, "seed": "s", "entrants": entrants} | more


def draw(document: dict[str, Any]) -> NextRound:
    found = draw_next(decode_competition(document))
    assert found is not None
    return found


def play(document: dict[str, Any], found: NextRound, numbers: random.Random, values: int = TOTAL) -> None:
    """Add a drawn round to the past, with random points of `values` + 1 different heights."""
    tables = []
    for seats in found.tables:
        won = numbers.randint(0, values)
        points = [won if seat % 2 == 0 else values - won for seat in range(len(seats))]
        tables.append({"seats": list(seats), "points": points})
    document.setdefault("past", []).append(
        {"round": found.number, "tables": tables, "byes": list(found.byes)}
    )


def play_rounds(document: dict[str, Any], rounds: int, seed: int, values: int = TOTAL) -> list[NextRound]:
    """Draw and play rounds; return them."""
    numbers, found = random.Random(seed), []
    for _ in range(rounds):
        found.append(draw(document))
        play(document, found[-1], numbers, values)
    return found


def entrants_of(competition: Competition, found: NextRound) -> tuple[Pairs, str | None]:
    """Return the matches of a round by ref, each in alphabetical order, and the bye."""
    matches = {tuple(sorted({competition.ref_of[p] for p in seats})) for seats in found.tables}
    return tuple((a, b) for a, b in sorted(matches)), found.byes[0] if found.byes else None


class Reference:
    """The criteria of `docs/developers/pairing/swiss.md`, counted from the document only."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.competition = competition = decode_competition(document)
        self.refs = [entrant.ref for entrant in competition.present()]
        lines = rank_competition(competition)
        if document.get("past"):
            places = {line.ref: line.place for line in lines}
        else:
            places = dict.fromkeys(competition.by_ref, 1)
        shared = list(places.values())
        self.rank = {ref: place + Fraction(shared.count(place) - 1, 2) for ref, place in places.items()}
        self.met: dict[frozenset[str], int] = {}
        self.byes = dict.fromkeys(self.refs, 0)
        for one in competition.past:
            seen = {
                frozenset(pair)
                for table in one.tables
                for pair in combinations({competition.ref_of[p] for p in table.seats}, 2)
            }
            for pair in seen:
                self.met[pair] = self.met.get(pair, 0) + 1
            for ref in one.byes:
                if ref in self.byes:
                    self.byes[ref] += 1
        self.apart = {frozenset((a, b)): how for a, b, how in competition.apart}

    def judge(self, pairs: Pairs, bye: str | None) -> Breaches:
        """Return hard apart, repeats, byes had, minus the rank of the bye, soft apart, distance."""
        entrants, sets = self.competition.by_ref, [frozenset(pair) for pair in pairs]
        mates = sum(entrants[a].team is not None and entrants[a].team == entrants[b].team for a, b in pairs)
        return (
            sum(self.apart.get(pair) == "hard" for pair in sets),
            sum(pair in self.met for pair in sets),
            0 if bye is None else self.byes[bye],
            Fraction(0) if bye is None else -self.rank[bye],
            sum(self.apart.get(pair) == "soft" for pair in sets) + mates,
            sum(((self.rank[a] - self.rank[b]) ** 2 for a, b in pairs), Fraction(0)),
        )

    def find_best(self) -> Breaches:
        """Return the least that any round costs, by trying all."""
        return min(self.judge(pairs, bye) for pairs, bye in all_rounds(self.refs))


def all_rounds(refs: Sequence[str]) -> Iterator[tuple[Pairs, str | None]]:
    if len(refs) % 2 == 0:
        yield from ((pairs, None) for pairs in all_matchings(refs))
        return
    for at, bye in enumerate(refs):
        yield from ((pairs, bye) for pairs in all_matchings([*refs[:at], *refs[at + 1 :]]))


def all_matchings(refs: Sequence[str]) -> Iterator[Pairs]:
    if not refs:
        yield ()
        return
    first, *rest = refs
    for at, other in enumerate(rest):
        for pairs in all_matchings([*rest[:at], *rest[at + 1 :]]):
            yield ((first, other), *pairs)
