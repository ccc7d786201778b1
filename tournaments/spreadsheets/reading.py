"""A list as it comes in, CSV, XLSX or pasted text, read into rows of text. Everything has a bound."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.spreadsheets import bounds, columns, workbooks
from tournaments.spreadsheets.bounds import (
    MOST_BYTES,
    MOST_COLUMNS,
    MOST_ROWS,
    too_many_columns,
    too_many_rows,
)
from tournaments.spreadsheets.encodings import decode_text
from tournaments.spreadsheets.values import clean_cell

Rows = list[tuple[int, list[str]]]
MOST_LINES_IN_CELL: Final = 12
DELIMITERS: Final = {"\t": 1.4, ";": 1.3, "|": 1.2, ",": 1.0}
"""What may stand between columns, and its weight where two stand in as many lines: names have commas."""
MOST_LINES_HAVE: Final = 0.4
"""The share of the lines in which it stands."""
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""What files of Office began with before 2007, and those with a password begin with today."""
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_SEPARATOR: Final = re.compile(r'"?sep=(.)"?[\s;,]*', re.IGNORECASE)
"""With this line Excel says what stands between the columns."""
_RULE: Final = re.compile(r"[\s|+:=_*~–—-]+")
"""A line that is drawn and says nothing."""
_BEFORE: Final = re.compile(r"(\d{1,4})\s+([^\W\d].*)")
_CALLED: Final = re.compile(r"[\d+()/.'-]+")
"""A part of a number that one calls."""
LEAST_DIGITS: Final = 9
_NUMBERED: Final = re.compile(r"^\s*(?:\d{1,4}\s*[.)]|[-–—•*·◦▪‣])\s+(?=\S)")
"""What stands before each line of a list that was written by hand."""
_GAPS: Final = re.compile(r"\s{2,}")


class ListFile(NamedTuple):
    """A list that has been read. `rows`: number of the line, from 1 as an editor or a spreadsheet shows it,
    and its cells; empty lines are left out. `text`: the same as CSV. `sheet`: of a workbook the one that was
    read; `others`: those that were not, with what they hold as CSV. `hidden_rows`: how many lines a
    spreadsheet does not show, and that are not read; `hidden_columns`: the columns it does not show.
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
    """A sheet that was not read, and its rows as CSV ("": there are none)."""

    name: str
    text: str


def read_list(data: bytes) -> ListFile:
    """Read CSV, or the sheet of an XLSX workbook in which people stand. Raises TournamentError `import/…`."""
    if len(data) > MOST_BYTES:
        raise file_too_large(len(data))
    if data.startswith(_OLE):
        raise _of_office(data)
    if data.startswith(_ZIP):
        return _of_sheets(workbooks.read_sheets(data))
    text, encoding = decode_text(data)
    bounds.refuse_too_many_lines(text)
    rows, delimiter = read_text(text)
    return ListFile(encoding, delimiter, rows, text)


def _of_sheets(sheets: Sequence[workbooks.SheetRows]) -> ListFile:
    """Of the sheets that are shown the one that looks most like a list of people; the first of several."""
    seen = [(sheet, _shown(sheet)) for sheet in sheets]
    filled = [(sheet, rows) for sheet, rows in seen if rows]
    shown = [(sheet, rows) for sheet, rows in filled if sheet.shown] or filled
    if not shown:
        return ListFile("xlsx", ";", [], "")
    best, rows = max(shown, key=lambda one: columns.list_likeness(one[1]))
    others = tuple(OtherSheet(one.sheet, as_text(rest)) for one, rest in seen if one is not best)
    hidden = len(best.rows) - len(rows)
    return ListFile("xlsx", ";", rows, as_text(rows), best.sheet, others, hidden, best.hidden_columns)


def _shown(sheet: workbooks.SheetRows) -> Rows:
    cleaned = ((number, [clean_cell(cell) for cell in cells]) for number, cells in sheet.rows)
    return [(number, cells) for number, cells in cleaned if number not in sheet.hidden_rows and any(cells)]


def file_too_large(size: int) -> TournamentError:
    """That a file is larger than MOST_BYTES."""
    return TournamentError(
        "import/too_large",
        _("The file has %(size)s bytes; at most %(most)s can be imported."),
        size=size,
        most=MOST_BYTES,
    )


def _of_office(data: bytes) -> TournamentError:
    if _ENCRYPTED in data:
        return TournamentError(
            "import/password",
            _("The file is protected by a password. Save it without one and choose it again."),
        )
    return TournamentError(
        "import/old_workbook",
        _("This is a file of an old Excel (XLS). Save it as XLSX or CSV and choose it again."),
    )


def read_text(text: str) -> tuple[Rows, str]:
    """The rows of a text and what stands between its columns ("": nothing, the lines have one column)."""
    text = text.removeprefix("\ufeff")
    first, *_rest = text.splitlines() or [""]
    if (said := _SEPARATOR.fullmatch(first.strip())) is not None:
        rest = text[len(first) :]
        return _cleaned(_rows(rest, said[1]), said[1]), said[1]
    delimiter = _delimiter(text)
    if not delimiter:
        return _without_columns(text)
    return _cleaned(_rows(text, delimiter), delimiter), delimiter


def _cleaned(rows: Rows, delimiter: str) -> Rows:
    cleaned = [(number, [clean_cell(cell) for cell in cells]) for number, cells in rows]
    if delimiter == "|":
        cleaned = [(number, _within(cells)) for number, cells in cleaned]
    return [
        (number, cells) for number, cells in cleaned if any(cells) and not _RULE.fullmatch("".join(cells))
    ]


def _within(cells: list[str]) -> list[str]:
    """Of "| Anna | Bern |": what stands between the outer lines."""
    first = 1 if cells and not cells[0] else 0
    return cells[first : -1 if len(cells) > 1 and not cells[-1] else None]


def _without_columns(text: str) -> tuple[Rows, str]:
    """Lines as people write them: numbered, with bullets, with an address behind the name, with wide gaps."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if clean_cell(line)]
    lines = [(number, line) for number, line in lines if not _RULE.fullmatch(line)]
    lines = [(number, one) for number, line in lines for one in _addressees(line)]
    if lines and sum(_NUMBERED.match(line) is not None for _number, line in lines) > len(lines) / 2:
        lines = [(number, _NUMBERED.sub("", line, count=1)) for number, line in lines]
    if records := _records(text):
        return records, ""
    stripped = [(number, line.strip().strip(";,")) for number, line in lines]
    gaps = [len(_GAPS.findall(line)) for _number, line in stripped]
    if gaps and min(gaps) == max(gaps) > 0:
        return [(n, [clean_cell(cell) for cell in _GAPS.split(line)]) for n, line in stripped], ""
    rows = [(number, [clean_cell(cell) for cell in _apart(line)]) for number, line in stripped]
    rows = [(number, cells) for number, cells in rows if any(cells)]
    if len(rows) > MOST_ROWS + 1:
        raise too_many_rows()
    return rows, ""


def _records(text: str) -> Rows:
    """A table of what forms send by mail: "Name: Anna Ammann", "Verein: JC Uri", and an empty line between
    people. Empty where the lines are not written so."""
    lines = [(number, line.partition(":")) for number, line in enumerate(text.splitlines(), 1)]
    fields = [(number, name.strip(), value) for number, (name, colon, value) in lines if colon]
    written = sum(bool(line.strip()) for line in text.splitlines())
    known = [name for _number, name, _value in fields if columns.heading_kind(name)[1]]
    names = list(dict.fromkeys(name for _number, name, _value in fields))
    if (
        len(known) < 2
        or len(known) < written / 2
        or len(names) > MOST_COLUMNS
        or not columns.has_headings(known)
    ):
        return []
    rows: Rows = [(fields[0][0], [clean_cell(name) for name in names])]
    seen = set(names)
    for number, name, value in fields:
        if name in seen:  # a field once more begins somebody else
            rows.append((number, [""] * len(names)))
            seen = set()
        rows[-1][1][names.index(name)] = clean_cell(value)
        seen.add(name)
    return rows


def _apart(line: str) -> list[str]:
    """A line without columns: the name, and an address or a number to call behind it."""
    name, bracket, address = line.rstrip(" >").rpartition("<")
    if bracket and line.rstrip().endswith(">") and "@" in address and " " not in address:
        return [name.strip(" \"',;"), address]
    words = line.split()
    if len(words) > 2 and "@" in words[-1]:
        return [" ".join(words[:-1]).strip(" ,;:-–"), words[-1]]
    at = len(words)
    while at > 1 and _CALLED.fullmatch(words[at - 1]):
        at -= 1
    if sum(c.isdigit() for word in words[at:] for c in word) >= LEAST_DIGITS:
        return [" ".join(words[:at]).strip(" ,;:-–"), " ".join(words[at:])]
    if (found := _BEFORE.fullmatch(line)) is not None:
        return [found[2], found[1]]
    return [line.strip('"')]


def _addressees(line: str) -> list[str]:
    """The people of a line in which several addresses stand; else the line."""
    if line.count("@") < 2 or line.count("<") < 2 or not line.rstrip(" ;,").endswith(">"):
        return [line]
    return [f"{part.strip(' ;,')}>" for part in line.rstrip(" ;,").split(">")[:-1]]


def _delimiter(text: str) -> str:
    """What most lines have, and equally often; "" where the lines have one column.

    A comma alone is none where each line has one, and a name before it and one behind it: "Ammann, Anna".
    """
    head = [line for line in text.splitlines()[:60] if line.strip()]
    best, most = "", 0.0
    for delimiter, weight in DELIMITERS.items():
        counts = [_count(line, delimiter) for line in head]
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


def _count(line: str, delimiter: str) -> int:
    """How often it stands in a line outside of quotes."""
    return re.sub(r'"[^"]*"', "", line).count(delimiter)


def _only_names(head: Sequence[str]) -> bool:
    """Whether the lines are "Family, First" below a heading without a comma, or begin with such names."""
    counts = [_count(line, ",") for line in head]
    if max(counts) > 1:
        return False
    headed = columns.has_heading_of_one(head[0]) and counts[0] == 0
    return headed or (
        counts[0] == 1 and columns.are_names_with_comma(head) and not columns.has_headings(head[0].split(","))
    )


def _rows(text: str, delimiter: str) -> Rows:
    try:
        rows = list(_strict_rows(text, delimiter))
        if not any(_has_swallowed(cells, delimiter) for _number, cells in rows):
            return rows
    except csv.Error:
        pass
    return list(_lenient_rows(text, delimiter))


def _strict_rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """As the standard has it, a quoted cell with line breaks among them. Raises csv.Error."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    start, found = 1, 0
    for cells in reader:
        if len(cells) > MOST_COLUMNS:
            raise too_many_columns(start)
        if any(cell.strip() for cell in cells):
            found += 1
            yield start, cells
        start = reader.line_num + 1
        if found > MOST_ROWS + 1:
            raise too_many_rows()


def _has_swallowed(cells: Sequence[str], delimiter: str) -> bool:
    """Whether a quote that nobody closed has made one cell of several lines with columns of their own."""
    return any("\n" in cell and sum(delimiter in line for line in cell.splitlines()) > 1 for cell in cells)


def _lenient_rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """A quote that nobody closes, or that nobody has doubled, is a letter like any other."""
    lines = io.StringIO(text, newline=None).read().split("\n")
    at = found = 0
    while at < len(lines):
        if len(lines[at]) > csv.field_size_limit():
            sentence = _("Line %(line)s cannot be read: it is too long.")
            raise TournamentError("import/broken_csv", sentence, line=at + 1)
        cells, used = _record(lines, at, delimiter)
        if len(cells) > MOST_COLUMNS:
            raise too_many_columns(at + 1)
        if any(cell.strip() for cell in cells):
            found += 1
            yield at + 1, cells
        if found > MOST_ROWS + 1:
            raise too_many_rows()
        at += used


def _record(lines: Sequence[str], at: int, delimiter: str) -> tuple[list[str], int]:
    """The record that begins in a line, and of how many lines it is."""
    for used in range(1, MOST_LINES_IN_CELL + 1):
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
    return [_unquoted(cell) for cell in lines[at].split(delimiter)], 1


def _unquoted(cell: str) -> str:
    cell = cell.strip()
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        return cell[1:-1].replace('""', '"')
    return cell[1:] if cell.count('"') == 1 and cell.startswith('"') else cell


def as_text(rows: Rows) -> str:
    """CSV of the same lines, each where it stood, so that it can be put right in a form."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\n")
    written = 0
    for number, cells in rows:
        out.write("\n" * (number - written - 1))
        written = number
        writer.writerow([" ".join(cell.split()) for cell in cells])
    return out.getvalue()
