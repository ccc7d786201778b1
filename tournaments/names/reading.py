"""A name written in one, taken apart: which words are the family name, which the first name."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from tournaments.names.given import GIVEN
from tournaments.names.spelling import folded

_PARTICLES: Final = """
von vom van de da di do du des del della dei degli dal dalla dos das den der dem la le lo les los las ten ter
te zu zum zur zem am im auf aus el al bin ben ibn mac mc st. san saint
"""
PARTICLES: Final = frozenset(_PARTICLES.split())
"""Words with which a family name begins, never a first name that stands alone before others."""


class TwoNames(NamedTuple):
    """First name and family name. Who has only one has a family name."""

    first: str
    family: str

    @property
    def running(self) -> str:
        """As one says it: "Fredi Müller"."""
        return f"{self.first} {self.family}".strip()

    @property
    def listed(self) -> str:
        """As it stands in a list that runs by family names: "Müller Fredi"."""
        return f"{self.family} {self.first}".strip()


def given_first(text: str) -> TwoNames:
    """First names stand first: the last word is the family name, with the particles before it.

    Put together again they are the text. What has a number in it ("Gast 12", "№ 7") is one name.
    """
    words = text.split()
    if len(words) < 2 or not any(c.isalpha() for c in words[-1]) or words[0].casefold() in PARTICLES:
        return TwoNames("", " ".join(words))
    inner = range(1, len(words) - 1)
    at = next((i for i in inner if words[i].casefold() in PARTICLES), len(words) - 1)
    return TwoNames(" ".join(words[:at]), " ".join(words[at:]))


def family_comes_first(texts: Iterable[str]) -> bool:
    """Whether a list is written so: some of its names say it, and none says the opposite."""
    found = False
    for text in texts:
        words = text.replace(",", " ").split()
        if len(words) < 2:
            continue
        if _is_given(words[0]) and not _is_given(words[-1]):
            return False
        found = found or "," in text or any((_capitals(words), _particles(words), _before_given(words)))
    return found


def read_name(text: str, *, family_first: bool = False) -> TwoNames:
    """ "Fredi Müller", "Müller Fredi", "Müller, Fredi", "MÜLLER Fredi", "von Rotz Anna" and the like.

    Family name first is believed where something says so: a comma, capitals, a particle at the beginning, or
    that the last word is a usual first name and the first one is none. Else the first name stands first, or
    last where the list it is in is written so (`family_first`).
    """
    family, comma, first = text.partition(",")
    if comma and family.strip() and "," not in first:
        return TwoNames(" ".join(first.split()), " ".join(family.split()))
    words = text.replace(",", " ").split()
    if len(words) < 2:
        return given_first(" ".join(words))
    for at in (_capitals(words), _particles(words), _before_given(words)):
        if at:
            return TwoNames(" ".join(words[at:]), " ".join(words[:at]))
    if family_first and not _is_given(words[0]) and not any(c.isdigit() for c in words[-1]):
        return TwoNames(words[-1], " ".join(words[:-1]))
    return given_first(" ".join(words))


def _capitals(words: list[str]) -> int:
    """How many words at the beginning are written in capitals, where the others are not."""
    loud = [word.isupper() and len(word) > 1 and not word.endswith(".") for word in words]
    count = loud.index(False) if False in loud else 0
    return count if not any(loud[count:]) else 0


def _particles(words: list[str]) -> int:
    """The end of a family name that begins with particles and that something follows."""
    if words[0].casefold() not in PARTICLES:
        return 0
    end = next((i for i, word in enumerate(words) if word.casefold() not in PARTICLES), len(words)) + 1
    return end if end < len(words) else 0


def _before_given(words: list[str]) -> int:
    """Where the first names begin that stand behind the family name."""
    if _is_given(words[0]) or not _is_given(words[-1]):
        return 0
    at = len(words) - 1
    while at > 1 and _is_given(words[at - 1]):
        at -= 1
    return at


def _is_given(word: str) -> bool:
    return all(part in GIVEN for part in folded(word).split("-"))
