"""The rest of a deal in one world, played by chance: everybody plays the first card he may of an order drawn
for that world. Where most and fewest are paid, nobody knows what another wants, and to believe that he
wants what one would oneself misleads more than to believe nothing. Who has said how many points he takes
knows at least what he himself will try: that seat plays towards them, the others by chance.

All cards that are tried in a world meet the same orders, so that what differs is what the card did. As in
`games.bots.playouts.course`, what may be played and who takes a trick is the engine's.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from engine.cards import SUIT_NAMES, SUIT_OF, members
from engine.contracts import LAST_TRICK
from engine.rules import IN_TURN
from engine.tricks.trick_tables import POINTS, TablesBySuit
from games.bots.playouts.course import End, Scene
from games.bots.playouts.worlds import GuessedWorld

ENOUGH: Final = 8
"""Who lacks no more points than this takes no trick that he need not: half of what one is worth."""


class Aimer(NamedTuple):
    """A seat that plays towards the points it lacks, from the strongest of its cards or the weakest."""

    seat: int
    lacks: int
    """How many more it wants; negative: it has too many."""


NOBODY: Final = Aimer(-1, 0)
"""Chance plays for all."""


def orders_drawn(world: GuessedWorld, roll: Callable[[], float]) -> list[list[int]]:
    """By seat its cards in an order that chance gives; `roll`: a number each time."""
    return [sorted(members(hand), key=lambda card: roll()) for hand in world.hands]


def by_strength(scene: Scene, hand: int) -> list[int]:
    """Cards, the strongest first: each as it is where its own suit is led."""
    ways = scene.rules.trick_tables[scene.contract, scene.size][scene.done]
    return sorted(members(hand), key=lambda card: ways[SUIT_OF[card]].worths[card], reverse=True)


def played_by_chance(
    scene: Scene,
    world: GuessedWorld,
    first_card: int,
    orders: Sequence[Sequence[int]],
    aimer: Aimer = NOBODY,
) -> End:
    """Play a card, or none (-1), and then everybody to the end, each the first that he may of `orders_drawn`;
    but the aimer, whose order is `by_strength`, towards what he lacks."""
    aiming, lacks = aimer
    rules, seats, size, contract = scene.rules, scene.seats, scene.size, scene.contract
    names = rules.play.names_trumps
    ways = rules.trick_tables[contract, size]
    unnamed = names and contract is None
    hands, under = list(world.hands), world.under
    held = [*map(list, orders)]
    won: list[list[int]] = [[] for _ in range(seats)]
    for taker, cards in scene.tricks:
        won[taker] += cards
    takers, lying, turn = scene.takers, list(scene.lying), IN_TURN[seats][scene.first]
    leader, card = scene.first, first_card
    by_suit: TablesBySuit
    for done in range(scene.done, size):
        by_suit = ways[done]
        asked, special, follow, worths = by_suit[SUIT_OF[lying[0] if lying else card]]
        for seat in turn[len(lying) :]:
            hand, mine = hands[seat], held[seat]
            if card < 0:
                if lying:
                    legal = follow(hand, lying) if hand & special else hand & asked or hand
                    if seat == aiming:
                        may = [card for card in mine if legal >> card & 1]
                        card = _towards(lacks, may, worths, lying, len(lying) + 1 == seats)
                    else:
                        for card in mine:
                            if legal >> card & 1:
                                break
                else:
                    card = mine[-1] if seat == aiming and lacks <= ENOUGH else mine[0]
                    asked, special, follow, worths = by_suit[SUIT_OF[card]]
            mine.remove(card)
            hands[seat] = hand ^ (1 << card)
            if under[card]:
                hands[seat] |= under[card]
                mine.append(under[card].bit_length() - 1)
            lying.append(card)
            if unnamed and SUIT_OF[card] != SUIT_OF[lying[0]]:
                unnamed, contract = False, SUIT_NAMES[SUIT_OF[card]]
                ways = rules.trick_tables[contract, size]
                asked, special, follow, worths = ways[done][SUIT_OF[lying[0]]]
            card = -1
        leader = turn[lying.index(max(lying, key=worths.__getitem__))]
        turn = IN_TURN[seats][leader]
        won[leader] += lying
        takers |= 1 << leader
        if leader == aiming:
            lacks -= sum([worths[card] for card in lying]) & POINTS
        lying = []
    values = rules.play.values[contract or "obenabe"].__getitem__
    points = [sum(map(values, cards)) for cards in won]
    if not names:  # what was taken before is known, and `scene.tricks` does not hold it
        points = [now + before for now, before in zip(points, scene.taken, strict=False)]
    points[leader] += LAST_TRICK
    return End(points, takers)


def _towards(lacks: int, may: Sequence[int], worths: Sequence[int], lying: Sequence[int], last: bool) -> int:
    """Who lacks points takes with the strongest he may, strongest first, or keeps it; who does not gets rid
    of the strongest that does not take, and where all do, of the one least likely to, or the strongest if
    nobody comes after him."""
    best = max([worths[card] for card in lying])
    if lacks > ENOUGH:
        return next((card for card in may if worths[card] > best), may[-1])
    return next((card for card in may if worths[card] < best), may[0 if last else -1])
