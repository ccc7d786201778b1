"""Rollouts of a deal in one world with all hands open. Each card is rated by the gain of the trick less the
card's later value, as in `games.bots.card_choice`.

Sets of cards are bit masks and points are whole numbers, since one decision needs hundreds of rollouts. The
engine decides which cards are legal and which card takes a trick (`engine.tricks.trick_tables`).
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.card_points import LAST_TRICK, Values
from engine.cards import SUIT_MASK, SUIT_NAMES, SUIT_OF
from engine.contracts import TOP_DOWN
from engine.rules import IN_TURN, Rules
from engine.tricks.modes import mode_at
from engine.tricks.trick_tables import POINTS, TablesBySuit
from games.bots.card_choice import TASTE
from games.bots.playouts.worlds import GuessedWorld
from games.bots.reckoning.knowledge import STRONGER

EVERYTHING: Final = 1000
"""The `needs` of a seat that wants all points."""
WINNER: Final = TASTE.winner
TEMPO: Final = TASTE.tempo
REST: Final = TASTE.rest
DRAW: Final = TASTE.draw
TRUMP_KEEP: Final = tuple(WINNER * max(TASTE.ruff, TASTE.beaten**above) for above in range(10))
UNDRAWN: Final = TASTE.spare
GUARDED: Final = TASTE.guarded
THREAT: Final = TASTE.threat
HIGHER_IN_SUIT: Final = tuple(
    tuple(STRONGER[mode][SUIT_OF[card]][card] & SUIT_MASK[SUIT_OF[card]] for card in range(36))
    for mode in range(6)
)


class Scene(NamedTuple):
    """The data that all worlds of one decision share: the current table and the aims of the seats. `size`:
    number of tricks. `sides`: side of each seat. `lying`: cards of the trick on the table. `done`: completed
    tricks.
    """

    rules: Rules
    seats: int
    size: int
    contract: str | None
    sides: tuple[int, ...]
    against: tuple[bool, ...]
    """By seat: whether it wants to prevent tricks of the others, and not only to take tricks itself."""
    first: int
    """The seat that leads the trick on the table."""
    lying: tuple[int, ...]
    tricks: tuple[tuple[int, tuple[int, ...]], ...]
    """Completed tricks as (taker, cards); empty if the points of a trick are known at once."""
    done: int
    taken: tuple[int, ...]
    """Points of the completed tricks, by seat."""
    takers: int
    """The mask of seats that have taken a trick."""
    values: Values


class End(NamedTuple):
    """The end of a deal: points by seat, and the mask of the seats that took a trick."""

    points: list[int]
    takers: int


def play_world_out(scene: Scene, world: GuessedWorld, first_card: int, needs: Sequence[int]) -> End:
    """Play `first_card` (-1: none), and then the cards of all seats to the end of the deal; return the end.
    `needs`: by seat the total points that it wants: a number, EVERYTHING, or 0 if it wants none.
    """
    seats, size, rules, contract = scene.seats, scene.size, scene.rules, scene.contract
    hands, under = list(world.hands), world.under
    taken, takers = list(scene.taken), scene.takers
    alive = 0
    for hand in hands:
        alive |= hand
    ways = rules.trick_tables[contract, size]
    named = contract is not None or not rules.play.names_trumps
    tricks = list(scene.tricks)
    lying = list(scene.lying)
    leader = scene.first
    order = IN_TURN[seats][leader]
    best = total = 0
    by_suit: TablesBySuit
    for done in range(scene.done, size):
        mode = mode_at(contract, size, done)
        by_suit = ways[done]
        asked, special, follow, worths = by_suit[0]
        if lying:  # the trick on the table
            asked, special, follow, worths = by_suit[SUIT_OF[lying[0]]]
            for place, card in enumerate(lying):
                worth = worths[card]
                total += worth
                if worth > best:
                    best, leader = worth, order[place]
        for place in range(len(lying), seats):
            seat = order[place]
            hand = hands[seat]
            if first_card >= 0:
                card, first_card = first_card, -1
            else:
                legal = hand
                if lying:
                    legal = follow(hand, lying) if hand & special else hand & asked or hand
                if legal & (legal - 1):
                    card = _best_card(
                        scene, hands, seat, legal, order, place, alive, mode, worths, lying, best, leader,
                        total & POINTS, max(0, needs[seat] - taken[seat]),
                    )  # fmt: skip
                else:
                    card = legal.bit_length() - 1
            if not lying:
                asked, special, follow, worths = by_suit[SUIT_OF[card]]
            elif not named and SUIT_OF[card] != SUIT_OF[lying[0]]:
                named, mode = True, SUIT_OF[card]
                contract = SUIT_NAMES[mode]
                ways = rules.trick_tables[contract, size]
                asked, special, follow, worths = ways[done][SUIT_OF[lying[0]]]
                best = 0
            bit = 1 << card
            hands[seat] = hand & ~bit | under[card]
            alive = alive & ~bit | under[card]
            lying.append(card)
            worth = worths[card]
            total += worth
            if worth > best:
                best, leader = worth, seat
        takers |= 1 << leader
        if rules.play.names_trumps:
            tricks.append((leader, tuple(lying)))
        taken[leader] += (total & POINTS) + (LAST_TRICK if done + 1 == size else 0)
        order = IN_TURN[seats][leader]
        lying = []
        best = total = 0
    if rules.play.names_trumps:
        return End(count_points(rules, contract, tricks, seats), takers)
    return End(taken, takers)


def count_points(
    rules: Rules, contract: str | None, tricks: Sequence[tuple[int, tuple[int, ...]]], seats: int
) -> list[int]:
    """Return the points by seat, counted with the trumps that the deal had at its end."""
    values = rules.play.values[contract or "obenabe"]
    points = [0] * seats
    for taker, cards in tricks:
        points[taker] += sum([values[card] for card in cards])
    points[tricks[-1][0]] += LAST_TRICK
    return points


def _best_card(
    scene: Scene,
    hands: Sequence[int],
    seat: int,
    legal: int,
    order: Sequence[int],
    place: int,
    alive: int,
    mode: int,
    worths: Sequence[int],
    lying: Sequence[int],
    best: int,
    leader: int,
    points: int,
    need: int,
) -> int:
    """Return the best card to lead, or to play to the trick on the table."""
    sides, against = scene.sides, scene.against[seat]
    own, hand = sides[seat], hands[seat]
    by_led, higher, values = STRONGER[mode], HIGHER_IN_SUIT[mode], scene.values
    trumps = SUIT_MASK[mode] if mode < TOP_DOWN else 0
    others = alive & ~hand
    later = order[place + 1 :]
    foes = 0
    for other in order:
        if sides[other] != own:
            foes |= hands[other]
    threat = THREAT if trumps & foes else 0.0
    drawing = 0.0  # added to the later value of a trump that is led: negative if it draws trumps
    mask_led, stronger, mine_if_not = 0, by_led[0], True
    if lying:
        led = SUIT_OF[lying[0]]
        mask_led, stronger = SUIT_MASK[led], by_led[led]
        mine_if_not = sides[leader] == own
        beats = stronger[lying[order.index(leader)]]
        if later and beats & others:
            for other in later:
                held = hands[other]
                able = held & beats
                if able and (able & mask_led or not held & mask_led):
                    mine_if_not = sides[other] == own
    else:
        drawing = -2 * DRAW if foes & trumps else UNDRAWN
        best = -1  # a led card lies highest
    want, rest = _keeping(need), REST * len(later) + TEMPO
    rating, found = -1e9, -1
    left = legal
    while left:
        low = left & -left
        left ^= low
        card = low.bit_length() - 1
        suit = SUIT_OF[card]
        mask = SUIT_MASK[suit]
        if not lying:
            mask_led, stronger = mask, by_led[suit]
        if worths[card] > best:
            ours = True
            beats = stronger[card]
            if later and beats & others:
                for other in later:
                    held = hands[other]
                    able = held & beats
                    if able and (able & mask_led or not held & mask_led):
                        ours = sides[other] == own
        else:
            ours = mine_if_not
        above = higher[card] & others
        if mask == trumps:
            keep = TRUMP_KEEP[above.bit_count()] + drawing
        elif not above:
            # A card led where no seat ruffs takes its trick now as well as later: its lead costs nothing.
            keep = WINNER * (1 - threat) if lying or threat else 0.0
        elif not above & (above - 1) and hand & mask != low:
            keep = WINNER * GUARDED * (1 - threat)
        else:
            keep = 0.0
        stake = points + values[card] + rest
        gain = stake if stake <= need else 2 * need - stake
        rated = gain if ours else -stake if against else 0.0
        rated -= want * keep
        if rated > rating:
            rating, found = rated, card
    return found


def _keeping(need: int) -> float:
    """Return the weight of a card's later value for a seat that still wants `need` points."""
    return 1.0 if need > 15 else -1.0 if need <= 3 else 0.0
