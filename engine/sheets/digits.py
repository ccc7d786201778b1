"""Which slip of the pen would explain a sum that is off: two digits swapped, or one of them wrong."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Slip(NamedTuple):
    """At this place `written` was perhaps meant to be `instead`."""

    place: int
    written: int
    instead: int


def likely(numbers: Sequence[int], over: int) -> list[Slip]:
    """The slips that make numbers whose sum is `over` too much right; swapped digits alone, where there are
    any."""
    swapped = [slip for slip in _slips(numbers, over) if sorted(str(slip[1])) == sorted(str(slip[2]))]
    return swapped or [slip for slip in _slips(numbers, over) if _differing(slip) == 1]


def _slips(numbers: Sequence[int], over: int) -> Iterator[Slip]:
    for place, written in enumerate(numbers):
        instead = written - over
        if instead >= 0 and len(str(instead)) == len(str(written)) and _differing((0, written, instead)) <= 2:
            yield Slip(place, written, instead)


def _differing(slip: tuple[int, int, int]) -> int:
    return sum(one != other for one, other in zip(str(slip[1]), str(slip[2]), strict=True))
