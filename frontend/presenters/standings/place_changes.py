"""Places and totals of people before and after a changed result, as lines of a page."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tournaments.services.scores.place_changes import Shift
from tournaments.standings import Figure


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """One line of the ranking before and after a change. Partners who are ranked as one share a line."""

    name: str
    place: int
    place_after: int
    total: Figure
    total_after: Figure


def list_place_changes(
    shifts: Iterable[Shift], names: Mapping[int, str], teams: Mapping[int, str]
) -> tuple[PlaceChange, ...]:
    """Return a line for each shift. names: entry's number → name; teams: team's number → name, where teams
    are ranked.
    """
    return tuple(
        PlaceChange(
            teams.get(one.number) or " / ".join(names.get(number, str(number)) for number in one.numbers),
            one.place,
            one.place_after,
            one.total,
            one.total_after,
        )
        for one in shifts
    )
