"""Who moves up from a waiting list: in the order of entry, pairs only together."""

from hypothesis import example, given
from hypothesis import strategies as st

from tournaments.services.entries.waiting_list import choose_groups, gets_place_at_once

SIZES = st.lists(st.sampled_from([1, 2]), max_size=12)


def recount(sizes: list[int], free: int) -> list[int]:
    """Give away place after place, as a person at a desk would."""
    left, given_to = list(range(len(sizes))), []
    while left and free:
        first = left[0]
        if sizes[first] > free:
            alone = [one for one in left if sizes[one] == 1]
            if not alone:
                break
            first = alone[0]
        left.remove(first)
        given_to.append(first)
        free -= sizes[first]
    return given_to


@given(SIZES, st.integers(0, 20))
@example([2, 1, 1], 1)
@example([2, 2, 1], 3)
def test_places_are_given_as_by_hand(sizes: list[int], free: int) -> None:
    assert choose_groups(sizes, free) == recount(sizes, free)


@given(SIZES, st.integers(0, 20))
def test_a_pair_is_overtaken_only_where_a_single_place_is_left(sizes: list[int], free: int) -> None:
    chosen = choose_groups(sizes, free)

    assert sum(sizes[at] for at in chosen) <= free
    left = free
    for turn, at in enumerate(chosen):
        passed = [one for one in range(at) if one not in chosen[:turn]]
        assert not passed or (left == 1 and all(sizes[one] == 2 for one in passed))
        left -= sizes[at]


@given(SIZES, st.integers(0, 20))
def test_no_place_stays_free_while_somebody_fits(sizes: list[int], free: int) -> None:
    chosen = choose_groups(sizes, free)

    left = free - sum(sizes[at] for at in chosen)
    assert all(sizes[at] > left for at in range(len(sizes)) if at not in chosen)


@given(SIZES, st.sampled_from([1, 2]), st.integers(0, 20))
def test_whoever_comes_last_gets_a_place_at_once_as_from_the_end_of_the_list(
    sizes: list[int], size: int, free: int
) -> None:
    assert gets_place_at_once(sizes, size, free) == (len(sizes) in recount([*sizes, size], free))


def test_a_single_person_passes_a_pair_at_a_single_place_and_no_other() -> None:
    assert choose_groups([2, 1], 1) == [1]
    assert choose_groups([2, 1], 2) == [0]
    assert not gets_place_at_once([2, 1], 1, 1)
    assert gets_place_at_once([2], 1, 1)
