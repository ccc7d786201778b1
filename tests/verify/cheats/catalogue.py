"""The list of all forgeries, and its table."""

from collections.abc import Iterator
from typing import Final

from tests.verify.cheats import export_file, rankings, rounds, seals, tables  # noqa: F401 - each adds to CHEATS
from tests.verify.cheats.forging import CHEATS, Cheat

__all__ = ["CHEATS", "Cheat", "list_forgeries"]
KINDS: Final = {
    "differs": "",
    "note": "note: ",
    "paper": "with the words of the sheet: ",
    "unproven": "unproven: ",
    "unusable": "unusable: ",
}


def list_forgeries() -> Iterator[str]:
    """Yield the lines of the table. A forgery without a sentence is named by its report."""
    yield "| id | forgery | report | in the browser too |"
    yield "|---|---|---|---|"
    for one in CHEATS:
        yield f"| {one.id} | {one.forgery} | {KINDS[one.found]}{one.told} | {'✓' if one.browser else ''} |"
