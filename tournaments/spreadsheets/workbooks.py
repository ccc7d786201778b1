"""XLSX: sheets are read by a process with limits; in written tables no cell is taken for a formula."""

import io
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext_lazy as _
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

from tournaments.errors import TournamentError
from tournaments.sandbox import workbook
from tournaments.sandbox.running import TookTooMuch, run_confined
from tournaments.spreadsheets.bounds import too_many_columns, too_many_rows

MOST_INFLATED: Final = workbook.MOST_INFLATED
MOST_PARTS: Final = workbook.MOST_PARTS
MOST_MEMORY: Final = 512 * 2**20
_WIDEST: Final = 40
"""Characters of a column as it is written."""


class SheetRows(NamedTuple):
    """What one sheet holds: number of the row and its cells as text, empty rows left out. `shown`: whether a
    spreadsheet shows the sheet; `hidden_rows`, `hidden_columns`: what it does not show of it, counted from 1
    and from 0.
    """

    sheet: str
    rows: list[tuple[int, list[str]]]
    shown: bool = True
    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()


def read_sheets(data: bytes) -> tuple[SheetRows, ...]:
    """All sheets in their order, also the empty ones. Raises TournamentError `import/…`, TooMuch."""
    try:
        found = run_confined("workbook", data, memory=MOST_MEMORY)
    except TookTooMuch:
        raise _inflates() from None
    if found.code:
        raise _refusal(found.code, found.params)
    return tuple(
        SheetRows(
            one["sheet"],
            [(number, cells) for number, cells in one["rows"]],
            one["shown"],
            frozenset(one["hidden_rows"]),
            frozenset(one["hidden_columns"]),
        )
        for one in found.head["sheets"]
    )


def _refusal(code: str, params: dict[str, Any]) -> TournamentError:
    refusals: dict[str, Callable[..., TournamentError]] = {
        "import/inflates": _inflates,
        "import/too_many_columns": too_many_columns,
        "import/too_many_rows": too_many_rows,
    }
    return refusals.get(code, _no_workbook)(**params)


def _inflates() -> TournamentError:
    return TournamentError(
        "import/inflates",
        _("The workbook holds far more than a list of people. Copy the list into a new one."),
    )


def _no_workbook() -> TournamentError:
    return TournamentError(
        "import/no_workbook", _("This is no XLSX workbook. Save the list as XLSX or CSV and choose it again.")
    )


def write_workbook(title: str, lines: Iterable[Sequence[str | int]]) -> bytes:
    """One sheet, its first line in bold. Texts are texts whatever they begin with, numbers are numbers."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet(title=_sheet_name(title))
    table = [list(line) for line in lines]
    for at, column in enumerate(zip(*table, strict=True), 1):
        widest = max(len(str(cell)) for cell in column)
        sheet.column_dimensions[get_column_letter(at)].width = min(widest, _WIDEST) + 2
    sheet.freeze_panes = "A2"
    for number, line in enumerate(table):
        cells = [WriteOnlyCell(sheet, value=cell) for cell in line]
        for cell, value in zip(cells, line, strict=True):
            if isinstance(value, str):
                cell.data_type = "s"
            if number == 0:
                cell.font = Font(bold=True)
        sheet.append(cells)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _sheet_name(title: str) -> str:
    """What a spreadsheet allows as the name of a sheet."""
    return "".join(" " if letter in r"[]:*?/\'" else letter for letter in title)[:31].strip() or "Puur"
