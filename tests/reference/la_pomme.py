"""La Pomme: two seats, an unseen exchange of three cards, the apple below 21 points."""

import random

from .common import (
    CONTRACT_OF,
    UNDERTRUMP,
    Base,
    Command,
    Event,
    Illegal,
    Options,
    Spec,
    deal_packets,
    legal_cards,
    pick,
    suit_of,
    trump_of,
    value,
)
from .melds import check_seat_card_list

KEY = "la-pomme"
SEATS = [2]

SPEC: Spec = {
    "puur_value": (21, "one_of", [21, 20]),
    "goal": ("points", "one_of", ["points", "apples"]),
    "undertrump": ("only-trumps", "one_of", UNDERTRUMP),
}

PRESETS: dict[str, Options] = {}

POINTS_TO_WIN = 7
APPLES_TO_LOSE = 3


def some_options(rng: random.Random, seats: int) -> Options:
    return pick(rng, {"puur_value": [20, 21], "goal": ["apples"], "undertrump": UNDERTRUMP})


class Game(Base):
    whole_deck = False

    def __init__(self, options: Options, seats: int) -> None:
        super().__init__(options, seats, SPEC, SEATS, sides=2)
        self.apples = [0, 0]

    def names(self) -> list[str]:
        return ["exchange", "keep"]

    def playable(self, seat: int) -> list[str]:
        on_table = [card for _, card in self.trick]
        return legal_cards(self.hands[seat], on_table, trump_of(self.contract), self.options["undertrump"])

    def do_deal(self, command: Command) -> list[Event]:
        deck = self.check_deck(command)
        dealer = self.check_dealer(command)
        order = self.seats_from((dealer + 1) % 2)
        hands, rest = deal_packets(deck, order, 9)
        events = self.open_deal(dealer, hands)
        self.extra = {order[0]: rest[:3], order[1]: rest[3:6]}
        self.turned = rest[6]
        self.turned_is_taken = False
        self.has_exchanged: list[int] = []
        self.contract = CONTRACT_OF[suit_of(self.turned)]
        for seat in order:
            events.append({"type": "extra_dealt", "seat": seat, "cards": list(self.extra[seat])})
        events.append({"type": "trump_turned", "card": self.turned})
        events.append({"type": "contract_set", "contract": self.contract})
        self.phase = "exchange"
        self.turn = self.forehand()
        return events

    # exchange

    def trump_six(self) -> str:
        return suit_of(self.turned) + "6"

    def do_exchange(self, command: Command) -> list[Event]:
        seat = self.turn
        given = check_seat_card_list(command.get("cards"), self.hands[seat], 3)
        taken = list(self.extra[seat])
        hand = [card for card in self.hands[seat] if card not in given] + taken
        event = {"type": "extra_exchanged", "seat": seat, "given": given, "taken": taken}
        return self.after_exchange(command, seat, hand, event)

    def do_keep(self, command: Command) -> list[Event]:
        seat = self.turn
        return self.after_exchange(
            command, seat, list(self.hands[seat]), {"type": "extra_kept", "seat": seat}
        )

    def after_exchange(self, command: Command, seat: int, hand: list[str], event: Event) -> list[Event]:
        wants_turned = command.get("take_turned") is True
        if wants_turned and self.trump_six() not in hand:
            raise Illegal("take_turned/no_six", f"{self.trump_six()} is not in the hand")
        self.hands[seat] = hand
        self.has_exchanged.append(seat)
        events = [event]
        if wants_turned:
            events.append(self.take_turned(seat))
        if len(self.has_exchanged) == 2:
            self.phase = "play"
            self.turn = self.forehand()
        else:
            self.turn = 1 - seat
        return events

    def take_turned(self, seat: int) -> Event:
        self.hands[seat].remove(self.trump_six())
        self.hands[seat].append(self.turned)
        self.turned_is_taken = True
        return {"type": "turned_taken", "seat": seat, "six": self.trump_six(), "card": self.turned}

    def do_take_turned(self, command: Command) -> list[Event]:
        seat = command["seat"]
        if self.phase not in ["exchange", "play"] or any(self.played):
            raise Illegal("take_turned/not_now", "only until the first card is led")
        if seat not in self.has_exchanged:
            raise Illegal("take_turned/not_now", "only from one's exchange on")
        if self.trump_six() not in self.hands[seat]:
            raise Illegal("take_turned/no_six", f"{self.trump_six()} is not in the hand")
        return [self.take_turned(seat)]

    # play

    def do_play(self, command: Command) -> list[Event]:
        seat, card = self.check_card(command)
        self.refuse_declarations(command)
        events = [self.lay_card(seat, card)]
        if not self.trick_is_complete():
            return events
        winner, cards = self.trick_result()
        last = self.last_trick()
        points = sum(value(each, self.contract, puur=self.options["puur_value"]) for each in cards)
        points += 5 if last else 0
        self.card_points[winner] += points
        self.take_trick(winner)
        events.append({"type": "trick_taken", "seat": winner, "points": points})
        if not last:
            return events

        for side in [0, 1]:
            if self.card_points[side] > self.card_points[1 - side]:
                self.scores[side] += 1
            if self.card_points[side] < 21:
                self.scores[side] -= 1
                self.apples[side] += 1
        events.append(self.score_deal())
        winners = self.winners_now()
        if winners:
            events.append(self.end_game(winners))
        return events

    def winners_now(self) -> list[int]:
        if self.options["goal"] == "points":
            return [side for side in [0, 1] if self.totals[side] >= POINTS_TO_WIN]
        losers = [side for side in [0, 1] if self.apples[side] >= APPLES_TO_LOSE]
        if len(losers) == 2:
            best = max(self.card_points)
            return [side for side in [0, 1] if self.card_points[side] == best]
        return [1 - side for side in losers]
