"""`python -m frontend.decks`: write both sprites."""

from pathlib import Path

from frontend.decks.sheet import sprite

CARDS = Path(__file__).resolve().parent.parent / "static" / "puur" / "cards"


def main() -> None:
    """Write static/puur/cards/fr.svg and ch.svg."""
    for deck in ("fr", "ch"):
        (CARDS / f"{deck}.svg").write_text(sprite(deck), encoding="utf-8")


if __name__ == "__main__":
    main()
