"""Schieber: four seats, 0 and 2 against 1 and 3."""

import random
from typing import Any

from .common import SIX_CONTRACTS, SLALOM, Command, Event, Illegal, Options, Spec, deal_packets, is_int, pick
from .melds import MELD_CHOICES, MELD_SPEC, MeldGame

KEY = "schieber"
SEATS = [4]

CLUB_MULTIPLIERS = {"diamonds": 1, "hearts": 1, "spades": 2, "clubs": 2, "obenabe": 3, "undenufe": 4}
SIMPLE_MULTIPLIERS = {"diamonds": 1, "hearts": 1, "spades": 1, "clubs": 1, "obenabe": 1, "undenufe": 1}

SPEC: Spec = {
    **MELD_SPEC,
    "target": (2500, "int_or_null", (1, 1_000_000)),
    "deals": (None, "int_or_null", (1, 1000)),
    "multipliers": (CLUB_MULTIPLIERS, "any", None),
    "contracts": (SIX_CONTRACTS, "any", None),
    "first_forehand": ("D10", "one_of", ["D10", "D7", "drawn"]),
    "partner_waits": (False, "bool", None),
    "look_back": ("first", "one_of", ["first", "last", "all"]),
    "stoeck_priority": (True, "bool", None),
    "claim_out": ("automatic", "one_of", ["automatic", "required"]),
}

PRESETS: dict[str, Options] = {
    "championship": {
        "target": None,
        "deals": 8,
        "melds": False,
        "multipliers": SIMPLE_MULTIPLIERS,
        "partner_waits": True,
        "first_forehand": "drawn",
    }
}


def check_multipliers(found: Any) -> None:
    if not isinstance(found, dict) or any(contract not in found for contract in SIX_CONTRACTS):
        raise Illegal("start/option_out_of_bounds", f"multipliers needs all of {SIX_CONTRACTS}")
    for contract, factor in found.items():
        if (
            contract not in [*SIX_CONTRACTS, *SLALOM, "slalom"]
            or not is_int(factor)
            or not 0 <= factor <= 100
        ):
            raise Illegal("start/option_out_of_bounds", f"multipliers {contract!r}: {factor!r}")


def check_contracts(found: Any) -> None:
    if not isinstance(found, list) or not found or any(code not in SIX_CONTRACTS + SLALOM for code in found):
        raise Illegal("start/option_out_of_bounds", f"contracts is a list from {SIX_CONTRACTS + SLALOM}")


def some_options(rng: random.Random, seats: int) -> Options:
    options = pick(
        rng,
        {
            **MELD_CHOICES,
            "undertrump": ["only-trumps", "void"],
            "stoeck_priority": [True, False],
            "first_forehand": ["D10", "D7", "drawn"],
            "target": [60, 100, 150, 300, 1000, None],
            "deals": [1, 3, 8],
        },
    )
    if options.get("target", 2500) is None and options.get("deals") is None:
        options["deals"] = 4
    options |= pick(
        rng,
        {
            "claim_out": ["automatic", "required"],
            "partner_waits": [True, False],
            "look_back": ["first", "last", "all"],
        },
    )
    return options | pick(
        rng,
        {
            "multipliers": [{code: rng.randint(1, 4) for code in SIX_CONTRACTS}],
            "contracts": [[*SIX_CONTRACTS, *SLALOM], SIX_CONTRACTS[:4]],
        },
    )


class Game(MeldGame):
    def __init__(self, options: Options, seats: int) -> None:
        super().__init__(options, seats, SPEC, SEATS, sides=2)
        check_multipliers(self.options["multipliers"])
        check_contracts(self.options["contracts"])
        if self.options["target"] is None and self.options["deals"] is None:
            raise Illegal("start/option_out_of_bounds", "target and deals may not both be null")

    def side_of(self, seat: int) -> int:
        return seat % 2

    def multiplier(self) -> int:
        multipliers: dict[str, int] = self.options["multipliers"]
        if self.contract in SLALOM:
            return multipliers.get(self.contract, multipliers.get("slalom", 1))
        assert self.contract is not None
        return multipliers[self.contract]

    def automatic_target(self, side: int) -> int | None:
        return self.options["target"] if self.options["claim_out"] == "automatic" else None

    def names(self) -> list[str]:
        return ["choose"] if self.pushed else ["choose", "push"]

    def do_deal(self, command: Command) -> list[Event]:
        deck = self.check_deck(command)
        deciding_card = self.options["first_forehand"]
        if self.deal_number == 0 and deciding_card != "drawn":
            if command.get("dealer") is not None:
                raise Illegal("deal/dealer", f"forehand is the holder of {deciding_card}")
            hands, _ = deal_packets(deck, [0, 1, 2, 3], 9)
            forehand = next(seat for seat in hands if deciding_card in hands[seat])
            dealer = (forehand - 1) % 4
        else:
            dealer = self.check_dealer(command)
            hands, _ = deal_packets(deck, self.seats_from((dealer + 1) % 4), 9)
        events = self.open_deal(dealer, hands)
        self.pushed = False
        self.phase = "choose"
        self.turn = self.forehand()
        return events

    def do_push(self, command: Command) -> list[Event]:
        pushing = self.turn
        self.pushed = True
        self.turn = (pushing + 2) % 4
        return [{"type": "pushed", "seat": pushing}]

    def do_choose(self, command: Command) -> list[Event]:
        contract = command.get("contract")
        if contract not in self.options["contracts"]:
            raise Illegal("choose/contract", f"{contract!r}; open are {self.options['contracts']}")
        event: Event = {"type": "contract_set", "contract": contract, "seat": self.turn}
        self.contract = contract
        self.phase = "play"
        self.turn = self.forehand()
        return [event]

    def game_over_after_deal(self) -> list[int] | None:
        deals = self.options["deals"]
        if deals is not None and self.deal_number >= deals:
            return self.best_sides()
        return None

    def do_claim_out(self, command: Command) -> list[Event]:
        target = self.options["target"]
        if self.options["claim_out"] != "required" or target is None:
            raise Illegal(
                "claim_out/not_here", "claims only in a game to a target that does not end by itself"
            )
        if self.deal_number == 0:
            raise Illegal("claim_out/too_early", "claims only from the first deal on")
        seat = command["seat"]
        side = self.side_of(seat)
        between_deals = self.phase == "deal"
        total = self.totals[side] if between_deals else self.total_now(side)
        right = total >= target
        events: list[Event] = [{"type": "out_claimed", "seat": seat, "right": right}]
        if not between_deals:
            events.append(self.score_deal())
        events.append(self.end_game([side if right else 1 - side]))
        return events
