"""Phase `sheet`."""

from typing import Final
from ..rules import Phase

SHEET: Final = Phase("sheet", lambda s: True, lambda s: None, lambda s: ("enter_result",), {})
