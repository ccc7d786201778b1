"""Both decks as PNG for pictures drawn by Pillow. One sheet contains all faces of a deck.

Typst renders the sprite, so that no further program has to read SVG. The sheet stores the hash of its sprite.
"""

import hashlib
import io
import json
from pathlib import Path
from typing import Final

import typst
from PIL import Image, PngImagePlugin

from frontend.card_names import CODES
from frontend.decks.sprite import sprite

SHEETS: Final = Path(__file__).resolve().parent.parent / "sharing" / "cards"
CARD: Final = (150, 234)
"""Width and height of a face in pixels."""
ACROSS: Final = 9
COLOURS: Final = 128
OF: Final = "sprite"
"""Key of the PNG text that contains the hash of the sprite."""


def fingerprint(deck: str) -> str:
    return hashlib.sha256(sprite(deck).encode()).hexdigest()


def draw_sheet(deck: str) -> bytes:
    """Return the faces as PNG with transparent corners, in the order of CODES, nine in a row."""
    wide, high = CARD
    faces = "".join(
        f'<use href="#{deck}-{code}" x="{100 * (at % ACROSS)}" y="{156 * (at // ACROSS)}" width="100" height="156"/>'
        for at, code in enumerate(CODES)
    )
    size = f'viewBox="0 0 {100 * ACROSS} {156 * (len(CODES) // ACROSS)}"'
    svg = sprite(deck).replace("<svg ", f"<svg {size} ", 1).replace("</svg>", f"{faces}</svg>")
    page = (
        f"#set page(width: {ACROSS * wide}pt, height: {len(CODES) // ACROSS * high}pt, margin: 0pt, fill: none)\n"
        f'#image(bytes({json.dumps(svg)}), format: "svg", width: 100%, height: 100%)'
    )
    drawn = typst.compile(page.encode(), format="png", ppi=72)
    assert isinstance(drawn, bytes)  # noqa: S101 - typst returns bytes for one page
    metadata = PngImagePlugin.PngInfo()
    metadata.add_text(OF, fingerprint(deck))
    out = io.BytesIO()
    picture = Image.open(io.BytesIO(drawn)).convert("RGBA")
    picture.quantize(COLOURS, method=Image.Quantize.FASTOCTREE).save(
        out, "PNG", optimize=True, pnginfo=metadata
    )
    return out.getvalue()
