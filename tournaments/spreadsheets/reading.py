"""Reading of a list from CSV, XLSX or pasted text into rows of text. All sizes are limited."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.spreadsheets import columns, size_limits, workbooks
from tournaments.spreadsheets.encodings import decode_text
from tournaments.spreadsheets.size_limits import (
    MAX_BYTES,
    MAX_COLUMNS,
    MAX_ROWS,
    too_many_columns_error,
    too_many_rows_error,
)
from tournaments.spreadsheets.values import clean_cell

Rows = list[tuple[int, list[str]]]
MAX_LINES_IN_CELL: Final = 12
DELIMITERS: Final = {"\t": 1.4, ";": 1.3, "|": 1.2, ",": 1.0}
"""Possible delimiters with weights. If two appear in as many lines, the larger weight decides: names contain
commas."""
MOST_LINES_HAVE: Final = 0.4
"""Least share of the lines that contain the delimiter."""
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""Signature of Office files before 2007, and of newer files with a password."""
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_SEPARATOR: Final = re.compile(r'"?sep=(.)"?[\s;,]*', re.IGNORECASE)
"""Line in which Excel declares the delimiter."""
_RULE_LINE: Final = re.compile(r"[\s|+:=_*~–—-]+")
"""A line that only draws a horizontal rule."""
_NUMBER_BEFORE_NAME: Final = re.compile(r"(\d{1,4})\s+([^\W\d].*)")
_PHONE_PART: Final = re.compile(r"[\d+()/.'-]+")
"""Part of a phone number."""
MIN_DIGITS: Final = 9
_NUMBERING: Final = re.compile(r"^\s*(?:\d{1,4}\s*[.)]|[-–—•*·◦▪‣])\s+(?=\S)")
"""Numbering or bullet before each line of a handwritten list."""
_GAPS: Final = re.compile(r"\s{2,}")


class ListFile(NamedTuple):
    """A list that has been read.

    `rows`: pairs of line number (from 1, as in an editor) and cells, without empty lines. `text`: of the
    file, or a sheet's rows as CSV. `sheet`: name of the sheet that was read; `others`: the other sheets.
    `hidden_rows`: number of hidden rows, which are skipped; `hidden_columns`: indices of hidden columns.
    `delimiter`: "" if none.
    """

    encoding: str
    delimiter: str
    rows: Rows
    text: str
    sheet: str = ""
    others: tuple["OtherSheet", ...] = ()
    hidden_rows: int = 0
    hidden_columns: frozenset[int] = frozenset()

    @property
    def width(self) -> int:
        return max((len(cells) for _number, cells in self.rows), default=0)


class OtherSheet(NamedTuple):
    """A sheet that was not read. `text`: its rows as CSV, "" if it is empty."""

    name: str
    text: str


def read_list(data: bytes) -> ListFile:
    """Read CSV, or the sheet of an XLSX workbook that looks most like a list of people.

    Raises TournamentError `import/…`; TooMuch `files/too_many`.
    """
    if len(data) > MAX_BYTES:
        raise file_too_large_error(len(data))
    if data.startswith(_OLE):
        raise _office_error(data)
    if data.startswith(_ZIP):
        return _choose_sheet(workbooks.read_sheets(data))
    text, encoding = decode_text(data)
    size_limits.require_line_limit(text)
    rows, delimiter = read_text(text)
    return ListFile(encoding, delimiter, rows, text)


def _choose_sheet(sheets: Sequence[workbooks.SheetRows]) -> ListFile:
    """Read the sheet that looks most like a list of people, a hidden one only if no other has rows."""
    seen = [(sheet, _visible_rows(sheet)) for sheet in sheets]
    filled = [(sheet, rows) for sheet, rows in seen if rows]
    shown = [(sheet, rows) for sheet, rows in filled if sheet.shown] or filled
    if not shown:
        return ListFile("xlsx", ";", [], "")
    best, rows = max(shown, key=lambda one: columns.rate_list(one[1]))
    others = tuple(OtherSheet(one.sheet, to_csv(rest)) for one, rest in seen if one is not best)
    hidden = len(best.rows) - len(rows)
    return ListFile("xlsx", ";", rows, to_csv(rows), best.sheet, others, hidden, best.hidden_columns)


def _visible_rows(sheet: workbooks.SheetRows) -> Rows:
    cleaned = ((number, [clean_cell(cell) for cell in cells]) for number, cells in sheet.rows)
    return [(number, cells) for number, cells in cleaned if number not in sheet.hidden_rows and any(cells)]


def file_too_large_error(size: int) -> TournamentError:
    """Return the error for a file larger than MAX_BYTES. `size`: in bytes."""
    return TournamentError(
        "import/too_large",
        _("The file has %(size)s bytes; at most %(most)s can be imported."),
        size=size,
        most=MAX_BYTES,
    )


def _office_error(data: bytes) -> TournamentError:
    if _ENCRYPTED in data:
        return TournamentError(
            "import/password",
            _("The file is protected by a password. Save it without one and choose it again."),
        )
    return TournamentError(
        "import/old_workbook",
        _("This is an old Excel file (XLS). Save it as XLSX or CSV and choose it again."),
    )


def read_text(text: str) -> tuple[Rows, str]:
    """Return the rows of a text, and its delimiter ("" if none). Raises TournamentError `import/…`."""
    text = text.removeprefix("\ufeff")
    first, *_rest = text.splitlines() or [""]
    if (separator := _SEPARATOR.fullmatch(first.strip())) is not None:
        rest = text[len(first) :]
        return _clean_rows(_parse_rows(rest, separator[1]), separator[1]), separator[1]
    delimiter = _delimiter(text)
    if not delimiter:
        return _read_lines(text)
    return _clean_rows(_parse_rows(text, delimiter), delimiter), delimiter


def _clean_rows(rows: Rows, delimiter: str) -> Rows:
    cleaned = [(number, [clean_cell(cell) for cell in cells]) for number, cells in rows]
    if delimiter == "|":
        cleaned = [(number, _strip_outer(cells)) for number, cells in cleaned]
    return [
        (number, cells)
        for number, cells in cleaned
        if any(cells) and not _RULE_LINE.fullmatch("".join(cells))
    ]


def _strip_outer(cells: list[str]) -> list[str]:
    """Remove the empty cells of outer delimiters, as in "| Anna | Bern |"."""
    first = 1 if cells and not cells[0] else 0
    return cells[first : -1 if len(cells) > 1 and not cells[-1] else None]


def _read_lines(text: str) -> tuple[Rows, str]:
    """Read lines without delimiters: numbered, with bullets, with an address after the name, or with wide
    gaps.

    Returns rows and delimiter as `read_text` does.
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if clean_cell(line)]
    lines = [(number, line) for number, line in lines if not _RULE_LINE.fullmatch(line)]
    lines = [(number, one) for number, line in lines for one in _split_addressees(line)]
    if lines and sum(_NUMBERING.match(line) is not None for _number, line in lines) > len(lines) / 2:
        lines = [(number, _NUMBERING.sub("", line, count=1)) for number, line in lines]
    if records := _read_form_mails(text):
        return records, ""
    stripped = [(number, line.strip().strip(";,")) for number, line in lines]
    gaps = [len(_GAPS.findall(line)) for _number, line in stripped]
    if gaps and min(gaps) == max(gaps) > 0:
        return [(n, [clean_cell(cell) for cell in _GAPS.split(line)]) for n, line in stripped], ""
    rows = [(number, [clean_cell(cell) for cell in _split_line(line)]) for number, line in stripped]
    rows = [(number, cells) for number, cells in rows if any(cells)]
    if len(rows) > MAX_ROWS + 1:
        raise too_many_rows_error()
    return rows, ""


def _read_form_mails(text: str) -> Rows:
    """Read form mails: lines like "Name: Anna Ammann" and "Verein: JC Uri", with an empty line between
    people.

    Returns an empty list if the lines have another form.
    """
    lines = [(number, line.partition(":")) for number, line in enumerate(text.splitlines(), 1)]
    fields = [(number, name.strip(), value) for number, (name, colon, value) in lines if colon]
    written = sum(bool(line.strip()) for line in text.splitlines())
    known = [name for _number, name, _value in fields if columns.heading_kind(name)[1]]
    names = list(dict.fromkeys(name for _number, name, _value in fields))
    if (
        len(known) < 2
        or len(known) < written / 2
        or len(names) > MAX_COLUMNS
        or not columns.has_headings(known)
    ):
        return []
    rows: Rows = [(fields[0][0], [clean_cell(name) for name in names])]
    seen = set(names)
    for number, name, value in fields:
        if name in seen:  # a repeated field starts the next person
            rows.append((number, [""] * len(names)))
            seen = set()
        rows[-1][1][names.index(name)] = clean_cell(value)
        seen.add(name)
    return rows


def _split_line(line: str) -> list[str]:
    """Split a line without columns into a name, and an address, phone number or number if there is one."""
    name, bracket, address = line.rstrip(" >").rpartition("<")
    if bracket and line.rstrip().endswith(">") and "@" in address and " " not in address:
        return [name.strip(" \"',;"), address]
    words = line.split()
    if len(words) > 2 and "@" in words[-1]:
        return [" ".join(words[:-1]).strip(" ,;:-–"), words[-1]]
    at = len(words)
    while at > 1 and _PHONE_PART.fullmatch(words[at - 1]):
        at -= 1
    if sum(c.isdigit() for word in words[at:] for c in word) >= MIN_DIGITS:
        return [" ".join(words[:at]).strip(" ,;:-–"), " ".join(words[at:])]
    if (match := _NUMBER_BEFORE_NAME.fullmatch(line)) is not None:
        return [match[2], match[1]]
    return [line.strip('"')]


def _split_addressees(line: str) -> list[str]:
    """Split a line with several mail addressees; any other line is returned whole."""
    if line.count("@") < 2 or line.count("<") < 2 or not line.rstrip(" ;,").endswith(">"):
        return [line]
    return [f"{part.strip(' ;,')}>" for part in line.rstrip(" ;,").split(">")[:-1]]


def _delimiter(text: str) -> str:
    """Return the delimiter that appears in most lines, equally often in each; "" for a single column.

    A comma is no delimiter if each line has a single comma between two names: "Ammann, Anna".
    """
    head = [line for line in text.splitlines()[:60] if line.strip()]
    best, most = "", 0.0
    for delimiter, weight in DELIMITERS.items():
        counts = [_count_unquoted(line, delimiter) for line in head]
        having = [count for count in counts if count]
        if not having:
            continue
        if len(having) < MOST_LINES_HAVE * len(head) and not _is_in_heading(head, counts, delimiter):
            continue
        usual = having.count(max(set(having), key=having.count))
        points = weight * (usual + len(having))
        if points > most:
            best, most = delimiter, points
    if best == "," and _only_names(head):
        return ""
    if best in (",", ";") and sum("<" in line and "@" in line for line in head) > len(head) / 2:
        return ""
    return best


def _is_in_heading(head: Sequence[str], counts: Sequence[int], delimiter: str) -> bool:
    return any(
        count and columns.has_headings(line.replace('"', "").split(delimiter))
        for line, count in zip(head, counts, strict=True)
    )


def _count_unquoted(line: str, delimiter: str) -> int:
    """Count a delimiter outside of quotes."""
    return re.sub(r'"[^"]*"', "", line).count(delimiter)


def _only_names(head: Sequence[str]) -> bool:
    """Return whether the lines look like "Family, First": without second commas, perhaps below a heading."""
    counts = [_count_unquoted(line, ",") for line in head]
    if max(counts) > 1:
        return False
    headed = columns.has_heading_of_one(head[0]) and counts[0] == 0
    return headed or (
        counts[0] == 1 and columns.are_names_with_comma(head) and not columns.has_headings(head[0].split(","))
    )


def _parse_rows(text: str, delimiter: str) -> Rows:
    try:
        rows = list(_strict_rows(text, delimiter))
        if not any(_has_swallowed(cells, delimiter) for _number, cells in rows):
            return rows
    except csv.Error:
        pass
    return list(_lenient_rows(text, delimiter))


def _strict_rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Parse CSV by the standard, with line breaks in quoted cells. Raises csv.Error."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    start, found = 1, 0
    for cells in reader:
        if len(cells) > MAX_COLUMNS:
            raise too_many_columns_error(start)
        if any(cell.strip() for cell in cells):
            found += 1
            yield start, cells
        start = reader.line_num + 1
        if found > MAX_ROWS + 1:
            raise too_many_rows_error()


def _has_swallowed(cells: Sequence[str], delimiter: str) -> bool:
    """Return whether an unclosed quote has merged several lines with columns into one cell."""
    return any("\n" in cell and sum(delimiter in line for line in cell.splitlines()) > 1 for cell in cells)


def _lenient_rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Parse CSV, with unclosed or unescaped quotes taken as ordinary characters."""
    lines = io.StringIO(text, newline=None).read().split("\n")
    at = found = 0
    while at < len(lines):
        if len(lines[at]) > csv.field_size_limit():
            sentence = _("Line %(line)s cannot be read: it is too long.")
            raise TournamentError("import/broken_csv", sentence, line=at + 1)
        cells, used = _parse_record(lines, at, delimiter)
        if len(cells) > MAX_COLUMNS:
            raise too_many_columns_error(at + 1)
        if any(cell.strip() for cell in cells):
            found += 1
            yield at + 1, cells
        if found > MAX_ROWS + 1:
            raise too_many_rows_error()
        at += used


def _parse_record(lines: Sequence[str], at: int, delimiter: str) -> tuple[list[str], int]:
    """Return the cells of the record that begins at line `at`, and its number of lines."""
    for used in range(1, MAX_LINES_IN_CELL + 1):
        chunk = "\n".join(lines[at : at + used])
        try:
            records = list(csv.reader(io.StringIO(chunk, newline=""), delimiter=delimiter, strict=True))
        except csv.Error as error:
            if "unexpected end" in str(error):
                continue
            break
        if used > 1 and any(_has_swallowed(cells, delimiter) for cells in records):
            break
        return (records[0] if records else []), used
    return [_unquote(cell) for cell in lines[at].split(delimiter)], 1


def _unquote(cell: str) -> str:
    cell = cell.strip()
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        return cell[1:-1].replace('""', '"')
    return cell[1:] if cell.count('"') == 1 and cell.startswith('"') else cell


def to_csv(rows: Rows) -> str:
    """Return the rows as CSV that a user can correct in a form. Empty lines are added so that each row keeps
    its line number.
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\n")
    written = 0
    for number, cells in rows:
        out.write("\n" * (number - written - 1))
        written = number
        writer.writerow([" ".join(cell.split()) for cell in cells])
    return out.getvalue()
