"""A checkpoint as twelve words that can be read aloud and typed: proquints (D. S. Wilkerson, 2009).

A word of five letters encodes 16 bits: consonant, vowel, consonant, vowel, consonant. It can be spoken in
every language. Eleven words encode the first 176 bits of the checkpoint's hash. The twelfth is a checksum,
which tells a typing error from the words of another checkpoint.
"""

import hashlib

CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"
DOMAIN = b"puur/words/1"
KEPT = 22
"""Number of bytes of the hash that the words encode."""


def in_words(digest: bytes) -> tuple[str, ...]:
    """Return the twelve words of a 32-byte hash."""
    kept = digest[:KEPT]
    whole = kept + hashlib.sha256(DOMAIN + kept).digest()[:2]
    return tuple(_word(int.from_bytes(whole[at : at + 2], "big")) for at in range(0, len(whole), 2))


def _word(bits: int) -> str:
    first, second, third, fourth, fifth = bits >> 12, bits >> 10, bits >> 6, bits >> 4, bits
    return "".join(
        (
            CONSONANTS[first & 15],
            VOWELS[second & 3],
            CONSONANTS[third & 15],
            VOWELS[fourth & 3],
            CONSONANTS[fifth & 15],
        )
    )
