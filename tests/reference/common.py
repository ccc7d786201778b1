"""What the reference games share: cards, contracts, values, following, tricks, the turn of a game."""

import random
from abc import ABC, abstractmethod
from typing import Any, TypeGuard

Command = dict[str, Any]
Event = dict[str, Any]
Options = dict[str, Any]
Trick = list[tuple[int, str]]

SUITS = ["D", "H", "S", "C"]
RANKS = ["6", "7", "8", "9", "10", "J", "Q", "K", "A"]
DECK = [suit + rank for suit in SUITS for rank in RANKS]

TRUMP_OF = {"diamonds": "D", "hearts": "H", "spades": "S", "clubs": "C"}
CONTRACT_OF = {"D": "diamonds", "H": "hearts", "S": "spades", "C": "clubs"}
SIX_CONTRACTS = ["diamonds", "hearts", "spades", "clubs", "obenabe", "undenufe"]
SLALOM = ["slalom-obenabe", "slalom-undenufe"]
GUSCHTI = ["guschti-obenabe", "guschti-undenufe"]
TEN_CONTRACTS = SIX_CONTRACTS + SLALOM + GUSCHTI

# weakest first
TOP_DOWN_ORDER = ["6", "7", "8", "9", "10", "J", "Q", "K", "A"]
BOTTOM_UP_ORDER = ["A", "K", "Q", "J", "10", "9", "8", "7", "6"]
TRUMP_ORDER = ["6", "7", "8", "10", "Q", "K", "A", "9", "J"]

PLAIN_VALUES = {"A": 11, "K": 4, "Q": 3, "J": 2, "10": 10, "9": 0, "8": 0, "7": 0, "6": 0}
TRUMP_VALUES = {"A": 11, "K": 4, "Q": 3, "J": 20, "10": 10, "9": 14, "8": 0, "7": 0, "6": 0}
OBENABE_VALUES = {"A": 11, "K": 4, "Q": 3, "J": 2, "10": 10, "9": 0, "8": 8, "7": 0, "6": 0}
UNDENUFE_VALUES = {"A": 0, "K": 4, "Q": 3, "J": 2, "10": 10, "9": 0, "8": 8, "7": 0, "6": 11}

UNDERTRUMP = ["only-trumps", "void", "forced"]

# The events whose content the rules fix, whoever implements them.
FIXED = [
    "contract_set",
    "trick_taken",
    "melds_scored",
    "stoeck_declared",
    "deal_conceded",
    "turned_taken",
    "predictions_revealed",
    "deal_scored",
    "game_ended",
]


class Illegal(Exception):
    """A refused command (or refused options): a short code and a sentence. The game is unchanged."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(f"{code}: {reason}")
        self.code = code
        self.reason = reason


def fixed(events: list[Event]) -> list[Event]:
    """Keep only the events whose content the rules fix."""
    return [event for event in events if event["type"] in FIXED]


# --- cards -----------------------------------------------------------------------------------------------


def suit_of(card: str) -> str:
    return card[0]


def rank_of(card: str) -> str:
    return card[1:]


def in_deck_order(cards: list[str]) -> list[str]:
    return sorted(cards, key=DECK.index)


def deal_packets(deck: list[str], order: list[int], each: int) -> tuple[dict[int, list[str]], list[str]]:
    """Deal packets of three to the seats in `order` until each has `each` cards; also return the rest."""
    hands: dict[int, list[str]] = {seat: [] for seat in order}
    rest = list(deck)
    while len(hands[order[-1]]) < each:
        for seat in order:
            size = min(3, each - len(hands[seat]))
            hands[seat] += rest[:size]
            rest = rest[size:]
    return hands, rest


# --- contracts -------------------------------------------------------------------------------------------


def trump_of(contract: str | None) -> str | None:
    """The trump suit's letter, or None."""
    return TRUMP_OF.get(contract) if contract else None


def first_direction(contract: str | None) -> str:
    """`obenabe` or `undenufe`: the direction that fixes values and the comparison of melds."""
    return "undenufe" if contract and contract.endswith("undenufe") else "obenabe"


def direction(contract: str | None, trick_index: int, tricks_in_deal: int) -> str:
    """The direction of one trick; in a trump contract that of the plain suits."""
    first = first_direction(contract)
    other = "obenabe" if first == "undenufe" else "undenufe"
    if contract in SLALOM:
        return first if trick_index % 2 == 0 else other
    if contract in GUSCHTI:
        tricks_in_first = 5 if tricks_in_deal == 9 else tricks_in_deal // 2
        return first if trick_index < tricks_in_first else other
    return first


def value(card: str, contract: str | None, puur: int = 20, six_counts: bool = True) -> int:
    """Points of a card. Without a contract (Plus-Minus, trumps never set) the values of obenabe hold."""
    trump = trump_of(contract)
    rank = rank_of(card)
    if trump is not None:
        if suit_of(card) != trump:
            return PLAIN_VALUES[rank]
        return puur if rank == "J" else TRUMP_VALUES[rank]
    if first_direction(contract) == "undenufe" and six_counts:
        return UNDENUFE_VALUES[rank]
    return OBENABE_VALUES[rank]


# --- tricks ----------------------------------------------------------------------------------------------


def trick_winner(trick: Trick, trump: str | None, way: str) -> int:
    """The seat that takes a trick, `way` being the direction of this trick."""
    trumps = [(seat, card) for seat, card in trick if suit_of(card) == trump]
    if trumps:
        return max(trumps, key=lambda played: TRUMP_ORDER.index(rank_of(played[1])))[0]
    led = suit_of(trick[0][1])
    order = BOTTOM_UP_ORDER if way == "undenufe" else TOP_DOWN_ORDER
    followers = [(seat, card) for seat, card in trick if suit_of(card) == led]
    return max(followers, key=lambda played: order.index(rank_of(played[1])))[0]


def legal_cards(hand: list[str], trick: list[str], trump: str | None, undertrump: str) -> list[str]:
    """The cards of a hand that may be played to the cards already in the trick."""
    if not trick:
        return list(hand)
    led = suit_of(trick[0])
    of_led = [card for card in hand if suit_of(card) == led]
    if trump is None:
        return of_led or list(hand)

    puur = trump + "J"
    trumps = [card for card in hand if suit_of(card) == trump]
    if led == trump:
        if not trumps or trumps == [puur]:
            return list(hand)
        return trumps

    trumps_in_trick = [card for card in trick if suit_of(card) == trump]
    if not trumps_in_trick:
        return of_led + trumps if of_led else list(hand)

    highest = max(TRUMP_ORDER.index(rank_of(card)) for card in trumps_in_trick)
    higher = [card for card in trumps if TRUMP_ORDER.index(rank_of(card)) > highest]
    lower = [card for card in trumps if card not in higher]
    neither = [card for card in hand if card not in of_led and card not in trumps]

    if undertrump == "forced":
        puur_held = [card for card in trumps if card == puur]
        higher_duty = [card for card in higher if card != puur]
        if of_led or higher_duty:
            return of_led + higher_duty + puur_held
        if lower:
            return lower + puur_held
        return list(hand)
    if of_led:
        return of_led + higher
    if undertrump == "void":
        return list(hand)
    # only-trumps
    if len(trumps) == len(hand):
        return list(hand)
    return neither + higher


# --- options ---------------------------------------------------------------------------------------------

# A specification is a map name -> (default, kind, bounds). Kinds: "bool"; "int" and "int_or_null" with
# (low, high); "one_of" with a list; "any" (the game checks it itself).
Spec = dict[str, tuple[Any, str, Any]]


def is_int(found: object) -> TypeGuard[int]:
    return isinstance(found, int) and not isinstance(found, bool)


def complete_options(given: Options, spec: Spec) -> Options:
    """All options of a game, the given ones checked against their bounds."""
    options = {name: default for name, (default, _, _) in spec.items()}
    for name, found in given.items():
        if name not in spec:
            raise Illegal("start/unknown_option", f"{name}; known are {', '.join(sorted(spec))}")
        _, kind, bounds = spec[name]
        if kind == "bool":
            good = isinstance(found, bool)
        elif kind == "int":
            good = is_int(found) and bounds[0] <= found <= bounds[1]
        elif kind == "int_or_null":
            good = found is None or (is_int(found) and bounds[0] <= found <= bounds[1])
        elif kind == "one_of":
            good = any(found == choice and type(found) is type(choice) for choice in bounds)
        else:
            good = True
        if not good:
            raise Illegal("start/option_out_of_bounds", f"{name} = {found!r}; {kind} {bounds}")
        options[name] = found
    return options


def pick(rng: random.Random, choices: dict[str, list[Any]]) -> Options:
    """Random choices for some of these options; the others keep their defaults."""
    return {name: rng.choice(possible) for name, possible in choices.items() if rng.random() < 0.5}


def random_points(rng: random.Random, least: int, step: int) -> int:
    """A bid from the least on, in whole steps."""
    return -(-least // step) * step + step * rng.choice([0, 0, 1, 2, 5])


def check_turned_contracts(found: Any) -> None:
    if not isinstance(found, dict):
        raise Illegal("start/option_out_of_bounds", "turned_contracts is a map of rank to contract")
    for rank, contract in found.items():
        if rank not in RANKS or contract not in ["obenabe", "undenufe"]:
            raise Illegal("start/option_out_of_bounds", f"turned_contracts {rank!r}: {contract!r}")


def turned_contract(card: str, turned_contracts: dict[str, str]) -> str:
    """The contract that a turned card sets."""
    return turned_contracts.get(rank_of(card), CONTRACT_OF[suit_of(card)])


# --- the turn of a game ----------------------------------------------------------------------------------


class Base(ABC):
    """One game. A subclass sets `phase`, `turn` and `hands` and has a method do_<command> for each command.

    Phases: "deal" (waiting for a deal), "play" (cards), "over", and each game's own, in which `names()` tells
    the commands that are open to the seat `turn`. A game with bids has `random_bid(rng)`, what random play
    says beside the seat; one in which not all six contracts can be named, `contracts()`.
    """

    whole_deck = True
    """All cards of a deal count for somebody."""
    signed_stoeck = False
    """Whoever holds the Stöck says whether it is added or taken off."""

    def __init__(
        self, options: Options, seats: int, spec: Spec, seats_allowed: list[int], sides: int
    ) -> None:
        if seats not in seats_allowed:
            raise Illegal("start/seats", f"{seats!r} seats; allowed are {seats_allowed}")
        self.options = complete_options(options, spec)
        self.seats = seats
        self.sides = sides
        self.phase = "deal"
        self.turn = 0
        self.deal_number = 0
        self.dealer = seats - 1
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.totals = [0] * sides
        self.winners: list[int] = []
        self.clear_deal()

    def clear_deal(self) -> None:
        self.contract: str | None = None
        self.trick: Trick = []
        self.takers: list[int] = []
        self.tricks_in_deal = 0
        self.played: list[list[str]] = [[] for _ in range(self.seats)]
        self.card_points = [0] * self.sides
        self.scores = [0] * self.sides

    # what a subclass fills in

    def names(self) -> list[str]:
        """The names of the commands open to the seat whose turn it is, outside "deal" and "play".

        It is not abstract: a game without phases of its own leaves it out, and nothing calls it there.
        """
        raise NotImplementedError

    @abstractmethod
    def playable(self, seat: int) -> list[str]:
        """The cards a seat may play now."""

    # the two public methods

    def legal(self) -> dict[str, Any] | None:
        if self.phase == "over":
            return None
        if self.phase == "deal":
            return {"seat": None, "cmds": ["deal"]}
        if self.phase == "play":
            return {"seat": self.turn, "cards": sorted(self.playable(self.turn))}
        return {"seat": self.turn, "cmds": sorted(self.names())}

    def do(self, command: Command) -> list[Event]:
        """Carry out a command and return its events, or raise Illegal and change nothing."""
        if self.phase == "over":
            raise Illegal("game/over", "the game has ended")
        name = command.get("cmd")
        if name in ["claim_out", "stop", "take_turned"]:
            method = getattr(self, f"do_{name}", None)
            if method is None:
                raise Illegal("game/unknown_command", f"{name} does not exist in this game")
            seat = command.get("seat")
            if not is_int(seat) or not 0 <= seat < self.seats:
                raise Illegal("game/seat", f"no seat {seat!r}")
            events: list[Event] = method(command)
            return events
        legal = self.legal()
        assert legal is not None, "only a game that is over awaits nothing"
        names = ["play"] if "cards" in legal else legal["cmds"]
        if name not in names:
            raise Illegal("game/not_now", f"{name!r}; open are {names}")
        if name != "deal" and (not is_int(command.get("seat")) or command["seat"] != legal["seat"]):
            raise Illegal(
                "game/not_your_turn", f"seat {command.get('seat')!r}; it is the turn of {legal['seat']}"
            )
        self.refuse_strangers(command)
        done: list[Event] = getattr(self, f"do_{name}")(command)
        return done

    def refuse_strangers(self, command: Command) -> None:
        """Fields that other games have."""
        if command.get("cut") is not None and "trump" not in self.options:
            raise Illegal("deal/cut", "no card is cut in this game")
        if command.get("slot") is not None and not hasattr(self, "slots_left"):
            raise Illegal("choose/slot", "this game has no slots")

    # dealing

    def check_deck(self, command: Command) -> list[str]:
        deck = command.get("deck")
        if not isinstance(deck, list) or sorted(map(str, deck)) != sorted(DECK):
            raise Illegal("deal/deck", "a deck is a list of the 36 cards")
        return list(deck)

    def check_dealer(self, command: Command) -> int:
        """Who deals now: the given dealer or the last seat at first, then each time the next seat."""
        given = command.get("dealer")
        if self.deal_number > 0:
            if given is not None:
                raise Illegal("deal/dealer", "a dealer is named in the first deal only")
            return (self.dealer + 1) % self.seats
        if given is None:
            return self.seats - 1
        if not is_int(given) or not 0 <= given < self.seats:
            raise Illegal("deal/dealer", f"no seat {given!r}")
        return given

    def seats_from(self, first: int) -> list[int]:
        return [(first + i) % self.seats for i in range(self.seats)]

    def forehand(self) -> int:
        return (self.dealer + 1) % self.seats

    def open_deal(self, dealer: int, hands: dict[int, list[str]]) -> list[Event]:
        """Start a deal with these hands; the tricks are as many as a hand has cards."""
        self.clear_deal()
        self.deal_number += 1
        self.dealer = dealer
        events: list[Event] = [{"type": "deal_started", "deal": self.deal_number, "dealer": dealer}]
        for seat, cards in hands.items():
            self.hands[seat] = list(cards)
            events.append({"type": "hand_dealt", "seat": seat, "cards": list(cards)})
        self.tricks_in_deal = len(self.hands[0])
        return events

    # playing

    def check_card(self, command: Command) -> tuple[int, str]:
        seat = self.turn
        card = command.get("card")
        if card not in self.playable(seat):
            raise Illegal("play/illegal_card", f"{card!r}; legal are {sorted(self.playable(seat))}")
        return seat, card

    def refuse_declarations(self, command: Command) -> None:
        """For games without melds and Stöck."""
        if command.get("melds"):
            raise Illegal("play/melds", "no melds in this game")
        if command.get("stoeck"):
            raise Illegal("play/stoeck", "no Stöck in this game")

    def lay_card(self, seat: int, card: str) -> Event:
        self.hands[seat].remove(card)
        self.played[seat].append(card)
        self.trick.append((seat, card))
        self.turn = (seat + 1) % self.seats
        return {"type": "card_played", "seat": seat, "card": card}

    def trick_is_complete(self) -> bool:
        return len(self.trick) == self.seats

    def last_trick(self) -> bool:
        """Is the trick on the table the last one of the deal?"""
        return len(self.takers) == self.tricks_in_deal - 1

    def trick_result(self) -> tuple[int, list[str]]:
        """Winner and cards of the complete trick on the table."""
        way = direction(self.contract, len(self.takers), self.tricks_in_deal)
        winner = trick_winner(self.trick, trump_of(self.contract), way)
        return winner, [card for _, card in self.trick]

    def take_trick(self, winner: int) -> None:
        self.takers.append(winner)
        self.trick = []
        self.turn = winner

    # the end

    def score_deal(self) -> Event:
        """Add the scores of the deal to the totals; afterwards the next deal may follow."""
        for side in range(self.sides):
            self.totals[side] += self.scores[side]
        self.phase = "deal"
        return {
            "type": "deal_scored",
            "deal": self.deal_number,
            "card_points": list(self.card_points),
            "scores": list(self.scores),
            "totals": list(self.totals),
        }

    def end_game(self, winners: list[int]) -> Event:
        self.phase = "over"
        self.winners = winners
        return {"type": "game_ended", "winners": list(winners), "totals": list(self.totals)}

    def best_sides(self, lowest: bool = False) -> list[int]:
        best = min(self.totals) if lowest else max(self.totals)
        return [side for side in range(self.sides) if self.totals[side] == best]
