"""Validation of names, and comparison regardless of spelling."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError

MAX_NAME_LENGTH: Final = 90
"""Largest number of characters of a name."""
MAX_SORTING_LENGTH: Final = 4 * MAX_NAME_LENGTH
"""Largest number of characters of a sort key, in which one letter becomes up to four."""
MAX_CLUB_LENGTH: Final = 40
JOINED: Final = 5
"""Smallest length of a word that matches across a hyphen or a space: "hanspeter" in "Hans-Peter"."""
MAX_MARKS: Final = 4
"""A text longer than this many times the allowed length is refused before it is normalised."""
_FORBIDDEN: Final = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Control, bidirectional and other invisible characters, and unassigned ones."""

_APOSTROPHES: Final = dict.fromkeys(map(ord, "'’‘‛ʼʻʹˈ`´′＇"))
_PLAIN_LETTERS: Final = str.maketrans(
    {
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "ß": "ss",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "ı": "i",
        "ħ": "h",
        "ŧ": "t",
        "ŋ": "n",
        "ə": "e",
        "ĸ": "k",
        "ŀ": "l",
        "ŉ": "n",
    }
)
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_WRITTEN_UMLAUT: Final = re.compile(r"((?<![aeoq])u|[ao])e+")
"""An umlaut written with e. In "Bauer", "Neuenburg" and "Jacques" the e is a letter of its own."""


def clean(text: str, *, longest: int = MAX_NAME_LENGTH, field: str = "name", needed: bool = False) -> str:
    """Return the text in NFC with single spaces, possibly "".

    Raises TournamentError `names/missing` if it is empty although `needed`, `names/too_long`,
    `names/forbidden_characters`.
    """
    found = " ".join(text.split())
    # Normalisation of combining marks is quadratic, so texts that are too long anyway are not normalised.
    if len(found) <= MAX_MARKS * longest:
        found = unicodedata.normalize("NFC", found)
    if needed and not found:
        raise TournamentError("names/missing", _("A name is missing."), field=field)
    if len(found) > longest:
        raise TournamentError(
            "names/too_long",
            _("“%(text)s…” is longer than %(longest)s characters."),
            text=found[:longest],
            longest=longest,
            field=field,
        )
    if any(unicodedata.category(c) in _FORBIDDEN for c in found):
        raise TournamentError(
            "names/forbidden_characters",
            _("“%(text)s” contains characters that cannot be displayed."),
            text="".join(c for c in found if unicodedata.category(c) not in _FORBIDDEN),
            field=field,
        )
    return found


@lru_cache(maxsize=50_000)
def fold(name: str) -> str:
    """Fold a name for comparison and search: "Müller", "Muller" and "MUELLER" are "muller".

    Case, accents and apostrophes are ignored. Letters like æ, œ, ø, ß, ł, đ and ı become plain letters. An
    umlaut becomes its base letter, also if it is written with an e. Hyphens and other signs become spaces.
    """
    return _WRITTEN_UMLAUT.sub(r"\1", _without_marks(name))


def _without_marks(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name.translate(_APOSTROPHES)).casefold().translate(_PLAIN_LETTERS)
    letters = (c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in letters).split())


def sort_key(family: str, first: str) -> str:
    """Return the sort key of a person: family name, then first name, with ü as ue.

    For usual names `fold` of this key equals `fold` of the name, so it can be searched.
    """
    text = unicodedata.normalize("NFC", f"{family} {first}").casefold()
    return _without_marks(text.translate(_UMLAUTS))[:MAX_SORTING_LENGTH]


def name_key(name: str) -> tuple[str, ...]:
    """Return a key of the words of a name: equal for "Fredi Müller" and "Mueller, Fredi"."""
    return tuple(sorted(fold(name).split()))


def matches(text: str, sort_name: str) -> bool:
    """Return whether a name contains every word of the text as a substring, in any order. `sort_name`: the
    name's sort key.
    """
    found = fold(sort_name)
    joined = found.replace(" ", "")
    return all(word in found or (len(word) >= JOINED and word in joined) for word in name_key(text))


def search_pattern(word: str) -> str:
    """Return a regular expression that finds a folded word in stored sort keys. After a, o and u it accepts
    any number of e's, so it finds more names than `matches`.
    """
    gap = " ?" if len(word) >= JOINED else ""
    return gap.join(re.escape(c) + ("e*" if c in "aou" else "") for c in word)


def join_names(names: Sequence[str], most: int = 5) -> str:
    """Join names for a sentence. An ellipsis replaces the names after the first `most`."""
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")
