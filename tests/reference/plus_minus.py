"""Plus-Minus: three or four seats, each alone; the first card that does not follow makes the trumps."""

import random

from .common import (
    CONTRACT_OF,
    Base,
    Command,
    Event,
    Options,
    Spec,
    deal_packets,
    legal_cards,
    pick,
    suit_of,
    trump_of,
    value,
)

KEY = "plus-minus"
SEATS = [3, 4]

SPEC: Spec = {"undertrump": ("forced", "one_of", ["forced", "only-trumps"])}

PRESETS: dict[str, Options] = {}

STICKS_TO_WIN = 7


def sticks(points: list[int]) -> tuple[list[int], list[tuple[int, int]]]:
    """The sticks of a deal by its card points, and the pairs that tied for a place and got nothing."""
    seats = range(len(points))
    scores = [0 for _ in points]
    for odd in seats:
        others = [points[seat] for seat in seats if seat != odd]
        if len(set(others)) == 1 and points[odd] != others[0]:
            scores[odd] = 2
            return scores, []

    places = [min(points)] if max(points) >= 100 else [max(points), min(points)]
    ties = []
    for place in places:
        there = [seat for seat in seats if points[seat] == place]
        if len(there) == 1:
            scores[there[0]] += 1
        elif len(there) == 2:
            ties.append((there[0], there[1]))
    return scores, ties


def some_options(rng: random.Random, seats: int) -> Options:
    return pick(rng, {"undertrump": ["forced", "only-trumps"]})


class Game(Base):
    def __init__(self, options: Options, seats: int) -> None:
        super().__init__(options, seats, SPEC, SEATS, sides=seats)
        self.remembered: list[tuple[int, int]] = []

    def playable(self, seat: int) -> list[str]:
        on_table = [card for _, card in self.trick]
        return legal_cards(self.hands[seat], on_table, trump_of(self.contract), self.options["undertrump"])

    def do_deal(self, command: Command) -> list[Event]:
        deck = self.check_deck(command)
        dealer = self.check_dealer(command)
        hands, _ = deal_packets(deck, self.seats_from((dealer + 1) % self.seats), 36 // self.seats)
        events = self.open_deal(dealer, hands)
        self.taken: list[list[str]] = [[] for _ in range(self.seats)]
        self.phase = "play"
        self.turn = self.forehand()
        return events

    def do_play(self, command: Command) -> list[Event]:
        seat, card = self.check_card(command)
        self.refuse_declarations(command)
        events = [self.lay_card(seat, card)]
        if self.contract is None and suit_of(card) != suit_of(self.trick[0][1]):
            self.contract = CONTRACT_OF[suit_of(card)]
            events.append({"type": "contract_set", "contract": self.contract})
        if not self.trick_is_complete():
            return events

        winner, cards = self.trick_result()
        last = self.last_trick()
        points = None
        if self.contract is not None:
            points = sum(value(each, self.contract) for each in cards) + (5 if last else 0)
        self.taken[winner] += cards
        self.take_trick(winner)
        events.append({"type": "trick_taken", "seat": winner, "points": points})
        if not last:
            return events

        for side in range(self.seats):
            self.card_points[side] = sum(value(each, self.contract) for each in self.taken[side])
        self.card_points[winner] += 5
        self.score_sticks()
        events.append(self.score_deal())
        best = self.best_sides()
        if len(best) == 1 and self.totals[best[0]] >= STICKS_TO_WIN:
            events.append(self.end_game(best))
        return events

    def score_sticks(self) -> None:
        base, new_ties = sticks(self.card_points)
        self.scores = list(base)
        still_open = []
        for first, second in self.remembered:
            if base[first] > 0 and base[second] == 0:
                self.scores[first] += 1
            elif base[second] > 0 and base[first] == 0:
                self.scores[second] += 1
            else:
                still_open.append((first, second))
        self.remembered = still_open + new_ties
