"""Public names: full names, initials that stay distinct, or numbers."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

FULL: Final = "full"
CONSENTED: Final = "consented"
"""Kind of public names: full names, but numbers for persons who have withdrawn their consent to be named."""
INITIALS: Final = "initials"
NUMBERS: Final = "numbers"


class PublicPerson(NamedTuple):
    """The data from which a public name is made.

    `key`: chosen by the caller; `number`: of the entry; `unnamed`: the consent to be named is withdrawn.
    """

    key: int
    number: int
    first: str
    family: str
    unnamed: bool = False


def find_name_kind(chosen: str, someone_unnamed: bool) -> str:
    """Return the kind of names that the public sees.

    `chosen`: the organiser's choice; `someone_unnamed`: whether a person has withdrawn their consent.
    """
    return CONSENTED if chosen == FULL and someone_unnamed else chosen


def numbered_name(number: int) -> str:
    """Return the text that replaces a hidden or erased name."""
    return f"№ {number}"


def initials(first: str, family: str) -> str:
    """Return the initials of a name: "F. v. R." for "Fredi", "von Rotz"; empty without letters."""
    words = [word for part in (first, family) for word in part.split()]
    letters = (next(filter(str.isalpha, unicodedata.normalize("NFC", word)), "") for word in words)
    return " ".join(f"{letter}." for letter in letters if letter)


def public_names(people: Iterable[PublicPerson], kind: str) -> Mapping[int, str]:
    """Return key → public name. `kind`: CONSENTED, INITIALS or NUMBERS.

    With the kind CONSENTED only people who have withdrawn their consent are in the result. Equal initials are
    followed by the number.
    """
    everybody = list(people)
    numbers = {one.key: numbered_name(one.number) for one in everybody if kind == NUMBERS or one.unnamed}
    if kind in (NUMBERS, CONSENTED):
        return numbers
    short = {one.key: initials(one.first, one.family) for one in everybody if one.key not in numbers}
    times = Counter(short.values())
    return numbers | {
        one.key: (f"{short[one.key]} ({one.number})" if times[short[one.key]] > 1 else short[one.key])
        if short[one.key]
        else numbered_name(one.number)
        for one in everybody
        if one.key in short
    }
