"""What one seat can know of the cards: its hand, what is out, and who cannot hold what any more."""

from dataclasses import dataclass
from typing import Final

from engine import State, cards
from engine.contracts import MODES, PUUR, STRENGTH, TOP_DOWN, TRUMPS, Values

STRONGER: Final = tuple(
    tuple(
        tuple(
            sum(1 << other for other in range(36) if strength[other] > strength[card]) for card in range(36)
        )
        for strength in by_led
    )
    for by_led in STRENGTH
)
"""STRONGER[mode][suit led][card]: the mask of the cards that beat it in such a trick."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The table as a seat sees it while playing. Masks have 36 bits, modes as in engine.contracts."""

    seat: int
    hand: int
    unseen: int
    """Cards that are neither in the hand nor played."""
    mode: int
    trump: int | None
    values: Values
    friends: tuple[bool, ...]
    """By seat: on the same side (the seat itself too)."""
    left: tuple[int, ...]
    """Cards still held, by seat."""
    may: tuple[int, ...]
    """By seat: the unseen cards it may hold, as far as its plays prove it."""
    declarer: bool
    """The contract was named on this side."""
    lying: tuple[int, ...]
    seats: int

    @property
    def later(self) -> list[int]:
        """The seats that play after this one in the trick, in order."""
        missing = self.seats - len(self.lying) - 1
        return [(self.seat + step) % self.seats for step in range(1, missing + 1)]

    def chance(self, seat: int, wanted: int) -> float:
        """How likely a seat holds at least one of some cards, every place being equally likely."""
        none = 1.0
        wanted &= self.may[seat]
        own = self.left[seat]
        others = [other for other in range(self.seats) if other != self.seat]
        while wanted:
            low = wanted & -wanted
            wanted ^= low
            places = sum(self.left[other] for other in others if self.may[other] & low)
            none *= 1 - own / max(places, own, 1)
        return 1 - none


def look(state: State, seat: int) -> Sight:
    """The sight of a seat whose turn it is to play; reads only what a view for that seat holds."""
    rules = state.rules
    contract = state.contract or "obenabe"
    modes = MODES[contract][state.sizes[0]]
    mode = modes[len(state.tricks)] if state.contract else TOP_DOWN
    hand = state.hands[seat]
    unseen = cards.ALL & ~state.played() & ~hand
    may = [unseen] * state.seats
    played = [0] * state.seats
    for number, trick in enumerate(state.tricks):
        _exclude(may, trick.seats, trick.cards, modes[number])
        for who in trick.seats:
            played[who] += 1
    _exclude(may, state.trick_seats, state.trick, mode)
    for who in state.trick_seats:
        played[who] += 1
    sides = rules.variant.sides(state)
    return Sight(
        seat=seat,
        hand=hand,
        unseen=unseen,
        mode=mode,
        trump=mode if mode < TOP_DOWN else None,
        values=rules.play.values[contract],
        friends=tuple(sides[other] == sides[seat] for other in range(state.seats)),
        left=tuple(state.sizes[other] - played[other] for other in range(state.seats)),
        may=tuple(may),
        declarer=state.chooser is not None and sides[state.chooser] == sides[seat],
        lying=tuple(state.trick),
        seats=state.seats,
    )


def _exclude(
    may: list[int], seats: list[int] | tuple[int, ...], lying: list[int] | tuple[int, ...], mode: int
) -> None:
    """Who did not follow shows what he does not hold; trumping shows nothing, since it is always allowed."""
    if not lying:
        return
    led = cards.SUIT_OF[lying[0]]
    for who, card in zip(seats, lying, strict=True):
        suit = cards.SUIT_OF[card]
        if suit == led or (mode < TOP_DOWN and suit == mode):
            continue
        may[who] &= ~(TRUMPS[led] & ~PUUR[led] if led == mode else cards.SUIT_MASK[led])
