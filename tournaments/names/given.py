"""First names common in Switzerland, folded, to recognise the first name in "Müller Fredi".

Collected by hand. Other names are read in the order in which they are written.
"""

from pathlib import Path
from typing import Final

from tournaments.names.spelling import folded

GIVEN: Final = frozenset(map(folded, Path(__file__).with_name("given.txt").read_text().split()))
