"""A deck written as hands: `0: D6 D7 D8; 1: …; rest: …`, with the seats in the order in which they are dealt
to.

It can be read without knowledge of the variant: cards are dealt in packets of three to the seats in this
order, and the rest follows. `|` separates cards that are not taken up together.
"""

from collections.abc import Sequence
from itertools import accumulate, chain, pairwise
from typing import Final

from engine.cards import Card
from engine.events import DealStarted, Event, ExtraDealt, HandDealt, TableDealt, TalonDealt, TrumpTurned
from engine.notation.kinds import format_cards, read_cards
from engine.notation.scanner import NUMBER, Scanner
from engine.phases.dealing import deck_from_hands, pad_unknown, split_hands
from engine.rules import IN_TURN

PART_SEPARATOR: Final = " | "
Cards = Sequence[Card | None]


def format_hands(deck: Cards, laid_out: Sequence[Event], seats: int) -> str | None:
    """Return a deck as hands, or None if the events `laid_out` did not deal from it."""
    started = next((event for event in laid_out if isinstance(event, DealStarted)), None)
    if started is None:
        return None
    parts = [_list_parts(laid_out, seat) for seat in range(seats)]
    size, *others = {sum(map(len, share)) for share in parts}
    if others or not 0 < size * seats <= len(deck):
        return None
    for first in ((started.dealer + 1) % seats, *range(seats)):
        shares, rest = split_hands(deck, seats, size, first)
        if all(
            _known_cards(share) == _known_cards([*chain(*part)])
            for share, part in zip(shares, parts, strict=True)
        ):
            written = [
                f"{seat}: {_format_share(shares[seat], list(map(len, parts[seat])))}"
                for seat in IN_TURN[seats][first]
            ]
            return "; ".join([*written, *_format_rest(rest, laid_out)])
    return None


def _list_parts(laid_out: Sequence[Event], seat: int) -> list[list[Card | None]]:
    """Return the cards dealt to a seat, by packet: on the table, in the hand, extra cards."""
    table: list[list[Card | None]] = []
    hand: list[list[Card | None]] = []
    beside: list[list[Card | None]] = []
    for event in laid_out:
        if getattr(event, "seat", None) != seat:
            continue
        if isinstance(event, TableDealt):
            table += [pad_unknown(event.closed, event.size), list(event.open)]
        elif isinstance(event, HandDealt):
            hand.append(pad_unknown(event.cards, event.size))
        elif isinstance(event, ExtraDealt):
            beside.append(pad_unknown(event.cards, event.size))
    return table + hand + beside


def _known_cards(share: Cards) -> list[str]:
    return sorted(card for card in share if card is not None)


def _format_share(share: Cards, sizes: Sequence[int]) -> str:
    ends = accumulate(sizes, initial=0)
    return PART_SEPARATOR.join(format_cards(share[start:end]) for start, end in pairwise(ends) if end > start)


def _format_rest(rest: Cards, laid_out: Sequence[Event]) -> list[str]:
    if not rest:
        return []
    sizes: list[int] = []
    for event in laid_out:
        if isinstance(event, TalonDealt):
            sizes += [len(event.open), event.size]
        elif isinstance(event, TrumpTurned) and event.seat is None and event.card == rest[0]:
            sizes.append(1)
    return [f"rest: {_format_share(rest, [*sizes, len(rest) - sum(sizes)])}"]


def read_deck(scanner: Scanner) -> list[Card | None]:
    """Read a deck, written as hands or card by card."""
    start = scanner.at
    if scanner.find(NUMBER) is None:
        return read_cards(scanner)  # type: ignore[return-value]  # decoding the command checks the cards
    scanner.at = start
    shares: dict[int, list[str | None]] = {}
    rest: list[str | None] = []
    while (seat := scanner.find(NUMBER)) is not None:
        at, number = seat.start(), int(seat[0])
        share = _read_share(scanner)
        if number in shares:
            scanner.fail(f"seat {number} has a hand already", code="notation/repeated", at=at)
        if any(len(share) != len(other) for other in shares.values()):
            scanner.fail("every seat is dealt as many cards", code="notation/uneven_hands", at=at)
        shares[number] = share
        if not scanner.take(";"):
            break
    else:
        if not scanner.take_words(["rest"]):
            scanner.fail("expected the hand of the next seat, or the rest")
        rest = _read_share(scanner)
    if list(shares) != [(next(iter(shares)) + turn) % len(shares) for turn in range(len(shares))]:
        scanner.fail("the seats stand in the order they are dealt to", code="notation/seats", at=start)
    return [*deck_from_hands(list(shares.values()), 0), *rest]  # type: ignore[arg-type,list-item]  # decoding the command checks the cards


def _read_share(scanner: Scanner) -> list[str | None]:
    if not scanner.take(":"):
        scanner.fail("expected : and the cards")
    found = read_cards(scanner)
    while scanner.take("|"):
        found += read_cards(scanner)
    return found
