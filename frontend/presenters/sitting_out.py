"""Who sits out, a fixed pair as the one that it is."""

from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.models import Entry, Round
from tournaments.services.entries.pairs import pair_name


@dataclass(frozen=True, slots=True)
class SittingOut:
    """One, or a pair; `points`: what sitting out counts, None before the round is over."""

    people: tuple[Entry, ...]
    points: int | None

    @property
    def name(self) -> str:
        return pair_name(self.people)

    @property
    def listed(self) -> str:
        """As lists by family name call them."""
        return " / ".join(entry.listed for entry in self.people)


def sitting_out(round_: Round) -> list[SittingOut]:
    """By family name; the one of a pair that comes first says where both stand. One query."""
    rows = round_.sit_outs.select_related("entry").order_by("entry__sort_name", "pk")
    points = {row.entry_id: row.points for row in rows}
    return [SittingOut(people, points[people[0].pk]) for people in as_pairs(row.entry for row in rows)]


def as_pairs(people: Iterable[Entry]) -> list[tuple[Entry, ...]]:
    """Those of a pair as one, where the first of them stands."""
    found: dict[object, list[Entry]] = {}
    for entry in people:
        found.setdefault(entry.entrant_id or entry, []).append(entry)
    return [tuple(entries) for entries in found.values()]
