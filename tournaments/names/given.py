"""First names common in Switzerland, folded, to recognise the first name in "Müller Fredi".

The list is collected by hand. A name without a listed first name is read in the order in which it is written.
"""

from pathlib import Path
from typing import Final

from tournaments.names.spelling import fold

GIVEN: Final = frozenset(map(fold, Path(__file__).with_name("given.txt").read_text().split()))
