"""The twelve words of a checkpoint."""

from __future__ import annotations

import re

from .canonical import sha256
from .report import Unusable

CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"
WORD_PATTERN = re.compile("[%s][%s][%s][%s][%s]" % (CONSONANTS, VOWELS, CONSONANTS, VOWELS, CONSONANTS))


def encode_words(digest):
    """Return the twelve words of a checkpoint's hash."""
    kept = digest[:22]
    whole = kept + sha256(b"puur/words/1" + kept)[:2]
    words = []
    for at in range(0, 24, 2):
        bits = int.from_bytes(whole[at : at + 2], "big")
        letters = (
            (CONSONANTS, 12, 15),
            (VOWELS, 10, 3),
            (CONSONANTS, 6, 15),
            (VOWELS, 4, 3),
            (CONSONANTS, 0, 15),
        )
        words.append("".join(table[bits >> shift & mask] for table, shift, mask in letters))
    return words


def parse_words(text):
    """Read the twelve words from a sheet or from the address in its QR code.

    Raise Unusable if one is mistyped.
    """
    words = re.findall("[a-z]+", text.rpartition("#")[2].lower())
    if len(words) != 12:
        raise Unusable("a checkpoint has 12 words; here are %d" % len(words))
    bits = 0
    for place, word in enumerate(words, 1):
        if not WORD_PATTERN.fullmatch(word):
            raise Unusable("word %d, %r, is none of a checkpoint's: look again" % (place, word))
        for letter in word:
            letters = CONSONANTS if letter in CONSONANTS else VOWELS
            bits = bits * len(letters) + letters.index(letter)
    if encode_words(bits.to_bytes(24, "big")) != words:
        raise Unusable("one of the words is mistyped: they do not fit together")
    return words
