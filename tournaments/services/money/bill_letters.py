"""Text for a QR-bill: only the letters that its standard allows, in every version banks read.

Source: Swiss Implementation Guidelines QR-bill 2.2, the permitted characters; 2.3 allows more, but not all
readers know it yet. Omitted: scripts that are not Latin, of which nothing is left but a point.
"""

import unicodedata
from typing import Final

ALLOWED: Final = frozenset(
    " !\"#%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]_`abcdefghijklmnopqrstuvwxyz{}~$£´÷"
    "àáâäçèéêëìíîïñòóôöùúûüýßÀÁÂÄÇÈÉÊËÌÍÎÏÒÓÔÖÙÚÛÜÑ"
)
_INSTEAD: Final = {
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
_LEFT: Final = "."


def permitted(text: str) -> str:
    """The text in letters that a QR-bill may have: marks are taken off a letter that it does not know."""
    whole = unicodedata.normalize("NFC", text)
    found = " ".join("".join(map(_permitted, whole)).split())
    return found if any(letter.isalnum() for letter in found) else ""


def _permitted(letter: str) -> str:
    if letter in ALLOWED:
        return letter
    if letter in _INSTEAD:
        return _INSTEAD[letter]
    if letter.isspace():
        return " "
    if unicodedata.category(letter)[0] in "CM":
        return ""
    bare = "".join(one for one in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(one))
    if bare != letter:
        return "".join(_permitted(one) for one in bare)
    return _LEFT
