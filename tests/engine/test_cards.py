"""Codes at the edge, masks inside."""

from hypothesis import given
from hypothesis import strategies as st

from engine import cards


@given(st.integers(0, cards.ALL))
def test_codes_and_masks_are_two_names_of_the_same_cards(mask: int) -> None:
    codes = cards.codes(mask)
    assert cards.mask(codes) == mask
    assert [cards.INDEX[code] for code in codes] == cards.members(mask)


def test_an_unknown_card_adds_nothing_to_a_mask() -> None:
    assert cards.mask([None, "D6", None]) == 1
