"""First names common in Switzerland, folded, to recognise the first name in "Müller Fredi".

The list is collected by hand. `splitting` uses it beside the form of a name.
"""

from pathlib import Path
from typing import Final

from tournaments.names.spelling import fold

GIVEN: Final = frozenset(map(fold, Path(__file__).with_name("given.txt").read_text().split()))
