"""Random rollouts of a deal in one world: every seat plays the first legal card of an order drawn for that
world.

In games that pay both for most and for fewest points, the aims of other seats are unknown. To assume one's
own aim for them misleads more than to assume no aim. A seat that has predicted its points knows its own aim:
it plays towards its prediction, the others play at random.

All cards tried in a world meet the same orders, so that differences between results come from the card.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from engine.card_points import LAST_TRICK
from engine.cards import SUIT_NAMES, SUIT_OF, members
from engine.rules import IN_TURN
from engine.tricks.trick_tables import POINTS, TablesBySuit
from games.bots.playouts.world_rollouts import End, Scene
from games.bots.playouts.worlds import GuessedWorld

ENOUGH: Final = 8
"""Half the points of an average trick. A seat that lacks at most this many points avoids tricks if it can."""


class Aimer(NamedTuple):
    """A seat that plays towards the points it lacks."""

    seat: int
    lacks: int
    """The number of points that the seat still wants; negative if it has too many."""


NOBODY: Final = Aimer(-1, 0)
"""No seat aims at a number of points: all seats play at random."""


def draw_orders(world: GuessedWorld, roll: Callable[[], float]) -> list[list[int]]:
    """Return, by seat, the cards of its hand in a random order. `roll` returns a new random number on each
    call.
    """
    return [sorted(members(hand), key=lambda card: roll()) for hand in world.hands]


def sort_by_strength(scene: Scene, hand: int) -> list[int]:
    """Return the cards of a hand, strongest first. A card's strength is its strength in a trick in which its
    own suit is led.
    """
    ways = scene.rules.trick_tables[scene.contract, scene.size][scene.done]
    return sorted(members(hand), key=lambda card: ways[SUIT_OF[card]].worths[card], reverse=True)


def play_by_chance(
    scene: Scene,
    world: GuessedWorld,
    first_card: int,
    orders: Sequence[Sequence[int]],
    aimer: Aimer = NOBODY,
) -> End:
    """Play `first_card` (-1: none) and then the rest of the deal; return the end of the deal.

    `orders`: each seat's cards, as by `draw_orders`. Each seat except `aimer` plays its first legal card.
    The cards of `aimer` are in the order of `sort_by_strength`, and it chooses by the points that it lacks
    (`_towards`).
    """
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
        suit_mask, special, follow, worths = by_suit[SUIT_OF[lying[0] if lying else card]]
        for seat in turn[len(lying) :]:
            hand, mine = hands[seat], held[seat]
            if card < 0:
                if lying:
                    legal = follow(hand, lying) if hand & special else hand & suit_mask or hand
                    if seat == aiming:
                        may = [card for card in mine if legal >> card & 1]
                        card = _towards(lacks, may, worths, lying, len(lying) + 1 == seats)
                    else:
                        for card in mine:
                            if legal >> card & 1:
                                break
                else:
                    card = mine[-1] if seat == aiming and lacks <= ENOUGH else mine[0]
                    suit_mask, special, follow, worths = by_suit[SUIT_OF[card]]
            mine.remove(card)
            hands[seat] = hand ^ (1 << card)
            if under[card]:
                hands[seat] |= under[card]
                mine.append(under[card].bit_length() - 1)
            lying.append(card)
            if unnamed and SUIT_OF[card] != SUIT_OF[lying[0]]:
                unnamed, contract = False, SUIT_NAMES[SUIT_OF[card]]
                ways = rules.trick_tables[contract, size]
                suit_mask, special, follow, worths = ways[done][SUIT_OF[lying[0]]]
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
    if not names:  # points of earlier tricks are known, and `scene.tricks` does not hold these tricks
        points = [now + before for now, before in zip(points, scene.taken, strict=False)]
    points[leader] += LAST_TRICK
    return End(points, takers)


def _towards(lacks: int, may: Sequence[int], worths: Sequence[int], lying: Sequence[int], last: bool) -> int:
    """Return the aiming seat's card from the legal cards `may`, strongest first.

    A seat that lacks more than ENOUGH points takes the trick with the strongest card that takes it, or else
    plays its weakest card. Another seat plays the strongest card that does not take the trick. If every card
    takes the trick, it plays the weakest, or the strongest if it plays last.
    """
    best = max([worths[card] for card in lying])
    if lacks > ENOUGH:
        return next((card for card in may if worths[card] > best), may[-1])
    return next((card for card in may if worths[card] < best), may[0 if last else -1])
