"""The letters and numbers in the corners of cards: strokes on a grid 22 units high, sharp when small."""

_BOWL = "a5.4 5.4 0 1 0 10.8 0a5.4 5.4 0 1 0-10.8 0"
GLYPHS: dict[str, tuple[float, str]] = {
    "6": (14, f"M11.2 1.6C5.5 4.8 1.6 9.8 1.6 15M1.6 15{_BOWL}"),
    "7": (14, "M1.6 1.8H12.4C9 7.5 6 13.5 5.2 20.4"),
    "8": (
        14,
        "M2.8 6a4.2 4.2 0 1 0 8.4 0a4.2 4.2 0 1 0-8.4 0M1.6 15.3" + _BOWL.replace("5.4 5.4", "5.4 5.1"),
    ),
    "9": (14, f"M2.8 20.4C8.5 17.2 12.4 12.2 12.4 7M1.6 7{_BOWL}"),
    "10": (21, "M1.5 5.6L5.6 1.8V20.4M10.2 11.1a4.7 9.2 0 1 0 9.4 0a4.7 9.2 0 1 0-9.4 0"),
    "J": (13, "M10.8 1.8V14.7C10.8 22 2 22.2 1.5 15.6"),
    "Q": (15, "M1.6 11a5.6 9.2 0 1 0 11.2 0a5.6 9.2 0 1 0-11.2 0M8.6 15.4L13.4 21"),
    "K": (14, "M2 1.8V20.4M12 1.8L2.3 12.3M6 8.8L12.6 20.4"),
    "A": (14, "M1 20.4L7 1.8L13 20.4M3.3 14.4H10.7"),
    "U": (14, "M1.8 1.8V14.2C1.8 22.4 12.2 22.4 12.2 14.2V1.8"),
    "O": (14, "M1.5 11.1a5.5 9.3 0 1 0 11 0a5.5 9.3 0 1 0-11 0"),
}


def glyph(text: str, x: float, y: float, height: float, colour: str) -> str:
    """Draw a letter or number `height` units high with its middle at `x`, its top at `y`."""
    width, path = GLYPHS[text]
    scale = height / 22
    return (
        f'<path d="{path}" transform="translate({x - width * scale / 2:.2f} {y:.2f})scale({scale:.3f})" fill="none" '
        f'stroke="{colour}" stroke-width="3.3" stroke-linecap="round" stroke-linejoin="round"/>'
    )
