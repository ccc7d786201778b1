"""Text for a QR-bill, limited to the characters that all versions of its standard allow.

Source: Swiss Implementation Guidelines QR-bill 2.2, permitted characters. Version 2.3 allows more characters,
but not all readers support them. Non-Latin scripts are not transliterated: each character becomes a full
stop.
"""

import unicodedata
from typing import Final

ALLOWED: Final = frozenset(
    " !\"#%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]_`abcdefghijklmnopqrstuvwxyz{}~$£´÷"
    "àáâäçèéêëìíîïñòóôöùúûüýßÀÁÂÄÇÈÉÊËÌÍÎÏÒÓÔÖÙÚÛÜÑ"
)
_REPLACEMENTS: Final = {
    **dict.fromkeys("‐‑‒–—―−", "-"),
    **dict.fromkeys("«»“”„‟″", '"'),
    **dict.fromkeys("‘’‚‛‹›′ʼ", "'"),
    "…": "...",
    "·": "*",
    "•": "*",
    "×": "x",
    "|": "/",
    "€": "EUR",
    "^": "",
    "°": "o",
    "ø": "o",
    "Ø": "O",
    "ł": "l",
    "Ł": "L",
    "đ": "d",
    "Đ": "D",
    "ð": "d",
    "Ð": "D",
    "þ": "th",
    "Þ": "Th",
    "æ": "ae",
    "Æ": "Ae",
    "œ": "oe",
    "Œ": "Oe",
    "ı": "i",
    "ħ": "h",
    "Ħ": "H",
    "ẞ": "SS",
}
_PLACEHOLDER: Final = "."


def to_permitted(text: str) -> str:
    """Convert text to permitted characters without unknown diacritics. Empty if none is a letter or digit."""
    whole = unicodedata.normalize("NFC", text)
    found = " ".join("".join(map(_permitted_letter, whole)).split())
    return found if any(letter.isalnum() for letter in found) else ""


def _permitted_letter(letter: str) -> str:
    if letter in ALLOWED:
        return letter
    if letter in _REPLACEMENTS:
        return _REPLACEMENTS[letter]
    if letter.isspace():
        return " "
    if unicodedata.category(letter)[0] in "CM":
        return ""
    bare = "".join(one for one in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(one))
    if bare != letter:
        return "".join(_permitted_letter(one) for one in bare)
    return _PLACEHOLDER
