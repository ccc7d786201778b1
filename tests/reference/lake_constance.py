"""Lake Constance: two seats, cards in the hand and on the table, an auction for the contract."""

import random
from typing import Any

from .common import (
    SIX_CONTRACTS,
    SLALOM,
    Base,
    Command,
    Event,
    Illegal,
    Options,
    Spec,
    pick,
    random_points,
    suit_of,
    trump_of,
    value,
)
from .melds import check_points

KEY = "lake-constance"
SEATS = [2]

SPEC: Spec = {
    "minimum_bid": (60, "int", (5, 155)),
    "no_trumps": (False, "bool", None),
    "undenufe_values": ("source", "one_of", ["source", "six"]),
}

PRESETS: dict[str, Options] = {}

HIGHEST_BID = 155
SACK = 20
TALLIES_TO_WIN = 5


def lake_legal_cards(held: list[str], trick: list[str], trump: str | None) -> list[str]:
    """`held` is the hand together with the open table cards."""
    if not trick:
        return list(held)
    led = suit_of(trick[0])
    of_led = [card for card in held if suit_of(card) == led]
    if trump is None:
        return of_led or list(held)
    trumps = [card for card in held if suit_of(card) == trump]
    duty_trumps = [card for card in trumps if card != trump + "J"]
    if led == trump:
        return trumps if duty_trumps else list(held)
    if of_led:
        return of_led + trumps
    return trumps if duty_trumps else list(held)


def some_options(rng: random.Random, seats: int) -> Options:
    return pick(rng, {"minimum_bid": [5, 60, 100], "no_trumps": [True], "undenufe_values": ["source", "six"]})


class Game(Base):
    def __init__(self, options: Options, seats: int) -> None:
        super().__init__(options, seats, SPEC, SEATS, sides=2)
        self.same_dealer_again = False

    def names(self) -> list[str]:
        if self.phase == "auction":
            return ["pass"] if self.bid == HIGHEST_BID else ["bid", "pass"]
        return ["choose"]

    def contracts(self) -> list[str]:
        return SIX_CONTRACTS + SLALOM if self.options["no_trumps"] else SIX_CONTRACTS[:4]

    def held(self, seat: int) -> list[str]:
        return self.hands[seat] + [card for card in self.open[seat] if card is not None]

    def playable(self, seat: int) -> list[str]:
        on_table = [card for _, card in self.trick]
        return lake_legal_cards(self.held(seat), on_table, trump_of(self.contract))

    # dealing and auction

    def check_dealer(self, command: Command) -> int:
        if self.same_dealer_again:
            if command.get("dealer") is not None:
                raise Illegal("deal/dealer", "a dealer is named in the first deal only")
            return self.dealer
        return super().check_dealer(command)

    def do_deal(self, command: Command) -> list[Event]:
        deck = self.check_deck(command)
        dealer = self.check_dealer(command)
        order = self.seats_from((dealer + 1) % 2)
        packets = [deck[i : i + 3] for i in range(0, 36, 3)]
        # packets go to the two in turn: two rounds closed, two rounds open, two rounds to the hand
        hands = {order[0]: packets[8] + packets[10], order[1]: packets[9] + packets[11]}
        events = self.open_deal(dealer, hands)
        self.tricks_in_deal = 18
        self.closed: list[list[Any]] = [[], []]
        self.open: list[list[Any]] = [[], []]
        for i, seat in enumerate(order):
            self.closed[seat] = packets[i] + packets[2 + i]
            self.open[seat] = packets[4 + i] + packets[6 + i]
            table = {"open": list(self.open[seat]), "closed": list(self.closed[seat])}
            events.append({"type": "table_dealt", "seat": seat, **table})
        self.same_dealer_again = False
        self.bid = 0
        self.bidder: int | None = None
        self.has_spoken: list[int] = []
        self.phase = "auction"
        self.turn = self.forehand()
        return events

    def least_bid(self) -> int:
        return self.options["minimum_bid"] if self.bidder is None else self.bid + 5

    def random_bid(self, rng: random.Random) -> Command:
        return {"points": min(random_points(rng, self.least_bid(), 5), HIGHEST_BID)}

    def do_bid(self, command: Command) -> list[Event]:
        seat = self.turn
        points = check_points(command.get("points"), 5, self.least_bid(), HIGHEST_BID)
        other_has_passed = self.bidder is None and seat == self.dealer
        self.bid = points
        self.bidder = seat
        self.turn = 1 - seat
        events: list[Event] = [{"type": "bid_made", "seat": seat, "points": points}]
        return events + self.win_auction() if other_has_passed else events

    def do_pass(self, command: Command) -> list[Event]:
        seat = self.turn
        events: list[Event] = [{"type": "bid_passed", "seat": seat}]
        if self.bidder is not None:
            return events + self.win_auction()
        if seat == self.dealer:
            self.same_dealer_again = True
            self.phase = "deal"
            return [*events, {"type": "auction_failed"}]
        self.turn = self.dealer
        return events

    def win_auction(self) -> list[Event]:
        assert self.bidder is not None
        self.turn = self.bidder
        self.phase = "choose"
        return [{"type": "auction_won", "seat": self.bidder, "points": self.bid}]

    def do_choose(self, command: Command) -> list[Event]:
        contract = command.get("contract")
        if contract not in self.contracts():
            raise Illegal("choose/contract", f"{contract!r}; open are {self.contracts()}")
        self.contract = contract
        self.phase = "play"
        return [{"type": "contract_set", "contract": contract, "seat": self.turn}]

    # play

    def points_of(self, card: str) -> int:
        return value(card, self.contract, six_counts=self.options["undenufe_values"] == "six")

    def lay_card(self, seat: int, card: str) -> Event:
        if card in self.open[seat]:
            self.open[seat][self.open[seat].index(card)] = None
            self.hands[seat].append(card)
        return super().lay_card(seat, card)

    def do_play(self, command: Command) -> list[Event]:
        seat, card = self.check_card(command)
        self.refuse_declarations(command)
        events = [self.lay_card(seat, card)]
        if not self.trick_is_complete():
            return events
        winner, cards = self.trick_result()
        last = self.last_trick()
        points = sum(self.points_of(each) for each in cards) + (5 if last else 0)
        self.card_points[winner] += points
        self.take_trick(winner)
        events.append({"type": "trick_taken", "seat": winner, "points": points})
        for owner in [0, 1]:
            for place in range(6):
                if self.open[owner][place] is None and self.closed[owner][place] is not None:
                    laid_bare = self.closed[owner][place]
                    self.open[owner][place] = laid_bare
                    self.closed[owner][place] = None
                    events.append({"type": "table_card_turned", "seat": owner, "card": laid_bare})
        return events + self.finish_deal() if last else events

    def do_stop(self, command: Command) -> list[Event]:
        seat = command["seat"]
        if self.phase != "play":
            raise Illegal("stop/not_now", "there is nothing to stop")
        still_out = 157 - sum(self.card_points)
        assert self.bidder is not None
        if seat == self.bidder:
            certain = self.card_points[seat] >= self.bid
        else:
            certain = self.card_points[self.bidder] + still_out < self.bid
        if not certain:
            raise Illegal("stop/not_certain", "only who is certain to win the deal may stop it")
        return [{"type": "deal_stopped", "seat": seat}, *self.finish_deal()]

    def finish_deal(self) -> list[Event]:
        still_out = 157 - sum(self.card_points)
        assert self.bidder is not None
        winner = self.bidder if self.card_points[self.bidder] >= self.bid else 1 - self.bidder
        loser = 1 - winner
        self.scores[winner] = 1
        if self.card_points[loser] + still_out <= SACK:
            self.scores[loser] = -1
        events: list[Event] = [self.score_deal()]
        if self.totals[winner] >= TALLIES_TO_WIN:
            events.append(self.end_game([winner]))
        return events
