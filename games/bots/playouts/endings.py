"""Endgame search: the result of each card when all seats play the rest of one world perfectly.

Between two camps that share the points, the search is exact (alpha-beta over all plays). If every seat plays
alone, each seat takes the line that its own score likes best. Worlds are guesses at the hidden cards; equal
worlds are searched once.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from engine.card_points import LAST_TRICK
from engine.cards import SUIT_NAMES, SUIT_OF, members
from engine.rules import IN_TURN
from engine.tricks.trick_tables import POINTS
from games.bots.playouts.effort import MAX_NODES
from games.bots.playouts.end_values import Goodness
from games.bots.playouts.world_rollouts import End, Scene, count_points
from games.bots.playouts.worlds import GuessedWorld

TRICKS_OF_CAMPS: Final[Mapping[int, int]] = {2: 5, 3: 4, 4: 3}
"""By number of seats: the most tricks left, the current one included, with which the rest of a deal between
two camps is searched.
"""
TRICKS_ALONE: Final[Mapping[int, int]] = {2: 4, 3: 2, 4: 2}
"""By number of seats: the most tricks left with which the rest is searched if every seat plays alone."""
MIN_WORLDS: Final = 6
"""Fewest different worlds with a useful result if the nodes are spent; with fewer, rollouts tell more."""
LOWEST, HIGHEST = -10_000, 10_000
EXACT, AT_LEAST, AT_MOST = 0, 1, 2
Likings = Sequence[Goodness]
"""By seat: the function that rates an end of the deal for the seat."""


class NodesSpent(Exception):
    """The search has tried MAX_NODES cards and stops."""


class _Trick(NamedTuple):
    """A trick in play. `order`: the seats in the order of play. `lying`: the cards on the table. `best`: the
    worth of the best card. `taker`: its seat. `total`: the sum of the worths of the cards.
    """

    order: tuple[int, ...]
    lying: tuple[int, ...]
    best: int
    taker: int
    total: int


class CampSearch:
    """Search of the rest of a deal between two camps. A value is the points of the camp `camp` less the
    points of the other camp, with the bonus for a sweep.
    """

    def __init__(self, scene: Scene, camp: int, nodes: int = MAX_NODES) -> None:
        self.scene, self.nodes = scene, nodes
        self.ours = tuple(side == camp for side in scene.sides[: scene.seats])
        self.ways = scene.rules.trick_tables[scene.contract, scene.size]
        self.bonus = scene.rules.play.sweep_bonus
        self.both = 3
        self._known: dict[tuple[tuple[int, ...], int, int], tuple[int, int]] = {}
        self._under: tuple[int, ...] = ()

    def values(self, world: GuessedWorld, tried: Sequence[int]) -> dict[int, int]:
        """Return, by card, the value of the rest of the deal after it. Raises NodesSpent."""
        self._known.clear()
        self._under = world.under
        taken = 0
        for seat in range(self.scene.seats):
            if self.scene.takers >> seat & 1:
                taken |= 1 if self.ours[seat] else 2
        trick = self._lying()
        return {
            card: self._play(list(world.hands), trick, self.scene.done, taken, card, LOWEST, HIGHEST)
            for card in tried
        }

    def _lying(self) -> _Trick:
        scene = self.scene
        order = IN_TURN[scene.seats][scene.first]
        best, taker, total = -1, scene.first, 0
        if scene.lying:
            worths = self.ways[scene.done][SUIT_OF[scene.lying[0]]].worths
            for place, card in enumerate(scene.lying):
                total += worths[card]
                if worths[card] > best:
                    best, taker = worths[card], order[place]
        return _Trick(order, scene.lying, best, taker, total)

    def _play(
        self, hands: list[int], trick: _Trick, done: int, taken: int, card: int, low: int, high: int
    ) -> int:
        """Return the value of the rest of the deal after the seat whose turn it is plays this card."""
        self.nodes -= 1
        if self.nodes < 0:
            raise NodesSpent
        order, lying, best, taker, total = trick
        seat = order[len(lying)]
        worth = self.ways[done][SUIT_OF[lying[0] if lying else card]].worths[card]
        after = hands.copy()
        after[seat] = after[seat] & ~(1 << card) | self._under[card]
        if worth > best:
            best, taker = worth, seat
        lying, total = (*lying, card), total + worth
        if len(lying) < len(order):
            return self._best(after, _Trick(order, lying, best, taker, total), done, taken, low, high)
        points = total & POINTS
        ours = self.ours[taker]
        taken |= 1 if ours else 2
        done += 1
        if done == self.scene.size:
            points += LAST_TRICK + (self.bonus if taken != self.both else 0)
            return points if ours else -points
        gain = points if ours else -points
        return gain + self._rest(after, taker, done, taken, low - gain, high - gain)

    def _rest(self, hands: list[int], leader: int, done: int, taken: int, low: int, high: int) -> int:
        """Return the value of the tricks to come, from the cache if the cache has it."""
        key = (tuple(hands), leader, taken)
        cached = self._known.get(key)
        if cached is not None:
            bound, value = cached
            if bound == EXACT or (bound == AT_LEAST and value >= high) or (bound == AT_MOST and value <= low):
                return value
        trick = _Trick(IN_TURN[self.scene.seats][leader], (), -1, leader, 0)
        value = self._best(hands, trick, done, taken, low, high)
        self._known[key] = (AT_MOST if value <= low else AT_LEAST if value >= high else EXACT, value)
        return value

    def _best(self, hands: list[int], trick: _Trick, done: int, taken: int, low: int, high: int) -> int:
        """Return the value if the seat whose turn it is plays the best card for its camp."""
        order, lying, best, _, _ = trick
        seat = order[len(lying)]
        hand = legal = hands[seat]
        by_suit = self.ways[done]
        if lying:
            suit_mask, special, follow, worths = by_suit[SUIT_OF[lying[0]]]
            legal = follow(hand, lying) if hand & special else hand & suit_mask or hand
        cards = members(legal)
        if len(cards) > 1:
            if lying:
                cards = sorted(cards, key=lambda card: _haste(worths[card], best), reverse=True)
            else:
                cards = sorted(cards, key=lambda card: by_suit[SUIT_OF[card]].worths[card], reverse=True)
        if self.ours[seat]:
            best_value = LOWEST
            for card in cards:
                best_value = max(
                    best_value, self._play(hands, trick, done, taken, card, max(low, best_value), high)
                )
                if best_value >= high:
                    break
            return best_value
        best_value = HIGHEST
        for card in cards:
            best_value = min(
                best_value, self._play(hands, trick, done, taken, card, low, min(high, best_value))
            )
            if best_value <= low:
                break
        return best_value


def _haste(worth: int, best: int) -> int:
    """Return a sort key, highest first: cards that take the trick come before the others, and the cheapest
    card comes first in both groups.
    """
    return HIGHEST - worth if worth > best else -worth


class AloneSearch:
    """Search of the rest of a deal if every seat plays for itself: each seat chooses the line that its own
    score likes best.
    """

    def __init__(self, scene: Scene, likings: Likings) -> None:
        self.scene, self.likings, self.nodes = scene, likings, MAX_NODES
        self._under: tuple[int, ...] = ()

    def ends(self, world: GuessedWorld, tried: Sequence[int]) -> dict[int, End]:
        """Return, by card, the end of the deal that follows it. Raises NodesSpent."""
        self._under = world.under
        scene = self.scene
        order = IN_TURN[scene.seats][scene.first]
        return {
            card: self._play(
                world.hands, order, scene.lying, scene.done, scene.contract, scene.tricks, scene.taken,
                scene.takers, card,
            )
            for card in tried
        }  # fmt: skip

    def _play(
        self,
        hands: tuple[int, ...],
        order: tuple[int, ...],
        lying: tuple[int, ...],
        done: int,
        contract: str | None,
        tricks: tuple[tuple[int, tuple[int, ...]], ...],
        taken: tuple[int, ...],
        takers: int,
        card: int,
    ) -> End:
        self.nodes -= 1
        if self.nodes < 0:
            raise NodesSpent
        rules, size = self.scene.rules, self.scene.size
        seat = order[len(lying)]
        after = list(hands)
        after[seat] = after[seat] & ~(1 << card) | self._under[card]
        lying = (*lying, card)
        if contract is None and rules.play.names_trumps and SUIT_OF[card] != SUIT_OF[lying[0]]:
            contract = SUIT_NAMES[SUIT_OF[card]]
        if len(lying) == len(order):
            worths = rules.trick_tables[contract, size][done][SUIT_OF[lying[0]]].worths
            taker = order[lying.index(max(lying, key=worths.__getitem__))]
            takers |= 1 << taker
            done += 1
            points = sum([worths[each] for each in lying]) & POINTS
            points += LAST_TRICK if done == size else 0
            taken = tuple(had + points if who == taker else had for who, had in enumerate(taken))
            if rules.play.names_trumps:
                tricks = (*tricks, (taker, lying))
            if done == size:
                if rules.play.names_trumps:
                    return End(count_points(rules, contract, tricks, self.scene.seats), takers)
                return End(list(taken), takers)
            order, lying = IN_TURN[self.scene.seats][taker], ()
        turn = order[len(lying)]
        hand = legal = after[turn]
        if lying:
            asked, special, follow, _ = rules.trick_tables[contract, size][done][SUIT_OF[lying[0]]]
            legal = follow(hand, lying) if hand & special else hand & asked or hand
        liking = self.likings[turn]
        found: End | None = None
        best = 0.0
        for each in members(legal):
            end = self._play(tuple(after), order, lying, done, contract, tricks, taken, takers, each)
            good = liking(end)
            if found is None or good > best:
                found, best = end, good
        assert found is not None  # noqa: S101 - the seat has a legal card
        return found


def rate_cards_of_camp(
    scene: Scene, seat: int, worlds: Sequence[GuessedWorld], tried: Sequence[int], good: Goodness
) -> dict[int, float] | None:
    """Search a deal between two camps. Return, by card, the value of the deal after it, averaged over the
    worlds; None if too few worlds can be searched.
    """
    search = CampSearch(scene, scene.sides[seat])
    other = next(who for who in range(scene.seats) if scene.sides[who] != scene.sides[seat])
    had = [0, 0]
    for who, points in enumerate(scene.taken[: scene.seats]):
        had[scene.sides[who] != scene.sides[seat]] += points

    def rated(value: int, rest: int) -> float:
        """Return the value of the deal. `value`: the camp's lead in the rest of the deal. `rest`: the points
        left.
        """
        swept = abs(value) > rest
        value = max(-rest, min(rest, value))
        points = [0] * scene.seats
        points[seat], points[other] = had[0] + (rest + value) // 2, had[1] + (rest - value) // 2
        takers = 1 << (seat if value > 0 else other) if swept else 1 << seat | 1 << other
        return good(End(points, takers))

    def solve(world: GuessedWorld) -> dict[int, float]:
        rest = _points_left(scene, world)
        return {card: rated(value, rest) for card, value in search.values(world, tried).items()}

    return _averaged(worlds, tried, solve)


def rate_cards_alone(
    scene: Scene, seat: int, worlds: Sequence[GuessedWorld], tried: Sequence[int], likings: Likings
) -> dict[int, float] | None:
    """Search the rest of a deal in which every seat plays alone. Return card → mean value for `seat`; None if
    too few worlds can be searched.
    """
    search = AloneSearch(scene, likings)

    def solve(world: GuessedWorld) -> dict[int, float]:
        return {card: likings[seat](end) for card, end in search.ends(world, tried).items()}

    return _averaged(worlds, tried, solve)


def _points_left(scene: Scene, world: GuessedWorld) -> int:
    """Return the points that are still to be won: cards in hands, under open cards and on the table, and the
    last trick.
    """
    cards = [*scene.lying]
    for hand in world.hands:
        for card in members(hand):
            cards.append(card)
            cards += members(world.under[card])
    return sum([scene.values[card] for card in cards]) + LAST_TRICK


def _averaged(
    worlds: Sequence[GuessedWorld],
    tried: Sequence[int],
    solve: Callable[[GuessedWorld], dict[int, float]],
) -> dict[int, float] | None:
    total, count, different = dict.fromkeys(tried, 0.0), 0, 0
    often = Counter(worlds)
    try:
        for world, times in often.items():
            for card, good in solve(world).items():
                total[card] += good * times
            count += times
            different += 1
    except NodesSpent:
        if different < MIN_WORLDS:
            return None
    return {card: good / count for card, good in total.items()}
