"""Python imports this when it begins, where the folder is on its path: see `tests.measuring.children`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))
from tests import measuring

del sys.path[0]
measuring.start_as_a_child()
