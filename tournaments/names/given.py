"""First names usual in Switzerland, folded: they tell which word of "Müller Fredi" is the first name.

Written down by hand. Who is missing is read in the order in which he is written.
"""

from pathlib import Path
from typing import Final

from tournaments.names.spelling import folded

GIVEN: Final = frozenset(map(folded, Path(__file__).with_name("given.txt").read_text().split()))
