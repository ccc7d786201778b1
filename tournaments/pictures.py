"""Pictures that people send, made anew: what is kept was drawn by us from their pixels, so that neither where
a phone was nor what else a file may hold comes along. A process with limits does it.
"""

import hashlib
from typing import Final, NamedTuple

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.sandbox import picture
from tournaments.sandbox.running import TookTooMuch, run_confined

MOST_BYTES: Final = 20 * 2**20
"""Of a file: what phones make, with room."""
MOST_MEMORY: Final = 768 * 2**20
LONGEST_SIDE: Final = picture.LONGEST_SIDE


class Picture(NamedTuple):
    """A JPEG without any metadata; `digest`: SHA-256 of its bytes, in hex."""

    data: bytes
    width: int
    height: int
    digest: str


def picture_too_large(size: int) -> TournamentError:
    """For a file that nobody reads into memory."""
    sentence = _("This file has %(size)s MB, a photo at most %(most)s MB. Take it in a smaller size.")
    return TournamentError("photo/too_large", sentence, size=-(-size // 2**20), most=MOST_BYTES // 2**20)


def redrawn(data: bytes) -> Picture:
    """The picture in a file of somebody's, upright, at most LONGEST_SIDE long.

    Raises TournamentError `photo/too_large`, `photo/no_picture`, `photo/too_many_pixels`,
    `photo/took_too_much`, and TooMuch.
    """
    if len(data) > MOST_BYTES:
        raise picture_too_large(len(data))
    try:
        found = run_confined("picture", data, memory=MOST_MEMORY)
    except TookTooMuch:
        sentence = _("This picture takes too much to read. Take it again, in a smaller size.")
        raise TournamentError("photo/took_too_much", sentence) from None
    if found.code == "photo/too_many_pixels":
        sentence = _("This picture has %(pixels)s million pixels, and at most %(most)s are taken.")
        raise TournamentError("photo/too_many_pixels", sentence, **found.params)
    if found.code:
        sentence = _("This is no photo that can be read here. Send a JPEG, PNG or WebP.")
        raise TournamentError("photo/no_picture", sentence)
    digest = hashlib.sha256(found.body).hexdigest()
    return Picture(found.body, found.head["width"], found.head["height"], digest)
