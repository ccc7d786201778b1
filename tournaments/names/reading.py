"""A name written in one, taken apart: which words are the family name, which the first name."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from tournaments.names.given import GIVEN
from tournaments.names.spelling import MAX_NAME_LENGTH, folded

_PARTICLES: Final = """
von vom van de da di do du des del della dei degli dal dalla dos das den der dem la le lo les los las ten ter
te zu zum zur zem am im auf aus el al bin ben ibn mac mc st. san saint
"""
PARTICLES: Final = frozenset(_PARTICLES.split())
"""Words with which a family name begins, never a first name that stands alone before others."""


_SUFFIX: Final = re.compile(
    r"(?:(?<=\s)|(?<=,))\([^()]*\)|(?:(?<=\s)|(?<=,))(?:sen|jun|sr|jr|snr|jnr)\b\.?|(?:(?<=\s)|(?<=,))(?:senior|junior|II|III|IV)\b"
    r"|(?<=\s)d\.\s?[ÄäJj]\.",
    re.IGNORECASE,
)
"""What tells people of one name apart: generations, and what stands in brackets."""
_SALUTATION: Final = re.compile(
    r"^\s*(?:(?:frau|herrn?|madame|monsieur|mme|signora?|señora?)\s+|(?:fr|hr|mr|mrs|ms|mme|sig|sra)\.\s+)"
    r"(?=\S+\s+\S)",
    re.IGNORECASE,
)


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


def order_votes(texts: Iterable[str]) -> int:
    """How many names of a list show that the family name comes first, less those that show the opposite."""
    return sum(_vote(text) for text in texts)


def _vote(text: str) -> int:
    if len(text) > 4 * MAX_NAME_LENGTH:
        return 0
    words = _split_suffix(text.replace(",", " "))[0].split()
    if len(words) < 2:
        return 0
    if is_given(words[0]) and not is_given(words[-1]):
        return -1
    return 1 if "," in text or _capitals(words) or _particles(words) or _before_given(words) else 0


def family_comes_first(texts: Iterable[str]) -> bool:
    """Whether most names of a list that show an order are written so."""
    return order_votes(texts) > 0


def read_in_order(text: str, *, family_first: bool) -> TwoNames:
    """A name of a list of which the order is known. What is written out says more: a comma behind the family
    name, a family name in capitals, one that begins with a particle.

    "sen.", "jun." and what stands in brackets tell namesakes apart: they stay behind the family name.
    """
    bare, suffix = _split_suffix(_SALUTATION.sub("", text))
    found = _in_order(bare, family_first)
    if not suffix:
        return found
    return TwoNames(found.first, f"{found.family} {suffix}".strip())


def _in_order(text: str, family_first: bool) -> TwoNames:
    family, comma, first = text.partition(",")
    if comma and family.strip() and "," not in first:
        return _named(first.split(), family.split())
    words = text.replace(",", " ").split()
    if len(words) < 2:
        return given_first(" ".join(words))
    if at := _capitals(words):
        return _named(words[at:], words[:at])
    if at := _capitals(words[::-1]):
        return _named(words[:-at], words[-at:])
    if not family_first:
        at = _particles(words)
        return _named(words[at:], words[:at]) if at else given_first(" ".join(words))
    if not any(c.isalpha() for c in words[-1]):
        return TwoNames("", " ".join(words))
    at = _particles(words) or _before_given(words) or len(words) - 1
    return _named(words[at:], words[:at])


def _named(first: list[str], family: list[str]) -> TwoNames:
    return TwoNames(" ".join(first), " ".join(family)) if family else TwoNames("", " ".join(first))


def _split_suffix(text: str) -> tuple[str, str]:
    """A name without what only tells it apart from the same name: "sen.", "jun.", "(Glarus)"."""
    found = _SUFFIX.findall(text)
    if not found:
        return " ".join(text.split()), ""
    bare = " ".join(_SUFFIX.sub(" ", text).split()).strip(" ,")
    marked = all(part.endswith((".", ")")) for part in found)
    if not bare or (len(bare.split()) < 2 and not marked):  # "Anna Sen" is called so
        return " ".join(text.split()), ""
    return bare, " ".join(part.strip(" ,") for part in found)


def read_name(text: str, *, family_first: bool = False) -> TwoNames:
    """ "Fredi Müller", "Müller Fredi", "Müller, Fredi", "MÜLLER Fredi", "von Rotz Anna" and the like.

    Family name first is believed where something says so: a comma, capitals, a particle at the beginning, or
    that the last word is a usual first name and the first one is none. Else the first name stands first, or
    last where the list it is in is written so (`family_first`).
    """
    bare, suffix = _split_suffix(text)
    found = _read(bare, family_first)
    return TwoNames(found.first, f"{found.family} {suffix}".strip()) if suffix else found


def _read(text: str, family_first: bool) -> TwoNames:
    family, comma, first = text.partition(",")
    if comma and family.strip() and "," not in first:
        return TwoNames(" ".join(first.split()), " ".join(family.split()))
    words = text.replace(",", " ").split()
    if len(words) < 2:
        return given_first(" ".join(words))
    for at in (_capitals(words), _particles(words), _before_given(words)):
        if at:
            return TwoNames(" ".join(words[at:]), " ".join(words[:at]))
    if family_first and not is_given(words[0]) and not any(c.isdigit() for c in words[-1]):
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
    if is_given(words[0]) or not is_given(words[-1]):
        return 0
    at = len(words) - 1
    while at > 1 and is_given(words[at - 1]):
        at -= 1
    return at


def is_given(word: str) -> bool:
    return bool(folded(word)) and all(part in GIVEN for part in folded(word).split())
