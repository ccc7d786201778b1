"""First seats at tables of two entrants: counts of the past, and an even choice for future meetings."""

from collections import Counter, deque
from collections.abc import Iterable, Mapping

from tournaments.competition import Competition, ordered
from tournaments.pairing.circle_method import Meeting
from tournaments.pairing.exact_matching import Pair


def count_first_seats(competition: Competition) -> tuple[Counter[str], dict[Pair, str]]:
    """Return the lead of each entrant, and for each pair the entrant who sat first in their last meeting.

    lead: number of rounds in which the entrant sat first, minus the rounds in which they sat second.
    """
    lead: Counter[str] = Counter()
    first_before: dict[Pair, str] = {}
    for one in competition.past:
        matches = dict.fromkeys(competition.entrants_at(table) for table in one.tables)
        for refs in matches:
            if len(refs) > 1:
                first, second = refs[:2]
                lead[first] += 1
                lead[second] -= 1
                first_before[ordered(first, second)] = first
    return lead, first_before


def balance_first_seats(lead: Mapping[str, int], meetings: Iterable[Meeting]) -> dict[tuple[str, str], str]:
    """Return who sits first in each meeting, by pair in alphabetical order.

    lead: as `count_first_seats` returns it. meetings: the planned ones, first entrant first. Seats are
    reversed only if the leads after all meetings become more even.
    """
    ends = dict(lead)
    behind: dict[str, set[str]] = {}
    for first, second in meetings:
        ends[first] = ends.get(first, 0) + 1
        ends[second] = ends.get(second, 0) - 1
        behind.setdefault(first, set()).add(second)
        behind.setdefault(second, set())
    while path := _find_uneven(ends, behind):
        for first, second in path:
            behind[first].remove(second)
            behind[second].add(first)
            ends[first] -= 2
            ends[second] += 2
    return {ordered(first, second): first for first, others in behind.items() for second in others}


def _find_uneven(ends: Mapping[str, int], behind: Mapping[str, set[str]]) -> list[Meeting] | None:
    """Return meetings to reverse, so that a lead of two or more becomes smaller; None if no such path exists.

    ends: lead after all meetings. behind: by entrant, the opponents who sit second to them.
    """
    for name in sorted(behind):
        if abs(ends[name]) > 1:
            path = _find_path(name, ends, behind)
            if path:
                return path
    return None


def _find_path(start: str, ends: Mapping[str, int], behind: Mapping[str, set[str]]) -> list[Meeting] | None:
    """Return a path of meetings from `start` to an entrant whose lead differs by at least three; None if
    there is none.

    Reversing all meetings of the path brings the two leads nearer by four.
    """
    forward = ends[start] > 0
    following = behind if forward else _reverse(behind)
    came_from = {start: start}
    waiting = deque([start])
    while waiting:
        at = waiting.popleft()
        if (ends[start] - ends[at] if forward else ends[at] - ends[start]) > 2:
            path = []
            while at != start:
                path.append((came_from[at], at) if forward else (at, came_from[at]))
                at = came_from[at]
            return path
        for name in sorted(following[at]):
            if name not in came_from:
                came_from[name] = at
                waiting.append(name)
    return None


def _reverse(behind: Mapping[str, set[str]]) -> dict[str, set[str]]:
    before: dict[str, set[str]] = {name: set() for name in behind}
    for first, others in behind.items():
        for second in others:
            before[second].add(first)
    return before
