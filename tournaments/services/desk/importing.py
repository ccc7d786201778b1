"""Entries from a CSV file: first a preview of what is wrong with it, then all good lines at once."""

import csv
import io
from typing import Final

import msgspec
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry
from tournaments.names import TwoNames, clean, name_key, read_name
from tournaments.permissions import Actor, require
from tournaments.services.desk.entries import NewEntry, add_all, doubles_key_of

MOST_BYTES: Final = 5 * 1024 * 1024
MOST_ROWS: Final = 10_000
MOST_COLUMNS: Final = 100
DELIMITERS: Final = (";", ",", "\t")

_COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    "name": ("name", "names", "player", "spieler", "spielerin", "teilnehmer", "nom complet", "nombre"),
    "last": ("nachname", "familienname", "surname", "last name", "lastname", "nom", "cognome", "apellido"),
    "first": ("vorname", "first name", "firstname", "given name", "prénom", "prenom"),
    "club": ("club", "verein", "ort", "wohnort", "société", "società"),
    "licence": ("licence", "license", "lizenz", "lizenznummer", "licence no.", "lizenz-nr."),
    "note": ("note", "bemerkung", "bemerkungen", "remark", "remarks"),
}


class LineProblem(msgspec.Struct, frozen=True):
    """What is wrong with a line. `skips`: it is not imported; else it is only worth a look."""

    code: str
    sentence: str
    skips: bool


class ImportLine(msgspec.Struct, frozen=True):
    """One line of the file as it would be entered. `line` counts from 1 as an editor shows it."""

    line: int
    family_name: str = ""
    first_name: str = ""
    club: str = ""
    licence: str = ""
    note: str = ""
    problems: tuple[LineProblem, ...] = ()

    @property
    def name(self) -> str:
        return TwoNames(self.first_name, self.family_name).running

    @property
    def good(self) -> bool:
        return not any(problem.skips for problem in self.problems)


class Preview(msgspec.Struct, frozen=True):
    """What an import would do, and what is wrong with the file. `columns`: what was found where."""

    encoding: str
    delimiter: str
    columns: tuple[str, ...]
    lines: tuple[ImportLine, ...]

    @property
    def good(self) -> int:
        return sum(line.good for line in self.lines)

    @property
    def faulty(self) -> int:
        return len(self.lines) - self.good


def preview(championship: Championship, data: bytes) -> Preview:
    """Read the file without entering anything. Raises TournamentError `import/…` where it cannot be read."""
    text, encoding = decode_text(data)
    delimiter = _delimiter(text)
    rows = _rows(text, delimiter)
    if not rows:
        raise TournamentError("import/empty", _("The file holds no entries."))
    columns = _header(rows[0][1])
    if columns is None:
        columns = ("name", "club", "licence", "note")
    else:
        rows = rows[1:]
    known = doubles_key_of(championship)
    here: dict[tuple[str, ...], int] = {}
    lines = tuple(_line(number, cells, columns, known, here) for number, cells in rows)
    return Preview(encoding, delimiter, columns, lines)


def commit(championship: Championship, data: bytes, *, actor: Actor) -> list[Entry]:
    """Enter every good line of the file; the others are left out, as the preview has said."""
    require(actor, "import", championship)
    good = [line for line in preview(championship, data).lines if line.good]
    if not good:
        raise TournamentError("import/nothing", _("No line of the file can be entered."))
    fields = ("family_name", "first_name", "club", "licence", "note")
    wanted = [NewEntry(**{field: getattr(line, field) for field in fields}) for line in good]
    return add_all(championship, wanted, actor=actor)


def decode_text(data: bytes) -> tuple[str, str]:
    """The text of the file and its encoding. Raises TournamentError where it is none of those in use."""
    if len(data) > MOST_BYTES:
        raise TournamentError(
            "import/too_large",
            _("The file has %(size)s bytes; at most %(most)s can be imported."),
            size=len(data),
            most=MOST_BYTES,
        )
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        candidates = ["utf-16"]
    elif b"\x00" in data:
        raise TournamentError("import/nul_bytes", _("This is no text file: it contains NUL bytes."))
    else:
        candidates = ["utf-8-sig", "cp1252"]
    for encoding in candidates:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\x00" not in text:
            return text, encoding
    raise TournamentError(
        "import/undecodable",
        _("The characters of the file cannot be read. Save it as CSV in UTF-8 and try again."),
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
                raise TournamentError(
                    "import/too_many_columns",
                    _("Line %(line)s has more than %(most)s columns."),
                    line=start,
                    most=MOST_COLUMNS,
                )
            if any(cell.strip() for cell in cells):
                rows.append((start, cells))
            start = reader.line_num + 1
            if len(rows) > MOST_ROWS + 1:
                raise TournamentError(
                    "import/too_many_rows",
                    _("The file has more than %(most)s lines."),
                    most=MOST_ROWS,
                )
    except csv.Error as error:
        raise TournamentError(
            "import/broken_csv",
            _("Line %(line)s cannot be read: %(reason)s."),
            line=reader.line_num,
            reason=str(error),
        ) from None
    return rows


def _header(cells: list[str]) -> tuple[str, ...] | None:
    """What each column holds ("" where it is ignored), or None where the first line is an entry already."""
    names = {alias: kind for kind, aliases in _COLUMNS.items() for alias in aliases}
    found = [names.get(" ".join(cell.casefold().split()), "") for cell in cells]
    first = {kind: at for at, kind in reversed(list(enumerate(found)))}
    once = tuple(kind if first[kind] == at else "" for at, kind in enumerate(found))
    return once if "name" in once or "last" in once else None


def _line(
    number: int,
    cells: list[str],
    columns: tuple[str, ...],
    known: set[tuple[str, ...]],
    here: dict[tuple[str, ...], int],
) -> ImportLine:
    given = {kind: cell for kind, cell in zip(columns, cells, strict=False) if kind}
    names = _names(given)
    problems: list[LineProblem] = []
    fields = {
        field: _field(text, longest, field, problems)
        for field, text, longest in (
            ("family_name", names.family, 40),
            ("first_name", names.first, 40),
            ("club", given.get("club", ""), 40),
            ("licence", given.get("licence", ""), 20),
            ("note", given.get("note", ""), 80),
        )
    }
    key = name_key(f"{fields['first_name']} {fields['family_name']}")
    if not key and not problems:
        problems.append(_problem("names/missing", _("A name is missing."), skips=True))
    if key and key in known:
        problems.append(_problem("entries/double", _("is entered already"), skips=True))
    elif key and key in here:
        sentence = str(_("is the same as line %(line)s")) % {"line": here[key]}
        problems.append(_problem("import/double_line", sentence, skips=True))
    elif key:
        here[key] = number
    if len(cells) > len(columns) and any(cell.strip() for cell in cells[len(columns) :]):
        problems.append(_problem("import/more_columns", _("has more columns than the others"), skips=False))
    return ImportLine(number, **fields, problems=tuple(problems))


def _names(given: dict[str, str]) -> TwoNames:
    """In many files "Name" stands beside "Vorname" and means the family name."""
    first, last, name = (given.get(kind, "").strip() for kind in ("first", "last", "name"))
    if first or last:
        return TwoNames(first, last or name) if last or name else TwoNames("", first)
    return read_name(name)


def _field(text: str, longest: int, field: str, problems: list[LineProblem]) -> str:
    try:
        return clean(text, longest=longest, field=field)
    except TournamentError as error:
        problems.append(_problem(error.code, str(error), skips=True))
        return ""


def _problem(code: str, sentence: str | Promise, *, skips: bool) -> LineProblem:
    return LineProblem(code, str(sentence), skips)
