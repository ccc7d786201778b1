"""Bieter: three seats; side 0 is the declarer, side 1 the two others."""

import random

from .common import (
    SIX_CONTRACTS,
    Command,
    Event,
    Illegal,
    Options,
    Spec,
    check_turned_contracts,
    deal_packets,
    pick,
    random_points,
    trump_of,
    turned_contract,
    value,
)
from .melds import MELD_CHOICES, MELD_SPEC, MeldGame, check_points, check_seat_card_list

KEY = "bieter"
SEATS = [3]

SPEC: Spec = {
    **MELD_SPEC,
    "minimum_bid": (500, "int", (10, 100_000)),
    "raise": (10, "int", (1, 10_000)),
    "first_hand": (9, "one_of", [9, 10]),
    "first_lead": ("declarer", "one_of", ["declarer", "forehand"]),
    "turned_contracts": ({"A": "obenabe", "6": "undenufe"}, "any", None),
    "opponents_target": (1000, "int", (1, 1_000_000)),
    "stoeck_priority": (True, "bool", None),
}

PRESETS: dict[str, Options] = {}


def some_options(rng: random.Random, seats: int) -> Options:
    return pick(
        rng,
        {
            **MELD_CHOICES,
            "stoeck_priority": [True, False],
            "minimum_bid": [100, 200, 300, 500],
            "raise": [10, 15, 50],
            "first_hand": [9, 10],
            "first_lead": ["declarer", "forehand"],
            "turned_contracts": [{}, {"A": "undenufe", "7": "obenabe"}],
            "opponents_target": [100, 200, 400, 1000],
        },
    )


class Game(MeldGame):
    whole_deck = False

    def __init__(self, options: Options, seats: int) -> None:
        super().__init__(options, seats, SPEC, SEATS, sides=2)
        check_turned_contracts(self.options["turned_contracts"])
        self.declarer: int | None = None
        self.bid = 0
        self.first_deal = True

    def side_of(self, seat: int) -> int:
        return 0 if seat == self.declarer else 1

    def automatic_target(self, side: int) -> int | None:
        return self.bid if side == 0 else self.options["opponents_target"]

    def names(self) -> list[str]:
        if self.phase == "auction":
            return ["bid", "defer", "pass"] if self.turn not in self.has_spoken else ["bid", "pass"]
        if self.phase == "discard":
            return ["discard"]
        if self.phase == "choose":
            return ["choose"]
        return ["accept", "concede"]

    # dealing

    def do_deal(self, command: Command) -> list[Event]:
        deck = self.check_deck(command)
        dealer = self.check_dealer(command)
        order = self.seats_from((dealer + 1) % 3)
        self.first_deal = self.declarer is None
        if self.first_deal:
            hands, rest = deal_packets(deck, order, self.options["first_hand"])
            self.talon = rest[:6]
            events = self.open_deal(dealer, hands)
            events.append({"type": "talon_dealt", "open": rest[:3], "closed": rest[3:6]})
            self.has_spoken: list[int] = []
            self.has_passed: list[int] = []
            self.bidder: int | None = None
            self.bid = 0
            self.phase = "auction"
            self.turn = order[0]
            return events

        hands, _ = deal_packets(deck, order, 12)
        events = self.open_deal(dealer, hands)
        turned = hands[dealer][-1]
        self.contract = turned_contract(turned, self.options["turned_contracts"])
        events.append({"type": "trump_turned", "card": turned, "seat": dealer})
        events.append({"type": "contract_set", "contract": self.contract})
        self.phase = "accept"
        assert self.declarer is not None
        self.turn = self.declarer
        return events

    # auction

    def least_bid(self) -> int:
        """The lowest bid possible now, not yet rounded up to a multiple of 10."""
        least: int = self.options["minimum_bid"] if self.bidder is None else self.bid + self.options["raise"]
        return least

    def random_bid(self, rng: random.Random) -> Command:
        return {"points": random_points(rng, self.least_bid(), 10)}

    def do_bid(self, command: Command) -> list[Event]:
        points = check_points(command.get("points"), 10, self.least_bid(), None)
        self.bid = points
        self.bidder = self.turn
        return [{"type": "bid_made", "seat": self.turn, "points": points}, *self.go_on_with_auction()]

    def do_defer(self, command: Command) -> list[Event]:
        return [{"type": "bid_deferred", "seat": self.turn}, *self.go_on_with_auction()]

    def do_pass(self, command: Command) -> list[Event]:
        self.has_passed.append(self.turn)
        return [{"type": "bid_passed", "seat": self.turn}, *self.go_on_with_auction()]

    def go_on_with_auction(self) -> list[Event]:
        if self.turn not in self.has_spoken:
            self.has_spoken.append(self.turn)
        still_in = [seat for seat in range(3) if seat not in self.has_passed]
        if not still_in:
            self.phase = "deal"
            return [{"type": "auction_failed"}]
        if self.bidder is not None and still_in == [self.bidder]:
            self.declarer = self.bidder
            self.turn = self.bidder
            self.hands[self.declarer] += self.talon
            self.phase = "discard"
            return [
                {"type": "auction_won", "seat": self.declarer, "points": self.bid},
                {"type": "talon_taken", "seat": self.declarer, "cards": list(self.talon)},
            ]
        self.turn = (self.turn + 1) % 3
        while self.turn not in still_in:
            self.turn = (self.turn + 1) % 3
        return []

    def do_discard(self, command: Command) -> list[Event]:
        cards = check_seat_card_list(command.get("cards"), self.hands[self.turn], 6)
        self.discarded = cards
        self.hands[self.turn] = [card for card in self.hands[self.turn] if card not in cards]
        self.phase = "choose"
        return [{"type": "cards_discarded", "seat": self.turn, "cards": cards}]

    def do_choose(self, command: Command) -> list[Event]:
        contract = command.get("contract")
        if contract not in SIX_CONTRACTS:
            raise Illegal("choose/contract", f"{contract!r}; open are {SIX_CONTRACTS}")
        event: Event = {"type": "contract_set", "contract": contract, "seat": self.turn}
        self.contract = contract
        self.phase = "play"
        assert self.declarer is not None
        self.turn = self.declarer if self.options["first_lead"] == "declarer" else self.forehand()
        return [event]

    # later deals

    def do_accept(self, command: Command) -> list[Event]:
        seat = self.turn
        self.phase = "play"
        self.turn = self.forehand()
        return [{"type": "deal_accepted", "seat": seat}]

    def do_concede(self, command: Command) -> list[Event]:
        points = 157
        trump = trump_of(self.contract)
        if trump is not None and self.options["stoeck"]:
            for seat in range(3):
                hand = self.hands[seat]
                if seat != self.declarer and trump + "K" in hand and trump + "Q" in hand:
                    points = 177
        self.card_points = [0, 157]
        self.scores = [0, points]
        events: list[Event] = [{"type": "deal_conceded", "seat": self.turn}, self.score_deal()]
        if self.totals[1] >= self.options["opponents_target"]:
            events.append(self.end_game([1]))
        return events

    # the end of a deal

    def after_last_trick(self) -> int | None:
        """The discards of the first deal count for the declarer."""
        if not self.first_deal:
            return None
        points = sum(value(card, self.contract) for card in self.discarded)
        self.card_points[0] += points
        return 0 if self.count(0, points) else None

    def game_over_after_deal(self) -> list[int] | None:
        return None
