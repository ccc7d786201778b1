"""XLSX: the rows of all sheets as text, in one pass over their XML.

Values of cells are read, and which rows, columns and sheets are hidden. Elements, rows, cells of a row,
nesting and text are counted during the pass, and XML that declares a document type is refused. This module
runs in `process`.
"""

import io
import posixpath
import re
import zipfile
from datetime import date, datetime, timedelta
from typing import Any, Final
from xml.parsers import expat

MAX_INFLATED: Final = 16 * 1024 * 1024
"""Largest unpacked size of all parts of a workbook, in bytes.

Ten thousand lines with a dozen columns take a third of it."""
MAX_PARTS: Final = 500
MAX_ELEMENTS: Final = 1_000_000
"""Largest total number of elements; ten thousand lines with thirty columns have two thirds of it."""
MAX_OF_OTHERS: Final = 50_000
"""Largest number of elements of the parts that list sheets and relations."""
DEEPEST: Final = 64
"""Largest nesting depth of elements; spreadsheets use eight."""
MAX_ROWS: Final = 10_001
"""Largest number of rows with content: ten thousand, and the headings."""
MAX_WRITTEN: Final = 50_000
"""Largest number of rows of a sheet, including rows that are only formatted."""
LAST_ROW: Final = 1_048_576
LAST_COLUMN: Final = 16_384
MAX_COLUMNS: Final = 100
MAX_TEXT: Final = 5 * 1024 * 1024
"""Largest number of characters of all cells together."""
MAX_NUMBER_LENGTH: Final = 400
MAX_FORMAT_LENGTH: Final = 255
FORMULA: Final = "#FORMULA"
"""Cell text that replaces a formula without a stored result."""
TRUE: Final = frozenset({"1", "true"})
WORKBOOK: Final = "xl/workbook.xml"
RELATIONS: Final = "xl/_rels/workbook.xml.rels"
DATES: Final = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
"""Numbers of the built-in formats for dates and times."""
ELAPSED: Final = 46
LAST_DAY: Final = 2_958_465
"""Day number of 31 December 9999."""
_ROW: Final = re.compile(r"[0-9]{1,7}", re.ASCII)
_PLACE: Final = re.compile(r"([A-Z]{1,3})[0-9]{1,7}", re.ASCII)
_ESCAPED: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
_LITERAL: Final = re.compile(r'"[^"]*"|\[(?!hh?\]|mm?\]|ss?\])[^\]]*\]', re.IGNORECASE)
_OF_DATES: Final = re.compile(r"(?<![_\\])[dmhys]", re.IGNORECASE)
_OF_ELAPSED: Final = re.compile(r"\[(hh?|mm?|ss?)\]", re.IGNORECASE)
Attributes = dict[str, str]


class WorkbookRefused(Exception):
    """The workbook is refused. `code`: reason of the refusal."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


class _InvalidWorkbook(Exception):
    """The file is not a workbook."""


def read_rows(data: bytes) -> tuple[dict[str, Any], bytes]:
    """Return head (`sheets`: the sheets in order) and body (empty) for `process`.

    Raises WorkbookRefused `import/…`.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _Book(archive).read(), b""
    except (WorkbookRefused, MemoryError, RecursionError):
        raise
    except Exception:  # for invalid files: BadZipFile, ExpatError, KeyError, ValueError, zlib.error, …
        raise WorkbookRefused("import/no_workbook") from None


class _Part:
    """Parser of one XML part of a workbook in one pass. Subclasses implement `begin`, `end` and `text`."""

    deepest = DEEPEST
    most = MAX_OF_OTHERS

    def __init__(self, counted: list[int]) -> None:
        self._counted, self._here, self._depth = counted, 0, 0

    def parse(self, data: bytes) -> None:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = _refuse
        parser.EntityDeclHandler = _refuse
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self.text
        parser.Parse(data, True)

    def begin(self, name: str, attributes: Attributes) -> None:
        """Handle the start of an element. `name`: without its prefix."""

    def end(self, name: str) -> None:
        """Handle the end of an element."""

    def text(self, text: str) -> None:
        """Handle a piece of an element's text."""

    def _begin(self, name: str, attributes: Attributes) -> None:
        self._depth += 1
        self._here += 1
        self._counted[0] += 1
        if self._counted[0] > MAX_ELEMENTS or self._here > self.most or self._depth > self.deepest:
            raise WorkbookRefused("import/inflates")
        self.begin(name.rpartition(":")[2], attributes)

    def _end(self, name: str) -> None:
        self._depth -= 1
        self.end(name.rpartition(":")[2])


def _refuse(*_: Any) -> None:
    raise _InvalidWorkbook


class _Sheets(_Part):
    """Parser of the list of sheets (title, visibility, relation) and of the date system."""

    def __init__(self, counted: list[int]) -> None:
        super().__init__(counted)
        self.found: list[tuple[str, bool, str]] = []
        self.since_1904 = False

    def begin(self, name: str, attributes: Attributes) -> None:
        if name == "sheet":
            relation = next(value for key, value in attributes.items() if key.rpartition(":")[2] == "id")
            shown = attributes.get("state", "visible") == "visible"
            self.found.append((attributes["name"], shown, relation))
        elif name == "workbookPr":
            self.since_1904 = attributes.get("date1904") in TRUE


class _Relations(_Part):
    """Parser of the paths and kinds of a workbook's parts."""

    def __init__(self, counted: list[int]) -> None:
        super().__init__(counted)
        self.found: dict[str, tuple[str, str]] = {}

    def begin(self, name: str, attributes: Attributes) -> None:
        if name == "Relationship" and attributes.get("TargetMode") != "External":
            kind = attributes["Type"].rpartition("/")[2]
            path = posixpath.normpath(posixpath.join("/xl", attributes["Target"])).lstrip("/")
            self.found[attributes["Id"]] = kind, path


class _Texts(_Part):
    """Parser of shared strings, without formatting and phonetic text."""

    most = MAX_ELEMENTS

    def __init__(self, counted: list[int]) -> None:
        super().__init__(counted)
        self.found: list[str] = []
        self._pieces: list[str] = []
        self._in_text = self._spoken = False

    def begin(self, name: str, attributes: Attributes) -> None:
        if name == "si":
            self._pieces = []
        elif name == "rPh":
            self._spoken = True
        elif name == "t":
            self._in_text = not self._spoken

    def end(self, name: str) -> None:
        if name == "t":
            self._in_text = False
        elif name == "rPh":
            self._spoken = False
        elif name == "si":
            self.found.append(_unescape("".join(self._pieces)))

    def text(self, text: str) -> None:
        if self._in_text:
            self._pieces.append(text)


class _Formats(_Part):
    """Parser of cell formats; finds formats of dates ("date") and of elapsed time ("elapsed")."""

    most = MAX_ELEMENTS

    def __init__(self, counted: list[int]) -> None:
        super().__init__(counted)
        self.found: list[str] = []
        self._own: dict[int, str] = {}
        self._of_cells = False

    def begin(self, name: str, attributes: Attributes) -> None:
        if name == "numFmt" and "formatCode" in attributes:
            self._own[int(attributes["numFmtId"][:9])] = _classify_format(attributes["formatCode"])
        elif name == "cellXfs":
            self._of_cells = True
        elif name == "xf" and self._of_cells:
            number = int(attributes.get("numFmtId", "0")[:9])
            known = "elapsed" if number == ELAPSED else "date" if number in DATES else ""
            self.found.append(self._own.get(number, known))

    def end(self, name: str) -> None:
        if name == "cellXfs":
            self._of_cells = False


class _Cells(_Part):
    """Parser of the non-empty rows of a sheet."""

    most = MAX_ELEMENTS

    def __init__(self, counted: list[int], book: "_Book") -> None:
        super().__init__(counted)
        self.rows: list[tuple[int, list[str]]] = []
        self.hidden_rows: list[int] = []
        self.hidden_columns: set[int] = set()
        """Indices of hidden columns, from 0."""
        self._book = book
        self._number = self._column = self._written = 0
        self._cells: dict[int, str] = {}
        self._cell: Attributes | None = None
        self._value: list[str] = []
        self._valued = self._formula = self._reading = self._spoken = False

    def begin(self, name: str, attributes: Attributes) -> None:
        if name == "row":
            self._begin_row(attributes)
        elif name == "col" and attributes.get("hidden") in TRUE:
            first, last = (int(attributes[bound][:5]) for bound in ("min", "max"))
            self.hidden_columns.update(range(first - 1, min(last, MAX_COLUMNS)))
        elif name == "c" and self._number:
            self._begin_cell(attributes)
        elif self._cell is not None:
            if name == "f":
                self._formula = True
            elif name == "rPh":
                self._spoken = True
            elif name == ("t" if self._cell.get("t") == "inlineStr" else "v"):
                self._valued, self._reading = True, not self._spoken

    def end(self, name: str) -> None:
        if name in {"v", "t"}:
            self._reading = False
        elif name == "rPh":
            self._spoken = False
        elif name == "c" and self._cell is not None:
            self._end_cell(self._cell)
        elif name == "row" and self._cells:
            if len(self.rows) >= MAX_ROWS:
                raise WorkbookRefused("import/too_many_rows")
            last = max(self._cells)
            self.rows.append((self._number, [self._cells.get(at, "") for at in range(1, last + 1)]))

    def text(self, text: str) -> None:
        if self._reading:
            self._value.append(text)

    def _begin_row(self, attributes: Attributes) -> None:
        reference = attributes.get("r", str(self._number + 1))
        if not _ROW.fullmatch(reference) or not self._number < int(reference) <= LAST_ROW:
            raise _InvalidWorkbook
        self._number, self._column, self._cells = int(reference), 0, {}
        if attributes.get("hidden") in TRUE:
            self.hidden_rows.append(self._number)
        self._written += 1
        if self._written > MAX_WRITTEN:
            raise WorkbookRefused("import/too_many_rows")

    def _begin_cell(self, attributes: Attributes) -> None:
        place = attributes.get("r")
        if place is None:
            self._column += 1
        else:
            match = _PLACE.fullmatch(place)
            if match is None:
                raise _InvalidWorkbook
            self._column = _column_number(match[1])
        if self._column > LAST_COLUMN:
            raise WorkbookRefused("import/too_many_columns", line=self._number)
        self._cell, self._value = attributes, []
        self._valued = self._formula = self._reading = False

    def _end_cell(self, cell: Attributes) -> None:
        self._cell = None
        value = "".join(self._value)
        kind = cell.get("t", "n")
        unsaved = self._formula and not value and not (self._valued and kind == "str")
        if not value and not unsaved:
            return
        text = FORMULA if unsaved else self._text(kind, value, cell).strip()
        if not text:
            return
        if self._column > MAX_COLUMNS:
            raise WorkbookRefused("import/too_many_columns", line=self._number)
        self._book.said += len(text)
        if self._book.said > MAX_TEXT:
            raise WorkbookRefused("import/inflates")
        self._cells[self._column] = text

    def _text(self, kind: str, value: str, cell: Attributes) -> str:
        if kind == "s":
            at = int(value)
            if at < 0:
                raise _InvalidWorkbook
            return self._book.texts[at]
        if kind == "e":
            return value[:40]
        if kind in {"str", "inlineStr"}:
            return _unescape(value)
        if kind == "b":
            return str(bool(int(value)))
        if kind == "d":
            return f"{datetime.fromisoformat(value):%d.%m.%Y}"
        if kind != "n" or len(value) > MAX_NUMBER_LENGTH:
            raise _InvalidWorkbook
        number = float(value) if set(value) & set(".eE") else int(value)
        if style := self._book.style(cell.get("s", "")):
            return self._moment(number, style)
        return str(int(number)) if isinstance(number, float) and number.is_integer() else str(number)

    def _moment(self, number: float, style: str) -> str:
        if not 0 <= number <= LAST_DAY:
            return "#VALUE!"
        if style == "elapsed":
            return str(timedelta(seconds=round(number * 86400)))
        if number < 1:
            minutes = round(number * 1440) % 1440
            return f"{minutes // 60:02}:{minutes % 60:02}"
        day = int(number)
        first = date(1904, 1, 1) if self._book.since_1904 else date(1899, 12, 30)
        if not self._book.since_1904 and day < 60:
            day += 1  # 29 February 1900 exists in spreadsheets
        text = f"{first + timedelta(days=day):%d.%m.%Y}"
        minutes = round(number % 1 * 1440) % 1440
        return f"{text} {minutes // 60:02}:{minutes % 60:02}" if minutes else text


class _Book:
    """Reader of a workbook's parts. It raises WorkbookRefused, and the errors of its parsers."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        parts = archive.infolist()
        if len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > MAX_INFLATED:
            raise WorkbookRefused("import/inflates")
        names = {part.filename for part in parts}
        if WORKBOOK not in names or len(names) < len(parts) or any(part.flag_bits & 1 for part in parts):
            raise _InvalidWorkbook
        self._archive, self._names, self._counted = archive, names, [0]
        self.texts: list[str] = []
        self._formats: list[str] = []
        self.since_1904 = False
        self.said = 0

    def read(self) -> dict[str, Any]:
        sheets, relations = _Sheets(self._counted), _Relations(self._counted)
        sheets.parse(self._archive.read(WORKBOOK))
        relations.parse(self._archive.read(RELATIONS))
        self.since_1904 = sheets.since_1904
        self.texts = self._found("sharedStrings", relations, _Texts(self._counted))
        self._formats = self._found("styles", relations, _Formats(self._counted))
        tables = [
            (title, shown, relations.found[relation][1])
            for title, shown, relation in sheets.found
            if relations.found[relation][0] == "worksheet"
        ]
        if len({title for title, _, _ in tables}) < len(tables):
            raise _InvalidWorkbook
        return {"sheets": [self._sheet(*table) for table in tables]}

    def _sheet(self, title: str, shown: bool, path: str) -> dict[str, Any]:
        cells = _Cells(self._counted, self)
        cells.parse(self._archive.read(path))
        return {
            "sheet": title,
            "rows": cells.rows,
            "shown": shown,
            "hidden_rows": cells.hidden_rows,
            "hidden_columns": sorted(cells.hidden_columns),
        }

    def style(self, number: str) -> str:
        """Return the kind of a cell's format: "date", "elapsed" or "". `said`: the index as the cell states
        it.
        """
        at = int(number[:9]) if number else 0
        return self._formats[at] if 0 <= at < len(self._formats) else ""

    def _found(self, kind: str, relations: _Relations, part: "_Texts | _Formats") -> list[str]:
        path = next((path for one, path in relations.found.values() if one == kind), "")
        if path in self._names:
            part.parse(self._archive.read(path))
        return part.found


def _classify_format(code: str) -> str:
    """Return the kind of a number format ("date", "elapsed" or ""), by its first section without literals."""
    first = code[:MAX_FORMAT_LENGTH].split(";")[0]
    if _OF_ELAPSED.search(first):
        return "elapsed"
    return "date" if _OF_DATES.search(_LITERAL.sub("", first)) else ""


def _unescape(text: str) -> str:
    """Decode characters written as `_x000A_`. Invalid ones stay as they are written."""

    def letter(found: "re.Match[str]") -> str:
        code = int(found[1], 16)
        return chr(code) if code in {9, 10, 13} or (code >= 32 and not 0xD800 <= code < 0xE000) else found[0]

    return _ESCAPED.sub(letter, text) if "_x" in text else text


def _column_number(letters: str) -> int:
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return column
