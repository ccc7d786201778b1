"""Exact matching, compared with all matchings."""

from collections.abc import Iterator
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.pairing.exact_matching import Pair, match_exactly
from tournaments.pairing.stream import NumberStream

NAMES = "abcdefg"
COSTS = st.dictionaries(
    st.sampled_from(list(combinations(NAMES, 2))), st.tuples(st.integers(0, 3), st.integers(0, 9)), min_size=1
)


def list_matchings(pairs: list[Pair]) -> Iterator[list[Pair]]:
    yield []
    for at, (a, b) in enumerate(pairs):
        for rest in list_matchings([pair for pair in pairs[at + 1 :] if not {a, b} & set(pair)]):
            yield [(a, b), *rest]


@given(COSTS, st.binary(max_size=3))
@settings(max_examples=60, deadline=None)
def test_no_matching_is_larger_or_cheaper(costs: dict[Pair, tuple[int, int]], seed: bytes) -> None:
    found = match_exactly(costs, NumberStream(seed, "test"))
    best = min(rate(costs, matching) for matching in list_matchings(list(costs)))
    assert rate(costs, found) == best
    assert found == match_exactly(dict(reversed(costs.items())), NumberStream(seed, "test"))


def rate(costs: dict[Pair, tuple[int, int]], matching: list[Pair]) -> tuple[int, int, int]:
    return (
        -len(matching),
        sum(costs[pair][0] for pair in matching),
        sum(costs[pair][1] for pair in matching),
    )


def test_ties_are_broken_by_the_seed() -> None:
    costs = dict.fromkeys(combinations(NAMES, 2), (0,))
    found = {str(match_exactly(costs, NumberStream(bytes([n]), "test"))) for n in range(20)}
    assert len(found) > 10


def test_without_pairs_there_is_no_matching() -> None:
    assert match_exactly({}, NumberStream(b"", "test")) == []
