"""Knowledge of one seat: its own hand, the unseen cards, and the cards that each other seat may hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine import State, cards
from engine.card_points import Values
from engine.cards import SUIT_OF, members
from engine.contracts import MODES, PUUR, STRENGTH, TOP_DOWN, TRUMPS
from engine.registry import get_rules
from engine.tricks.following import Following

STRONGER: Final = tuple(
    tuple(
        tuple(
            sum(1 << other for other in range(36) if strength[other] > strength[card]) for card in range(36)
        )
        for strength in by_led
    )
    for by_led in STRENGTH
)
"""STRONGER[mode][suit led][card]: the mask of the cards that beat this card in a trick of this mode and
suit.
"""


@dataclass(frozen=True, slots=True)
class Sight:
    """The table as the seat `seat` sees it during play. Sets of cards are masks of 36 bits; modes are those
    of engine.contracts. `lying`: the cards of the current trick.
    """

    seat: int
    hand: int
    unseen: int
    """Cards that are neither in the hand nor known to be out of play."""
    mode: int
    trump: int | None
    values: Values
    friends: tuple[bool, ...]
    """By seat: whether it is on the same side as this seat (true for the seat itself)."""
    left: tuple[int, ...]
    """By seat: the number of cards in its hand that this seat does not know."""
    may: tuple[int, ...]
    """By seat: the unseen cards that it may hold, as far as its plays exclude others."""
    declarer: bool
    """Whether the side of this seat named the contract; if no seat did, whether this seat holds more than a
    third of the trumps left.
    """
    lying: tuple[int, ...]
    seats: int
    known: tuple[int, ...] = (0, 0, 0, 0)
    """By seat: cards in its hand that all seats know, because they lie open on the table or were turned."""
    hidden: int = 0
    """The number of unseen cards that no seat holds: closed on the table, undealt, or discarded by another
    seat.
    """
    unnamed: bool = False
    """Whether there are no trumps yet: the first card that is not of the suit led makes its suit trumps."""

    @property
    def later(self) -> list[int]:
        """The seats that play after this seat in the trick, in order."""
        missing = self.seats - len(self.lying) - 1
        return [(self.seat + step) % self.seats for step in range(1, missing + 1)]

    def chance(self, seat: int, wanted: int) -> float:
        """Return the probability that a seat holds at least one of these cards, if a card is equally likely
        at each of its possible places.
        """
        if wanted & self.known[seat]:
            return 1.0
        none = 1.0
        wanted &= self.may[seat]
        own = self.left[seat]
        others = [other for other in range(self.seats) if other != self.seat]
        while wanted:
            low = wanted & -wanted
            wanted ^= low
            places = self.hidden + sum(self.left[other] for other in others if self.may[other] & low)
            none *= 1 - own / max(places, own, 1)
        return 1 - none


def build_knowledge(state: State, seat: int) -> Sight:
    """Return the knowledge of a seat that plays or is about to play. It uses only data that the seat's view
    contains.
    """
    rules = get_rules(state)
    contract = state.contract or "obenabe"
    modes = MODES[contract][state.sizes[0]]
    mode = modes[len(state.tricks)] if state.contract else TOP_DOWN
    hand = state.hands[seat]
    unseen = cards.ALL & ~state.played() & ~hand & ~_put_away(state, seat)
    known = [0 if other == seat else _known(state, other) & unseen for other in range(state.seats)]
    may = [unseen & ~sum(known)] * state.seats
    played = [0] * state.seats
    named, following = False, rules.play.following
    for number, trick in enumerate(state.tricks):
        if rules.play.names_trumps:
            named = _exclude_by_the_rule(may, trick.seats, trick.cards, modes[number], following, named)
        else:
            _exclude(may, trick.seats, trick.cards, modes[number])
        for who in trick.seats:
            played[who] += 1
    if rules.play.names_trumps:
        _exclude_by_the_rule(may, state.trick_seats, state.trick, mode, following, named)
    else:
        _exclude(may, state.trick_seats, state.trick, mode)
    for who in state.trick_seats:
        played[who] += 1
    left = [state.sizes[other] - played[other] - known[other].bit_count() for other in range(state.seats)]
    for other, piles in enumerate(state.variant_state.table[: state.seats]):
        left[other] -= sum(pile.closed is not None for pile in piles)
    trump = mode if mode < TOP_DOWN else None
    sides = rules.sides_of(state)
    free = (unseen & ~sum(known)).bit_count() - sum(left) + left[seat]
    return Sight(
        seat=seat,
        hand=hand,
        unseen=unseen,
        mode=mode,
        trump=trump,
        values=rules.play.values[contract],
        friends=_friends(state, seat, sides, rules.variant.aim.chooser_only),
        left=tuple(left),
        may=tuple(may),
        declarer=_is_declarer(state, seat, trump, unseen, sides),
        lying=tuple(state.trick),
        seats=state.seats,
        known=tuple(known),
        hidden=max(0, free),
        unnamed=state.contract is None,
    )


def _friends(state: State, seat: int, sides: Sequence[int], chooser_only: bool) -> tuple[bool, ...]:
    """Return, for each seat, whether it is on the same side as `seat`. If only the chooser scores, all others
    are on one side against the chooser.
    """
    if not chooser_only or state.chooser is None:
        return tuple(sides[other] == sides[seat] for other in range(state.seats))
    ours = sides[seat] == sides[state.chooser]
    return tuple((sides[other] == sides[state.chooser]) == ours for other in range(state.seats))


def _is_declarer(state: State, seat: int, trump: int | None, unseen: int, sides: Sequence[int]) -> bool:
    """Return the field `declarer` of the seat's sight."""
    if state.chooser is not None:
        return sides[state.chooser] == sides[seat]
    if trump is None:
        return False
    mask = cards.SUIT_MASK[trump]
    return 2 * (state.hands[seat] & mask).bit_count() > (unseen & mask).bit_count()


def _known(state: State, other: int) -> int:
    """Return, as a mask, the open table cards of another seat and the turned card that it took."""
    variant_state = state.variant_state
    turned = (
        0 if variant_state.turned is None or variant_state.turned_seat != other else 1 << variant_state.turned
    )
    return state.hands[other] | turned


def _put_away(state: State, seat: int) -> int:
    """Return, as a mask, the cards out of play that a seat knows: its own discards, and the card on the
    stock.
    """
    variant_state = state.variant_state
    if variant_state.turned is None or variant_state.turned_seat is not None or sum(state.sizes) == 36:
        return variant_state.discards[seat]
    if variant_state.taker_of_turned is None:
        return variant_state.discards[seat] | 1 << variant_state.turned
    return variant_state.discards[seat] | 1 << (SUIT_OF[variant_state.turned] * 9)


def _exclude_by_the_rule(
    may: list[int],
    seats: Sequence[int],
    lying: Sequence[int],
    mode: int,
    following: Following,
    named: bool,
) -> bool:
    """Exclude from `may` the cards that a seat cannot hold because its card would have been illegal with
    them.

    This holds for each card that is not of the suit led, also for the card that makes trumps and for an
    undertrump. Returns whether there are trumps after the trick.
    """
    for place, (who, card) in enumerate(zip(seats, lying, strict=True)):
        if SUIT_OF[card] == SUIT_OF[lying[0]]:
            continue
        follow, before = following[mode if named else TOP_DOWN], lying[:place]
        for other in members(may[who]):
            if not follow(1 << other | 1 << card, before) >> card & 1:
                may[who] ^= 1 << other
        named = True
    return named


def _exclude(
    may: list[int], seats: list[int] | tuple[int, ...], lying: list[int] | tuple[int, ...], mode: int
) -> None:
    """Exclude from `may` the suit led (of trumps all but the Puur) for each seat that discarded. A trump
    excludes nothing, since ruffing is always allowed.
    """
    if not lying:
        return
    led = cards.SUIT_OF[lying[0]]
    for who, card in zip(seats, lying, strict=True):
        suit = cards.SUIT_OF[card]
        if suit == led or (mode < TOP_DOWN and suit == mode):
            continue
        may[who] &= ~(TRUMPS[led] & ~PUUR[led] if led == mode else cards.SUIT_MASK[led])
