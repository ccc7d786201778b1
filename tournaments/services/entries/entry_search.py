"""Finding an entry by number, name or beginnings of the name."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry
from tournaments.names import fold, join_names, name_key
from tournaments.services.entries.entries import MAX_DIGITS


def find_entry(championship: Championship, text: str) -> Entry | None:
    """Find the entry for "12", "12 Anna Ammann", "Ammann Anna" or "anna am"; None for an empty text.
    Withdrawn or waiting ones are found by number only.

    Raises TournamentError `entries/unknown`, and `entries/ambiguous` with the candidates.
    """
    text = text.strip()
    if not text:
        return None
    number = text.split()[0].rstrip(".,")
    if number.isascii() and number.isdecimal() and len(number) <= MAX_DIGITS:
        found = list(championship.entries.filter(number=int(number)))
    else:
        found = match_names(
            championship.entries.exclude(status=Entry.Status.WITHDRAWN).order_by("number"), text
        )
    if not found:
        raise _unknown(text)
    if len(found) > 1:
        raise make_ambiguous_error(text, [f"{entry.number} {entry.name}" for entry in found])
    return found[0]


def match_names(entries: Iterable[Entry], text: str) -> list[Entry]:
    """List the entries whose name has exactly these words. If there are none, list the entries whose name has
    words that begin with these words.
    """
    everybody = list(entries)
    wanted = name_key(text)
    begun = (entry for entry in everybody if _words_begin_with(wanted, name_key(entry.name)))
    return match_full_names(everybody, text) or list(begun)


def match_full_names(entries: Iterable[Entry], text: str) -> list[Entry]:
    """List the entries whose name has exactly these words. Order, case and accents do not matter. Names with
    the same letters but other blanks match too: "Hanspeter" and "Hans Peter".
    """
    wanted, joined = name_key(text), _letters(text)
    return [entry for entry in entries if name_key(entry.name) == wanted or _letters(entry.name) == joined]


def _letters(name: str) -> str:
    return fold(name).replace(" ", "")


def make_ambiguous_error(text: str, found: Sequence[str]) -> TournamentError:
    """Return the error for a text that fits several entries. `found`: their names."""
    sentence = _("“%(text)s” matches several: %(names)s. Enter the number.")
    return TournamentError("entries/ambiguous", sentence, text=text, names=join_names(found, 4))


def _unknown(text: str) -> TournamentError:
    if text.isascii() and text.isdecimal():
        return TournamentError("entries/unknown", _("There is no entry %(number)s."), number=text)
    sentence = _("Nobody who is entered is called “%(text)s”.")
    return TournamentError("entries/unknown", sentence, text=text)


def _words_begin_with(wanted: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether each wanted word is the beginning of a different word of `words`."""
    left = list(words)
    for word in sorted(wanted, key=len, reverse=True):
        hit = next((one for one in left if one.startswith(word)), None)
        if hit is None:
            return False
        left.remove(hit)
    return True
