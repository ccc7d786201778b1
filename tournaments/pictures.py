"""Pictures that people send, made anew: what is kept was drawn by us from their pixels, so that neither where
a phone was nor what else a file may hold comes along.
"""

import hashlib
import io
import threading
from typing import Final, NamedTuple

from django.utils.translation import gettext_lazy as _
from PIL import Image, ImageOps

from tournaments.errors import TournamentError

MOST_BYTES: Final = 10 * 2**20
"""Of a file: what phones make, with room."""
MOST_PIXELS: Final = 50_000_000
"""Looked at before anything is unpacked, which takes some 300 MB of memory then."""
LONGEST_SIDE: Final = 2000
"""Pixels: pencil on a score sheet of A4 can be read."""
FORMATS: Final = ("JPEG", "PNG", "WEBP")
QUALITY: Final = 80
_BOMBS: Final = (Image.DecompressionBombError, Image.DecompressionBombWarning)
_BROKEN: Final = (OSError, ValueError, SyntaxError, *_BOMBS)
"""What Pillow raises for a file that is none of these, is cut off, or says that it is larger than we read."""
_one = threading.Lock()
"""A process unpacks one picture at a time."""


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

    Raises TournamentError `photo/too_large`, `photo/no_picture`, `photo/too_many_pixels`.
    """
    if len(data) > MOST_BYTES:
        raise picture_too_large(len(data))
    try:
        with _one, Image.open(io.BytesIO(data), formats=FORMATS) as sent:
            width, height = sent.size
            if width * height > MOST_PIXELS:
                sentence = _("This picture has %(pixels)s million pixels, and at most %(most)s are taken.")
                counts = {"pixels": width * height // 1_000_000, "most": MOST_PIXELS // 1_000_000}
                raise TournamentError("photo/too_many_pixels", sentence, **counts)
            sent.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))  # a large JPEG is read in a fraction of its size
            upright = ImageOps.exif_transpose(sent).convert("RGB")
    except _BROKEN:
        sentence = _("This is no photo that can be read here. Send a JPEG, PNG or WebP.")
        raise TournamentError("photo/no_picture", sentence) from None
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    # Pasted onto a new one: what the file said beside its pixels stays behind.
    drawn = Image.new("RGB", upright.size)
    drawn.paste(upright)
    made = io.BytesIO()
    drawn.save(made, "JPEG", quality=QUALITY, optimize=True)
    kept = made.getvalue()
    return Picture(kept, drawn.width, drawn.height, hashlib.sha256(kept).hexdigest())
