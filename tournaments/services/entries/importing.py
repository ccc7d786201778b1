"""Importing entries from a list: a preview with all problems, then the import of all good lines at once."""

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.clubs.particulars import parse_birth_year, parse_category, parse_email
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry
from tournaments.names import TwoNames, clean, fold, name_key, read_in_order
from tournaments.names.spelling import MAX_CLUB_LENGTH, MAX_NAME_LENGTH
from tournaments.permissions import Actor, require
from tournaments.services import locks
from tournaments.services.entries import pairs
from tournaments.services.entries.entries import HIGHEST, NewEntry, add_entries
from tournaments.services.entries.pair_lines import split_pair
from tournaments.services.people.team_members import has_teams
from tournaments.spreadsheets import columns
from tournaments.spreadsheets.columns import Column
from tournaments.spreadsheets.reading import ListFile, OtherSheet, read_list
from tournaments.spreadsheets.values import is_error_cell, parse_number, parse_yes_no, payment_method

MAX_NOTE_LENGTH: Final = 80
MAX_CALLED: Final = 50
"""Most candidates for a partner who is named by a single word."""
MAX_CELL_LENGTH: Final = 4 * MAX_NAME_LENGTH
"""Number of characters that are read of a cell. A longer text is too long for every field."""
Name = tuple[str, ...]
"""The normalised words of a name."""


class Reading(NamedTuple):
    """The settings for reading a file.

    `kinds`: the kind of each column ("": ignored); `headed`: whether there is a heading line; `above`: number
    of lines above the heading, or above the first entry; `family_first`: whether names in one cell begin with
    the family name (None: decided by the majority of the names); `doubles`: enter people again whose name is
    entered already.
    """

    kinds: tuple[str, ...]
    headed: bool
    above: int = 0
    family_first: bool | None = None
    doubles: bool = False


class LineProblem(msgspec.Struct, frozen=True):
    """A problem of a line. `skips`: True: the line is not imported; False: the problem is only a warning."""

    code: str
    sentence: str
    skips: bool


class ImportLine(msgspec.Struct, frozen=True):
    """One line of the file as it would be entered. Most fields are those of `NewEntry`.

    `line`: its number in the file, from 1; `paid_by`: method of payment, "" if the cell names none;
    `partner`: name of the partner, "" if there is none or they are left out; `partner_…`: facts about the
    partner; `beside`: this person has no line, but is entered as the partner of the person of line `line`.
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
    paid_by: str = ""
    category: str = ""
    birth_year: int | None = None
    start_rank: int | None = None
    consents: bool = False
    team: str = ""
    partner: str = ""
    partner_names: TwoNames = TwoNames("", "")
    partner_club: str = ""
    partner_email: str = ""
    beside: bool = False
    problems: tuple[LineProblem, ...] = ()

    @property
    def name(self) -> str:
        return TwoNames(self.first_name, self.family_name).running

    @property
    def good(self) -> bool:
        return not any(problem.skips for problem in self.problems)


ENTERED: Final = (
    *("family_name", "first_name", "club", "licence", "note", "number", "email", "paid", "paid_by"),
    *("category", "birth_year", "start_rank", "consents", "team"),
)
"""The fields of a line that are copied to the entry."""


class Preview(msgspec.Struct, frozen=True):
    """The effect of an import, and the problems of the file.

    `encoding`, `delimiter`: of the file; `columns`: kind of each column; `described`: columns for the page;
    `lines`: all lines below the heading; `beside`: partners without a line, who are entered too; `pairs`: two
    partners each, as index into `people` or, for somebody entered already, as negative entry number.
    `headed`, `doubles`: as in `Reading`; `above`: texts of the lines above the heading; `family_first`: names
    in one cell begin with the family name; `in_one`: names are in one cell. `text`: the file as text;
    `sheet`: the sheet of a workbook that was read; `others`: its other sheets; `hidden_rows`: number of
    hidden rows; `partnered`: partners stay together in this championship.
    """

    encoding: str
    delimiter: str
    columns: tuple[str, ...]
    lines: tuple[ImportLine, ...]
    beside: tuple[ImportLine, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()
    headed: bool = True
    above: tuple[str, ...] = ()
    family_first: bool = False
    in_one: bool = False
    doubles: bool = False
    described: tuple[Column, ...] = ()
    text: str = ""
    sheet: str = ""
    others: tuple[OtherSheet, ...] = ()
    hidden_rows: int = 0
    partnered: bool = False

    @property
    def people(self) -> list[ImportLine]:
        """All people who would be entered, in order."""
        return [*(line for line in self.lines if line.good), *self.beside]

    @property
    def good(self) -> int:
        return sum(line.good for line in self.lines) + len(self.beside)

    @property
    def faulty(self) -> int:
        return sum(not line.good for line in self.lines)

    @property
    def digest(self) -> str:
        """Digest of the effect. It stays equal as long as the import would enter the same
        people and pairs.
        """
        what = [[getattr(one, field) for field in ENTERED] for one in self.people], self.pairs
        return hashlib.blake2s(msgspec.json.encode(what), digest_size=12).hexdigest()


def preview(championship: Championship, data: bytes, reading: Reading | None = None) -> Preview:
    """Read the file without entering anyone. `reading`: settings for reading it; None: they are detected.

    Raises TournamentError `import/…` if the file cannot be read.
    """
    file = read_list(data)
    if not file.rows:
        raise TournamentError("import/empty", _("The file holds no entries."))
    given = reading or guess_reading(file, teams=has_teams(championship))
    above = min(given.above, len(file.rows))
    if given.headed and len(file.rows) <= above + 1:
        raise TournamentError(
            "import/only_headings", _("The list holds headings only, and nobody below them.")
        )
    partnered = pairs.has_fixed_pairs(championship)
    family_first = given.family_first
    if family_first is None:
        family_first = columns.detect_order(file.rows[given.above + given.headed :], given.kinds)
    plan = _Plan(championship, file, given, family_first=family_first, partnered=partnered)
    return Preview(
        encoding=file.encoding,
        delimiter=file.delimiter,
        columns=given.kinds,
        lines=tuple(plan.lines),
        beside=tuple(plan.beside),
        pairs=tuple(plan.pairs),
        headed=given.headed,
        above=tuple(" · ".join(filter(None, cells)) for _number, cells in file.rows[:above]),
        family_first=family_first,
        in_one="first_name" not in given.kinds,
        doubles=given.doubles,
        described=columns.describe_columns(
            file.rows, given.kinds, headed=given.headed, above=above, hidden=file.hidden_columns
        ),
        text=file.text,
        sheet=file.sheet,
        others=file.others,
        hidden_rows=file.hidden_rows,
        partnered=partnered,
    )


def guess_reading(file: ListFile, *, teams: bool = False) -> Reading:
    """Detect the settings for reading a file. `teams`: the championship has teams; then the first
    column with a heading for teams names them.
    """
    layout = columns.guess_layout(file.rows, file.hidden_columns)
    if teams and layout.headed:
        layout = layout._replace(kinds=columns.find_teams(layout.kinds, file.rows[layout.above][1]))
    return Reading(layout.kinds, layout.headed, layout.above, layout.family_first)


def import_entries(
    championship: Championship,
    data: bytes,
    reading: Reading | None = None,
    *,
    actor: Actor,
    digest: str = "",
) -> list[Entry]:
    """Import the file: enter all people of good lines and form their pairs. Return the new entries.

    `digest`: the digest of the preview that was shown; "" skips the check. Raises TournamentError `import/…`;
    `import/changed` if the digest differs now.
    """
    require(actor, "import", championship)
    with locks.locked_for(championship, actor, "enter") as locked:
        looked = preview(locked, data, reading)
        if digest and digest != looked.digest:
            raise TournamentError(
                "import/changed",
                _("In the meantime somebody else was entered or changed. Check the list again."),
            )
        if not looked.people:
            raise TournamentError("import/nothing", _("No line of the file can be entered."))
        wanted = [NewEntry(**{field: getattr(one, field) for field in ENTERED}) for one in looked.people]
        made = add_entries(locked, wanted, actor=actor, allow_doubles=True)
        numbers = {-one for couple in looked.pairs for one in couple if one < 0}
        there = {entry.number: entry for entry in locked.entries.filter(number__in=numbers)}
        couples = [
            (_entry_at(one, made, there), _entry_at(other, made, there)) for one, other in looked.pairs
        ]
        pairs.pair_up(locked, couples, actor=actor)
    return made


def _entry_at(place: int, entries: Sequence[Entry], there: dict[int, Entry]) -> Entry:
    return entries[place] if place >= 0 else there[-place]


class _Known(NamedTuple):
    """Data by which two people of the same name can be distinguished. They come from an entry or from a line.

    `line`: number of the line, 0 for an entry; `place`: the town in the line.
    """

    birth_year: int | None
    licence: str
    email: str
    category: str
    club: str = ""
    line: int = 0
    place: str = ""

    def differs(self, other: "_Known") -> bool:
        """Return whether any field that is given in both has two different values."""
        return any(
            one and two and fold(str(one)) != fold(str(two))
            for one, two in zip(self[:5] + self[6:], other[:5] + other[6:], strict=True)
        )


_TOTAL_PATTERN: Final = re.compile(
    r"(total|totale|gesamt|gesamttotal|summe|somme|somma|suma|sum|anzahl|nombre de|numero di|insgesamt|stand|"
    r"seite|page|pagina|exportiert|erstellt|gedruckt|ausdruck|druckdatum|legende|hinweis|quelle|anmeldeschluss|"
    r"teilnehmerzahl|personen total|subtotal|zwischentotal|ubertrag|generated|printed|exported)\b"
)
_COUNT_WORDS: Final = frozenset(
    ("personen", "teilnehmer", "teilnehmende", "anmeldungen", "spieler", "startgelder", "participants", "am")
)
_SECTION_PATTERN: Final = re.compile(
    r"(gruppe|groupe|gruppo|group|kategorie|categorie|categoria|category|tisch|table|tavolo) \w{1,3}"
    r"|damen|herren|frauen|manner|junioren|senioren|warteliste|abgemeldet|abmeldungen|ersatz|dames|hommes|donne|"
    r"uomini|women|men|reserve|liste d attente|lista d attesa|mitglieder|gaste|nichtmitglieder"
)
_TITLE_PATTERN: Final = re.compile(
    r"liste|meisterschaft|turnier|jass|anmeld|teilnehm|championnat|tournoi|torneo|campionato|tournament|evening|"
    r"abend|anlass|inscri|iscri|export"
)
_NOBODYS_NAMES: Final = """
nein no non ja si oui yes keine keiner kein nobody niemand personne nessuno nadie offen suche sucht allein
alleine einzeln noch open none x tbd na
"""
_NO_PARTNER_WORDS: Final = frozenset(_NOBODYS_NAMES.split())
"""Values in a partner column that name no partner."""


class _LineIndex:
    """Index of the good lines by name, by word of the name, and by entry number.

    `places`: index of a line → index into `people`; `beside`: indexes of partners without a line.
    """

    def __init__(self, places: dict[int, int], lines: Sequence[ImportLine]) -> None:
        self.places = places
        self.by_key: dict[Name, list[int]] = {}
        self.by_word: dict[str, list[int]] = {}
        self.beside: dict[Name, int] = {}
        self.numbered = {number: place for at, place in places.items() if (number := lines[at].number)}
        for at in places:
            key = name_key(lines[at].name)
            self.by_key.setdefault(key, []).append(at)
            for word in set(key):
                self.by_word.setdefault(word, []).append(at)


class _Plan:
    """The effect of each line of a file. `lines`, `beside`, `pairs`: as in `Preview`."""

    def __init__(
        self,
        championship: Championship,
        file: ListFile,
        given: Reading,
        *,
        family_first: bool,
        partnered: bool,
    ) -> None:
        self._given, self._family_first, self._partnered = given, family_first, partnered
        self._whole = "first_name" not in given.kinds
        self._heading: Sequence[str] = ()
        rows = file.rows[given.above :]
        if given.headed:
            self._heading, rows = rows[0][1], rows[1:]
        self._usual = sorted(sum(map(bool, cells)) for _number, cells in rows)[len(rows) // 2] if rows else 0
        self._entered: dict[Name, list[Entry]] = {}
        everybody = list(championship.entries.order_by("number"))
        self._entered_numbers: set[int] = set()
        for entry in everybody:
            if entry.status != Entry.Status.WITHDRAWN or entry.waits:
                self._entered.setdefault(name_key(entry.name), []).append(entry)
                self._entered_numbers.add(entry.number)
        self._taken = {entry.number for entry in everybody}
        self._numbers: dict[int, int] = {}
        self._names: dict[Name, list[_Known]] = {}
        self.lines = [self._line(number, cells, first=at == 0) for at, (number, cells) in enumerate(rows)]
        self.beside: list[ImportLine] = []
        self.pairs: list[tuple[int, int]] = []
        self._match_partners(championship)

    def _line(self, number: int, cells: Sequence[str], *, first: bool) -> ImportLine:
        given = {kind: cell.strip() for kind, cell in zip(self._given.kinds, cells, strict=False) if kind}
        given = {kind: unicodedata.normalize("NFC", text[:MAX_CELL_LENGTH]) for kind, text in given.items()}
        if (reason := self._not_a_person(cells, given, first=first)) is not None:
            return ImportLine(number, " ".join(filter(None, cells))[:MAX_NAME_LENGTH], problems=(reason,))
        problems: list[LineProblem] = []

        def read(kind: str, make: Any, **more: Any) -> Any:
            text = given.get(kind, "")
            if is_error_cell(text):
                sentence = str(_("holds an error of the spreadsheet (%(text)s)")) % {"text": text[:20]}
                problems.append(_field_left_empty(kind, "import/faulty_cell", sentence))
                return make("", **more)
            try:
                return make(text, **more)
            except TournamentError as error:
                problems.append(_field_left_empty(kind, error.code, str(error)))
                return make("", **more)

        names, partner = self._names_in(given)
        given["note"] = _join_note(given)
        licence = read("licence", clean, longest=20, field="licence")
        fields: dict[str, Any] = {
            "family_name": names.family,
            "first_name": names.first,
            "club": read("club", clean, longest=MAX_CLUB_LENGTH, field="club"),
            "licence": licence,
            "team": read("team", clean, longest=MAX_CLUB_LENGTH, field="team"),
            "note": read("note", clean, longest=MAX_NOTE_LENGTH, field="note"),
            "email": read("email", _address),
            "category": read("category", parse_category),
            "birth_year": read("birth_year", parse_birth_year),
            "paid": read("paid", parse_yes_no, column="paid"),
            "consents": read("consents", parse_yes_no, column="consents"),
            "number": read("number", parse_number, highest=HIGHEST),
            "start_rank": read("start_rank", parse_number, highest=HIGHEST),
            "partner_club": read("partner_club", clean, longest=MAX_CLUB_LENGTH, field="club"),
            "partner_email": read("partner_email", _address),
        }
        if fields["paid"]:
            fields["paid_by"] = payment_method(given["paid"])
        if partner.running and self._is_name(partner.running, problems):
            fields |= {"partner": partner.running, "partner_names": partner}
        if given.get("attends") and read("attends", _declines):
            problems.append(_problem("import/not_coming", _("does not come"), skips=True))
        known = _Known(
            fields["birth_year"],
            licence,
            fields["email"],
            fields["category"],
            fields["club"],
            number,
            given.get("place", ""),
        )
        self._check_name(names, known, problems)
        if fields["number"] is not None and not any(problem.skips for problem in problems):
            fields["number"] = self._take_number(number, fields["number"], problems)
        if any(cell.strip() for cell in cells[len(self._given.kinds) :]):
            problems.append(
                _problem("import/more_columns", _("has more columns than the others"), skips=False)
            )
        return ImportLine(number, **fields, problems=tuple(problems))

    def _not_a_person(
        self, cells: Sequence[str], given: dict[str, str], *, first: bool
    ) -> LineProblem | None:
        """Return the problem of a line that is a total, a title or a heading; None for a
        line with a person.
        """
        filled = [cell[:MAX_CELL_LENGTH] for cell in cells if cell]
        if (
            self._heading
            and len(filled) > 1
            and [fold(c) for c in filled] == [fold(c) for c in self._heading if c]
        ):
            return _problem("import/heading_again", _("repeats the heading"), skips=True)
        name = " ".join(filter(None, (given.get(k, "") for k in ("family_name", "first_name", "name"))))
        begins = fold(filled[0] if filled else "")
        alone = len(filled) == 1
        if (total := _TOTAL_PATTERN.match(begins)) is not None:
            rest = begins[total.end() :].split()
            counted = (
                not rest or rest[0] in _COUNT_WORDS or any(c.isdigit() for c in begins) or ":" in filled[0]
            )
            if counted if alone else not any(c.isalpha() for cell in filled[1:] for c in cell):
                return _not_a_person_problem()
        if name and not any(c.isalpha() for c in name) and not is_error_cell(name):
            return _not_a_person_problem()
        if alone and (
            filled[0].endswith(":") or re.search(r"\d{1,2}[./]\s?\d{1,2}[./]\s?\d{2,4}", filled[0])
        ):
            return _not_a_person_problem()
        if alone and self._usual > 1 and (_SECTION_PATTERN.fullmatch(begins) or len(filled[0].split()) > 6):
            return _not_a_person_problem()
        if (
            alone
            and first
            and (_TITLE_PATTERN.search(begins) and (re.search(r"\d", begins) or len(begins.split()) == 1))
        ):
            return _not_a_person_problem()
        return None

    def _names_in(self, given: dict[str, str]) -> tuple[TwoNames, TwoNames]:
        """Return the names of the person and of the partner. Either name is in one cell or in columns of its
        own.
        """
        names, beside = self._own_names(given)
        family, first = given.get("partner_family_name", ""), given.get("partner_first_name", "")
        whole = given.get("partner", "")
        if family and first:
            partner = TwoNames(first, family)
        elif whole or family:
            partner = self._read(whole or family)
        else:
            partner = TwoNames("", first)
        if not partner.running or set(fold(partner.running).split()) <= _NO_PARTNER_WORDS:
            partner = beside
        return names, partner

    def _own_names(self, given: dict[str, str]) -> tuple[TwoNames, TwoNames]:
        first, family, name = (given.get(kind, "") for kind in ("first_name", "family_name", "name"))
        nobody = TwoNames("", "")
        text = family if family and self._whole and not name else name
        if first or (family and not self._whole):
            firsts = split_pair(first)
            families = split_pair(family or name)
            if len(firsts) == pairs.PARTNERS:
                both = families if len(families) == pairs.PARTNERS else (family or name, family or name)
                return TwoNames(firsts[0], both[0]), TwoNames(firsts[1], both[1])
            return (TwoNames(first, family or name) if family or name else TwoNames("", first)), nobody
        couple = split_pair(text)
        if len(couple) == pairs.PARTNERS:
            return self._read(couple[0]), self._read(couple[1])
        return self._read(text), nobody

    def _read(self, text: str) -> TwoNames:
        return read_in_order(text, family_first=self._family_first)

    def _is_name(self, name: str, problems: list[LineProblem]) -> bool:
        try:
            clean(name, field="partner")
        except TournamentError as error:
            problems.append(_field_left_empty("partner", error.code, str(error)))
            return False
        return not is_error_cell(name)

    def _check_name(self, names: TwoNames, known: _Known, problems: list[LineProblem]) -> None:
        running = names.running
        if is_error_cell(running) or not running:
            problems.append(_problem("names/missing", _("A name is missing."), skips=True))
            return
        try:
            clean(running)
        except TournamentError as error:
            problems.append(_problem(error.code, str(error), skips=True))
            return
        if any(problem.skips for problem in problems):
            return
        key = name_key(running)
        entered = [_known(entry) for entry in self._entered.get(key, ())]
        above = self._names.get(key, [])
        same = [one for one in above if not one.differs(known)]
        if any(not one._replace(club="").differs(known._replace(club="")) for one in entered):
            problems.append(
                _problem("entries/double", _("is entered already"), skips=not self._given.doubles)
            )
        elif same:
            sentence = str(_("is the same as line %(line)s")) % {"line": same[0].line}
            problems.append(_problem("import/double_line", sentence, skips=not self._given.doubles))
        elif entered or above:
            sentence = str(_("has the same name as somebody else; other data distinguishes them"))
            problems.append(_problem("import/namesake", sentence, skips=False))
        if not any(problem.skips for problem in problems):
            self._names.setdefault(key, []).append(known)

    def _take_number(self, line: int, number: int, problems: list[LineProblem]) -> int | None:
        """Return the number if it is free. Otherwise add a warning to `problems` and return None."""
        if number in self._taken:
            sentence = str(_("Number %(number)s is not free.")) % {"number": number}
            problems.append(_field_left_empty("number", "entries/number_taken", sentence))
            return None
        if number in self._numbers:
            sentence = str(_("has the same number as line %(line)s")) % {"line": self._numbers[number]}
            problems.append(_field_left_empty("number", "import/double_number", sentence))
            return None
        self._numbers[number] = line
        return number

    def _match_partners(self, championship: Championship) -> None:
        """Find the partner of each line among the lines and entries. Add a partner who is in neither to
        `beside`.
        """
        places = {at: place for place, at in enumerate(at for at, line in enumerate(self.lines) if line.good)}
        paired = {one.number for one, _other in _couples(championship)} if self._partnered else set()
        mate: dict[int, int] = {}
        found = _LineIndex(places, self.lines)
        for at, line in enumerate(self.lines):
            if not line.good or not line.partner:
                continue
            mine, other = places[at], self._find_partner_place(line, at, found)
            if isinstance(other, LineProblem):
                self.lines[at] = _with_problems(line, other, partner="")
            elif other is None:
                new = found.beside[name_key(line.partner)] = len(places) + len(self.beside)
                self._enter_beside(at, line, alone=mine in mate)
                if self._partnered and mine not in mate:
                    self._enter_pair(mate, mine, new)
            elif not self._partnered:
                alone = _("partner left out: here partners do not stay together")
                self.lines[at] = _with_problems(
                    line, _problem("import/no_pairs", alone, skips=False), partner=""
                )
            elif other == mine:
                problem = _problem("pairs/oneself", _("nobody can be their own partner"), skips=False)
                self.lines[at] = _with_problems(line, problem, partner="")
            elif mate.get(mine, other) != other or mate.get(other, mine) != mine or -other in paired:
                self.lines[at] = _with_problems(line, _two_partners_problem(line.partner), partner="")
            else:
                self._enter_pair(mate, mine, other)

    def _enter_pair(self, mate: dict[int, int], one: int, other: int) -> None:
        if mate.get(one) != other:
            self.pairs.append((one, other))
        mate |= {one: other, other: one}

    def _find_partner_place(self, line: ImportLine, at: int, found: "_LineIndex") -> int | LineProblem | None:
        """Return the partner's index into `people`, or the negative number of the partner's entry.

        None for a new person; a LineProblem if the partner cannot be determined.
        """
        text = line.partner
        if text.isascii() and text.isdecimal():
            number = int(text[:9])
            if number in found.numbered or number in self._entered_numbers:
                return found.numbered.get(number, -number)
            said = str(_("without partner: there is no entry %(number)s")) % {"number": text[:9]}
            return _problem("entries/unknown", said, skips=False)
        key = name_key(text)
        here = found.by_key.get(key, [])
        if len(here) > 1:  # of namesakes the one that names this line in turn, else the nearest line
            mine = name_key(line.name)
            naming = [one for one in here if name_key(self.lines[one].partner) == mine]
            here = naming or [min(here, key=lambda one: abs(one - at))]
        here = here or self._find_by_single_word(line, found)
        if here:
            return found.places[here[0]]
        if entered := self._entered.get(key):
            return -entered[0].number
        return found.beside.get(key)

    def _find_by_single_word(self, line: ImportLine, found: "_LineIndex") -> list[int]:
        """Find the line of a partner who is named by a single word. That line must name the person of `line`
        as partner.

        Empty unless there is exactly one such line.
        """
        words = name_key(line.partner)
        if len(words) != 1:
            return []
        mine = set(name_key(line.name))
        called = found.by_word.get(words[0], [])[:MAX_CALLED]
        naming = [at for at in called if (back := name_key(self.lines[at].partner)) and set(back) <= mine]
        return naming if len(naming) == 1 else []

    def _enter_beside(self, at: int, line: ImportLine, *, alone: bool) -> None:
        """Add the partner of a line as a person without a line. The line's payment applies to both, and its
        club if the partner has none.

        `alone`: an earlier line already names the person of this line as its partner, so no pair is formed.
        """
        said = str(_("with %(name)s, also entered")) % {"name": line.partner}
        problems = [_problem("import/partner_too", said, skips=False)]
        if not self._partnered:
            apart = _("here partners do not stay together")
            problems.append(_problem("import/no_pairs", apart, skips=False))
        if alone:
            problems.append(_two_partners_problem(line.name))
        self.lines[at] = _with_problems(line, *problems, partner="" if alone else line.partner)
        names = line.partner_names
        self.beside.append(
            ImportLine(
                line.line,
                names.family,
                names.first,
                club=line.partner_club or line.club,
                paid=line.paid,
                email=line.partner_email,
                partner="" if alone else line.name,
                paid_by=line.paid_by,
                beside=True,
            )
        )


def _known(entry: Entry) -> _Known:
    return _Known(entry.birth_year, entry.licence, entry.email, entry.category, entry.club)


def _couples(championship: Championship) -> list[tuple[Entry, Entry]]:
    """List each person who has a partner, together with that partner."""
    both = (members for members in pairs.load_pairs(championship).values() if len(members) == pairs.PARTNERS)
    return [couple for one, other in both for couple in ((one, other), (other, one))]


def _address(text: str) -> str:
    """Extract the address from "mailto:anna@example.ch" or "Anna <anna@example.ch>".

    Raises TournamentError if the address is not valid.
    """
    found = re.search(r"<([^<>\s]+@[^<>\s]+)>", text)
    bare = found[1] if found else text.strip().strip(",;")
    return parse_email(re.sub(r"^mailto:", "", bare, flags=re.IGNORECASE))


def _declines(text: str) -> bool:
    """Return whether the cell means that the person does not come.

    Raises TournamentError `import/neither_yes_nor_no`.
    """
    return bool(text) and not parse_yes_no(text, column="attends")


def _with_problems(line: ImportLine, *problems: LineProblem, **changed: Any) -> ImportLine:
    return msgspec.structs.replace(line, problems=(*line.problems, *problems), **changed)


def _join_note(given: dict[str, str]) -> str:
    """Join the town and the note of a line in one text, since entries have no field for a town."""
    return ", ".join(filter(None, [given.get("place", ""), given.get("note", "")]))


def _problem(code: str, sentence: str | Promise, *, skips: bool) -> LineProblem:
    return LineProblem(code, str(sentence), skips)


def _two_partners_problem(name: str) -> LineProblem:
    said = str(_("without partner: %(name)s cannot have two partners"))
    return _problem("pairs/taken", said % {"name": name}, skips=False)


def _not_a_person_problem() -> LineProblem:
    return _problem("import/no_person", _("is not a person, but a title, a total or a remark"), skips=True)


FIELDS: Final[dict[str, str | Promise]] = {
    "club": _("Club"),
    "licence": _("Licence"),
    "note": _("Note"),
    "email": _("E-mail"),
    "category": _("Category"),
    "team": _("Team"),
    "birth_year": _("Year of birth"),
    "paid": _("Paid"),
    "consents": _("Agrees to be named"),
    "number": _("Number"),
    "start_rank": _("Start rank"),
    "partner": _("Partner"),
    "partner_club": _("Club of the partner"),
    "partner_email": _("E-mail of the partner"),
    "attends": _("Takes part"),
}


def _field_left_empty(field: str, code: str, sentence: str) -> LineProblem:
    """Build the warning that a field is left empty, with the reason; the person is entered."""
    said = str(_("%(field)s left empty: %(why)s")) % {"field": FIELDS[field], "why": sentence}
    return LineProblem(code, said, skips=False)
