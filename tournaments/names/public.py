"""Names for whoever does not belong to a championship: initials that stay distinct, or numbers."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

FULL: Final = "full"
INITIALS: Final = "initials"
NUMBERS: Final = "numbers"


class PublicPerson(NamedTuple):
    """What the public form of a name is made of. `key`: whatever the caller knows him by."""

    key: int
    number: int
    first: str
    family: str


def numbered(number: int) -> str:
    """As somebody is called whose name is not said, or not known any more."""
    return f"№ {number}"


def initials(first: str, family: str) -> str:
    """ "Fredi", "von Rotz" → "F. v. R."; nothing where there is no letter."""
    words = [word for part in (first, family) for word in part.split()]
    letters = (next(filter(str.isalpha, unicodedata.normalize("NFC", word)), "") for word in words)
    return " ".join(f"{letter}." for letter in letters if letter)


def public_names(people: Iterable[PublicPerson], kind: str) -> Mapping[int, str]:
    """Key → what is shown. Of two with the same initials each has his number behind them."""
    everybody = list(people)
    if kind == NUMBERS:
        return {one.key: numbered(one.number) for one in everybody}
    short = {one.key: initials(one.first, one.family) for one in everybody}
    times = Counter(short.values())
    return {
        one.key: (f"{short[one.key]} ({one.number})" if times[short[one.key]] > 1 else short[one.key])
        if short[one.key]
        else numbered(one.number)
        for one in everybody
    }
