"""Re-encoding of a club's picture: it is downscaled, and written as a PNG if it is transparent or was a PNG
and stays small, else as a JPEG.

This module runs in `process`.
"""

import io
from typing import Any, Final

from PIL import Image, ImageOps

MAX_PIXELS: Final = 16_000_000
"""Largest number of pixels that are decoded; a logo for a poster has ten million."""
MAX_SCANS: Final = 64
"""Largest number of scans in a JPEG. Each takes time proportional to the picture's size; real files have ten.
"""
MAX_SIDE_PIXELS: Final = 640
"""Longest side of the result in pixels: five centimetres on paper at 300 pixels an inch."""
MAX_PNG_BYTES: Final = 160 * 1024
"""Size in bytes above which a PNG gets a palette, or becomes a JPEG."""
FORMATS: Final = ("JPEG", "PNG")
QUALITY: Final = 85
COLOURS: Final = 256


class EmblemRefused(Exception):
    """The picture is refused. `code`: reason of the refusal."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


def redraw_emblem(data: bytes) -> tuple[dict[str, Any], bytes]:
    """Return head (`width` and `height` in pixels, `format`) and body (the re-encoded picture) for `process`.

    Raises EmblemRefused.
    """
    Image.MAX_IMAGE_PIXELS = None  # checked here
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as sent:
            _check_limits(sent, data)
            return _reencode(sent)
    except (EmblemRefused, MemoryError):
        raise
    except Exception:  # Pillow raises OSError, SyntaxError, struct.error and others for invalid files
        raise EmblemRefused("club_image/no_picture") from None


def _check_limits(sent: Image.Image, data: bytes) -> None:
    """Raise EmblemRefused if the picture exceeds a limit. Nothing is decoded yet."""
    width, height = sent.size
    if width * height > MAX_PIXELS:
        pixels = -(-width * height // 1_000_000)
        raise EmblemRefused("club_image/too_many_pixels", pixels=pixels, most=MAX_PIXELS // 1_000_000)
    if sent.format in {"JPEG", "MPO"} and data.count(b"\xff\xda") > MAX_SCANS:
        raise EmblemRefused("club_image/no_picture")


def _reencode(sent: Image.Image) -> tuple[dict[str, Any], bytes]:
    sent.load()
    small: Image.Image = ImageOps.exif_transpose(sent).convert("RGBA")
    small.thumbnail((MAX_SIDE_PIXELS, MAX_SIDE_PIXELS))
    opaque = small.getchannel("A").getextrema() == (255, 255)
    # Pasted onto a new image, so that metadata is dropped.
    drawn = Image.new("RGB" if opaque else "RGBA", small.size)
    drawn.paste(small.convert(drawn.mode))
    kind = "png"
    body = _write(drawn, "PNG", optimize=True)
    if opaque and (sent.format != "PNG" or len(body) > MAX_PNG_BYTES):
        kind, body = "jpeg", _write(drawn, "JPEG", quality=QUALITY, optimize=True)
    elif len(body) > MAX_PNG_BYTES:
        few = drawn.quantize(COLOURS, method=Image.Quantize.FASTOCTREE)
        body = _write(few, "PNG", optimize=True)
    return {"width": drawn.width, "height": drawn.height, "format": kind}, body


def _write(drawn: Image.Image, kind: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    drawn.save(buffer, kind, **options)
    return buffer.getvalue()
