"""Re-encoding of a picture from its pixels: it is decoded, rotated, downscaled and written as a plain JPEG.

This module runs in `process`.
"""

import io
from typing import Any, Final

from PIL import Image

MAX_PIXELS: Final = 24_000_000
"""Largest number of pixels of PNG, WebP and progressive JPEG, which are decoded as a whole."""
MAX_OF_BASELINE: Final = 64_000_000
"""Largest number of pixels of baseline JPEG, which is decoded at a reduced size. Phones produce fifty
million."""
MAX_SCANS: Final = 64
"""Largest number of scans in a JPEG. Each takes time proportional to the picture's size; real files have ten.
"""
MAX_SIDE_PIXELS: Final = 2000
"""Longest side of the result in pixels; pencil on an A4 score sheet remains legible."""
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
"""Transformation that turns a picture upright, by the orientation stated in the file."""


class PictureRefused(Exception):
    """The picture is refused. `code`: reason of the refusal."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


def redraw(data: bytes) -> tuple[dict[str, Any], bytes]:
    """Return head (`width`, `height` in pixels) and body (JPEG) for `process`. Raises PictureRefused."""
    Image.MAX_IMAGE_PIXELS = None  # checked here
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as sent:
            _check_limits(sent, data)
            return _reencode(sent)
    except (PictureRefused, MemoryError):
        raise
    except Exception:  # Pillow raises OSError, SyntaxError, struct.error and others for invalid files
        raise PictureRefused("photo/no_picture") from None


def _check_limits(sent: Image.Image, data: bytes) -> None:
    """Raise PictureRefused if the picture exceeds a limit. Nothing is decoded yet."""
    width, height = sent.size
    in_passes = bool(sent.info.get("progressive"))
    most = MAX_OF_BASELINE if sent.format in {"JPEG", "MPO"} and not in_passes else MAX_PIXELS
    if width * height > most:
        pixels = -(-width * height // 1_000_000)
        raise PictureRefused("photo/too_many_pixels", pixels=pixels, most=most // 1_000_000)
    if sent.format in {"JPEG", "MPO"} and data.count(b"\xff\xda") > MAX_SCANS:
        raise PictureRefused("photo/no_picture")


def _reencode(sent: Image.Image) -> tuple[dict[str, Any], bytes]:
    turned = _UPRIGHT.get(sent.getexif().get(0x0112, 1))
    sent.draft("RGB", (MAX_SIDE_PIXELS, MAX_SIDE_PIXELS))  # a large JPEG is decoded at a reduced size
    sent.load()
    small: Image.Image = sent if sent.mode == "RGB" else sent.convert("RGB")
    small.thumbnail((MAX_SIDE_PIXELS, MAX_SIDE_PIXELS))
    if turned is not None:
        small = small.transpose(turned)
    # Pasted onto a new image, so that metadata is dropped.
    drawn = Image.new("RGB", small.size)
    drawn.paste(small)
    buffer = io.BytesIO()
    drawn.save(buffer, "JPEG", quality=QUALITY, optimize=True)
    return {"width": drawn.width, "height": drawn.height}, buffer.getvalue()
