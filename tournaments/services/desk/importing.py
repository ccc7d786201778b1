"""Entries from a list: first a preview of what is wrong with it, then all good lines at once."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec
from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.clubs.particulars import birth_year_of, category_of, email_of
from tournaments.errors import TournamentError
from tournaments.lists import columns
from tournaments.lists.columns import Column
from tournaments.lists.reading import ListFile, read_list
from tournaments.lists.values import number_in_cell, yes_or_no
from tournaments.models import Championship, Entry
from tournaments.names import TwoNames, clean, family_comes_first, name_key, read_name
from tournaments.permissions import Actor, require
from tournaments.services.desk import pair_lines, pairs
from tournaments.services.desk.entries import HIGHEST, NewEntry, add_all, doubles_key_of

LONGEST_NOTE: Final = 80
Name = tuple[str, ...]
"""The words of a name, spelling and order aside."""


class Reading(NamedTuple):
    """How a file is to be read: what each column is ("": left out), and whether its first line names them."""

    kinds: tuple[str, ...]
    headed: bool


class LineProblem(msgspec.Struct, frozen=True):
    """What is wrong with a line. `skips`: it is not imported; else it is only worth a look."""

    code: str
    sentence: str
    skips: bool


class ImportLine(msgspec.Struct, frozen=True):
    """One line of the file as it would be entered. `line` counts from 1 as an editor shows it; `partner`: as
    it stands in the list.
    """

    line: int
    family_name: str = ""
    first_name: str = ""
    club: str = ""
    licence: str = ""
    note: str = ""
    number: int | None = None
    email: str = ""
    paid: bool = False
    category: str = ""
    birth_year: int | None = None
    start_rank: int | None = None
    consents: bool = False
    partner: str = ""
    problems: tuple[LineProblem, ...] = ()

    @property
    def name(self) -> str:
        return TwoNames(self.first_name, self.family_name).running

    @property
    def good(self) -> bool:
        return not any(problem.skips for problem in self.problems)


ENTERED: Final = tuple(
    field for field in ImportLine.__struct_fields__ if field not in ("line", "partner", "problems")
)
"""What of a line becomes an entry."""


class Preview(msgspec.Struct, frozen=True):
    """What an import would do, and what is wrong with the file. `columns`: what each is, in their order;
    `partnered`: partners stay together in this championship; `sheet`, `others`: of a workbook, which was read
    and which were not."""

    encoding: str
    delimiter: str
    columns: tuple[str, ...]
    lines: tuple[ImportLine, ...]
    headed: bool = True
    described: tuple[Column, ...] = ()
    text: str = ""
    sheet: str = ""
    others: tuple[str, ...] = ()
    partnered: bool = False

    @property
    def good(self) -> int:
        return sum(line.good for line in self.lines)

    @property
    def faulty(self) -> int:
        return len(self.lines) - self.good


def preview(championship: Championship, data: bytes, reading: Reading | None = None) -> Preview:
    """Read the file without entering anything; without a reading its columns are guessed. Raises
    TournamentError `import/…` where it cannot be read.
    """
    file = read_list(data)
    if not file.rows:
        raise TournamentError("import/empty", _("The file holds no entries."))
    given = reading or reading_guessed(file)
    if given.headed and len(file.rows) == 1:
        raise TournamentError(
            "import/only_headings", _("The list holds headings only, and nobody below them.")
        )
    partnered = pairs.are_fixed(championship)
    return Preview(
        encoding=file.encoding,
        delimiter=file.delimiter,
        columns=given.kinds,
        lines=_lines(championship, file, given, partnered=partnered),
        headed=given.headed,
        described=columns.described(file.rows, given.kinds, headed=given.headed),
        text=file.text,
        sheet=file.sheet,
        others=file.others,
        partnered=partnered,
    )


def reading_guessed(file: ListFile) -> Reading:
    """What the columns are by their headings, where the first line has any."""
    first = file.rows[0][1]
    headed = columns.has_headings(first)
    kinds = columns.kinds_guessed(first, headed=headed)
    return Reading((*kinds, *[""] * (file.width - len(kinds))) if not headed else kinds, headed)


def commit(
    championship: Championship, data: bytes, reading: Reading | None = None, *, actor: Actor
) -> list[Entry]:
    """Enter every good line of the file; the others are left out, as the preview has said. Where partners
    stay together, those of the column are paired; a partner who stands in no line is entered behind all
    others.

    Raises TournamentError `import/…`, and RowsRefused where a pair cannot be: then nobody is entered.
    """
    require(actor, "import", championship)
    looked = preview(championship, data, reading)
    good = [line for line in looked.lines if line.good]
    if not good:
        raise TournamentError("import/nothing", _("No line of the file can be entered."))
    wanted = [NewEntry(**{field: getattr(line, field) for field in ENTERED}) for line in good]
    with transaction.atomic():
        made = add_all(championship, wanted, actor=actor)
        if looked.partnered:
            made += _with_partners(championship, list(zip(good, made, strict=True)), actor)
    return made


def _with_partners(
    championship: Championship, entered: list[tuple[ImportLine, Entry]], actor: Actor
) -> list[Entry]:
    """Pair them; who had to be entered for it."""
    there = championship.entries.exclude(status=Entry.Status.WITHDRAWN)
    known = {name_key(entry.name) for entry in there}
    new: dict[Name, NewEntry] = {}
    for line, _entry in entered:
        key = name_key(line.partner)
        if key and key not in known and not line.partner.isdecimal():
            new.setdefault(key, NewEntry(name=line.partner, paid=False))
    made = add_all(championship, new.values(), actor=actor)
    rows = [(line.line, entry, line.partner) for line, entry in entered if line.partner]
    pair_lines.pair_rows(championship, rows, actor=actor)
    return made


class _Seen:
    """What the lines before have said: names, numbers, and who wants whom."""

    def __init__(self, championship: Championship) -> None:
        self.known = doubles_key_of(championship)
        self.taken = set(championship.entries.values_list("number", flat=True))
        self.names: dict[Name, int] = {}
        self.numbers: dict[int, int] = {}
        self.family_first = False


def _lines(
    championship: Championship, file: ListFile, reading: Reading, *, partnered: bool
) -> tuple[ImportLine, ...]:
    seen = _Seen(championship)
    rows = file.rows[1:] if reading.headed else file.rows
    in_one = [at for at, kind in enumerate(reading.kinds) if kind in ("name", "family_name")]
    cells_of_names = (cells[at] for _number, cells in rows for at in in_one if at < len(cells))
    seen.family_first = "first_name" not in reading.kinds and family_comes_first(cells_of_names)
    lines = [_line(number, cells, reading.kinds, seen) for number, cells in rows]
    return tuple(_told_of_partners(lines, seen, partnered=partnered))


def _line(number: int, cells: Sequence[str], kinds: Sequence[str], seen: _Seen) -> ImportLine:
    given = {kind: cell.strip() for kind, cell in zip(kinds, cells, strict=False) if kind}
    problems: list[LineProblem] = []

    def read(kind: str, make: Any, **more: Any) -> Any:
        try:
            return make(given.get(kind, ""), **more)
        except TournamentError as error:
            problems.append(_problem(error.code, str(error), skips=True))
            return make("", **more)

    names = _names(given, whole="first_name" not in kinds, family_first=seen.family_first)
    given |= {"family_name": names.family, "first_name": names.first, "note": _note(given)}
    fields: dict[str, Any] = {
        kind: read(kind, clean, longest=longest, field=kind)
        for kind, longest in (("family_name", 40), ("first_name", 40), ("club", 40), ("licence", 20))
    }
    fields |= {
        "note": read("note", clean, longest=LONGEST_NOTE, field="note"),
        "email": read("email", email_of),
        "category": read("category", category_of),
        "birth_year": read("birth_year", birth_year_of),
        "paid": read("paid", yes_or_no, column="paid"),
        "consents": read("consents", yes_or_no, column="consents"),
        "number": read("number", number_in_cell, highest=HIGHEST),
        "start_rank": read("start_rank", number_in_cell, highest=HIGHEST),
        "partner": read("partner", clean, longest=LONGEST_NOTE, field="partner"),
    }
    _look_at_name(number, TwoNames(fields["first_name"], fields["family_name"]), seen, problems)
    _look_at_number(number, fields["number"], seen, problems)
    if any(cell.strip() for cell in cells[len(kinds) :]):
        problems.append(_problem("import/more_columns", _("has more columns than the others"), skips=False))
    return ImportLine(number, **fields, problems=tuple(problems))


def _look_at_name(number: int, names: TwoNames, seen: _Seen, problems: list[LineProblem]) -> None:
    key = name_key(names.running)
    if not key and not problems:
        problems.append(_problem("names/missing", _("A name is missing."), skips=True))
    elif len(names.running) > 40 and not problems:
        problems.append(_problem("names/too_long", _("The two names are too long together."), skips=True))
    if key and key in seen.known:
        problems.append(_problem("entries/double", _("is entered already"), skips=True))
    elif key and key in seen.names:
        sentence = str(_("is the same as line %(line)s")) % {"line": seen.names[key]}
        problems.append(_problem("import/double_line", sentence, skips=True))
    elif key:
        seen.names[key] = number


def _look_at_number(line: int, number: int | None, seen: _Seen, problems: list[LineProblem]) -> None:
    if number is None:
        return
    if number in seen.taken:
        sentence = str(_("Number %(number)s is not free.")) % {"number": number}
        problems.append(_problem("entries/number_taken", sentence, skips=True))
    elif number in seen.numbers:
        sentence = str(_("has the same number as line %(line)s")) % {"line": seen.numbers[number]}
        problems.append(_problem("import/double_number", sentence, skips=True))
    else:
        seen.numbers[number] = line


def _told_of_partners(lines: list[ImportLine], seen: _Seen, *, partnered: bool) -> list[ImportLine]:
    """What is to be said of the partners: that they count for nothing, who is entered for it, and who cannot
    be the partner of two.
    """
    if not any(line.partner for line in lines):
        return lines
    if not partnered:
        alone = _problem(
            "import/no_pairs", _("partner left out: here partners do not stay together"), skips=False
        )
        return [_with(line, alone, partner="") if line.partner else line for line in lines]
    by_number = {line.number: name_key(line.name) for line in lines if line.good and line.number}
    here = {name_key(line.name) for line in lines if line.good}
    of: dict[Name, Name] = {}
    told = []
    for one in lines:
        line = one
        mine, partner = name_key(line.name), _name_meant(line.partner, by_number)
        problem = None
        if line.good and line.partner:
            if partner == mine:
                problem = _problem("pairs/oneself", _("nobody is his own partner"), skips=False)
                line = _with(line, partner="")
            elif of.get(mine, partner) != partner or of.get(partner, mine) != mine:
                said = str(_("without partner, for %(name)s cannot be the partner of two")) % {
                    "name": line.partner
                }
                problem = _problem("pairs/taken", said, skips=False)
                line = _with(line, partner="")
            else:
                of |= {mine: partner, partner: mine}
                if partner not in here and partner not in seen.known and not partner[0].isdecimal():
                    said = str(_("with %(name)s, who is entered too")) % {"name": line.partner}
                    problem = _problem("import/partner_too", said, skips=False)
        told.append(line if problem is None else _with(line, problem))
    return told


def _name_meant(text: str, by_number: dict[int, Name]) -> Name:
    """Of a number the name in this list that has it; else the number itself, for somebody who is entered."""
    if text.isascii() and text.isdecimal():
        return by_number.get(int(text[:9]), (text,))
    return name_key(text)


def _with(line: ImportLine, *problems: LineProblem, **changed: Any) -> ImportLine:
    return msgspec.structs.replace(line, problems=(*line.problems, *problems), **changed)


def _names(given: dict[str, str], *, whole: bool, family_first: bool) -> TwoNames:
    """`whole`: the list has no column of first names, so that both may stand in that of the family names;
    `family_first`: in what order, where a name itself does not say it."""
    first, family, name = (given.get(kind, "") for kind in ("first_name", "family_name", "name"))
    if family and whole and not name:
        return read_name(family, family_first=family_first)
    if first or family:
        return TwoNames(first, family or name) if family or name else TwoNames("", first)
    return read_name(name, family_first=family_first)


def _note(given: dict[str, str]) -> str:
    """A place has no field of its own."""
    return ", ".join(filter(None, [given.get("place", ""), given.get("note", "")]))


def _problem(code: str, sentence: str | Promise, *, skips: bool) -> LineProblem:
    return LineProblem(code, str(sentence), skips)
