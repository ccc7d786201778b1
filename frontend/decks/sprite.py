"""One deck as an SVG sprite: 36 faces, the back, and the four suit signs."""

from frontend.card_names import RANKS, SUITS
from frontend.decks.court_cards import french_court, swiss_court
from frontend.decks.glyphs import glyph
from frontend.decks.pips import FRENCH_COLOURS, GOLD, SWISS_COLOURS, pip

LETTERS = {"fr": {}, "ch": {"J": "U", "Q": "O"}}
PAPER = '<rect x=".75" y=".75" width="98.5" height="154.5" rx="8" fill="#fffdf6" stroke="#c9bd9f" stroke-width="1.5"/>'

# Places of the signs on a number card; in French decks the lower half is upside down.
_LEFT, _RIGHT, _MIDDLE = 39.0, 61.0, 50.0
LAYOUTS: dict[str, list[tuple[float, float]]] = {
    "6": [(x, y) for x in (_LEFT, _RIGHT) for y in (36.0, 78.0, 120.0)],
    "7": [(x, y) for x in (_LEFT, _RIGHT) for y in (36.0, 78.0, 120.0)] + [(_MIDDLE, 57)],
    "8": [(x, y) for x in (_LEFT, _RIGHT) for y in (36.0, 78.0, 120.0)] + [(_MIDDLE, 57), (_MIDDLE, 99)],
    "9": [(x, y) for x in (_LEFT, _RIGHT) for y in (30.0, 62.0, 94.0, 126.0)] + [(_MIDDLE, 78)],
    "10": [(x, y) for x in (_LEFT, _RIGHT) for y in (30.0, 62.0, 94.0, 126.0)]
    + [(_MIDDLE, 46), (_MIDDLE, 110)],
}


def _corners(deck: str, suit: str, rank: str, colour: str) -> str:
    text = LETTERS[deck].get(rank, rank)
    height = 22 if rank == "10" else 25
    corner = glyph(text, 14, 8, height, colour) + pip(deck, suit, 14, 45, 17)
    return f'{corner}<g transform="rotate(180 50 78)">{corner}</g>'


def _numbers(deck: str, suit: str, rank: str) -> str:
    size = 21 if rank in "678" else 19.5
    turn = deck == "fr"
    return "".join(pip(deck, suit, x, y, size, upside_down=turn and y > 78) for x, y in LAYOUTS[rank])


def _banner(suit: str, colour: str) -> str:
    return (
        '<path d="M33 24V140" stroke="#5c3a17" stroke-width="4" stroke-linecap="round"/>'
        f'<circle cx="33" cy="20" r="4.5" fill="{GOLD}" stroke="#5c3a17" stroke-width="1.2"/>'
        f'<path d="M35 29C46 23 58 37 76 30V58C73 66 73 72 76 80V98C60 105 48 91 35 97Z" fill="#fbeec6" stroke="{colour}" stroke-width="2"/>'
        f'<path d="M35 33.5C46 28 58 41 76 34.5M35 92.5C48 87 60 100 76 93.5" fill="none" stroke="{colour}" stroke-width="2"/>'
        + pip("ch", suit, 55, 63, 39)
        + '<path d="M22 141Q46 134 70 141V145H22Z" fill="#8fae57"/>'
    )


def _ace(deck: str, suit: str, colour: str) -> str:
    leaves = "".join(
        f'<path d="M50 43.5c2.6-3 2.6-6.5 0-9c-2.6 2.5-2.6 6 0 9z" transform="rotate({angle} 50 78)"/>'
        for angle in range(0, 360, 20)
    )
    return f'<g fill="{colour}" opacity=".5">{leaves}</g>' + pip(deck, suit, 50, 78, 52)


def face(deck: str, suit: str, rank: str) -> str:
    """Draw one card, without the `symbol` element around it."""
    colour = (FRENCH_COLOURS if deck == "fr" else SWISS_COLOURS)[suit]
    if rank == "A":
        middle = _ace(deck, suit, colour)
    elif rank in ("J", "Q", "K"):
        middle = french_court(suit, rank) if deck == "fr" else swiss_court(suit, rank)
    elif deck == "ch" and rank == "10":
        middle = _banner(suit, colour)
    else:
        middle = _numbers(deck, suit, rank)
    return PAPER + middle + _corners(deck, suit, rank, colour)


def back() -> str:
    """Draw the back: green cloth under a lattice, with the logo in the middle."""
    lattice = "".join(f"M{x} 8L{x + 140} 148M{x + 140} 8L{x} 148" for x in range(-132, 100, 14))
    mark = '<path d="M50 58l15 5v13C65 89 59 96 50 101 41 96 35 89 35 76V63z" fill="#fffdf6"/><path d="M42.5 76.5l6 7 10-14" fill="none" stroke="#1f6146" stroke-width="4.5" stroke-linecap="round" stroke-linejoin="round"/>'
    return (
        PAPER
        + '<svg x="6" y="6" width="88" height="144" viewBox="6 6 88 144"><rect x="6" y="6" width="88" height="144" rx="5" fill="#1f6146"/>'
        + f'<path d="{lattice}" stroke="#e2a92f" stroke-opacity=".5" stroke-width="1"/>'
        + '<path d="M50 44L76 78 50 112 24 78z" fill="#14402f" stroke="#e2a92f" stroke-width="1.5"/>'
        + mark
        + '<rect x="7.5" y="7.5" width="85" height="141" rx="4" fill="none" stroke="#e2a92f" stroke-width="1.5"/></svg>'
    )


def sprite(deck: str) -> str:
    """Return the whole SVG file of one deck."""
    faces = "".join(
        f'<symbol id="{deck}-{suit}{rank}" viewBox="0 0 100 156">{face(deck, suit, rank)}</symbol>\n'
        for suit in SUITS
        for rank in RANKS
    )
    signs = "".join(
        f'<symbol id="{deck}-pip-{suit}" viewBox="-52 -52 104 104">{pip(deck, suit, 0, 0, 100)}</symbol>\n'
        for suit in SUITS
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg">\n'
        f'{faces}<symbol id="{deck}-back" viewBox="0 0 100 156">{back()}</symbol>\n{signs}</svg>\n'
    )
