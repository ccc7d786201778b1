"""The court cards. French ones are half figures, mirrored. Swiss ones are whole figures: the Ober holds the
suit sign up, the Under lets it hang.
"""

from frontend.decks.pips import BROWN, CREAM, GOLD, pip

SKIN = "#f2cfa6"
LINE = "#2a1c10"
STEEL = "#c9d2d4"

# First and second colour of the clothes, hair.
FRENCH_CLOTHES = {
    "D": ("#b6421b", "#f0c453", "#7a4a1e"),
    "H": ("#9c1d2c", "#e9b94a", "#c8913a"),
    "S": ("#26354f", "#c33a35", "#3a2a1c"),
    "C": ("#1f5a43", "#e0ae3d", "#6b3f1d"),
}
SWISS_CLOTHES = {
    "D": ("#b3302a", "#eab93f", "#7a4a1e"),
    "H": ("#a81f33", "#3f7d4a", "#c08a35"),
    "S": ("#24477f", "#ecc14a", "#3a2a1c"),
    "C": ("#4d7429", "#b5702f", "#6b3f1d"),
}


def _path(d: str, fill: str, *, line: float = 1.0) -> str:
    stroke = f' stroke="{LINE}" stroke-width="{line:g}" stroke-linejoin="round"' if line else ""
    return f'<path d="{d}" fill="{fill}"{stroke}/>'


def _stroke(d: str, colour: str, width: float) -> str:
    return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round" stroke-linejoin="round"/>'


def _face(y: float) -> str:
    """Draw eyes, brows, nose and mouth on a head with its middle at x 50."""
    return (
        f'<circle cx="46.4" cy="{y - 1:g}" r="1.15" fill="{LINE}"/><circle cx="53.6" cy="{y - 1:g}" r="1.15" fill="{LINE}"/>'
        + _stroke(
            f"M44.6 {y - 4:g}q1.8-1.2 3.4-.3M55.4 {y - 4:g}q-1.8-1.2-3.4-.3M50.3 {y:g}l-1 3.4h1.6", LINE, 0.8
        )
        + _stroke(f"M47.6 {y + 6.2:g}q2.4 1.6 4.8 0", "#9c3b2e", 1.1)
    )


def _head(y: float) -> str:
    return _path(
        f"M41.5 {y - 4:g}C41.5 {y - 14:g} 58.5 {y - 14:g} 58.5 {y - 4:g}C58.5 {y + 6:g} 55 {y + 11:g} 50 {y + 11:g}C45 {y + 11:g} 41.5 {y + 6:g} 41.5 {y - 4:g}Z",
        SKIN,
    )


def _beard(y: float, hair: str) -> str:
    shape = f"M41.3 {y - 3:g}C40.5 {y + 12:g} 44 {y + 17:g} 50 {y + 20:g}C56 {y + 17:g} 59.5 {y + 12:g} 58.7 {y - 3:g}C57.5 {y + 4:g} 54 {y + 4.5:g} 50 {y + 4.5:g}C46 {y + 4.5:g} 42.5 {y + 4:g} 41.3 {y - 3:g}Z"
    return _path(shape, hair) + _stroke(f"M47.6 {y + 7:g}q2.4 1.3 4.8 0", "#7c2c22", 1.2)


def _moustache(y: float, hair: str) -> str:
    return _path(
        f"M50 {y + 4:g}C47 {y + 3:g} 44 {y + 5:g} 42.5 {y + 3.5:g}C43.5 {y + 8:g} 48 {y + 7.5:g} 50 {y + 5.5:g}C52 {y + 7.5:g} 56.5 {y + 8:g} 57.5 {y + 3.5:g}C56 {y + 5:g} 53 {y + 3:g} 50 {y + 4:g}Z",
        hair,
        line=0.7,
    )


def _crown(y: float) -> str:
    return (
        _path(
            f"M40.5 {y:g}L38.5 {y - 12:g}L44.8 {y - 6:g}L50 {y - 14.5:g}L55.2 {y - 6:g}L61.5 {y - 12:g}L59.5 {y:g}Q50 {y - 3:g} 40.5 {y:g}Z",
            GOLD,
        )
        + f'<circle cx="38.5" cy="{y - 12.5:g}" r="1.7" fill="{GOLD}" stroke="{LINE}" stroke-width=".7"/>'
        f'<circle cx="50" cy="{y - 15:g}" r="1.9" fill="#c33a35" stroke="{LINE}" stroke-width=".7"/>'
        f'<circle cx="61.5" cy="{y - 12.5:g}" r="1.7" fill="{GOLD}" stroke="{LINE}" stroke-width=".7"/>'
        + _stroke(f"M42 {y - 2.5:g}Q50 {y - 5.5:g} 58 {y - 2.5:g}", "#9a6a12", 1)
    )


def _feather(x: float, y: float, colour: str) -> str:
    return _path(
        f"M{x:g} {y:g}C{x + 4:g} {y - 12:g} {x + 12:g} {y - 13:g} {x + 14:g} {y - 8:g}C{x + 11:g} {y - 8:g} {x + 8:g} {y - 3:g} {x:g} {y:g}Z",
        colour,
        line=0.8,
    )


def _halberd(x: float, top: float, bottom: float) -> str:
    return (
        _stroke(f"M{x:g} {top + 6:g}V{bottom:g}", BROWN, 2.2)
        + _path(f"M{x:g} {top - 6:g}L{x + 2:g} {top + 6:g}H{x - 2:g}Z", STEEL, line=0.8)
        + _path(
            f"M{x - 1.5:g} {top + 7:g}C{x - 11:g} {top + 3:g} {x - 11:g} {top + 19:g} {x - 1.5:g} {top + 15:g}Z",
            STEEL,
            line=0.8,
        )
        + _path(f"M{x + 1.5:g} {top + 9:g}L{x + 7:g} {top + 11:g}L{x + 1.5:g} {top + 13:g}Z", STEEL, line=0.8)
    )


def french_half(suit: str, rank: str) -> str:
    """Draw the upper half of a French court card, down to the belt at y 78."""
    first, second, hair = FRENCH_CLOTHES[suit]
    robe = _path("M27.5 78V68C30 58 39 57 44 54.5H56C61 57 70 58 72.5 68V78Z", first)
    front = _path("M43 55L50 63L57 55L60 78H40Z", second) + "".join(
        _path(f"M50 {y:g}l3.2 4l-3.2 4l-3.2-4z", first, line=0.6) for y in (64.5, 72.0)
    )
    neck = _path("M45.5 46H54.5V55L50 60L45.5 55Z", SKIN)
    sleeves = _stroke("M33.5 66L35 78M66.5 66L65 78", second, 2.6)
    y = 38.0
    if rank == "K":
        back = _path("M40 34C38 46 39 52 42 54H58C61 52 62 46 60 34Z", hair)
        ermine = _path("M36 60C41 55 59 55 64 60L61 66C56 61 44 61 39 66Z", CREAM) + _stroke(
            "M42 60.5v2.5M47 58.7v2.5M53 58.7v2.5M58 60.5v2.5", LINE, 1.1
        )
        thing = _stroke("M68.5 78V40", GOLD, 2.6) + pip("fr", suit, 68.5, 34, 12)
        parts = [
            back,
            robe,
            front,
            sleeves,
            neck,
            _head(y),
            _face(y),
            _beard(y, hair),
            ermine,
            _crown(29.5),
            thing,
        ]
    elif rank == "Q":
        locks = _path("M38.5 36C36 48 34.5 55 39 60H61C65.5 55 64 48 61.5 36C60 22 40 22 38.5 36Z", hair)
        fringe = _path(
            "M41 36C41.5 29 46 28 50 29C54 28 58.5 29 59 36C57 31.5 54 31.5 50 31C46 31.5 43 31.5 41 36Z",
            hair,
            line=0.6,
        )
        pearls = "".join(
            f'<circle cx="{x:g}" cy="{py:g}" r="1.3" fill="{CREAM}" stroke="{LINE}" stroke-width=".5"/>'
            for x, py in ((45, 54.5), (47.3, 56.6), (50, 57.4), (52.7, 56.6), (55, 54.5))
        )
        flower = (
            _stroke("M33 78C32 70 31 66 32.5 60", "#3f7d4a", 1.6)
            + "".join(
                f'<circle cx="{32.5 + dx:g}" cy="{56 + dy:g}" r="2.7" fill="{CREAM}" stroke="{LINE}" stroke-width=".7"/>'
                for dx, dy in ((0, -3.2), (3.2, 0), (0, 3.2), (-3.2, 0))
            )
            + f'<circle cx="32.5" cy="56" r="2" fill="{GOLD}"/>'
        )
        tiara = (
            _path("M41.5 28.5L39.5 19L45 23.5L50 16L55 23.5L60.5 19L58.5 28.5Q50 24 41.5 28.5Z", GOLD)
            + f'<circle cx="50" cy="24" r="1.6" fill="{first}"/>'
        )
        parts = [locks, robe, front, sleeves, neck, _head(y), _face(y), fringe, pearls, tiara, flower]
    else:
        bob = _path(
            "M39.5 32C38 44 38.5 49 41.5 50.5C44 50 44.5 46 44 40L56 40C55.5 46 56 50 58.5 50.5C61.5 49 62 44 60.5 32Z",
            hair,
        )
        beret = _path(
            "M38.5 31C35.5 22 45 16.5 53 18C62.5 19 65 26 61.5 31.5C54 28.5 46 28.5 38.5 31Z", first
        ) + _stroke("M39 31C46 28 54 28 61 31.5", second, 2.2)
        parts = [
            bob,
            robe,
            front,
            sleeves,
            neck,
            _head(y),
            _face(y),
            beret,
            _feather(57, 22, CREAM),
            _halberd(34, 24, 78),
        ]
    return "".join(parts)


def french_court(suit: str, rank: str) -> str:
    """Draw the frame, two halves, the belt between them, and the suit sign in each half."""
    first = FRENCH_CLOTHES[suit][0]
    half = french_half(suit, rank)
    corner = pip("fr", suit, 34.5, 22.5, 11) if rank != "J" else pip("fr", suit, 65.5, 47, 11)
    half += corner if rank != "K" else pip("fr", suit, 34, 22.5, 11)
    return (
        f'<rect x="27.5" y="13" width="45" height="130" rx="2" fill="#fbf1d6" stroke="{first}" stroke-width="1"/>'
        f'{half}<g transform="rotate(180 50 78)">{half}</g>'
        f'<path d="M27.5 78H72.5" stroke="{LINE}" stroke-width="5"/><path d="M27.5 78H72.5" stroke="{GOLD}" stroke-width="3" stroke-dasharray="3 2"/>'
    )


def swiss_court(suit: str, rank: str) -> str:
    """Draw a whole figure on a strip of meadow."""
    first, second, hair = SWISS_CLOTHES[suit]
    ground = _path("M24 141Q50 134 76 141V146H24Z", "#8fae57", line=0)
    if rank == "K":
        return ground + _swiss_king(suit, first, second)
    y = 41.0
    legs = _path("M42 96L40.5 134H48L50.5 98Z", second) + _path("M49.5 98L52 134H59.5L58 96Z", first)
    shoes = _path("M40.5 133H48.5V140H35.5C35.5 136.5 40 136.5 40.5 133Z", BROWN) + _path(
        "M59.5 133H51.5V140H64.5C64.5 136.5 60 136.5 59.5 133Z", BROWN
    )
    coat = _path("M38 62C41 56 59 56 62 62L64.5 100C58 105 42 105 35.5 100Z", first) + _path(
        "M50 57.5C55 57.5 60 58.5 62 62L64.5 100C60 103 55 104 50 104Z", second
    )
    belt = _path("M36.8 84H63.2L63.6 89H36.4Z", BROWN) + _path("M47.5 83.3h5v6.4h-5z", GOLD, line=0.8)
    buttons = "".join(
        f'<circle cx="50" cy="{by}" r="1.3" fill="{CREAM}" stroke="{LINE}" stroke-width=".6"/>'
        for by in (65, 71, 77)
    )
    neck = _path("M46 48H54V58H46Z", SKIN) + _path(
        "M41 57C44 54.5 56 54.5 59 57L55.5 61.5L50 59.5L44.5 61.5Z", CREAM
    )
    if rank == "J":
        left = (
            _path("M39 61C32 64 29 78 28.5 90L34.5 92C36 82 38 76 41 72Z", second)
            + f'<circle cx="31" cy="93" r="3.6" fill="{SKIN}" stroke="{LINE}"/>'
            + _stroke("M31 96V105", BROWN, 1.4)
            + pip("ch", suit, 31, 118, 27)
        )
        right = (
            _path("M61 61C68 65 71 74 70 84L62.5 90L59.5 85L64 80C63.5 76 61.5 73 59.5 71Z", first)
            + f'<circle cx="60.5" cy="87.5" r="3.4" fill="{SKIN}" stroke="{LINE}"/>'
        )
        locks = _path(
            "M40.5 36C39 46 39.5 50 42 51.5C44.5 51 45 46 44.5 41H55.5C55 46 55.5 51 58 51.5C60.5 50 61 46 59.5 36Z",
            hair,
        )
        hat = (
            _path("M39 34.5C37.5 25 44 20.5 50 20.5C56 20.5 62.5 25 61 34.5C54 31.5 46 31.5 39 34.5Z", second)
            + _path("M38.5 34.5C46 30 54 30 61.5 34.5L61 38C54 34 46 34 39 38Z", first)
            + _feather(57, 30, CREAM)
        )
        return (
            ground
            + locks
            + legs
            + shoes
            + left
            + right
            + coat
            + belt
            + buttons
            + neck
            + _head(y)
            + _face(y)
            + hat
        )
    raised = (
        _path("M60 61C64 60 67 56 70.5 47.5L76 50C74 60 70 68 62 73Z", second)
        + pip("ch", suit, 74, 27, 27)
        + _stroke("M74 46V40", BROWN, 1.4)
        + f'<circle cx="73.5" cy="46.5" r="3.6" fill="{SKIN}" stroke="{LINE}"/>'
    )
    rest = (
        _path("M39 61C32 65 29 74 30 84L37.5 90L40.5 85L36 80C36.5 76 38.5 73 40.5 71Z", first)
        + f'<circle cx="39.5" cy="87.5" r="3.4" fill="{SKIN}" stroke="{LINE}"/>'
    )
    sword = _stroke("M37 92L27 126", STEEL, 2.6) + _stroke("M33.5 90.5L41 93", GOLD, 2.2)
    boots = _path("M40.8 114H48.8V134H40.3Z", BROWN) + _path("M51.2 114H59.2L59.7 134H51.7Z", BROWN)
    sash = _path("M38.5 61.5L45 57.5L64 92L63.5 98Z", CREAM, line=0.8)
    locks = _path("M40.5 38C40 46 41 49 43 49L44 40H56L57 49C59 49 60 46 59.5 38Z", hair)
    hat = (
        _path("M33 34.5C38 28.5 62 28.5 67 34.5C62 37.5 38 37.5 33 34.5Z", first)
        + _path("M41 32.5C41 21 46 18.5 50 18.5C54 18.5 59 21 59 32.5C54 34.5 46 34.5 41 32.5Z", first)
        + _stroke("M41.2 30.5C46 32.5 54 32.5 58.8 30.5", second, 2.4)
        + _feather(43, 26, CREAM).replace("<path", '<path transform="matrix(-1 0 0 1 86 0)"')
    )
    return (
        ground
        + locks
        + sword
        + legs
        + boots
        + shoes
        + rest
        + coat
        + sash
        + belt
        + raised
        + neck
        + _head(y)
        + _face(y)
        + _moustache(y, hair)
        + hat
    )


def _swiss_king(suit: str, first: str, second: str) -> str:
    grey = "#d9d4c6"
    throne = _path("M29 140V40C29 30 35 26 50 22C65 26 71 30 71 40V140Z", "#a8733c") + _path(
        "M33 134V43C33 35 38 31.5 50 28C62 31.5 67 35 67 43V134Z", "#7d1f2a", line=0.8
    )
    robe = _path("M31 141C32 110 34 80 38 65C42 57 58 57 62 65C66 80 68 110 69 141Z", first)
    front = _path("M44 60L50 66L56 60L59 141H41Z", second) + "".join(
        _path(f"M50 {y}l3.5 5l-3.5 5l-3.5-5z", first, line=0.6) for y in (98, 111, 124)
    )
    hem = _path("M31 141C31.3 136 31.6 133 32 130H68C68.4 133 68.7 136 69 141Z", CREAM, line=0.8) + _stroke(
        "M36 133.5v3M42 133.5v3M48 133.5v3M54 133.5v3M60 133.5v3M65.5 133.5v3", LINE, 1.2
    )
    collar = _path("M36 67C40 58 60 58 64 67L60 76C55 69 45 69 40 76Z", CREAM) + _stroke(
        "M41.5 67v3M47 64.5v3M53 64.5v3M58.5 67v3", LINE, 1.2
    )
    arms = _path("M38 70C32 78 30 90 33 100L44 97L42 90L38.5 91C38.5 86 40 80 42 77Z", first) + _path(
        "M62 70C68 78 70 90 67 100L56 97L58 90L61.5 91C61.5 86 60 80 58 77Z", first
    )
    orb = (
        f'<circle cx="40" cy="89" r="6" fill="{GOLD}" stroke="{LINE}"/>'
        + _stroke("M34.5 88Q40 91 45.5 88M40 83V77M37.5 79.5H42.5", LINE, 1.1)
        + f'<circle cx="42.5" cy="96" r="3.4" fill="{SKIN}" stroke="{LINE}"/>'
    )
    sceptre = (
        _stroke("M60 112V60", GOLD, 2.6) + f'<circle cx="60" cy="95" r="3.6" fill="{SKIN}" stroke="{LINE}"/>'
    )
    y = 45.0
    return (
        throne
        + robe
        + front
        + hem
        + arms
        + collar
        + orb
        + sceptre
        + pip("ch", suit, 60.5, 57, 13)
        + _head(y)
        + _face(y)
        + _beard(y, grey)
        + _moustache(y, grey)
        + _crown(37)
        + pip("ch", suit, 32, 127, 23)
    )
