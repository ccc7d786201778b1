"""XLSX: one sheet read within bounds, and tables written so that no cell is taken for a formula.

A workbook is a zip of XML that whoever sent it has chosen: what it says of itself is looked at before
anything is inflated, and XML that declares entities is refused (defusedxml, through openpyxl).
"""

import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from typing import Any, Final, NamedTuple

from defusedxml.common import DefusedXmlException
from django.utils.translation import gettext_lazy as _
from openpyxl import Workbook, load_workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

from tournaments.errors import TournamentError
from tournaments.lists.bounds import MOST_COLUMNS, MOST_ROWS, too_many_columns, too_many_rows

MOST_INFLATED: Final = 16 * 1024 * 1024
"""Bytes of all parts of a workbook together: ten thousand lines with a dozen columns take a third of it."""
MOST_PARTS: Final = 500
MOST_WRITTEN: Final = 50_000
"""Rows of a sheet, with those that are formatted only."""
_SHEET: Final = "xl/workbook.xml"
_WIDEST: Final = 40
"""Characters of a column as it is written."""


class SheetRows(NamedTuple):
    """What one sheet holds: number of the row and its cells as text, empty rows left out; `others`: names of
    the sheets that were not read.
    """

    sheet: str
    rows: list[tuple[int, list[str]]]
    others: tuple[str, ...]


def read_workbook(data: bytes) -> SheetRows:
    """The first sheet that is shown and holds something. Raises TournamentError `import/…`."""
    _look_before_inflating(data)
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        shown = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"] or book.worksheets
        for sheet in shown:
            if rows := list(_rows_of(sheet)):
                break
        else:
            return SheetRows("", [], ())
        _refuse_unsaved_formulas(data, sheet.title)
        others = tuple(one.title for one in book.worksheets if one.title != sheet.title)
        return SheetRows(sheet.title, rows, others)
    except TournamentError:
        raise
    except DefusedXmlException:
        raise _no_workbook() from None
    except Exception as error:  # whatever openpyxl makes of a file that is none: KeyError, ValueError, …
        raise _no_workbook() from error


def _look_before_inflating(data: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_INFLATED:
                raise TournamentError(
                    "import/inflates",
                    _("The workbook holds far more than a list of people. Copy the list into a new one."),
                )
            names = {part.filename for part in parts}
            if _SHEET not in names or len(names) < len(parts) or any(part.flag_bits & 1 for part in parts):
                raise _no_workbook()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        raise _no_workbook() from None


def _no_workbook() -> TournamentError:
    return TournamentError(
        "import/no_workbook", _("This is no XLSX workbook. Save the list as XLSX or CSV and choose it again.")
    )


def _rows_of(sheet: Any) -> Iterator[tuple[int, list[str]]]:
    for number, cells in _lines(sheet):
        texts = [_text(cell) for cell in cells]
        while texts and not texts[-1]:
            texts.pop()
        if len(texts) > MOST_COLUMNS:
            raise too_many_columns(number)
        if texts:
            yield number, texts


def _lines(sheet: Any) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Rows in which something stands. Between two of them the file may leave out millions: openpyxl gives one
    and the same tuple for each of those, which costs next to nothing.
    """
    sheet.reset_dimensions()
    found = written = 0
    before: tuple[Any, ...] = ()
    for number, cells in enumerate(sheet.iter_rows(max_col=MOST_COLUMNS + 1), 1):
        if cells is before:
            continue
        before = cells
        written += 1
        if any(cell.value is not None for cell in cells):
            found += 1
            yield number, cells
        if found > MOST_ROWS + 1 or written > MOST_WRITTEN:
            raise too_many_rows()


def _text(cell: Any) -> str:
    value = cell.value
    if value is None:
        return ""
    if cell.data_type == "e":
        raise TournamentError(
            "import/faulty_cell",
            _("Cell %(cell)s holds an error (%(value)s). Put it right in the spreadsheet and save it."),
            cell=f"{get_column_letter(cell.column)}{cell.row}",
            value=str(value),
        )
    if isinstance(value, datetime | date):
        return f"{value:%d.%m.%Y}"
    if isinstance(value, time):
        return f"{value:%H:%M}"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def _refuse_unsaved_formulas(data: bytes, title: str) -> None:
    """A formula is read as the value that stands beside it; where none does, nothing is guessed."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheets = [name for name in archive.namelist() if name.startswith("xl/worksheets/")]
        if not any(b"<f" in archive.read(name) for name in sheets):
            return
    written = load_workbook(io.BytesIO(data), read_only=True, keep_links=False)[title]
    stored = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)[title]
    known = {
        (number, at)
        for number, cells in _lines(stored)
        for at, cell in enumerate(cells)
        if cell.value is not None
    }
    for number, cells in _lines(written):
        for at, cell in enumerate(cells):
            if cell.data_type == "f" and (number, at) not in known:
                raise TournamentError(
                    "import/formula",
                    _(
                        "Cell %(cell)s is a formula without a result. "
                        "Open the workbook in a spreadsheet, save it, and choose it again."
                    ),
                    cell=f"{get_column_letter(at + 1)}{number}",
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
