"""A picture drawn anew from its pixels: decoded, turned upright, made smaller and written as a JPEG without
anything else of its file. Runs in `process`.
"""

import io
from typing import Any, Final

from PIL import Image

MOST_PIXELS: Final = 24_000_000
"""Of a PNG, a WebP, and a JPEG that comes in passes: all of it is unpacked at once."""
MOST_OF_BASELINE: Final = 64_000_000
"""Of a JPEG from top to bottom, which is read in a fraction of its size. Phones make fifty million."""
MOST_SCANS: Final = 64
"""Of a JPEG: each takes as long as the picture is large. What writes them makes ten."""
LONGEST_SIDE: Final = 2000
"""Pixels: pencil on a score sheet of A4 can be read."""
FORMATS: Final = ("JPEG", "PNG", "WEBP")
QUALITY: Final = 80
_UPRIGHT: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""By the orientation that a file states."""


class PictureRefused(Exception):
    """The picture is not taken; `code` says why."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


def redraw(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The JPEG, and its `width` and `height`."""
    Image.MAX_IMAGE_PIXELS = None  # looked at here
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as sent:
            _bound(sent, data)
            return _drawn(sent)
    except (PictureRefused, MemoryError):
        raise
    except Exception:  # whatever Pillow makes of a file that is none: OSError, SyntaxError, struct.error, …
        raise PictureRefused("photo/no_picture") from None


def _bound(sent: Image.Image, data: bytes) -> None:
    """Before anything is unpacked."""
    width, height = sent.size
    in_passes = bool(sent.info.get("progressive"))
    most = MOST_OF_BASELINE if sent.format in {"JPEG", "MPO"} and not in_passes else MOST_PIXELS
    if width * height > most:
        pixels = -(-width * height // 1_000_000)
        raise PictureRefused("photo/too_many_pixels", pixels=pixels, most=most // 1_000_000)
    if sent.format in {"JPEG", "MPO"} and data.count(b"\xff\xda") > MOST_SCANS:
        raise PictureRefused("photo/no_picture")


def _drawn(sent: Image.Image) -> tuple[dict[str, Any], bytes]:
    turned = _UPRIGHT.get(sent.getexif().get(0x0112, 1))
    sent.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))  # a large JPEG is read in a fraction of its size
    sent.load()
    small: Image.Image = sent if sent.mode == "RGB" else sent.convert("RGB")
    small.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    if turned is not None:
        small = small.transpose(turned)
    # Pasted onto a new one: what the file said beside its pixels stays behind.
    drawn = Image.new("RGB", small.size)
    drawn.paste(small)
    made = io.BytesIO()
    drawn.save(made, "JPEG", quality=QUALITY, optimize=True)
    return {"width": drawn.width, "height": drawn.height}, made.getvalue()
