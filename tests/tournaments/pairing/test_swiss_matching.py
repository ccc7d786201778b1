"""The matching behind a Swiss round: few candidates give the best of all rounds."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.pairing.systems import swiss_matching
from tournaments.pairing.systems.swiss_field import SwissField
from tournaments.pairing.systems.swiss_matching import (
    _tie_breaker,
    find_candidates,
    find_reach,
    match_nearest,
    solve_candidates,
)

SEED, LABEL = b"seed", "test"


@st.composite
def fields(draw: st.DrawFn, least: int = 1, most: int = 60) -> SwissField:
    size = draw(st.integers(least, most))
    steps = draw(st.lists(st.sampled_from([0, 0, 1, 2, 5]), min_size=size, max_size=size))
    ranks = [sum(steps[: at + 1]) for at in range(size)]
    numbers = Random(draw(st.integers(0, 2**32)))
    pairs = list(combinations(range(size), 2))
    width = draw(st.sampled_from([3, 8, 60]))
    dense = draw(st.sampled_from([0.0, 0.2, 0.5, 0.9]))
    met = {(a, b): numbers.randint(1, 3) for a, b in pairs if b - a <= width and numbers.random() < dense}
    few = [pair for pair in pairs if numbers.random() < 0.05]
    cut = numbers.randint(0, len(few))
    teams = draw(st.sampled_from([0, 0, 2, 5]))
    return SwissField(
        refs=tuple(f"E{n}" for n in range(size)),
        ranks=tuple(ranks),
        byes=tuple(numbers.choice((0, 0, 1, 2)) for _ in range(size)),
        met=met,
        hard=frozenset(few[:cut]),
        soft=frozenset(few[cut:]),
        teams=tuple(f"T{numbers.randrange(teams)}" for _ in range(size)) if teams else (),
    )


@given(fields())
@settings(deadline=None, max_examples=80)
def test_the_candidates_contain_the_best_round(swiss: SwissField) -> None:
    everything = list(combinations(range(swiss.size), 2))
    assert match_nearest(swiss, SEED, LABEL) == solve_candidates(swiss, everything, _tie_breaker(SEED, LABEL))


@given(fields(least=20, most=40))
@settings(deadline=None, max_examples=30)
def test_a_search_that_widens_keeps_what_can_be_kept(swiss: SwissField) -> None:
    best = match_nearest(swiss, SEED, LABEL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(swiss_matching, "MAX_CANDIDATES", 0)
        found = match_nearest(swiss, SEED, LABEL)
    assert not found.proven
    assert found.cost >= best.cost
    assert found.cost[:2] == best.cost[:2]


@given(fields(most=12))
@settings(deadline=None, max_examples=30)
def test_the_criteria_are_kept_where_ties_have_no_bits(swiss: SwissField) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(swiss_matching, "MAX_WEIGHT_BITS", 0)
        assert match_nearest(swiss, SEED, LABEL).cost == match_nearest(swiss, SEED, LABEL).cost


def test_candidates_are_few() -> None:
    size = 1_000
    met = {(a, a + step): 1 for a in range(size) for step in (1, 3, 200, 400) if a + step < size}
    swiss = SwissField(tuple(map(str, range(size))), tuple(range(0, 2 * size, 2)), (0,) * size, met)
    reach = find_reach(swiss)
    assert reach <= 17
    assert len(find_candidates(swiss, reach)) < 12 * size
