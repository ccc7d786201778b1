"""Kinds of columns. They are detected from headings in six languages or from values, then confirmed by the
user.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.names import fold
from tournaments.names.splitting import is_given, order_votes
from tournaments.spreadsheets.size_limits import MAX_COLUMNS

Rows = Sequence[tuple[int, Sequence[str]]]
KINDS: Final = (
    *("family_name", "first_name", "name", "partner", "club", "place", "number", "start_rank"),
    *("email", "paid", "category", "birth_year", "licence", "note", "consents"),
    *("partner_family_name", "partner_first_name", "partner_club", "partner_email", "attends"),
    "team",
)
"""Kinds of columns.

`name`: family name and first name in one cell; `place`: goes into the note of the entry; `attends`: people
who decline are skipped; "": the column is ignored."""
NAMED: Final = frozenset({"family_name", "name"})
"""Kinds of columns with names; a list needs at least one of them."""
UNNAMED: Final = ("name", "club", "licence", "note")
"""Kinds given, in this order, to columns without headings or recognisable values."""
FIRST_VALUES: Final = 3
MAX_ABOVE: Final = 30
"""Number of first lines among which a heading is searched."""
MAX_SHOWN_LENGTH: Final = 60
_OF_PARTNER: Final = {
    "name": "partner",
    "family_name": "partner_family_name",
    "first_name": "partner_first_name",
    "club": "partner_club",
    "email": "partner_email",
}
_PARTNERS_NAMES: Final = ("partner_first_name", "partner_family_name")
_PARTNER_WORDS_TEXT: Final = """
partner partnerin partners partnerins spielpartner spielpartnerin jasspartner jasspartnerin mitspieler
mitspielerin mitspielers partenaire coequipier coequipiere compagno compagna companero companera partenari
partenaria teampartner teampartnerin teammate teamkollege teamkollegin
"""
_PARTNER_WORDS: Final = frozenset(_PARTNER_WORDS_TEXT.split())
_SECOND_WORDS: Final = frozenset(["2", "b", "ii", "zwei", "deux", "due", "dos", "two"])
_FIRST_WORDS: Final = frozenset(["1", "a", "i", "eins", "un", "uno", "one"])
_PERSON_WORDS_TEXT: Final = """
spieler spielerin jasser person player joueur giocatore jugador teilnehmer team
"""
_PERSON_WORDS: Final = frozenset(_PERSON_WORDS_TEXT.split())
_PRECEDENCE: Final = {"name": 0, "family_name": 1, "first_name": 1}
"""Precedence of a kind if a heading names several: in "Name of the club" the club precedes the name."""
_HEADING_WORDS_TEXT: Final = """
name names namen vorname vornamen nachname nachnamen familienname nom prenom cognome nome nombre apellido
apellidos surname firstname lastname dein deine ihr ihre votre ton tuo suo your
"""
_HEADING_WORDS: Final = frozenset(_HEADING_WORDS_TEXT.split())
"""Words that appear in headings and in no name of a person."""
MAX_HEADING_LENGTH: Final = 160
MAX_JUDGED_LENGTH: Final = 120
MAX_JUDGED: Final = 2_000
"""Number of values by which the kind of a column is detected; of each MAX_JUDGED_LENGTH characters count."""


def _heading_key(text: str) -> str:
    return fold(text) or text.strip(" .:*")


def _load_headings() -> Iterator[tuple[str, str]]:
    for line in Path(__file__).with_name("headings.txt").read_text().splitlines():
        kind, colon, headings = line.partition(":")
        if colon and not line.startswith("#"):
            yield from ((_heading_key(heading), kind) for heading in headings.split(" | "))


_KIND_OF: Final = dict(_load_headings())
"""Kind of a column by its heading."""
_LONGEST_PHRASE: Final = max(len(heading.split()) for heading in _KIND_OF)


class Column(NamedTuple):
    """A column of the file: its index, its heading ("" if there is none), its first values, and its kind.

    `hidden`: the column is hidden in the spreadsheet.
    """

    at: int
    heading: str
    values: tuple[str, ...]
    kind: str
    hidden: bool = False


class Layout(NamedTuple):
    """The layout of a list.

    `above`: number of lines above the heading, or above the first entry; `headed`: whether there is a
    heading; `kinds`: kind of each column; `family_first`: whether names in one cell begin with the family
    name.
    """

    above: int
    headed: bool
    kinds: tuple[str, ...]
    family_first: bool = False


def heading_kind(text: str) -> tuple[str, bool]:
    """Return the kind that a heading names ("" if none), and whether the heading contains nothing else."""
    if len(text) > MAX_HEADING_LENGTH:
        return "", False
    key = _heading_key(text)
    if key in _KIND_OF:
        return _KIND_OF[key], True
    key = re.sub(r"(?<=[a-z])(?=\d\b)", " ", key)
    words = [word for word in key.split() if word not in _FIRST_WORDS]
    second = any(word in _SECOND_WORDS for word in words)
    words = [word for word in words if word not in _SECOND_WORDS]
    of_partner = any(word in _PARTNER_WORDS for word in words)
    rest = [word for word in words if word not in _PARTNER_WORDS]
    kind, whole = _phrase(rest)
    if of_partner or (second and _strip_order(kind) in _OF_PARTNER):
        if not rest or not kind:
            return "partner", not rest
        return _OF_PARTNER.get(_strip_order(kind), "none"), whole
    return kind, whole


def _phrase(words: Sequence[str]) -> tuple[str, bool]:
    """Return the kind of the longest known phrase among the words, and whether the phrase is all of them."""
    best: tuple[int, int, int] = (0, 0, 0)
    kind = ""
    for first in range(len(words)):
        for end in range(first + 1, min(len(words), first + _LONGEST_PHRASE) + 1):
            phrase = " ".join(words[first:end])
            found = _KIND_OF.get(phrase)
            if found is None or (len(phrase) < 3 and len(words) > 2):
                continue
            rank = (end - first, _PRECEDENCE.get(_strip_order(found), 2), len(phrase))
            if rank > best:
                best, kind = rank, found
    return kind, best[0] == len(words) > 0


def _strip_order(kind: str) -> str:
    return "name" if kind.startswith("name_") else kind


_TEAM_HEADINGS: Final = frozenset(
    ("team", "teamname", "team name", "mannschaft", "mannschaftsname", "equipe", "squadra", "equipo")
)


def find_teams(kinds: Sequence[str], heading: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds, with "team" for the first column whose heading names teams."""
    found = [at for at, cell in enumerate(heading) if _heading_key(cell) in _TEAM_HEADINGS]
    return tuple("team" if at in found[:1] and at < len(kinds) else kind for at, kind in enumerate(kinds))


def rate_heading(cells: Sequence[str]) -> int:
    """Rate how much a line looks like a heading; 0: it is no heading.

    It is one if no cell is a value such as a number, and a cell is clearly a heading of names or most cells
    are known headings.
    """
    filled = [cell for cell in cells if cell.strip()]
    if not filled or any(map(_is_value, filled)):
        return 0
    found = [heading_kind(cell) for cell in filled]
    exact = sum(bool(kind) and whole for kind, whole in found)
    loose = sum(bool(kind) and not whole for kind, whole in found)
    named = any(
        _strip_order(kind) in (*NAMED, "first_name") and (whole or _is_question_heading(cell))
        for (kind, whole), cell in zip(found, filled, strict=True)
    )
    if named and (exact or loose > 1 or len(filled) == 1):
        return 10 + 3 * exact + loose
    if len(filled) > 1 and exact > len(filled) / 2:
        return 3 * exact + loose
    return 0


def _is_value(text: str) -> bool:
    return _heading_key(text[:MAX_HEADING_LENGTH]) not in _KIND_OF and (
        "@" in text or bool(re.fullmatch(r"[\d.,/: -]+", text.strip()))
    )


def _is_question_heading(text: str) -> bool:
    """Return whether a text that names a column among other words is a heading: "Dein Name", "Wer kommt?"."""
    words = set(fold(text).split())
    return len(text) <= MAX_HEADING_LENGTH and ("?" in text or bool(words & _HEADING_WORDS))


def has_headings(first: Sequence[str]) -> bool:
    """Return whether the line is a heading instead of an entry."""
    return rate_heading(first) > 0


def has_heading_of_one(line: str) -> bool:
    """Return whether the only cell of a line is the heading of a column of names."""
    return _strip_order(heading_kind(line)[0]) in NAMED


def are_names_with_comma(lines: Sequence[str]) -> bool:
    """Return whether a common first name follows the comma, as in "Ammann, Anna", in more than a third of the
    lines with one comma.
    """
    behind = [line.split(",")[1][:MAX_JUDGED_LENGTH] for line in lines if line.count(",") == 1]
    return (
        bool(behind)
        and sum(bool(part.split()) and is_given(part.split()[0]) for part in behind) > len(behind) / 3
    )


def rate_list(rows: Rows) -> tuple[bool, int, int]:
    """Return a sort key of how much a sheet looks like a list of people: by its names, then by its
    headings.
    """
    layout = guess_layout(rows)
    body = rows[layout.above + layout.headed :]
    if not NAMED & set(layout.kinds) or not body:
        return False, 0, 0
    at = [at for at, kind in enumerate(layout.kinds) if kind in (*NAMED, "first_name")]
    names = [
        " ".join(filter(None, (cells[one] for one in at if one < len(cells)))) for _number, cells in body
    ]
    named = 4 * sum(map(_names_somebody, names)) > len(names)
    return named, 2 if layout.headed else 1, sum(map(bool, layout.kinds)) if layout.headed else 0


def guess_layout(rows: Rows, hidden: frozenset[int] = frozenset()) -> Layout:
    """Detect the heading and the kind of each column. `hidden`: indices of columns that are ignored if
    another column has names.
    """
    width = max((len(cells) for _number, cells in rows), default=0)
    points = [rate_heading(cells) for _number, cells in rows[:MAX_ABOVE]]
    best = max(points, default=0)
    headed = best > 0
    above = points.index(best) if headed else _lines_above(rows)
    body = rows[above + headed :]
    values = [
        [cells[at] for _n, cells in body if at < len(cells) and cells[at].strip()] for at in range(width)
    ]
    if headed:
        heading = [*rows[above][1], *[""] * (width - len(rows[above][1]))]
        kinds, hint = _by_headings(heading, rows[above - 1][1] if above else (), values)
        kinds = kinds[: max(len(rows[above][1]), *(at + 1 for at, kind in enumerate(kinds) if kind), 0)]
    else:
        kinds, hint = [kind if kind != "none" else "" for kind in _by_values(values)], None
    shown = [kind if at not in hidden else "" for at, kind in enumerate(kinds)]
    if NAMED & set(shown):
        kinds = shown
    return Layout(above, headed, tuple(kinds), _family_first(kinds, values, hint))


def _lines_above(rows: Rows) -> int:
    """Count the title lines of a list without a heading: lines with a single cell above lines with
    several.
    """
    filled = [sum(bool(cell.strip()) for cell in cells) for _number, cells in rows]
    usual = Counter(filled).most_common(1)[0][0] if filled else 1
    if usual < 2:
        return 0
    return next((at for at, count in enumerate(filled[:MAX_ABOVE]) if count > 1), 0)


def _by_headings(
    heading: Sequence[str], over: Sequence[str], values: Sequence[Sequence[str]]
) -> tuple[list[str], bool | None]:
    """Return the kinds of the columns, and whether the heading puts family names first (None: unknown).

    `over`: the line above the heading, which may group columns by person.
    """
    groups, hint = _partner_groups(over, len(heading)), None
    kinds: list[str] = []
    for at, text in enumerate(heading):
        kind, _whole = heading_kind(text)
        if kind.startswith("name_"):
            hint = kind == "name_family_first" if hint is None else hint
        kind = _strip_order(kind)
        if groups[at] and kind in _OF_PARTNER:
            kind = _OF_PARTNER[kind]
        kinds.append(kind)
    kinds = _without_doubles(kinds, values)
    if "partner_club" in kinds and "club" not in kinds:
        kinds[kinds.index("partner_club")] = "club"
    if "place" in kinds and "club" not in kinds:
        kinds[kinds.index("place")] = "club"
    if "fee" in kinds:
        at = kinds.index("fee")
        kinds[at] = "" if "paid" in kinds else "paid"
    for one, family, first in (
        ("name", "family_name", "first_name"),
        ("partner", "partner_family_name", "partner_first_name"),
    ):
        # "Name" beside "Vorname" is the family name; "Nome" alone, or without a family name, is both in one.
        if first in kinds and family not in kinds:
            known = one if one in kinds else first
            kinds[kinds.index(known)] = family if known == one else one
        elif family in kinds and one in kinds and first not in kinds and one == "name":
            kinds[kinds.index(one)] = first
    if not {"name", "family_name"} & set(kinds):
        guessed = _by_values(
            [found if not kind else [] for found, kind in zip(values, kinds, strict=True)], sure=True
        )
        kinds = [
            kind or (other if _strip_order(other) in ("name", "family_name", "first_name") else "")
            for kind, other in zip(kinds, guessed, strict=True)
        ]
    return ["" if kind in ("none", "index", "fee") else kind for kind in kinds], hint


def _partner_groups(over: Sequence[str], width: int) -> list[bool]:
    """Return for each column whether the line above the heading assigns it to the partner, as in "Spieler 1 |
    | Spieler 2 | ".
    """
    found: list[bool] = []
    now: bool | None = False
    cells = [*over, *[""] * (width - len(over))]
    counted = [_is_partner_group(cell) for cell in cells]
    if True not in counted:
        return [False] * width
    for at in range(width):
        now = counted[at] if counted[at] is not None else now
        found.append(bool(now))
    return found


def _is_partner_group(text: str) -> bool | None:
    """Return whether a text names a group of columns as the partner's; None if that is unknown."""
    words = set(fold(text).split())
    if words & _PARTNER_WORDS or (words & _PERSON_WORDS and words & _SECOND_WORDS):
        return True
    return False if words & _PERSON_WORDS and words & _FIRST_WORDS else None


def _without_doubles(kinds: Sequence[str], values: Sequence[Sequence[str]]) -> list[str]:
    """Resolve duplicate kinds: a second column about a person is the partner's, otherwise the first column
    with values counts.
    """
    found: list[str] = []
    for at, kind in enumerate(kinds):
        if kind in ("", "none", "index") or kind not in found:
            found.append(kind)
        elif _OF_PARTNER.get(kind, kind) not in found and kind in ("name", "family_name", "first_name"):
            found.append(_OF_PARTNER[kind])
        elif kind in ("club", "email") and {"partner", "partner_first_name", "partner_family_name"} & set(
            found
        ):
            found.append(_OF_PARTNER[kind] if _OF_PARTNER[kind] not in found else "")
        else:
            before = found.index(kind)
            if len(values[before]) < len(values[at]) and not values[before]:
                found[before] = ""
                found.append(kind)
            else:
                found.append("")
    return found


def _by_values(values: Sequence[Sequence[str]], *, sure: bool = False) -> list[str]:
    """Detect the kinds of columns without headings by their values. `sure`: only kinds that are certain."""
    kinds = [_kind_by_values(found) for found in values]
    named = [at for at, kind in enumerate(kinds) if kind == "name"]
    firsts = [at for at, kind in enumerate(kinds) if kind == "first_name"]
    texts = [at for at, kind in enumerate(kinds) if kind == "text"]
    if firsts:
        order = (1, -1) if firsts[0] == 0 else (-1, 1)
        for first, of in zip(firsts, (("first_name", "family_name"), _PARTNERS_NAMES), strict=False):
            beside = [first + step for step in order if first + step in (*texts, *named)]
            if beside:
                kinds[first], kinds[beside[0]] = of
            elif of is not _PARTNERS_NAMES:
                kinds[first] = "name"
    elif named:
        for at, kind in zip(named[:2], ("name", "partner"), strict=False):
            kinds[at] = kind
    elif texts and not sure:
        kinds[texts[0]] = "name"
    rest = iter([kind for kind in UNNAMED if kind != "name"])
    for at, kind in enumerate(kinds):
        if kind == "text":
            kinds[at] = next(rest, "") if not sure else ""
    return [kind if kinds.index(kind) == at else "" for at, kind in enumerate(kinds)]


def _kind_by_values(values: Sequence[str]) -> str:
    """Return the kind that the values show.

    "text": words without a known meaning; "none": other values; "": no values.
    """
    if not values:
        return ""
    values = [value[:MAX_JUDGED_LENGTH] for value in values[:MAX_JUDGED]]

    def most(pattern: str) -> bool:
        return sum(re.fullmatch(pattern, value.strip()) is not None for value in values) > 0.6 * len(values)

    if most(r"[^@\s]+@[^@\s]+"):
        return "email"
    if most(r".*\d{1,2}[:.]\d{2}([:.]\d{2})?( ?[AP]M.*)?") and most(r"\d.*[./-].*[ T]\d.*"):
        return "none"
    if most(r"(19\d\d|20[0-2]\d)|\d{1,2}[./]\d{1,2}[./](19|20)?\d\d|(19|20)\d\d-\d\d-\d\d"):
        years = [int(year) for value in values for year in re.findall(r"(?:19|20)\d\d", value)]
        return "birth_year" if years and min(years) < timezone.localdate().year - 3 else "none"
    if most(r"\d{1,4}\.?"):
        return "number" if len(set(values)) == len(values) and len(values) > 1 else "none"
    if most(r"(CH-)?\d{4}\s+\D+"):
        return "place"
    if most(r"[^A-Za-z\u00c0-\uffff]*"):
        return "none"
    alone = sum(all(map(is_given, value.split())) for value in values)
    if alone > 0.4 * len(values):
        return "first_name"
    return "name" if sum(map(_names_somebody, values)) > 0.25 * len(values) else "text"


def _names_somebody(text: str) -> bool:
    """Return whether the text has several words and no digit, and its first or last word is a first name."""
    words = re.sub(r"[(),&+/]", " ", text[:MAX_JUDGED_LENGTH]).split()
    return len(words) > 1 and any(map(is_given, (words[0], words[-1]))) and not any(c.isdigit() for c in text)


def detect_order(rows: Rows, kinds: Sequence[str]) -> bool:
    """Return whether most names in one cell begin with the family name. `kinds`: as chosen by the user."""
    values = [[cells[at] for _n, cells in rows if at < len(cells)] for at in range(len(kinds))]
    return _family_first(kinds, values, None)


def _family_first(kinds: Sequence[str], values: Sequence[Sequence[str]], hint: bool | None) -> bool:
    """Return whether names in one cell begin with the family name, by the names, else by the heading
    (`hint`).
    """
    given = "first_name" not in kinds
    texts = [
        value
        for kind, found in zip(kinds, values, strict=False)
        if kind in ("name", "partner") or (kind == "family_name" and given)
        for value in found
    ]
    votes = order_votes(texts)
    return votes > 0 if votes else bool(hint)


def describe_columns(
    rows: Rows, kinds: Sequence[str], *, headed: bool, above: int = 0, hidden: frozenset[int] = frozenset()
) -> tuple[Column, ...]:
    """Describe every column of the file, ignored ones included."""
    width = max((len(cells) for _number, cells in rows), default=0)
    body = rows[above + headed :]
    found = []
    for at in range(width):
        values = (cells[at].strip() for _number, cells in body if at < len(cells) and cells[at].strip())
        first = tuple(value[:40] for value, _n in zip(values, range(FIRST_VALUES), strict=False))
        heading = rows[above][1][at].strip()[:MAX_SHOWN_LENGTH] if headed and at < len(rows[above][1]) else ""
        found.append(Column(at, heading, first, kinds[at] if at < len(kinds) else "", at in hidden))
    return tuple(found)


def require_valid_kinds(kinds: Sequence[str]) -> None:
    """Raise TournamentError `import/column_twice`, `import/no_name_column` or `import/unknown_column` unless
    the chosen kinds of columns are valid.
    """
    given = [kind for kind in kinds if kind]
    if len(kinds) > MAX_COLUMNS or any(kind not in KINDS for kind in given):
        raise TournamentError("import/unknown_column", _("Choose the meaning of each column."))
    if len(set(given)) < len(given):
        raise TournamentError(
            "import/column_twice", _("Two columns have the same meaning: choose another for one of them.")
        )
    if not NAMED & set(given):
        raise TournamentError("import/no_name_column", _("Choose the column with the names, and look again."))
