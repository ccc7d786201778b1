"""Choice of a card. A card is rated by the expected gain of the trick, less the later value of the card.

Smearing, taking cheaply and leading winners follow from this sum. Drawing trumps has a separate bonus.
"""

from dataclasses import replace
from typing import Final, NamedTuple

from engine.card_points import VALUES
from engine.cards import SUIT_MASK, SUIT_NAMES, SUIT_OF, members
from engine.contracts import STRENGTH
from games.bots.reckoning.knowledge import STRONGER, Sight


class Taste(NamedTuple):
    """The weights of a rating, in points if nothing else is said. They were found by matches between bots
    (tests.bench.bots).
    """

    winner: float = 15.0
    """The later value of a card that no unseen card of its suit beats."""
    guarded: float = 0.35
    """The share of `winner` for the second best card of a suit."""
    ruff: float = 0.28
    """The share of `winner` for the weakest trump."""
    rest: float = 1.5
    """Points that each player who has still to play is expected to add to the trick."""
    tempo: float = 2.0
    """The value of leading the next trick."""
    draw: float = 2.0
    """Bonus for each trump that the side which named trumps draws from the opponents."""
    spare: float = 3.5
    """Cost of a trump lead that draws no trump, or by the side that did not name trumps."""
    beaten: float = 0.95
    """Factor by which each higher unseen trump reduces the later value of a trump."""
    threat: float = 0.5
    """Share of a winner's later value that is lost if an opponent certainly has a trump."""
    eager: float = 0.15
    """Probability that a player ruffs a trick without points although the player can follow. It rises with
    the points in the trick.
    """
    void: float = 0.5
    """Probability that a player who cannot follow ruffs."""
    help: float = 0.9
    """Probability that the partner takes a trick that the partner can take."""
    foe: float = 1.0
    """Probability that an opponent takes a trick that the opponent can take."""


TASTE: Final = Taste()


def rate(sight: Sight, card: int, taste: Taste = TASTE) -> float:
    """Return the value of playing a card now, in points of difference between the sides. Cards are numbers
    from 0 to 35.
    """
    sight = get_sight_after_trumps(sight, card)
    lying = sight.lying
    led = SUIT_OF[lying[0] if lying else card]
    strength = STRENGTH[sight.mode][led]
    on_table = (*lying, card)
    best = max(on_table, key=strength.__getitem__)
    first = (sight.seat - len(lying)) % sight.seats
    holder = (first + on_table.index(best)) % sight.seats
    points = sum(sight.values[c] for c in on_table)
    ours = chance_to_take(sight, best, led, sight.friends[holder], points, taste)
    stake = points + taste.rest * len(sight.later) + taste.tempo
    return (2 * ours - 1) * stake - estimate_keep_value(sight, card, taste) + _drawing(sight, card, taste)


def get_sight_after_trumps(sight: Sight, card: int) -> Sight:
    """Return the sight with the trumps that hold after a card: while none are named, the first card not of
    the suit led makes its suit trumps.
    """
    if not sight.unnamed or not sight.lying or SUIT_OF[card] == SUIT_OF[sight.lying[0]]:
        return sight
    suit = SUIT_OF[card]
    return replace(sight, mode=suit, trump=suit, values=VALUES[SUIT_NAMES[suit]], unnamed=False)


def chance_to_take(sight: Sight, best: int, led: int, ours: bool, points: int, taste: Taste) -> float:
    """Return the probability that this side takes the trick. `best`: the best card so far; `ours`: this side
    played it.
    """
    chance = 1.0 if ours else 0.0
    beats = STRONGER[sight.mode][led][best] & sight.unseen
    if not beats and not sight.unnamed:
        return chance
    trumps = 0 if sight.trump is None or led == sight.trump else SUIT_MASK[sight.trump]
    for seat in sight.later:
        able = sight.chance(seat, beats & ~trumps)
        if sight.unnamed:
            able += (1 - able) * (1 - sight.chance(seat, SUIT_MASK[led]))
        if trumps:
            # Trumping is always allowed, and more likely the more points are in the trick.
            void = not sight.may[seat] & SUIT_MASK[led]
            readiness = taste.void if void else min(0.8, taste.eager + points / 40)
            able += (1 - able) * sight.chance(seat, beats & trumps) * readiness
        if sight.friends[seat]:
            chance += (1 - chance) * able * taste.help
        else:
            chance *= 1 - able * taste.foe
    return chance


def estimate_keep_value(sight: Sight, card: int, taste: Taste = TASTE) -> float:
    """Return the value of keeping a card in the hand, in points."""
    if sight.hand & (sight.hand - 1) == 0:
        return 0.0
    suit = SUIT_OF[card]
    above = (STRONGER[sight.mode][suit][card] & SUIT_MASK[suit] & sight.unseen).bit_count()
    if suit == sight.trump:
        return taste.winner * max(taste.ruff, taste.beaten**above)
    if not sight.unseen & SUIT_MASK[suit] and sight.trump is None:
        return taste.winner
    threat = 0.0 if sight.trump is None else _threat(sight, sight.trump)
    if above == 0:
        return taste.winner * (1 - taste.threat * threat)
    if above == 1 and (sight.hand & SUIT_MASK[suit]).bit_count() > 1:
        return taste.winner * taste.guarded * (1 - taste.threat * threat)
    return 0.0


def _threat(sight: Sight, trump: int) -> float:
    """Return the probability that an opponent still holds a trump."""
    none = 1.0
    for seat in range(sight.seats):
        if not sight.friends[seat]:
            none *= 1 - sight.chance(seat, SUIT_MASK[trump] & sight.unseen)
    return 1 - none


def _drawing(sight: Sight, card: int, taste: Taste) -> float:
    """Return the bonus of a trump lead, in points; the cost `spare` is negative."""
    if sight.trump is None or sight.lying or SUIT_OF[card] != sight.trump:
        return 0.0
    out = SUIT_MASK[sight.trump] & sight.unseen
    drawn = sum(sight.chance(seat, out) for seat in range(sight.seats) if not sight.friends[seat])
    if not sight.declarer:
        return -taste.spare
    return taste.draw * drawn if drawn else -taste.spare


def rate_cards(sight: Sight, legal: int, taste: Taste = TASTE) -> dict[int, float]:
    """Return the rating of each legal card, by the card's number. `legal`: a mask of cards."""
    return {card: rate(sight, card, taste) for card in members(legal)}
