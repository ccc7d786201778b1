"""Derive decks and draws from a seed, so that anyone with the seed can deal every deck again.

The stream of bytes for one purpose is, block after block from 0 on,

    HMAC-SHA-256(seed, LP("puur/draw/1") LP(purpose) LP(entropy) LP(number) LP(deal) LP(block))

where LP(x) is the length of x as 8 bytes and then x, integers are 8 bytes, all big-endian; `entropy` is the
SHA-256 of LP of each contribution in order; `number` is the table's number in the round. A number below n (n
<= 256) is the next byte that is smaller than the largest multiple of n up to 256, modulo n; larger bytes are
discarded. A deck is Fisher-Yates from the last card: for i = 35 … 1 swap card i with card (number below i+1),
on the deck in deck order (D6 … DA, H, S, C).
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence

import msgspec

DOMAIN = b"puur/draw/1"
SEED_BYTES = 32
SUITS = "DHSC"
RANKS = ("6", "7", "8", "9", "10", "J", "Q", "K", "A")
DECK = tuple(suit + rank for suit in SUITS for rank in RANKS)


class Source(msgspec.Struct, frozen=True):
    """All randomness of one round. `seed`: 32 secret bytes. `entropy`: contributions from outside, added
    after the commitment to the seed. `committed`: the seq of the commitment in the round's stream.
    """

    seed: bytes
    entropy: tuple[bytes, ...] = ()
    committed: int = 0

    def numbers(self, purpose: str, number: int, deal: int = 0) -> "Numbers":
        """Return the stream of random numbers for one purpose at the table with this number, in this deal."""
        mixed = hashlib.sha256(_prefixed(*self.entropy)).digest()
        fields = (DOMAIN, purpose.encode(), mixed, number.to_bytes(8, "big"), deal.to_bytes(8, "big"))
        return Numbers(self.seed, _prefixed(*fields))

    def derive_seed(self, purpose: str, draw: int) -> bytes:
        """Return the seed of a draw: the first 32 bytes of the stream for this purpose. Draws count from
        1.
        """
        numbers = self.numbers(purpose, draw)
        return bytes(numbers.below(256) for _ in range(32))


class Numbers:
    """A reproducible stream of uniform random numbers."""

    def __init__(self, seed: bytes, context: bytes) -> None:
        self._bytes = _stream(seed, context)

    def below(self, n: int) -> int:
        """Return a uniform random number from 0 to n-1; 1 <= n <= 256."""
        if not 1 <= n <= 256:
            raise ValueError(f"a number below {n} cannot be drawn from a byte")
        limit = 256 - 256 % n
        return next(byte for byte in self._bytes if byte < limit) % n

    def shuffled(self, cards: Sequence[str]) -> list[str]:
        """Return the cards in a random order, every order equally likely; at most 256 cards."""
        deck = list(cards)
        for i in range(len(deck) - 1, 0, -1):
            j = self.below(i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        return deck


class ForehandDraw(msgspec.Struct, frozen=True):
    """The drawing of lots for the first forehand. `cards`: by round of drawing, the card of each seat, None
    for a seat that no longer draws. `forehand`: a seat.

    `exchanged`: whether the two opponents of forehand changed chairs, because the one after forehand drew
    higher and had to deal; None if they drew no lots for this.
    """

    cards: tuple[tuple[str | None, ...], ...]
    forehand: int
    exchanged: bool | None = None

    @property
    def dealer(self) -> int:
        """The seat before forehand."""
        return (self.forehand - 1) % len(self.cards[0])


def deck(source: Source, number: int, deal: int) -> list[str]:
    """Return the 36 cards of a deal at a table, in dealing order."""
    return source.numbers("deck", number, deal).shuffled(DECK)


def cut(source: Source, number: int, deal: int) -> str:
    """Return the card that is cut before a deal. Only some rules use it, to decide trumps."""
    return source.numbers("cut", number, deal).shuffled(DECK)[0]


def draw_forehand(source: Source, number: int, seats: int, *, partners: bool = False) -> ForehandDraw:
    """Draw lots for forehand. Each seat draws a card of a shuffled pack. The seat with the lowest rank is
    forehand; seats with equal lowest ranks draw again.

    `partners`: at four seats, the two opponents of forehand draw again while their ranks are equal. This was
    the rule on 23 November 2026, when the opponent who drew higher got the chair before forehand.
    """
    numbers = source.numbers("forehand", number)
    rounds: list[dict[int, str]] = []

    def draw(drawing: Sequence[int]) -> dict[int, str]:
        rounds.append(dict(zip(drawing, numbers.shuffled(DECK), strict=False)))
        return rounds[-1]

    drawing: Sequence[int] = range(seats)
    while len(drawing) > 1:
        cards = draw(drawing)
        lowest = min(map(_rank, cards.values()))
        drawing = [seat for seat, card in cards.items() if _rank(card) == lowest]
    forehand, exchanged = drawing[0], None
    if partners and seats == 4:
        before, after = (forehand - 1) % seats, (forehand + 1) % seats
        # Only seats that were level in a round of drawing take part in the next one.
        both = [cards for cards in rounds if before in cards and after in cards]
        while _rank(both[-1][before]) == _rank(both[-1][after]):
            both.append(draw((before, after)))
        exchanged = _rank(both[-1][after]) > _rank(both[-1][before])
    table = tuple(tuple(cards.get(seat) for seat in range(seats)) for cards in rounds)
    return ForehandDraw(table, forehand, exchanged)


def _rank(card: str) -> int:
    return RANKS.index(card[1:])


def _stream(seed: bytes, context: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(seed, context + _prefixed(block.to_bytes(8, "big")), "sha256")
        block += 1


def _prefixed(*fields: bytes) -> bytes:
    return b"".join(len(field).to_bytes(8, "big") + field for field in fields)
