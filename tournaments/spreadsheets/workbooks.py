"""XLSX: reading sheets in a confined process, and writing tables without formulas."""

import io
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.sandbox import xlsx_reader
from tournaments.sandbox.running import TookTooMuch, run_confined
from tournaments.spreadsheets.size_limits import too_many_columns_error, too_many_rows_error

MAX_INFLATED: Final = xlsx_reader.MAX_INFLATED
MAX_PARTS: Final = xlsx_reader.MAX_PARTS
MAX_MEMORY: Final = 512 * 2**20
_WIDEST: Final = 40
"""Largest width of a written column, in characters."""


class SheetRows(NamedTuple):
    """The content of one sheet. `rows`: pairs of row number and cells as text, without empty rows.

    `shown`: whether the sheet is visible; `hidden_rows`: row numbers, counted from 1; `hidden_columns`:
    indices, counted from 0.
    """

    sheet: str
    rows: list[tuple[int, list[str]]]
    shown: bool = True
    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()


def read_sheets(data: bytes) -> tuple[SheetRows, ...]:
    """Read all sheets of a workbook in order, empty ones included.

    Raises TournamentError `import/…`; TooMuch `files/too_many` if too many files wait for a confined process.
    """
    try:
        found = run_confined("xlsx_reader", data, memory=MAX_MEMORY)
    except TookTooMuch:
        raise _inflates_error() from None
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
        "import/inflates": _inflates_error,
        "import/too_many_columns": too_many_columns_error,
        "import/too_many_rows": too_many_rows_error,
    }
    return refusals.get(code, _no_workbook_error)(**params)


def _inflates_error() -> TournamentError:
    return TournamentError(
        "import/inflates",
        _("The workbook holds far more than a list of people. Copy the list into a new one."),
    )


def _no_workbook_error() -> TournamentError:
    return TournamentError(
        "import/no_workbook",
        _("This is not an XLSX workbook. Save the list as XLSX or CSV and choose it again."),
    )


def write_workbook(title: str, lines: Iterable[Sequence[str | int | float]]) -> bytes:
    """Return a workbook with one sheet, whose first line is bold.

    A text stays text whatever its first character is, so that it is never a formula.
    """
    # here: openpyxl, and numpy, which it loads, are a tenth of the start of each process
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

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
    """Return the title as a valid name of a sheet."""
    return "".join(" " if letter in r"[]:*?/\'" else letter for letter in title)[:31].strip() or "Puur"
