"""The eight suit signs, each drawn around the origin in a box of 100 × 100."""

GOLD = "#e2a92f"
BROWN = "#5c3a17"
CREAM = "#fff7e2"

FRENCH_COLOURS = {"D": "#c8451c", "H": "#b0182a", "S": "#1b2029", "C": "#17402f"}
SWISS_COLOURS = {"D": "#8a5a00", "H": "#b0182a", "S": "#1f3f74", "C": "#3f6420"}

_PETAL = '<path d="M0-8C-24-16-24-48-9-46C-5-45-2-43 0-40C2-43 5-45 9-46C24-48 24-16 0-8Z" fill="#c9283a" stroke="#7c0f1e" stroke-width="3"'
_SEPAL = '<path d="M0-20L-7-40L0-50L7-40Z" fill="#4d7f36"'


def _rotate(part: str, angles: range) -> str:
    return "".join(f'{part} transform="rotate({angle})"/>' for angle in angles)


FRENCH = {
    "D": '<path d="M0-50C9-30 22-12 38 0C22 12 9 30 0 50C-9 30-22 12-38 0C-22-12-9-30 0-50Z"/>',
    "H": '<path d="M0 47C-12 25-46 6-46-20C-46-36-34-46-22-46C-11-46-3-38 0-28C3-38 11-46 22-46C34-46 46-36 46-20C46 6 12 25 0 47Z"/>',
    "S": (
        '<path d="M0-50C12-28 46-12 46 14C46 27 36 35 25 35C15 35 7 29 3 21C4 34 9 44 18 48H-18C-9 44-4 34-3 21'
        'C-7 29-15 35-25 35C-36 35-46 27-46 14C-46-12-12-28 0-50Z"/>'
    ),
    "C": (
        '<path d="M0-49C13-49 23-39 23-27C23-18 17-11 10-7C15-10 20-12 26-12C38-12 47-2 47 10C47 22 38 32 26 32C16 32 8 26 4 17'
        "C5 31 9 43 18 48H-18C-9 43-5 31-4 17C-8 26-16 32-26 32C-38 32-47 22-47 10C-47-2-38-12-26-12C-20-12-15-10-10-7"
        'C-17-11-23-18-23-27C-23-39-13-49 0-49Z"/>'
    ),
}

SWISS = {
    "D": (
        f'<path d="M-9-38a9 10 0 1 1 18 0v8h-18z" fill="none" stroke="{BROWN}" stroke-width="6"/>'
        f'<circle cy="8" r="38" fill="{GOLD}" stroke="{BROWN}" stroke-width="5"/>'
        f'<path d="M-37 2Q0 14 37 2M-37 12Q0 24 37 12" fill="none" stroke="{BROWN}" stroke-width="4"/>'
        f'<path d="M-20-14Q0-26 16-19" fill="none" stroke="#fff1c0" stroke-width="6" stroke-linecap="round"/>'
        f'<path d="M0 30V44M-11 30H11" stroke="{BROWN}" stroke-width="6" stroke-linecap="round"/>'
        f'<circle cx="-12" cy="30" r="4.5" fill="{BROWN}"/><circle cx="12" cy="30" r="4.5" fill="{BROWN}"/>'
    ),
    "H": (
        _rotate(_SEPAL, range(36, 360, 72))
        + _rotate(_PETAL, range(0, 360, 72))
        + f'<circle r="13" fill="{GOLD}" stroke="#7c0f1e" stroke-width="3"/><circle r="4" fill="#7c0f1e"/>'
    ),
    "S": (
        '<path d="M-38-46Q0-36 38-46V-2C38 24 20 40 0 50C-20 40-38 24-38-2Z" fill="#f0c044" stroke="#14284c" stroke-width="5"/>'
        '<path d="M0-41Q20-40 38-46V-2Q20 6 0 2ZM0 2V50C-20 40-38 24-38-2Q-20-3 0 2Z" fill="#24477f"/>'
        '<path d="M-38-46Q0-36 38-46V-2C38 24 20 40 0 50C-20 40-38 24-38-2Z" fill="none" stroke="#14284c" stroke-width="5"/>'
    ),
    "C": (
        '<path d="M2-42C4-50 10-52 15-50" fill="none" stroke="#5c3a17" stroke-width="6" stroke-linecap="round"/>'
        '<path d="M-27-10C-30 22-14 40 0 50C14 40 30 22 27-10Z" fill="#94b13c" stroke="#3b4d12" stroke-width="5"/>'
        '<path d="M-14 4C-15 18-9 28-4 34" fill="none" stroke="#dbe8a0" stroke-width="6" stroke-linecap="round"/>'
        '<path d="M-38-8C-40-34-20-43 0-43C20-43 40-34 38-8C24 0-24 0-38-8Z" fill="#a5672c" stroke="#5c3a17" stroke-width="5"/>'
        '<path d="M-30-22L-14-3M-18-36L6-2M2-42L24-5M30-22L14-3M18-36L-6-2M-2-42L-24-5" stroke="#5c3a17" stroke-width="3"/>'
    ),
}


def pip(deck: str, suit: str, x: float, y: float, size: float, *, upside_down: bool = False) -> str:
    """Draw one sign with its middle at (x, y), `size` units high."""
    turn = "rotate(180)" if upside_down else ""
    fill = f' fill="{FRENCH_COLOURS[suit]}"' if deck == "fr" else ""
    body = (FRENCH if deck == "fr" else SWISS)[suit]
    return f'<g transform="translate({x:g} {y:g}){turn}scale({size / 100:g})"{fill}>{body}</g>'
