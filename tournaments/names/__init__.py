"""Names of people, clubs and places: validating, splitting, comparing and joining them."""

from tournaments.names.spelling import clean, fold, join_names, matches, name_key, search_pattern, sort_key
from tournaments.names.splitting import (
    TwoNames,
    given_first,
    is_family_first,
    order_votes,
    read_in_order,
    read_name,
)

__all__ = [
    "TwoNames",
    "clean",
    "fold",
    "given_first",
    "is_family_first",
    "join_names",
    "matches",
    "name_key",
    "order_votes",
    "read_in_order",
    "read_name",
    "search_pattern",
    "sort_key",
]
