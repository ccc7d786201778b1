"""The ranking of a competition given as plain data, in exact numbers."""

from fractions import Fraction

import msgspec

from tournaments.competition import Competition, Points


class Line(msgspec.Struct, frozen=True):
    """One line of the ranking. rounds: points by round, None for none; tie_break: what decided the place."""

    place: int
    ref: str
    total: Points
    rounds: tuple[Points | None, ...]
    tie_break: str | None = None


def rank_competition(competition: Competition) -> list[Line]:
    """Rank the entrants, first place first; level entrants share a place, ordered by ref."""
    gained: dict[str, list[Points | None]] = {
        ref: [None] * len(competition.past) for ref in competition.by_ref
    }
    for at, one in enumerate(competition.past):
        for table in one.tables:
            for person, points in zip(table.seats, table.points, strict=False):
                ref = competition.ref_of.get(person)
                if ref is not None and points is not None:
                    gained[ref][at] = points
    totals = {ref: sum((p for p in found if p is not None), Fraction(0)) for ref, found in gained.items()}
    lines: list[Line] = []
    for at, ref in enumerate(sorted(totals, key=lambda ref: (-competition.direction * totals[ref], ref))):
        level = bool(lines) and lines[-1].total == totals[ref]
        lines.append(Line(lines[-1].place if level else at + 1, ref, totals[ref], tuple(gained[ref])))
    return lines
