"""The picture in a link preview of a moment: players, cards in the middle, score."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from PIL import Image, ImageDraw

from frontend.card_names import CODES
from frontend.decks.raster import ACROSS, CARD, SHEETS
from frontend.presenters.tables.table_scene import Spot
from frontend.sharing.preview_pictures import (
    CHALK,
    EDGE,
    FELT,
    LINE,
    PALE,
    SIZE,
    PreviewLine,
    draw_footer,
    draw_row,
    encode_png,
    font,
    shorten,
)

COLOURS: Final = 64
CARD_SHOWN: Final = (123, 192)
MIDDLES: Final = {"top": (388, 212), "right": (548, 322), "bottom": (388, 432), "left": (228, 322)}
"""Place of a seat → where the middle of its card is drawn, in pixels."""
NAMES: Final = {
    "top": (464, 140, "lm"),
    "right": (548, 204, "mm"),
    "bottom": (312, 506, "rm"),
    "left": (228, 204, "mm"),
}
MAX_NAME_LENGTH: Final = 230
BESIDE: Final = (760, SIZE[0] - EDGE)
STEP: Final = 62
MAX_LINES: Final = 4
CLOTH: Final = "#1d4d39"


@dataclass(frozen=True, slots=True)
class MomentPreview:
    """The content of the picture of a moment. `above`: the line above the title; `title`: deal and trick;
    `said`: the contract; `lying`: seats with a played card, in the order of play, then the other seats;
    `lines`: the scores.
    """

    above: str
    title: str
    said: str
    lying: Sequence[Spot]
    lines: Sequence[PreviewLine]
    deck: str


def draw_moment(moment: MomentPreview) -> bytes:
    """Draw the picture as PNG."""
    picture = Image.new("RGB", SIZE, FELT)
    draw = ImageDraw.Draw(picture)
    plain, small = font("hanken-grotesk", 32), font("hanken-grotesk", 28)
    draw.text((EDGE, 44), shorten(draw, moment.above, plain, SIZE[0] - 2 * EDGE), PALE, plain)
    draw.rounded_rectangle((EDGE, 100, 704, 544), 28, CLOTH, LINE, 2)
    for spot in moment.lying:
        if spot.lies:
            _paste_card(picture, spot, moment.deck)
    for spot in moment.lying:
        x, y, anchor = NAMES[spot.at]
        ink = CHALK if spot.lies else PALE
        draw.text((x, y), shorten(draw, spot.name, small, MAX_NAME_LENGTH), ink, small, anchor=anchor)
    width = BESIDE[1] - BESIDE[0]
    heading = font("vollkorn", 54)
    draw.text((BESIDE[0], 150), shorten(draw, moment.title, heading, width), CHALK, heading, anchor="lm")
    draw.text((BESIDE[0], 212), shorten(draw, moment.said, plain, width), PALE, plain, anchor="lm")
    for at, line in enumerate(moment.lines[:MAX_LINES]):
        draw_row(draw, line, 260 + STEP * at, STEP, BESIDE)
    draw_footer(draw, "")
    return encode_png(picture, COLOURS)


def _paste_card(picture: Image.Image, spot: Spot, deck: str) -> None:
    x, y = MIDDLES[spot.at]
    corner = x - CARD_SHOWN[0] // 2, y - CARD_SHOWN[1] // 2
    if spot.card is None:
        box = (*corner, corner[0] + CARD_SHOWN[0], corner[1] + CARD_SHOWN[1])
        ImageDraw.Draw(picture).rounded_rectangle(box, 10, LINE, PALE, 2)
        return
    face = _face(deck, spot.card)
    picture.paste(face, corner, face)


@cache
def _face(deck: str, code: str) -> Image.Image:
    at, (wide, high) = CODES.index(code), CARD
    left, top = wide * (at % ACROSS), high * (at // ACROSS)
    face = _sheet(deck).crop((left, top, left + wide, top + high))
    return face.resize(CARD_SHOWN, Image.Resampling.LANCZOS)


@cache
def _sheet(deck: str) -> Image.Image:
    with Image.open(SHEETS / f"{deck}.png") as sheet:
        return sheet.convert("RGBA")
