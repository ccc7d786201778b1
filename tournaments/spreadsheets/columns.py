"""What a column of a list is: guessed from its heading in any of six languages, or from what stands in it;
then chosen by people."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.names import folded
from tournaments.names.given import GIVEN
from tournaments.names.reading import order_votes
from tournaments.spreadsheets.bounds import MOST_COLUMNS

Rows = Sequence[tuple[int, Sequence[str]]]
KINDS: Final = (
    *("family_name", "first_name", "name", "partner", "club", "place", "number", "start_rank"),
    *("email", "paid", "category", "birth_year", "licence", "note", "consents"),
    *("partner_family_name", "partner_first_name", "partner_club", "partner_email", "attends"),
)
"""What there is to be imported. `name`: both in one; `place`: goes into the note; `attends`: who says no is
left out; "" is left out."""
NAMED: Final = frozenset({"family_name", "name"})
"""Without one of them nobody can be entered."""
UNNAMED: Final = ("name", "club", "licence", "note")
"""How columns are taken that have no headings, and whose values say nothing."""
FIRST_VALUES: Final = 3
MOST_ABOVE: Final = 30
"""Lines among which a heading is looked for."""
LONGEST_SHOWN: Final = 60
_OF_PARTNER: Final = {
    "name": "partner",
    "family_name": "partner_family_name",
    "first_name": "partner_first_name",
    "club": "partner_club",
    "email": "partner_email",
}
_PARTNERS_NAMES: Final = ("partner_first_name", "partner_family_name")
_PARTNERS: Final = """
partner partnerin partners partnerins spielpartner spielpartnerin jasspartner jasspartnerin mitspieler
mitspielerin mitspielers partenaire coequipier coequipiere compagno compagna companero companera partenari
partenaria teampartner teampartnerin teammate teamkollege teamkollegin
"""
_PARTNER_WORDS: Final = frozenset(_PARTNERS.split())
_SECOND: Final = frozenset(["2", "b", "ii", "zwei", "deux", "due", "dos", "two"])
_FIRST: Final = frozenset(["1", "a", "i", "eins", "un", "uno", "one"])
_COUNTED_WORDS: Final = """
spieler spielerin jasser person player joueur giocatore jugador teilnehmer team
"""
_COUNTED: Final = frozenset(_COUNTED_WORDS.split())
_WEAK: Final = {"name": 0, "family_name": 1, "first_name": 1}
"""Of two kinds that a heading names as well: "Name of the club" is the club."""
_IN_HEADINGS: Final = """
name names namen vorname vornamen nachname nachnamen familienname nom prenom cognome nome nombre apellido
apellidos surname firstname lastname dein deine ihr ihre votre ton tuo suo your
"""
_HEADING_WORDS: Final = frozenset(_IN_HEADINGS.split())
"""In a heading, and in the name of nobody."""
LONGEST_HEADING: Final = 160
LONGEST_JUDGED: Final = 120
MOST_JUDGED: Final = 2_000
"""Values by which it is judged what a column is, and characters of each."""


def _key(text: str) -> str:
    return folded(text) or text.strip(" .:*")


def _known() -> Iterator[tuple[str, str]]:
    for line in Path(__file__).with_name("headings.txt").read_text().splitlines():
        kind, colon, headings = line.partition(":")
        if colon and not line.startswith("#"):
            yield from ((_key(heading), kind) for heading in headings.split(" | "))


_KIND_OF: Final = dict(_known())
"""Heading → what the column is."""
_LONGEST_PHRASE: Final = max(len(heading.split()) for heading in _KIND_OF)


class Column(NamedTuple):
    """A column of the file: its heading ("" where the file has none), the first values in it, what it is."""

    at: int
    heading: str
    values: tuple[str, ...]
    kind: str
    hidden: bool = False


class Layout(NamedTuple):
    """How a list is laid out. `above`: so many lines stand above its heading, or above its first entry;
    `headed`: whether it has a heading; `kinds`: what each column is; `family_first`: whether names that stand
    in one cell begin with the family name.
    """

    above: int
    headed: bool
    kinds: tuple[str, ...]
    family_first: bool = False


def heading_kind(text: str) -> tuple[str, bool]:
    """What a heading says its column is, "" for nothing known; and whether it says only that."""
    if len(text) > LONGEST_HEADING:
        return "", False
    key = _key(text)
    if key in _KIND_OF:
        return _KIND_OF[key], True
    key = re.sub(r"(?<=[a-z])(?=\d\b)", " ", key)
    words = [word for word in key.split() if word not in _FIRST]
    second = any(word in _SECOND for word in words)
    words = [word for word in words if word not in _SECOND]
    of_partner = any(word in _PARTNER_WORDS for word in words)
    rest = [word for word in words if word not in _PARTNER_WORDS]
    kind, whole = _phrase(rest)
    if of_partner or (second and _plain(kind) in _OF_PARTNER):
        if not rest or not kind:
            return "partner", not rest
        return _OF_PARTNER.get(_plain(kind), "none"), whole
    return kind, whole


def _phrase(words: Sequence[str]) -> tuple[str, bool]:
    """The kind that the longest known phrase among the words names."""
    best: tuple[int, int, int] = (0, 0, 0)
    kind = ""
    for first in range(len(words)):
        for end in range(first + 1, min(len(words), first + _LONGEST_PHRASE) + 1):
            phrase = " ".join(words[first:end])
            found = _KIND_OF.get(phrase)
            if found is None or (len(phrase) < 3 and len(words) > 2):
                continue
            rank = (end - first, _WEAK.get(_plain(found), 2), len(phrase))
            if rank > best:
                best, kind = rank, found
    return kind, best[0] == len(words) > 0


def _plain(kind: str) -> str:
    return "name" if kind.startswith("name_") else kind


def heading_points(cells: Sequence[str]) -> int:
    """How much a line looks like a heading; 0: it is none.

    One of its cells names people, and what it says is a heading and no entry; or most of its cells are known.
    """
    filled = [cell for cell in cells if cell.strip()]
    if not filled or any(map(_is_value, filled)):
        return 0
    found = [heading_kind(cell) for cell in filled]
    exact = sum(bool(kind) and whole for kind, whole in found)
    loose = sum(bool(kind) and not whole for kind, whole in found)
    named = any(
        _plain(kind) in (*NAMED, "first_name") and (whole or _asks(cell))
        for (kind, whole), cell in zip(found, filled, strict=True)
    )
    if named and (exact or loose > 1 or len(filled) == 1):
        return 10 + 3 * exact + loose
    if len(filled) > 1 and exact > len(filled) / 2:
        return 3 * exact + loose
    return 0


def _is_value(text: str) -> bool:
    return _key(text[:LONGEST_HEADING]) not in _KIND_OF and (
        "@" in text or bool(re.fullmatch(r"[\d.,/: -]+", text.strip()))
    )


def _asks(text: str) -> bool:
    """Whether a text that names a column besides other words is a heading: "Dein Name", "Wer kommt?"."""
    words = set(folded(text).split())
    return len(text) <= LONGEST_HEADING and ("?" in text or bool(words & _HEADING_WORDS))


def has_headings(first: Sequence[str]) -> bool:
    """Whether the line names the columns and is no entry."""
    return heading_points(first) > 0


def has_heading_of_one(line: str) -> bool:
    """Whether a line without columns is the heading of names."""
    return _plain(heading_kind(line)[0]) in NAMED


def are_names_with_comma(lines: Sequence[str]) -> bool:
    """Whether most lines are "Ammann, Anna": behind the comma stand first names."""
    behind = [line.split(",")[1][:LONGEST_JUDGED] for line in lines if line.count(",") == 1]
    return (
        bool(behind)
        and sum(bool(part.split()) and _is_given(part.split()[0]) for part in behind) > len(behind) / 3
    )


def list_likeness(rows: Rows) -> tuple[bool, int, int]:
    """How much the rows of a sheet look like a list of people: by names in it, then by its headings."""
    layout = layout_guessed(rows)
    body = rows[layout.above + layout.headed :]
    if not NAMED & set(layout.kinds) or not body:
        return False, 0, 0
    at = [at for at, kind in enumerate(layout.kinds) if kind in (*NAMED, "first_name")]
    names = [
        " ".join(filter(None, (cells[one] for one in at if one < len(cells)))) for _number, cells in body
    ]
    named = 4 * sum(map(_names_somebody, names)) > len(names)
    return named, 2 if layout.headed else 1, sum(map(bool, layout.kinds)) if layout.headed else 0


def layout_guessed(rows: Rows, hidden: frozenset[int] = frozenset()) -> Layout:
    """Where the heading stands and what each column is. `hidden`: columns that nobody sees are left out."""
    width = max((len(cells) for _number, cells in rows), default=0)
    points = [heading_points(cells) for _number, cells in rows[:MOST_ABOVE]]
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
    """Of a list without a heading: titles of one cell above rows of several."""
    filled = [sum(bool(cell.strip()) for cell in cells) for _number, cells in rows]
    usual = Counter(filled).most_common(1)[0][0] if filled else 1
    if usual < 2:
        return 0
    return next((at for at, count in enumerate(filled[:MOST_ABOVE]) if count > 1), 0)


def kinds_guessed(first: Sequence[str], *, headed: bool) -> tuple[str, ...]:
    """What each column is, by the first line of the file; "" for what nobody knows."""
    return layout_guessed([(1, first)]).kinds if headed else tuple(_by_values([[cell] for cell in first]))


def _by_headings(
    heading: Sequence[str], over: Sequence[str], values: Sequence[Sequence[str]]
) -> tuple[list[str], bool | None]:
    """The kinds, and the order of names that the heading says. `over`: the line above it, which may say whose
    the columns below are."""
    groups, hint = _groups(over, len(heading)), None
    kinds: list[str] = []
    for at, text in enumerate(heading):
        kind, _whole = heading_kind(text)
        if kind.startswith("name_"):
            hint = kind == "name_family_first" if hint is None else hint
        kind = _plain(kind)
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
        # "Name" beside "Vorname" is the family name; "Nome" alone, or beside no family name, is both in one.
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
            kind or (other if _plain(other) in ("name", "family_name", "first_name") else "")
            for kind, other in zip(kinds, guessed, strict=True)
        ]
    return ["" if kind in ("none", "index", "fee") else kind for kind in kinds], hint


def _groups(over: Sequence[str], width: int) -> list[bool]:
    """For each column whether the line above says that it is the partner's: "Spieler 1 | | Spieler 2 | "."""
    found: list[bool] = []
    now: bool | None = False
    cells = [*over, *[""] * (width - len(over))]
    counted = [_counted(cell) for cell in cells]
    if True not in counted:
        return [False] * width
    for at in range(width):
        now = counted[at] if counted[at] is not None else now
        found.append(bool(now))
    return found


def _counted(text: str) -> bool | None:
    """Whether a group of columns is the partner's; None where nothing says whose it is."""
    words = set(folded(text).split())
    if words & _PARTNER_WORDS or (words & _COUNTED and words & _SECOND):
        return True
    return False if words & _COUNTED and words & _FIRST else None


def _without_doubles(kinds: Sequence[str], values: Sequence[Sequence[str]]) -> list[str]:
    """Of two columns for one thing the second is the partner's where it is about a person; else the fuller
    one counts."""
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
    """What columns without headings are, by what stands in them. `sure`: only what the values say."""
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
    """ "text" for words that say nothing."""
    if not values:
        return ""
    values = [value[:LONGEST_JUDGED] for value in values[:MOST_JUDGED]]

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
    alone = sum(all(map(_is_given, value.split())) for value in values)
    if alone > 0.4 * len(values):
        return "first_name"
    return "name" if sum(map(_names_somebody, values)) > 0.25 * len(values) else "text"


def _is_given(word: str) -> bool:
    return bool(folded(word)) and all(part in GIVEN for part in folded(word).split())


def _names_somebody(text: str) -> bool:
    """Whether several words stand there, of which the first or the last is a first name."""
    words = re.sub(r"[(),&+/]", " ", text[:LONGEST_JUDGED]).split()
    return (
        len(words) > 1 and any(map(_is_given, (words[0], words[-1]))) and not any(c.isdigit() for c in text)
    )


def order_in(rows: Rows, kinds: Sequence[str]) -> bool:
    """Whether most names in one cell begin with the family name, for columns that people have chosen."""
    values = [[cells[at] for _n, cells in rows if at < len(cells)] for at in range(len(kinds))]
    return _family_first(kinds, values, None)


def _family_first(kinds: Sequence[str], values: Sequence[Sequence[str]], hint: bool | None) -> bool:
    """In which order names in one cell are written: what most of them show, else what the heading says."""
    given = "first_name" not in kinds
    texts = [
        value
        for kind, found in zip(kinds, values, strict=False)
        if kind in ("name", "partner") or (kind == "family_name" and given)
        for value in found
    ]
    votes = order_votes(texts)
    return votes > 0 if votes else bool(hint)


def described(
    rows: Rows, kinds: Sequence[str], *, headed: bool, above: int = 0, hidden: frozenset[int] = frozenset()
) -> tuple[Column, ...]:
    """Every column of the file, also those that are left out."""
    width = max((len(cells) for _number, cells in rows), default=0)
    body = rows[above + headed :]
    found = []
    for at in range(width):
        values = (cells[at].strip() for _number, cells in body if at < len(cells) and cells[at].strip())
        first = tuple(value[:40] for value, _n in zip(values, range(FIRST_VALUES), strict=False))
        heading = rows[above][1][at].strip()[:LONGEST_SHOWN] if headed and at < len(rows[above][1]) else ""
        found.append(Column(at, heading, first, kinds[at] if at < len(kinds) else "", at in hidden))
    return tuple(found)


def refuse_impossible(kinds: Sequence[str]) -> None:
    """Raises TournamentError `import/column_twice`, `import/no_name_column`, `import/unknown_column`."""
    given = [kind for kind in kinds if kind]
    if len(kinds) > MOST_COLUMNS or any(kind not in KINDS for kind in given):
        raise TournamentError("import/unknown_column", _("Choose for each column what it is."))
    if len(set(given)) < len(given):
        raise TournamentError(
            "import/column_twice", _("Two columns are said to be the same: choose another for one of them.")
        )
    if not NAMED & set(given):
        raise TournamentError(
            "import/no_name_column", _("Choose the column in which the names stand, and look again.")
        )
