"""Names of people, clubs and places: validating, splitting, comparing and joining them."""

from tournaments.names.reading import (
    TwoNames,
    family_comes_first,
    given_first,
    order_votes,
    read_in_order,
    read_name,
)
from tournaments.names.spelling import clean, folded, matches, name_key, search_pattern, sorting

__all__ = [
    "TwoNames",
    "clean",
    "family_comes_first",
    "folded",
    "given_first",
    "matches",
    "name_key",
    "order_votes",
    "read_in_order",
    "read_name",
    "search_pattern",
    "sorting",
]
