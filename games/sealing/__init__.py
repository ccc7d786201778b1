"""Checkpoints: one signature over the heads of all streams of a championship or series. A checkpoint printed
on paper in the hall proves later that the streams were not changed.

docs/developers/sealing.md describes them; docs/verify/puur_verify.py is a second implementation.
"""

from games.sealing.checkpoints import (
    Checkpoint,
    after,
    decode_body,
    each,
    heads_of,
    latest_checkpoint,
    listed,
    seal,
)
from games.sealing.errors import SealKeyError
from games.sealing.keys import SealKey, key_in_use, load_key, make_seal_key
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
    "heads_of",
    "in_words",
    "key_in_use",
    "latest_checkpoint",
    "listed",
    "load_key",
    "make_seal_key",
    "seal",
]
