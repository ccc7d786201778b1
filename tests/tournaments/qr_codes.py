"""A reader of QR codes for tests, module by module, without error correction.

ISO/IEC 18004, versions 10 to 20 at level M: figures, capitals, bytes.
"""

from collections.abc import Callable, Iterator, Sequence

Matrix = Sequence[Sequence[bool]]

# Level M, by version: data codewords of the blocks, in their order.
BLOCKS_OF_M = {
    10: [43] * 4 + [44],
    11: [50] + [51] * 4,
    12: [36] * 6 + [37] * 2,
    13: [37] * 8 + [38],
    14: [40] * 4 + [41] * 5,
    15: [41] * 5 + [42] * 5,
    16: [45] * 7 + [46] * 3,
    17: [46] * 10 + [47],
    18: [43] * 9 + [44] * 4,
    19: [44] * 3 + [45] * 11,
    20: [41] * 3 + [42] * 13,
}
MASKS: list[Callable[[int, int], bool]] = [
    lambda y, x: (y + x) % 2 == 0,
    lambda y, x: y % 2 == 0,
    lambda y, x: x % 3 == 0,
    lambda y, x: (y + x) % 3 == 0,
    lambda y, x: (y // 2 + x // 3) % 2 == 0,
    lambda y, x: y * x % 2 + y * x % 3 == 0,
    lambda y, x: (y * x % 2 + y * x % 3) % 2 == 0,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2 == 0,
]


def read_matrix(matrix: Matrix) -> bytes:
    """Return the content of the code."""
    size = len(matrix)
    version = (size - 17) // 4
    mask = MASKS[_mask_of(matrix)]
    taken = _function_modules(size, version)
    bits = [matrix[y][x] ^ mask(y, x) for y, x in _path(size) if (y, x) not in taken]
    words = [_number(bits[at : at + 8]) for at in range(0, len(bits) - 7, 8)]
    data = _in_order(words, BLOCKS_OF_M[version])
    stream = [bool(word >> bit & 1) for word in data for bit in range(7, -1, -1)]
    return b"".join(_pieces(stream))


LETTERS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
COUNTED_BY = {1: 12, 2: 11, 4: 16}
"""Mode → bits of its count, in versions 10 to 26."""


def _pieces(stream: Sequence[bool]) -> Iterator[bytes]:
    at = 0

    def take(bits: int) -> int:
        nonlocal at
        at += bits
        return _number(stream[at - bits : at])

    while at + 4 <= len(stream) and (mode := take(4)):
        left = take(COUNTED_BY[mode])
        while left:
            if mode == 4:
                yield bytes([take(8)])
                left -= 1
            elif mode == 1:
                digits = min(3, left)
                yield f"{take(3 * digits + 1):0{digits}}".encode()
                left -= digits
            elif left > 1:
                both = take(11)
                yield bytes([LETTERS[both // 45], LETTERS[both % 45]])
                left -= 2
            else:
                yield bytes([LETTERS[take(6)]])
                left -= 1


def _mask_of(matrix: Matrix) -> int:
    """Read the format beside the first finder, which has its own mask."""
    bits = [matrix[8][x] for x in (0, 1, 2, 3, 4)]
    return (_number(bits) ^ 0b10101) & 0b111


def _number(bits: Sequence[bool]) -> int:
    return int("".join("1" if bit else "0" for bit in bits), 2)


def _alignment(version: int, size: int) -> list[int]:
    if version == 1:
        return []
    count = version // 7 + 2
    step = 26 if version == 32 else (version * 4 + count * 2 + 1) // (count * 2 - 2) * 2
    return [6, *sorted(size - 7 - at * step for at in range(count - 1))]


def _function_modules(size: int, version: int) -> set[tuple[int, int]]:
    taken = {(y, x) for y in range(9) for x in range(9)}
    taken |= {(y, x) for y in range(9) for x in range(size - 8, size)}
    taken |= {(y, x) for y in range(size - 8, size) for x in range(9)}
    taken |= {(6, at) for at in range(size)} | {(at, 6) for at in range(size)}
    places = _alignment(version, size)
    corners = {(6, 6), (6, places[-1]), (places[-1], 6)} if places else set()
    for y in places:
        for x in places:
            if (y, x) not in corners:
                taken |= {(y + a, x + b) for a in range(-2, 3) for b in range(-2, 3)}
    if version >= 7:
        taken |= {(y, x) for y in range(6) for x in range(size - 11, size - 8)}
        taken |= {(y, x) for y in range(size - 11, size - 8) for x in range(6)}
    return taken


def _path(size: int) -> Iterator[tuple[int, int]]:
    """Iterate over pairs of columns from the right, up and down in turn."""
    up = True
    for right in (x for x in range(size - 1, 0, -1) if x > 6 and (size - 1 - x) % 2 == 0):
        yield from _column(size, right, up)
        up = not up
    for right in (5, 3, 1):
        yield from _column(size, right, up)
        up = not up


def _column(size: int, right: int, up: bool) -> Iterator[tuple[int, int]]:
    for y in range(size - 1, -1, -1) if up else range(size):
        yield y, right
        yield y, right - 1


def _in_order(words: Sequence[int], blocks: Sequence[int]) -> list[int]:
    """Return the codewords of the blocks in order; the code interleaves them."""
    found: list[list[int]] = [[] for _ in blocks]
    stream = iter(words)
    for row in range(max(blocks)):
        for at, count in enumerate(blocks):
            if row < count:
                found[at].append(next(stream))
    return [word for block in found for word in block]
