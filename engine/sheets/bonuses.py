"""What may explain a total that is more than its cards: sweeps, Stöck and melds that are not written down.

One number is enough for a line of totals only where nothing counts beside the cards. Elsewhere both sides'
totals are written, and what they are too much is taken apart into bonuses, by side.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct

from engine.contracts import STOECK_POINTS
from engine.rules import Rules
from engine.rules.sheet_fields import are_melds

MOST: Final = 500
"""So many explanations are given at most."""
MOST_TRIED: Final = 3_000
SHARED_MELDS: Final = 300
"""More points of melds than these are taken for those of one side."""


class Bonuses(Struct, frozen=True, omit_defaults=True):
    """By side how many sweeps and Stöck it had, and the points of its melds; None where they do not count."""

    sweeps: tuple[int, ...] | None = None
    stoecks: tuple[int, ...] | None = None
    melds: tuple[int, ...] | None = None

    def worth(self, rules: Rules) -> list[int]:
        """The points of each side beside its cards."""
        found = [0] * rules.sides
        for values, each in (
            (self.sweeps, rules.play.sweep_bonus),
            (self.stoecks, STOECK_POINTS),
            (self.melds, 1),
        ):
            for side, value in enumerate(values or ()):
                found[side] += value * each
        return found


def explanations(rules: Rules, span: int, scores: Sequence[int], written: Bonuses) -> list[Bonuses]:
    """The bonuses, those that are `written` among them, with which totals of so many deals add up: those with
    the fewest things first."""
    tried = islice(_explained(rules, span, scores, written), MOST_TRIED)
    return list(islice((found for found in tried if _possible(rules, span, scores, found)), MOST))


def _explained(rules: Rules, span: int, scores: Sequence[int], written: Bonuses) -> Iterator[Bonuses]:
    play, sides = rules.play, rules.sides
    over = sum(scores) - sum(written.worth(rules)) - span * play.deal_points
    if over <= 0 or len(scores) != sides:
        return
    for sweeps, stoecks, melds in _counts(rules, span, over, written):
        for more_sweeps in _shared(sweeps, sides, 1):
            for more_stoecks in _shared(stoecks, sides, 1):
                for more_melds in _shared(melds, sides, 10 if melds <= SHARED_MELDS else melds):
                    if not all(map(are_melds, more_melds)):
                        continue
                    yield Bonuses(
                        _added(written.sweeps, more_sweeps) if play.sweep_bonus else written.sweeps,
                        _added(written.stoecks, more_stoecks) if play.stoeck else written.stoecks,
                        _added(written.melds, more_melds) if play.melds else written.melds,
                    )


def _counts(rules: Rules, span: int, over: int, written: Bonuses) -> list[tuple[int, int, int]]:
    """How many more sweeps and Stöck, and how many points of melds, make so much."""
    play = rules.play
    most_sweeps = span - sum(written.sweeps or ()) if play.sweep_bonus else 0
    most_stoecks = span - sum(written.stoecks or ()) if play.stoeck else 0
    found = []
    for sweeps in range(most_sweeps + 1):
        for stoecks in range(most_stoecks + 1):
            rest = over - sweeps * play.sweep_bonus - stoecks * STOECK_POINTS
            if rest == 0 or (play.melds and rest > 0 and are_melds(rest)):
                found.append((sweeps, stoecks, rest))
    return sorted(found, key=lambda one: (one[0] + one[1] + bool(one[2]), one))


def _shared(count: int, sides: int, step: int) -> Iterator[tuple[int, ...]]:
    """All ways to share so many among the sides; those first in which one side has all."""
    yield from sorted(_ways(count, sides, step), key=lambda way: sum(map(bool, way)))


def _ways(count: int, sides: int, step: int) -> Iterator[tuple[int, ...]]:
    if sides == 1:
        yield (count,)
        return
    for own in range(count, -1, -step):
        for others in _ways(count - own, sides - 1, step):
            yield (own, *others)


def _added(written: Sequence[int] | None, more: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(one + other for one, other in zip(written or (0,) * len(more), more, strict=True))


def _possible(rules: Rules, span: int, scores: Sequence[int], bonuses: Bonuses) -> bool:
    """Whether each side has the points of the deals it swept, and the others none of those."""
    whole = rules.play.deal_points
    sweeps = bonuses.sweeps or (0,) * rules.sides
    for side, (points, beside) in enumerate(zip(scores, bonuses.worth(rules), strict=True)):
        of_others = sum(sweeps) - sweeps[side]
        if not sweeps[side] * whole <= points - beside <= (span - of_others) * whole:
            return False
    return True
