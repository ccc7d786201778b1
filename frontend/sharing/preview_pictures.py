"""A picture for a link: a heading, a few lines with figures, a foot. Drawn by Pillow: text only, so that what
somebody wrote is read as markup, and no process has to start.
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
"""What those who show links ask for."""
FELT, CHALK, PALE, LINE = "#17402f", "#f6f1e3", "#a9c3b4", "#2b5a46"
EDGE: Final = 72
MOST_LINES: Final = 6
COLOURS: Final = 24
"""Enough for text on felt; a tenth of the bytes."""
FONTS: Final = Path(prints.__file__).parent / "fonts"
FIRST: Final = 230


@dataclass(frozen=True, slots=True)
class PreviewLine:
    name: str
    figure: str = ""
    before: str = ""
    """What stands before it: a place."""


@dataclass(frozen=True, slots=True)
class LinkPreview:
    title: str
    above: str = ""
    lines: Sequence[PreviewLine] = ()
    foot: str = ""


def draw_preview(preview: LinkPreview) -> bytes:
    """As PNG."""
    picture = Image.new("RGB", SIZE, FELT)
    draw = ImageDraw.Draw(picture)
    width = SIZE[0] - 2 * EDGE
    draw.text(
        (EDGE, 56),
        _cut(draw, preview.above, _font("hanken-grotesk", 32), width),
        PALE,
        _font("hanken-grotesk", 32),
    )
    heading = next(
        (
            _font("vollkorn", size)
            for size in (76, 64, 54)
            if draw.textlength(preview.title, _font("vollkorn", size)) <= width
        ),
        _font("vollkorn", 46),
    )
    draw.text((EDGE, 158), _cut(draw, preview.title, heading, width), CHALK, heading, anchor="lm")
    step = min(62, 330 // max(1, len(preview.lines)))
    for at, line in enumerate(preview.lines[:MOST_LINES]):
        _row(draw, line, FIRST + step * at, step)
    draw.text(
        (EDGE, SIZE[1] - 44),
        _cut(draw, preview.foot, _font("hanken-grotesk", 28), width - 120),
        PALE,
        _font("hanken-grotesk", 28),
        anchor="lm",
    )
    draw.text((SIZE[0] - EDGE, SIZE[1] - 44), "Puur", CHALK, _font("vollkorn", 34), anchor="rm")
    out = io.BytesIO()
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def _row(draw: ImageDraw.ImageDraw, line: PreviewLine, top: int, step: int) -> None:
    font, middle = _font("hanken-grotesk", 38), top + step // 2
    left = EDGE + (72 if line.before else 0)
    figure = draw.textlength(line.figure, font)
    draw.line((EDGE, top, SIZE[0] - EDGE, top), LINE, 2)
    draw.text((EDGE, middle), line.before, PALE, font, anchor="lm")
    room = SIZE[0] - EDGE - left - figure - 32
    draw.text((left, middle), _cut(draw, line.name, font, room), CHALK, font, anchor="lm")
    draw.text((SIZE[0] - EDGE, middle), line.figure, CHALK, font, anchor="rm")


def _cut(draw: ImageDraw.ImageDraw, text: str, font: ImageFont.FreeTypeFont, room: float) -> str:
    """On one line, and no longer than there is room."""
    text = " ".join(text.split())
    if draw.textlength(text, font) <= room:
        return text
    while text and draw.textlength(f"{text}…", font) > room:
        text = text[:-1]
    return f"{text}…"


@cache
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONTS / f"{name}.ttf", size)
