"""Which entry somebody means: by its number, by its name in any order of words, or by a beginning of it."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry
from tournaments.names import folded, name_key
from tournaments.services.entries.entries import MOST_DIGITS

_NAMED = 4
"""So many are named where several are meant."""


def entry_of(championship: Championship, text: str) -> Entry | None:
    """The entry of "12", "12 Anna Ammann", "Ammann Anna" or "anna am"; None for no text.

    Raises TournamentError `entries/unknown`, and `entries/ambiguous` with those who could be meant.
    """
    text = text.strip()
    if not text:
        return None
    number = text.split()[0].rstrip(".,")
    if number.isascii() and number.isdecimal() and len(number) <= MOST_DIGITS:
        found = list(championship.entries.filter(number=int(number)))
    else:
        found = entries_named(
            championship.entries.exclude(status=Entry.Status.WITHDRAWN).order_by("number"), text
        )
    if not found:
        raise _unknown(text)
    if len(found) > 1:
        raise ambiguous(text, [f"{entry.number} {entry.name}" for entry in found])
    return found[0]


def entries_named(entries: Iterable[Entry], text: str) -> list[Entry]:
    """Those whose name has these words, spelling and order aside; or whose words begin so."""
    everybody = list(entries)
    wanted = _words(text)
    begun = (entry for entry in everybody if _begin(wanted, _words(entry.name)))
    return entries_called(everybody, text) or list(begun)


def entries_called(entries: Iterable[Entry], text: str) -> list[Entry]:
    """Those whose name has exactly these words, spelling and order aside, or these letters: "Hanspeter"."""
    wanted, joined = _words(text), _letters(text)
    return [entry for entry in entries if _words(entry.name) == wanted or _letters(entry.name) == joined]


def _words(name: str) -> tuple[str, ...]:
    """The words of a name as they are compared: "Müller-Ott  Fredi" and "fredi Müller-Ott" are one."""
    return name_key(name)


def _letters(name: str) -> str:
    return folded(name).replace(" ", "")


def ambiguous(text: str, found: Sequence[str]) -> TournamentError:
    """That several could be meant by a text."""
    names = ", ".join(found[:_NAMED]) + (", …" if len(found) > _NAMED else "")
    sentence = _("“%(text)s” can be several: %(names)s. Write the number.")
    return TournamentError("entries/ambiguous", sentence, text=text, names=names)


def _unknown(text: str) -> TournamentError:
    if text.isascii() and text.isdecimal():
        return TournamentError("entries/unknown", _("There is no entry %(number)s."), number=text)
    sentence = _("Nobody who is entered is called “%(text)s”.")
    return TournamentError("entries/unknown", sentence, text=text)


def _begin(wanted: Sequence[str], words: Sequence[str]) -> bool:
    """Whether each wanted word is the beginning of another word."""
    left = list(words)
    for word in sorted(wanted, key=len, reverse=True):
        hit = next((one for one in left if one.startswith(word)), None)
        if hit is None:
            return False
        left.remove(hit)
    return True
