"""Checkpoints: one signature over the heads of all streams of a championship or series. A checkpoint printed
on paper in the hall proves later that the streams were not changed.

docs/developers/sealing.md describes them; docs/verify/puur_verify.py is a second implementation.
"""

from games.sealing.checkpoints import (
    Checkpoint,
    after,
    decode_body,
    each,
    find_latest_checkpoint,
    heads_of,
    listed,
    seal,
)
from games.sealing.errors import SealKeyError
from games.sealing.keys import SealKey, load_key, load_key_in_use, make_seal_key
from games.sealing.verifying import compared
from games.sealing.words import in_words

__all__ = [
    "Checkpoint",
    "SealKey",
    "SealKeyError",
    "after",
    "compared",
    "decode_body",
    "each",
    "find_latest_checkpoint",
    "heads_of",
    "in_words",
    "listed",
    "load_key",
    "load_key_in_use",
    "make_seal_key",
    "seal",
]
