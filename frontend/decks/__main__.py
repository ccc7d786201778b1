"""`python -m frontend.decks`: write both sprites, and the card faces of link previews."""

from pathlib import Path

from frontend.decks.raster import SHEETS, draw_sheet
from frontend.decks.sprite import sprite

CARDS = Path(__file__).resolve().parent.parent / "static" / "puur" / "cards"


def main() -> None:
    """Write static/puur/cards/fr.svg and ch.svg, sharing/cards/fr.png and ch.png."""
    for deck in ("fr", "ch"):
        (CARDS / f"{deck}.svg").write_text(sprite(deck), encoding="utf-8")
        (SHEETS / f"{deck}.png").write_bytes(draw_sheet(deck))


if __name__ == "__main__":
    main()
