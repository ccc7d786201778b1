"""Pictures of link previews with a heading, lines with figures, and a foot. Pillow draws them, so that texts
of users are never parsed as markup and no process has to start.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from frontend import prints

SIZE: Final = (1200, 630)
"""Width and height of the pictures in pixels, as sites expect them."""
FELT, CHALK, PALE, LINE = "#17402f", "#f6f1e3", "#a9c3b4", "#2b5a46"
EDGE: Final = 72
EDGES: Final = (EDGE, SIZE[0] - EDGE)
RANKING_LINES: Final = 5
"""Number of places in the picture of a ranking; at most MAX_LINES."""
MAX_LINES: Final = 6
"""Largest number of lines for which a picture has room."""
COLOURS: Final = 24
"""Number of colours. They suffice for text, and a picture has a tenth of the bytes."""
FONTS: Final = Path(prints.__file__).parent / "fonts"
FIRST: Final = 230


@dataclass(frozen=True, slots=True)
class PreviewLine:
    name: str
    figure: str = ""
    before: str = ""
    """The text before the name, such as a place."""


@dataclass(frozen=True, slots=True)
class LinkPreview:
    title: str
    above: str = ""
    lines: Sequence[PreviewLine] = ()
    foot: str = ""


def draw_preview(preview: LinkPreview) -> bytes:
    """Draw the picture as PNG."""
    picture = Image.new("RGB", SIZE, FELT)
    draw = ImageDraw.Draw(picture)
    width = SIZE[0] - 2 * EDGE
    draw.text(
        (EDGE, 56),
        shorten(draw, preview.above, font("hanken-grotesk", 32), width),
        PALE,
        font("hanken-grotesk", 32),
    )
    heading = next(
        (
            font("vollkorn", size)
            for size in (76, 64, 54)
            if draw.textlength(preview.title, font("vollkorn", size)) <= width
        ),
        font("vollkorn", 46),
    )
    draw.text((EDGE, 158), shorten(draw, preview.title, heading, width), CHALK, heading, anchor="lm")
    step = min(62, 330 // max(1, len(preview.lines)))
    for at, line in enumerate(preview.lines[:MAX_LINES]):
        draw_row(draw, line, FIRST + step * at, step)
    draw_footer(draw, preview.foot)
    return encode_png(picture, COLOURS)


def draw_footer(draw: ImageDraw.ImageDraw, foot: str) -> None:
    """Draw the last line, with the name of the platform."""
    plain, middle = font("hanken-grotesk", 28), SIZE[1] - 44
    room = SIZE[0] - 2 * EDGE - 120
    draw.text((EDGE, middle), shorten(draw, foot, plain, room), PALE, plain, anchor="lm")
    draw.text((SIZE[0] - EDGE, middle), "Puur", CHALK, font("vollkorn", 34), anchor="rm")


def encode_png(picture: Image.Image, colours: int) -> bytes:
    """Return the picture as PNG with few colours, so that the file is small."""
    out = io.BytesIO()
    picture.quantize(colours, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def draw_row(
    draw: ImageDraw.ImageDraw, line: PreviewLine, top: int, step: int, edges: tuple[int, int] = EDGES
) -> None:
    """Draw a name and its figure on one line, between the two `edges` (x positions in pixels)."""
    plain, middle = font("hanken-grotesk", 38), top + step // 2
    begins, ends = edges
    left = begins + (72 if line.before else 0)
    figure = draw.textlength(line.figure, plain)
    draw.line((begins, top, ends, top), LINE, 2)
    draw.text((begins, middle), line.before, PALE, plain, anchor="lm")
    room = ends - left - figure - 32
    draw.text((left, middle), shorten(draw, line.name, plain, room), CHALK, plain, anchor="lm")
    draw.text((ends, middle), line.figure, CHALK, plain, anchor="rm")


def shorten(draw: ImageDraw.ImageDraw, text: str, written: ImageFont.FreeTypeFont, room: float) -> str:
    """Return the text shortened to one line of at most `room` pixels."""
    text = " ".join(text.split())
    if draw.textlength(text, written) <= room:
        return text
    while text and draw.textlength(f"{text}…", written) > room:
        text = text[:-1]
    return f"{text}…"


@cache
def font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """Load a bundled font."""
    return ImageFont.truetype(FONTS / f"{name}.ttf", size)
