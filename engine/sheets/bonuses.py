"""Explanation of totals that exceed the card points, by sweeps, Stöck and melds that were not recorded.

One number suffices for a line of totals only if nothing scores beyond the cards. Otherwise both sides' totals
are written, and the excess is split into bonuses by side.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct

from engine.card_points import STOECK_POINTS
from engine.rules import Rules
from engine.rules.sheet_fields import are_melds

MAX_EXPLANATIONS: Final = 500
MAX_CANDIDATES: Final = 3_000
MAX_SPLIT_MELDS: Final = 300
"""Meld points above this number are assigned to one side only, and not split among the sides."""


class Bonuses(Struct, frozen=True, omit_defaults=True):
    """Bonuses by side: numbers of sweeps and Stöck, and points of melds. None for what is not given."""

    sweeps: tuple[int, ...] | None = None
    stoecks: tuple[int, ...] | None = None
    melds: tuple[int, ...] | None = None

    def worth(self, rules: Rules) -> list[int]:
        """Return the points of each side's bonuses."""
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
    """Return at most `MAX_EXPLANATIONS` bonuses that explain the totals `scores` of `span` deals, the
    simplest first. Each contains the bonuses `written`. Empty without an excess.
    """
    tried = islice(_iter_candidates(rules, span, scores, written), MAX_CANDIDATES)
    return list(
        islice((found for found in tried if _is_possible(rules, span, scores, found)), MAX_EXPLANATIONS)
    )


def _iter_candidates(rules: Rules, span: int, scores: Sequence[int], written: Bonuses) -> Iterator[Bonuses]:
    play, sides = rules.play, rules.sides
    over = sum(scores) - sum(written.worth(rules)) - span * play.deal_points
    if over <= 0 or len(scores) != sides:
        return
    for sweeps, stoecks, melds in _list_counts(rules, span, over, written):
        for more_sweeps in _iter_splits(sweeps, sides, 1):
            for more_stoecks in _iter_splits(stoecks, sides, 1):
                for more_melds in _iter_splits(melds, sides, 10 if melds <= MAX_SPLIT_MELDS else melds):
                    if not all(map(are_melds, more_melds)):
                        continue
                    yield Bonuses(
                        _add_counts(written.sweeps, more_sweeps) if play.sweep_bonus else written.sweeps,
                        _add_counts(written.stoecks, more_stoecks) if play.stoeck else written.stoecks,
                        _add_counts(written.melds, more_melds) if play.melds else written.melds,
                    )


def _list_counts(rules: Rules, span: int, over: int, written: Bonuses) -> list[tuple[int, int, int]]:
    """Return the combinations of further sweeps, Stöck and meld points whose points sum to `over`."""
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


def _iter_splits(count: int, sides: int, step: int) -> Iterator[tuple[int, ...]]:
    """Yield all splits of `count` among the sides, first the splits that give everything to one side."""
    yield from sorted(_iter_ways(count, sides, step), key=lambda way: sum(map(bool, way)))


def _iter_ways(count: int, sides: int, step: int) -> Iterator[tuple[int, ...]]:
    if sides == 1:
        yield (count,)
        return
    for own in range(count, -1, -step):
        for others in _iter_ways(count - own, sides - 1, step):
            yield (own, *others)


def _add_counts(written: Sequence[int] | None, more: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(one + other for one, other in zip(written or (0,) * len(more), more, strict=True))


def _is_possible(rules: Rules, span: int, scores: Sequence[int], bonuses: Bonuses) -> bool:
    """Return whether each side can have all points of its swept deals and none of the deals that others
    swept.
    """
    whole = rules.play.deal_points
    sweeps = bonuses.sweeps or (0,) * rules.sides
    for side, (points, beside) in enumerate(zip(scores, bonuses.worth(rules), strict=True)):
        of_others = sum(sweeps) - sweeps[side]
        if not sweeps[side] * whole <= points - beside <= (span - of_others) * whole:
            return False
    return True
