"""The order of a waiting list: who gets the free places (pure).

A group is one person, or a pair that moves up only together. The groups stand in the order of entry; a pair
that was joined later stands where the later of both entered.

- While there are places for the first group, it moves up.
- If only one place is free and a pair is first, the place goes to the first person who waits alone. The pair
  stays first.
"""

from collections.abc import Sequence


def choose_groups(sizes: Sequence[int], free: int) -> list[int]:
    """Return the indexes of the groups that move up, in turn. `sizes`: of the groups in order."""
    waiting = list(enumerate(sizes))
    chosen = []
    while free > 0 and (found := next((one for one in waiting if one[1] <= free), None)) is not None:
        waiting.remove(found)
        chosen.append(found[0])
        free -= found[1]
    return chosen


def gets_place_at_once(sizes: Sequence[int], size: int, free: int) -> bool:
    """Return whether a new group of this size gets places without waiting behind those who wait."""
    return len(sizes) in choose_groups([*sizes, size], free)
