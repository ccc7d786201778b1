"""Differenzler: three or four seats, each alone; the lowest total wins."""

import random

from .common import (
    DECK,
    UNDERTRUMP,
    Base,
    Command,
    Event,
    Illegal,
    Options,
    Spec,
    check_turned_contracts,
    deal_packets,
    is_int,
    legal_cards,
    pick,
    trump_of,
    turned_contract,
    value,
)

KEY = "differenzler"
SEATS = [3, 4]

SPEC: Spec = {
    "deals": (None, "int_or_null", (1, 1000)),
    "trump": ("turned", "one_of", ["turned", "cut"]),
    "turned_contracts": ({}, "any", None),
    "sealed_predictions": (False, "bool", None),
    "exact_bonus": (0, "int", (0, 157)),
    "undertrump": ("void", "one_of", UNDERTRUMP),
    "stoeck": (False, "bool", None),
    "dealer_incentive": (0, "one_of", [0, 2, 5]),
    "stake": (0, "int", (0, 1_000_000)),
}

PRESETS: dict[str, Options] = {"club": {"exact_bonus": 10, "undertrump": "only-trumps"}}


def some_options(rng: random.Random, seats: int) -> Options:
    options = pick(
        rng,
        {
            "deals": [seats, 2 * seats],
            "trump": ["turned", "cut"],
            "turned_contracts": [{"A": "obenabe", "6": "undenufe"}],
            "sealed_predictions": [True, False],
            "exact_bonus": [0, 10],
            "undertrump": ["void", "only-trumps", "forced"],
            "stoeck": [True, False],
            "stake": [1, 5],
        },
    )
    if options.get("sealed_predictions"):
        return options
    return {**options, **pick(rng, {"dealer_incentive": [0, 2, 5]})}


class Game(Base):
    signed_stoeck = True

    def __init__(self, options: Options, seats: int) -> None:
        super().__init__(options, seats, SPEC, SEATS, sides=seats)
        check_turned_contracts(self.options["turned_contracts"])
        if self.options["deals"] is None:
            self.options["deals"] = 8 if seats == 4 else 9
        if self.options["deals"] % seats != 0:
            raise Illegal("start/option_out_of_bounds", f"deals must be a multiple of {seats}")
        if self.options["dealer_incentive"] and self.options["sealed_predictions"]:
            raise Illegal("start/option_out_of_bounds", "dealer_incentive needs open predictions")

    def names(self) -> list[str]:
        return ["predict"]

    def playable(self, seat: int) -> list[str]:
        on_table = [card for _, card in self.trick]
        return legal_cards(self.hands[seat], on_table, trump_of(self.contract), self.options["undertrump"])

    def do_deal(self, command: Command) -> list[Event]:
        deck = self.check_deck(command)
        cut = command.get("cut")
        if self.options["trump"] == "cut" and cut not in DECK:
            raise Illegal("deal/cut", "the deal must name the card that was cut")
        if self.options["trump"] == "turned" and cut is not None:
            raise Illegal("deal/cut", "no card is cut here")
        dealer = self.check_dealer(command)
        hands, _ = deal_packets(deck, self.seats_from((dealer + 1) % self.seats), 36 // self.seats)
        events = self.open_deal(dealer, hands)
        if self.options["trump"] == "cut":
            turned: str = command["cut"]
            events.append({"type": "trump_turned", "card": turned})
        else:
            turned = hands[dealer][-1]
            events.append({"type": "trump_turned", "card": turned, "seat": dealer})
        self.contract = turned_contract(turned, self.options["turned_contracts"])
        events.append({"type": "contract_set", "contract": self.contract})
        self.predictions: dict[int, int] = {}
        self.stoeck = [0] * self.seats
        self.phase = "predict"
        self.turn = self.forehand()
        return events

    def do_predict(self, command: Command) -> list[Event]:
        points = command.get("points")
        if not is_int(points) or not 0 <= points <= 157:
            raise Illegal("predict/points", f"{points!r}; 0 to 157")
        seat = self.turn
        self.predictions[seat] = points
        if len(self.predictions) == self.seats:
            self.phase = "play"
            self.turn = self.forehand()
        else:
            self.turn = (seat + 1) % self.seats
        return [{"type": "prediction_made", "seat": seat, "points": points}]

    def check_stoeck(self, command: Command, seat: int, card: str) -> int:
        """+20, -20, or 0 where nothing is declared."""
        found = command.get("stoeck")
        if found is None or found is False:
            return 0
        if not self.options["stoeck"]:
            raise Illegal("play/stoeck", "no Stöck in this game")
        if not is_int(found) or found not in [20, -20]:
            raise Illegal("play/stoeck", f"{found!r}; 20 or -20")
        trump = trump_of(self.contract)
        if trump is None or card not in [trump + "K", trump + "Q"]:
            raise Illegal("play/stoeck", "the Stöck is declared with king or queen of trumps")
        other = trump + ("Q" if card == trump + "K" else "K")
        if other not in self.played[seat]:
            raise Illegal("play/stoeck", "the Stöck is declared with the second of its two cards")
        return found

    def do_play(self, command: Command) -> list[Event]:
        seat, card = self.check_card(command)
        if command.get("melds"):
            raise Illegal("play/melds", "no melds in this game")
        stoeck = self.check_stoeck(command, seat, card)
        events = [self.lay_card(seat, card)]
        if stoeck:
            self.stoeck[seat] = stoeck
            events.append({"type": "stoeck_declared", "seat": seat, "points": stoeck})
        if not self.trick_is_complete():
            return events

        winner, cards = self.trick_result()
        last = self.last_trick()
        points = sum(value(each, self.contract) for each in cards) + (5 if last else 0)
        self.card_points[winner] += points
        self.take_trick(winner)
        events.append({"type": "trick_taken", "seat": winner, "points": points})
        if not last:
            return events

        if self.options["sealed_predictions"]:
            revealed = [self.predictions[each] for each in range(self.seats)]
            events.append({"type": "predictions_revealed", "points": revealed})
        self.scores = [self.score_of(each) for each in range(self.seats)]
        events.append(self.score_deal())
        if self.deal_number == self.options["deals"]:
            ended = self.end_game(self.best_sides(lowest=True))
            if self.options["stake"]:
                whole = sum(self.totals)
                stake = self.options["stake"]
                ended["payments"] = [stake * (self.seats * total - whole) for total in self.totals]
            events.append(ended)
        return events

    def score_of(self, seat: int) -> int:
        prediction = self.predictions[seat]
        taken = self.card_points[seat] + self.stoeck[seat]
        score = abs(prediction - taken)
        if score == 0 and (prediction != 0 or seat in self.takers):
            score -= self.options["exact_bonus"]
        if seat == self.dealer and self.options["dealer_incentive"]:
            off_by = abs(157 - sum(self.predictions.values()))
            score -= off_by // self.options["dealer_incentive"]
        return score
