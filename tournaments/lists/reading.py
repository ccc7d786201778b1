"""A list as it comes in, CSV or XLSX, read into rows of text. Everything has a bound, nothing is guessed."""

import csv
import io
import unicodedata
from typing import Final, NamedTuple

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.lists import bounds, workbooks
from tournaments.lists.bounds import MOST_BYTES, MOST_COLUMNS, MOST_ROWS, too_many_columns, too_many_rows

DELIMITERS: Final = (";", ",", "\t")
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""What files of Office began with before 2007, and those with a password begin with today."""
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")


class ListFile(NamedTuple):
    """A list that has been read. `rows`: number of the line, from 1 as an editor or a spreadsheet shows it,
    and its cells; empty lines are left out. `text`: the same as CSV. `sheet`: of a workbook the one that was
    read; `others`: those that were not.
    """

    encoding: str
    delimiter: str
    rows: list[tuple[int, list[str]]]
    text: str
    sheet: str = ""
    others: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        return max((len(cells) for _number, cells in self.rows), default=0)


def read_list(data: bytes) -> ListFile:
    """Read CSV, or the first sheet of an XLSX workbook. Raises TournamentError `import/…`."""
    if len(data) > MOST_BYTES:
        raise file_too_large(len(data))
    if data.startswith(_OLE):
        raise _of_office(data)
    if data.startswith(_ZIP):
        book = workbooks.read_workbook(data)
        return ListFile("xlsx", ";", book.rows, _as_text(book.rows), book.sheet, book.others)
    text, encoding = decode_text(data)
    bounds.refuse_too_many_lines(text)
    delimiter = _delimiter(text)
    return ListFile(encoding, delimiter, _rows(text, delimiter), text)


def file_too_large(size: int) -> TournamentError:
    """That a file is larger than MOST_BYTES."""
    return TournamentError(
        "import/too_large",
        _("The file has %(size)s bytes; at most %(most)s can be imported."),
        size=size,
        most=MOST_BYTES,
    )


def decode_text(data: bytes) -> tuple[str, str]:
    """The text of the file and its encoding. Raises TournamentError where it is none of those in use."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        candidates = ["utf-16"]
    elif b"\x00" in data:
        raise TournamentError(
            "import/nul_bytes",
            _("This is no list: it contains NUL bytes. Save it as XLSX, or as CSV in UTF-8, and try again."),
        )
    else:
        candidates = ["utf-8-sig", "cp1252"]
    for encoding in candidates:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not _has_controls(text):
            return text, encoding
    raise TournamentError(
        "import/undecodable",
        _("The characters of the file cannot be read. Save it as CSV in UTF-8 and try again."),
    )


def _has_controls(text: str) -> bool:
    """Whether characters stand in it that no list has: then it is something else, or wrongly decoded."""
    kinds = {letter for letter in set(text) if unicodedata.category(letter) == "Cc"}
    return bool(kinds - set("\t\r\n\v\f\x85"))


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


def _delimiter(text: str) -> str:
    """The separator that the first lines have most often."""
    head = [line for line in text.splitlines()[:20] if line.strip()]
    return max(
        DELIMITERS, key=lambda d: (sum(d in line for line in head), sum(line.count(d) for line in head))
    )


def _rows(text: str, delimiter: str) -> list[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[tuple[int, list[str]]] = []
    start = 1
    try:
        for cells in reader:
            if len(cells) > MOST_COLUMNS:
                raise too_many_columns(start)
            if any(cell.strip() for cell in cells):
                rows.append((start, cells))
            start = reader.line_num + 1
            if len(rows) > MOST_ROWS + 1:
                raise too_many_rows()
    except csv.Error as error:
        raise TournamentError(
            "import/broken_csv",
            _("Line %(line)s cannot be read: %(reason)s."),
            line=reader.line_num,
            reason=str(error),
        ) from None
    return rows


def _as_text(rows: list[tuple[int, list[str]]]) -> str:
    """CSV of the same lines, each where it stood, so that it can be put right in a form."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\n")
    written = 0
    for number, cells in rows:
        out.write("\n" * (number - written - 1))
        written = number
        writer.writerow([" ".join(cell.split()) for cell in cells])
    return out.getvalue()
