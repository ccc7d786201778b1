"""Coiffeur: four seats in partners or three alone; every side plays each of ten slots once."""

import random

from .common import GUSCHTI, SLALOM, TEN_CONTRACTS, Command, Event, Illegal, Options, Spec, deal_packets, pick
from .melds import MELD_CHOICES, MELD_SPEC, MeldGame

KEY = "coiffeur"
SEATS = [3, 4]

SLOTS = {
    "diamonds": 1,
    "hearts": 2,
    "spades": 3,
    "clubs": 4,
    "obenabe": 5,
    "undenufe": 6,
    "joker7": 7,
    "joker8": 8,
    "slalom": 9,
    "guschti": 10,
}
JOKERS = ["joker7", "joker8"]

SPEC: Spec = {
    **MELD_SPEC,
    "melds": (False, "bool", None),
    "stoeck": (False, "bool", None),
    "sweep_bonus": (0, "int", (0, 1000)),
    "lead": ("source", "one_of", ["source", "forehand", "declarer"]),
}

PRESETS: dict[str, Options] = {}


def own_slot(contract: str) -> str:
    """The slot of a contract that is played without a joker."""
    if contract in SLALOM:
        return "slalom"
    if contract in GUSCHTI:
        return "guschti"
    return contract


def some_options(rng: random.Random, seats: int) -> Options:
    return pick(rng, {**MELD_CHOICES, "lead": ["source", "forehand", "declarer"]})


class Game(MeldGame):
    def __init__(self, options: Options, seats: int) -> None:
        super().__init__(options, seats, SPEC, SEATS, sides=2 if seats == 4 else 3)
        self.slots_left = [list(SLOTS) for _ in range(self.sides)]
        self.choosing_side: int | None = None
        self.slot = ""

    def side_of(self, seat: int) -> int:
        return seat % 2 if self.seats == 4 else seat

    def multiplier(self) -> int:
        return SLOTS[self.slot]

    def counts_for(self, side: int) -> bool:
        return side == self.choosing_side

    def unfinished(self, seat: int) -> bool:
        return len(self.slots_left[self.side_of(seat)]) > 0

    def names(self) -> list[str]:
        if self.turn == self.duty and (self.came_back or not self.others_unfinished()):
            return ["choose"]
        return ["choose", "push"]

    def others_unfinished(self) -> bool:
        return any(self.unfinished(seat) for seat in range(self.seats) if seat != self.turn)

    def do_deal(self, command: Command) -> list[Event]:
        deck = self.check_deck(command)
        dealer = self.check_dealer(command)
        order = self.seats_from((dealer + 1) % self.seats)
        hands, _ = deal_packets(deck, order, 36 // self.seats)
        events = self.open_deal(dealer, hands)
        self.choosing_side = None
        self.duty = next(seat for seat in order if self.unfinished(seat))
        self.came_back = False
        self.phase = "choose"
        self.turn = self.duty
        return events

    def do_push(self, command: Command) -> list[Event]:
        pushing = self.turn
        self.turn = (pushing + 1) % self.seats
        while not self.unfinished(self.turn):
            self.turn = (self.turn + 1) % self.seats
        if self.turn == self.duty:
            self.came_back = True
        return [{"type": "pushed", "seat": pushing}]

    def do_choose(self, command: Command) -> list[Event]:
        contract = command.get("contract")
        if contract not in TEN_CONTRACTS:
            raise Illegal("choose/contract", f"{contract!r}; open are {TEN_CONTRACTS}")
        slot = command.get("slot")
        if slot is None:
            slot = own_slot(contract)
        if slot not in JOKERS and slot != own_slot(contract):
            raise Illegal("choose/slot", f"{contract} cannot be played in the slot {slot!r}")
        side = self.side_of(self.turn)
        if slot not in self.slots_left[side]:
            raise Illegal("choose/slot", f"{slot} has been played; left are {self.slots_left[side]}")
        chooser = self.turn
        self.slots_left[side].remove(slot)
        self.slot = slot
        self.contract = contract
        self.choosing_side = side
        self.phase = "play"
        lead = self.options["lead"]
        if lead == "declarer" or (lead == "source" and contract in SLALOM + GUSCHTI):
            self.turn = chooser
        else:
            self.turn = self.forehand()
        return [{"type": "contract_set", "contract": contract, "seat": chooser, "slot": slot}]

    def game_over_after_deal(self) -> list[int] | None:
        if any(self.slots_left):
            return None
        return self.best_sides()
