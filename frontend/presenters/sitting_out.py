"""Byes, with a fixed pair as one."""

from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.models import Entry, Round
from tournaments.services.entries.pairs import pair_name


@dataclass(frozen=True, slots=True)
class SittingOut:
    """A person or pair with a bye; `points`: of the bye, None before the round is over."""

    people: tuple[Entry, ...]
    points: int | None

    @property
    def name(self) -> str:
        return pair_name(self.people)

    @property
    def listed(self) -> str:
        """The name as in lists sorted by family name."""
        return " / ".join(entry.listed for entry in self.people)


def sitting_out(round_: Round) -> list[SittingOut]:
    """Return the byes by family name; a pair is listed by its first name. One query."""
    rows = round_.sit_outs.select_related("entry").order_by("entry__sort_name", "pk")
    points = {row.entry_id: row.points for row in rows}
    return [SittingOut(people, points[people[0].pk]) for people in as_pairs(row.entry for row in rows)]


def as_pairs(people: Iterable[Entry]) -> list[tuple[Entry, ...]]:
    """Group people of a pair, at the position of the first."""
    found: dict[object, list[Entry]] = {}
    for entry in people:
        found.setdefault(entry.entrant_id or entry, []).append(entry)
    return [tuple(entries) for entries in found.values()]
