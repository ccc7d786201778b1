"""Names of people, clubs and places: how they come in, are taken apart, compared and put together."""

from tournaments.names.reading import TwoNames, given_first, read_name
from tournaments.names.spelling import clean, folded, matches, name_key, sorting

__all__ = ["TwoNames", "clean", "folded", "given_first", "matches", "name_key", "read_name", "sorting"]
