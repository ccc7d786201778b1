"""Names as they come in: one form, no tricks; and what two spellings of one name have in common."""

import unicodedata
from typing import Final

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError

LONGEST: Final = 40
MOST_MARKS: Final = 4
"""So many times as long a name may be before its letters and their marks are put together."""
_FORBIDDEN: Final = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Control, bidirectional and other invisible characters, and what is no character at all."""


def clean(text: str, *, longest: int = LONGEST, field: str = "name", needed: bool = False) -> str:
    """The text in NFC with single spaces. Raises TournamentError where it cannot be a name."""
    found = " ".join(text.split())
    # Marks are put in order by comparing each with each, so not those of a text that stays too long anyway.
    if len(found) <= MOST_MARKS * longest:
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
            _("“%(text)s” contains characters that cannot be shown."),
            text="".join(c for c in found if unicodedata.category(c) not in _FORBIDDEN),
            field=field,
        )
    return found


def folded(name: str) -> str:
    """What two spellings of one name have in common: no case, no accents, ü written ue."""
    plain = name.casefold()
    for letter, pair in (("ä", "ae"), ("ö", "oe"), ("ü", "ue")):
        plain = plain.replace(letter, pair)
    decomposed = unicodedata.normalize("NFKD", plain)
    return " ".join("".join(c for c in decomposed if not unicodedata.combining(c)).split())


def sorting(family: str, first: str) -> str:
    """What lists of people run by, and what is searched: family name, then first name, folded."""
    return folded(f"{family} {first}")


def name_key(name: str) -> tuple[str, ...]:
    """The same for "Fredi Müller" and "Mueller, Fredi": two spellings of one person's name."""
    return tuple(sorted(folded(name).replace(",", " ").split()))


def matches(text: str, sort_name: str) -> bool:
    """Whether every word of the text is found in a folded name, in whatever order."""
    return all(word in sort_name for word in name_key(text))
