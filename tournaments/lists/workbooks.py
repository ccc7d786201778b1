"""XLSX: sheets read within bounds, and tables written so that no cell is taken for a formula.

A workbook is a zip of XML that whoever sent it has chosen: what it says of itself is looked at before
anything is inflated, and XML that declares entities is refused (defusedxml, through openpyxl).
"""

import io
import re
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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
from tournaments.lists.values import FORMULA

MOST_INFLATED: Final = 16 * 1024 * 1024
"""Bytes of all parts of a workbook together: ten thousand lines with a dozen columns take a third of it."""
MOST_PARTS: Final = 500
MOST_WRITTEN: Final = 50_000
"""Rows of a sheet, with those that are formatted only."""
_SHEET: Final = "xl/workbook.xml"
_ROW: Final = re.compile(rb"<(?:\w+:)?row\s[^>]*>")
_COL: Final = re.compile(rb"<(?:\w+:)?col\s[^>]*>")
_HIDDEN: Final = re.compile(rb"""\shidden=["'](?:1|true)["']""")
_R: Final = re.compile(rb"""\sr=["'](\d{1,7})["']""")
_MIN: Final = re.compile(rb"""\smin=["'](\d{1,5})["']""")
_MAX: Final = re.compile(rb"""\smax=["'](\d{1,5})["']""")
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
    """All sheets in their order, also the empty ones. Raises TournamentError `import/…`."""
    _look_before_inflating(data)
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        formulas = _formulas(data)
        found = []
        sheet: Any
        for sheet in book.worksheets:
            rows, columns = _hidden(data, sheet._worksheet_path)
            cells = list(_rows_of(sheet, formulas.get(sheet.title, {})))
            found.append(SheetRows(sheet.title, cells, sheet.sheet_state == "visible", rows, columns))
        return tuple(found)
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


def _rows_of(sheet: Any, formulas: Mapping[int, Collection[int]]) -> Iterator[tuple[int, list[str]]]:
    """`formulas`: row → the places of its formulas; of one without a stored result FORMULA is read."""
    for number, cells in _lines(sheet, formulas):
        unsaved = formulas.get(number, ())
        texts = [
            FORMULA if cell.value is None and at in unsaved else _text(cell) for at, cell in enumerate(cells)
        ]
        while texts and not texts[-1]:
            texts.pop()
        if len(texts) > MOST_COLUMNS:
            raise too_many_columns(number)
        if texts:
            yield number, texts


def _lines(sheet: Any, besides: Collection[int] = ()) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Rows in which something stands, and those `besides`. Between two of them the file may leave
    out millions: openpyxl gives one and the same tuple for each of those, which costs next to nothing.
    """
    sheet.reset_dimensions()
    found = written = 0
    before: tuple[Any, ...] = ()
    for number, cells in enumerate(sheet.iter_rows(max_col=MOST_COLUMNS + 1), 1):
        if cells is before:
            continue
        before = cells
        written += 1
        if number in besides or any(cell.value is not None for cell in cells):
            found += 1
            yield number, cells
        if found > MOST_ROWS + 1 or written > MOST_WRITTEN:
            raise too_many_rows()


def _text(cell: Any) -> str:
    """A cell as it looks. What could not be worked out is its error, "#REF!" for instance."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, datetime) and (value.hour or value.minute or value.second):
        return f"{value:%d.%m.%Y %H:%M}"
    if isinstance(value, datetime | date):
        return f"{value:%d.%m.%Y}"
    if isinstance(value, time):
        return f"{value:%H:%M}"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def _formulas(data: bytes) -> dict[str, dict[int, set[int]]]:
    """Sheet → row → the places in which formulas stand."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheets = [name for name in archive.namelist() if name.startswith("xl/worksheets/")]
        if not any(b"<f" in archive.read(name) for name in sheets):
            return {}
    written = load_workbook(io.BytesIO(data), read_only=True, keep_links=False)
    found: dict[str, dict[int, set[int]]] = {}
    for sheet in written.worksheets:
        for number, cells in _lines(sheet):
            places = {at for at, cell in enumerate(cells) if cell.data_type == "f"}
            if places:
                found.setdefault(sheet.title, {})[number] = places
    return found


def _hidden(data: bytes, part: str) -> tuple[frozenset[int], frozenset[int]]:
    """The rows (from 1) and columns (from 0) that a spreadsheet does not show."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        text = archive.read(part.lstrip("/"))
    rows = frozenset(
        int(number[1]) for tag in _ROW.findall(text) if _HIDDEN.search(tag) and (number := _R.search(tag))
    )
    columns: set[int] = set()
    for tag in _COL.findall(text):
        first, last = _MIN.search(tag), _MAX.search(tag)
        if first and last and (_HIDDEN.search(tag)):
            columns.update(range(int(first[1]) - 1, min(int(last[1]), MOST_COLUMNS)))
    return rows, frozenset(columns)


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
