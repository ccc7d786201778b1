"""Detection of a text's encoding: that in which its letters form words."""

import re
import unicodedata
from itertools import islice
from typing import Final

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError

_MARKED: Final = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
"""Byte order marks with their encodings."""
SINGLE_BYTE: Final = ("cp1252", "iso8859-15", "mac-roman", "cp850", "cp1250")
"""Single-byte encodings, most likely first; of equally good ones the first is taken."""
_WEIGHTS: Final = {
    letter: weight
    for letters, weight in (("äöüÄÖÜéè", 3), ("àâçêëîïôûùñßœŒÉÈÀÇ", 2), ("ìòóíáúÂÊÔæøåØÅšžčćđłńŠŽČŁ", 1))
    for letter in letters
}
"""Weights of letters by their frequency in names on Swiss lists. Other letters count against an encoding."""
_QUOTES: Final = frozenset("«»“”„‘’‚–—…\u00a0")
_SYMBOLS: Final = frozenset("€§°©£½•")
_DOUBLY_ENCODED: Final = re.compile(
    "[\u00c2-\u00f4][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u2122]+"
)
"""UTF-8 that was decoded as Windows-1252: "MÃ¼ller"."""


_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")
MAX_JUDGED: Final = 20_000
"""Number of characters by which an encoding is rated."""


def decode_text(data: bytes) -> tuple[str, str]:
    """Return the text and its encoding. Repairs doubly encoded UTF-8.

    Raises TournamentError `import/undecodable` if no common encoding fits, `import/nul_bytes`.
    """
    text, encoding = _decode(data)
    if text is None or _has_controls(text):
        if encoding == "binary":
            raise TournamentError(
                "import/nul_bytes",
                _(
                    "This is not a list: it contains NUL bytes. Save it as XLSX, or as CSV in UTF-8, "
                    "and try again."
                ),
            )
        raise TournamentError(
            "import/undecodable",
            _("The characters of the file cannot be read. Save it as CSV in UTF-8 and try again."),
        )
    return _DOUBLY_ENCODED.sub(_decode_once_more, text), encoding


def _decode(data: bytes) -> tuple[str | None, str]:
    for mark, encoding in _MARKED:
        if data.startswith(mark):
            return _try_decode(data, encoding), encoding
    if b"\x00" in data:
        encoding = _utf_16_without_mark(data)
        return (_try_decode(data, encoding), "utf-16") if encoding else (None, "binary")
    if (text := _try_decode(data, "utf-8")) is not None:
        return text, "utf-8-sig"
    return _decode_by_line(data)


def _try_decode(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _utf_16_without_mark(data: bytes) -> str:
    """Return the UTF-16 encoding in which most bytes at one place of a pair, and none at the other, are NUL;
    else "".
    """
    even, odd = data[::2], data[1::2]
    if len(data) % 2:
        return ""
    if odd.count(0) > 0.7 * len(odd) and even.count(0) == 0:
        return "utf-16-le"
    return "utf-16-be" if even.count(0) > 0.7 * len(even) and odd.count(0) == 0 else ""


def _decode_by_line(data: bytes) -> tuple[str | None, str]:
    """Decode a file that was joined from several files: each line as UTF-8 if possible, else in the best
    single-byte encoding.

    Returns the text (None if no encoding fits) and the encoding.
    """
    lines = data.splitlines(keepends=True)
    texts = [_try_decode(line, "utf-8") for line in lines]
    others = b"".join(line for line, text in zip(lines, texts, strict=True) if text is None)
    readable = {
        encoding: text for encoding in SINGLE_BYTE if (text := _try_decode(others, encoding)) is not None
    }
    possible = {encoding: text for encoding, text in readable.items() if not _has_controls(text)}
    if not possible:
        return None, ""
    best = max(possible, key=lambda encoding: (_likeness(possible[encoding]), -SINGLE_BYTE.index(encoding)))
    decoded = (line.decode(best) if text is None else text for line, text in zip(lines, texts, strict=True))
    return "".join(decoded), best


def _likeness(text: str) -> int:
    """Rate how much a text looks like words.

    Common letters within words count for it. Signs within words, and capitals after lower case, count against
    it.
    """
    points = 0
    for found in islice(_NOT_ASCII.finditer(text), MAX_JUDGED):
        at, letter = found.start(), found[0]
        before, after = text[at - 1 : at], text[at + 1 : at + 2]
        if letter.isalpha():
            points += _WEIGHTS.get(letter, -1)
            if letter.isupper() and (before.islower() or (before.isalpha() and after.islower())):
                points -= 4
            if letter.islower() and before.isupper() and after.isupper():
                points -= 4
        elif letter in _QUOTES:
            points -= 4 if before.isalpha() and after.isalpha() and letter != "’" else 0
        elif letter in _SYMBOLS and not (before.isalpha() or after.isalpha()):
            points += 1
        else:
            points -= 4 if before.isalpha() or after.isalpha() else 1
    return points


def _decode_once_more(match: re.Match[str]) -> str:
    try:
        return match[0].encode("cp1252").decode("utf-8")
    except UnicodeError:
        return match[0]


def _has_controls(text: str) -> bool:
    """Return whether the text has control characters that no list has. Such a text is binary, or wrongly
    decoded.
    """
    kinds = {letter for letter in set(text) if unicodedata.category(letter) == "Cc"}
    return bool(kinds - set("\t\r\n\v\f\x85\x1d\x1e\x1f"))
