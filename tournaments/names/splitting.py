"""Splitting a full name into family name and first name."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from tournaments.names.given import GIVEN
from tournaments.names.spelling import MAX_NAME_LENGTH, fold

_PARTICLES: Final = """
von vom van de da di do du des del della dei degli dal dalla dos das den der dem la le lo les los las ten ter
te zu zum zur zem am im auf aus el al bin ben ibn mac mc st. san saint
"""
PARTICLES: Final = frozenset(_PARTICLES.split())
"""Lower-case words with which a family name can begin, such as "von"."""


_SUFFIX: Final = re.compile(
    r"(?:(?<=\s)|(?<=,))\([^()]*\)|(?:(?<=\s)|(?<=,))(?:sen|jun|sr|jr|snr|jnr)\b\.?|(?:(?<=\s)|(?<=,))(?:senior|junior|II|III|IV)\b"
    r"|(?<=\s)d\.\s?[ÄäJj]\.",
    re.IGNORECASE,
)
"""Additions to a name that distinguish namesakes: generations such as "jun.", and text in brackets."""
_SALUTATION: Final = re.compile(
    r"^\s*(?:(?:frau|herrn?|madame|monsieur|mme|signora?|señora?)\s+|(?:fr|hr|mr|mrs|ms|mme|sig|sra)\.\s+)"
    r"(?=\S+\s+\S)",
    re.IGNORECASE,
)


class TwoNames(NamedTuple):
    """First name and family name. A single name is a family name."""

    first: str
    family: str

    @property
    def running(self) -> str:
        """The name in speaking order: "Fredi Müller"."""
        return f"{self.first} {self.family}".strip()

    @property
    def listed(self) -> str:
        """The name in list order: "Müller Fredi"."""
        return f"{self.family} {self.first}".strip()


def given_first(text: str) -> TwoNames:
    """Split a name that has the first name first. The family name begins at the first particle; without one
    it is the last word.

    A text that begins with a particle or ends in a number ("Gast 12") is one family name.
    """
    words = text.split()
    if len(words) < 2 or not any(c.isalpha() for c in words[-1]) or words[0].casefold() in PARTICLES:
        return TwoNames("", " ".join(words))
    inner = range(1, len(words) - 1)
    at = next((i for i in inner if words[i].casefold() in PARTICLES), len(words) - 1)
    return TwoNames(" ".join(words[:at]), " ".join(words[at:]))


def order_votes(texts: Iterable[str]) -> int:
    """Return the number of names whose form shows that the family name is first, minus the number of names
    whose form shows the opposite.
    """
    return sum(_order_vote(text) for text in texts)


def _order_vote(text: str) -> int:
    if len(text) > 4 * MAX_NAME_LENGTH:
        return 0
    words = _split_suffix(text.replace(",", " "))[0].split()
    if len(words) < 2:
        return 0
    if is_given(words[0]) and not is_given(words[-1]):
        return -1
    return 1 if "," in text or _count_capitals(words) or _particles_end(words) or _given_start(words) else 0


def is_family_first(texts: Iterable[str]) -> bool:
    """Return whether the family name is first in most names whose form shows an order."""
    return order_votes(texts) > 0


def read_in_order(text: str, *, family_first: bool) -> TwoNames:
    """Split a name from a list. `family_first`: whether the list puts family names first.

    The name's own form overrides that order: a comma after the family name, capitals, or a leading
    particle. A salutation is dropped. "sen.", "jun." and text in brackets stay behind the family name.
    """
    bare, suffix = _split_suffix(_SALUTATION.sub("", text))
    found = _split_in_order(bare, family_first)
    if not suffix:
        return found
    return TwoNames(found.first, f"{found.family} {suffix}".strip())


def _split_in_order(text: str, family_first: bool) -> TwoNames:
    family, comma, first = text.partition(",")
    if comma and family.strip() and "," not in first:
        return _build_names(first.split(), family.split())
    words = text.replace(",", " ").split()
    if len(words) < 2:
        return given_first(" ".join(words))
    if at := _count_capitals(words):
        return _build_names(words[at:], words[:at])
    if at := _count_capitals(words[::-1]):
        return _build_names(words[:-at], words[-at:])
    if not family_first:
        at = _particles_end(words)
        return _build_names(words[at:], words[:at]) if at else given_first(" ".join(words))
    if not any(c.isalpha() for c in words[-1]):
        return TwoNames("", " ".join(words))
    if _particle_before_last(words):
        return given_first(" ".join(words))
    last = _last_name_start(words)
    at = _particles_end(words) or _given_start(words[: last + 1]) or last
    return _build_names(words[at:], words[:at])


def _build_names(first: list[str], family: list[str]) -> TwoNames:
    return TwoNames(" ".join(first), " ".join(family)) if family else TwoNames("", " ".join(first))


def _split_suffix(text: str) -> tuple[str, str]:
    """Split a name into the name itself and its addition for namesakes: "sen.", "jun.", "(Glarus)", or ""."""
    found = _SUFFIX.findall(text)
    if not found:
        return " ".join(text.split()), ""
    bare = " ".join(_SUFFIX.sub(" ", text).split()).strip(" ,")
    marked = all(part.endswith((".", ")")) for part in found)
    if not bare or (len(bare.split()) < 2 and not marked):  # in "Anna Sen" it is the name
        return " ".join(text.split()), ""
    return bare, " ".join(part.strip(" ,") for part in found)


def read_name(text: str, *, family_first: bool = False) -> TwoNames:
    """Split a name in any usual form: "Fredi Müller", "Müller Fredi", "Müller, Fredi", "MÜLLER Fredi".

    The family name comes first if the form shows it: a comma, capitals, a leading particle, or a last word
    that is a common first name while the first word is none. Otherwise it comes first if its list has it
    first (`family_first`) and the first word is no common first name.
    """
    bare, suffix = _split_suffix(text)
    found = _split_name(bare, family_first)
    return TwoNames(found.first, f"{found.family} {suffix}".strip()) if suffix else found


def _split_name(text: str, family_first: bool) -> TwoNames:
    family, comma, first = text.partition(",")
    if comma and family.strip() and "," not in first:
        return TwoNames(" ".join(first.split()), " ".join(family.split()))
    words = text.replace(",", " ").split()
    if len(words) < 2:
        return given_first(" ".join(words))
    for at in (_count_capitals(words), _particles_end(words), _given_start(words)):
        if at:
            return TwoNames(" ".join(words[at:]), " ".join(words[:at]))
    listed = family_first and not is_given(words[0]) and not _particle_before_last(words)
    if listed and not any(c.isdigit() for c in words[-1]):
        at = _last_name_start(words)
        return TwoNames(" ".join(words[at:]), " ".join(words[:at]))
    return given_first(" ".join(words))


def _count_capitals(words: list[str]) -> int:
    """Return the number of leading words in capitals; 0 if all words are in capitals, or a word after others
    is.
    """
    loud = [word.isupper() and len(word) > 1 and not word.endswith(".") for word in words]
    count = loud.index(False) if False in loud else 0
    return count if not any(loud[count:]) else 0


def _particles_end(words: list[str]) -> int:
    """Return the number of leading words that form a family name with particles; 0 if none, or no word
    follows.
    """
    if words[0].casefold() not in PARTICLES:
        return 0
    end = next((i for i, word in enumerate(words) if word.casefold() not in PARTICLES), len(words)) + 1
    return end if end < len(words) else 0


def _particle_before_last(words: list[str]) -> bool:
    """Return whether a particle shows that the last word belongs to the family name, as in "Hans von Rotz".
    "Rotz von Hans" and, with a capital, "Nguyen Van Hoa" show nothing.
    """
    before = words[-2]
    if len(words) < 3 or before.casefold() not in PARTICLES or words[0].casefold() in PARTICLES:
        return False
    return is_given(words[0]) or (before in PARTICLES and not is_given(words[-1]))


def _last_name_start(words: list[str]) -> int:
    """Return the index of the last word before the particles at the end: of "Hans" in "Rotz Hans von"."""
    at = len(words) - 1
    while at > 1 and words[at] in PARTICLES:
        at -= 1
    return at


def _given_start(words: list[str]) -> int:
    """Return the index of the first name after the family name, by common first names; 0 if they show
    nothing.
    """
    if is_given(words[0]) or not is_given(words[-1]):
        return 0
    at = len(words) - 1
    while at > 1 and is_given(words[at - 1]):
        at -= 1
    return at


def is_given(word: str) -> bool:
    return bool(fold(word)) and all(part in GIVEN for part in fold(word).split())
