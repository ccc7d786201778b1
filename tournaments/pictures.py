"""Re-encoding of uploaded pictures in a confined process.

Only the pixels are kept, so that location data and any other content of the file are removed.
"""

import hashlib
from typing import Final, NamedTuple

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.sandbox import picture
from tournaments.sandbox.running import TookTooMuch, run_confined

MAX_BYTES: Final = 20 * 2**20
"""Largest size of an uploaded file, in bytes; photos of phones are smaller."""
MAX_MEMORY: Final = 768 * 2**20
MAX_SIDE_PIXELS: Final = picture.MAX_SIDE_PIXELS


class Picture(NamedTuple):
    """A JPEG without metadata. `width`, `height`: in pixels; `digest`: SHA-256 of `data`, in hex."""

    data: bytes
    width: int
    height: int
    digest: str


def picture_too_large_error(size: int) -> TournamentError:
    """Return the error for a file larger than MAX_BYTES. `size`: its size in bytes."""
    sentence = _(
        "This file has %(size)s MB; a photo may have at most %(most)s MB. Take it in a smaller size."
    )
    return TournamentError("photo/too_large", sentence, size=-(-size // 2**20), most=MAX_BYTES // 2**20)


def reencode_picture(data: bytes) -> Picture:
    """Re-encode a picture upright, with its longer side at most MAX_SIDE_PIXELS.

    Raises TournamentError `photo/too_large`, `photo/no_picture`, `photo/too_many_pixels`,
    `photo/took_too_much`; TooMuch `files/too_many` if too many files wait for a confined process.
    """
    if len(data) > MAX_BYTES:
        raise picture_too_large_error(len(data))
    try:
        found = run_confined("picture", data, memory=MAX_MEMORY)
    except TookTooMuch:
        sentence = _("This picture takes too much memory. Take it again in a smaller size.")
        raise TournamentError("photo/took_too_much", sentence) from None
    if found.code == "photo/too_many_pixels":
        sentence = _("This picture has %(pixels)s million pixels; at most %(most)s are allowed.")
        raise TournamentError("photo/too_many_pixels", sentence, **found.params)
    if found.code:
        sentence = _("This photo cannot be read. Send a JPEG, PNG or WebP.")
        raise TournamentError("photo/no_picture", sentence)
    digest = hashlib.sha256(found.body).hexdigest()
    return Picture(found.body, found.head["width"], found.head["height"], digest)
