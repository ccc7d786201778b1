"""Random legal games: lists of commands, found with the reference itself; one seed is one game.

python -m tests.reference.random_play VARIANT [--seats N] [--seed N] [--games N] [--deals N] [--preset P]
                                            [--options JSON | --random-options]

prints the commands, JSON Lines; a new game begins with its `start`.
"""

import argparse
import json
import random
import sys
from typing import Any

from .common import (
    BOTTOM_UP_ORDER,
    DECK,
    RANKS,
    SUITS,
    TOP_DOWN_ORDER,
    TRUMP_OF,
    TRUMP_ORDER,
    Command,
    Illegal,
    Options,
    first_direction,
    rank_of,
    suit_of,
    trump_of,
)
from .games import MODULES, new_game
from .melds import why_not_melds


class Style:
    """How a game is played: some lopsided, so that sweeps, sacks and apples come up; some without stops."""

    def __init__(self, rng: random.Random) -> None:
        self.strong = rng.choice([None, None, 0, 1])  # the parity of the seats that play their best cards
        self.stops = rng.choice([0.0, 0.02, 0.3])
        self.declares = rng.choice([0.5, 0.9, 1.0])


def play(
    variant: str,
    seed: int,
    seats: int | None = None,
    options: Options | None = None,
    preset: str | None = None,
    max_deals: int = 60,
) -> list[Command]:
    """The commands of one random game from `start` on, to its end or at most through `max_deals` deals.

    Without options the defaults hold; `random_options` makes others. Every command is legal.
    """
    rng = random.Random(f"{variant} {seed}")
    style = Style(rng)
    if seats is None:
        seats = rng.choice(MODULES[variant].SEATS)
    start: Command = {"cmd": "start", "variant": variant, "seats": seats}
    if preset is not None:
        start["preset"] = preset
    if options:
        start["options"] = options
    game = new_game(variant, seats, options, preset)
    commands = [start]
    while game.phase != "over" and not (game.phase == "deal" and game.deal_number >= max_deals):
        command = random_aside(game, rng, style) or random_command(game, rng, style)
        game.do(command)
        commands.append(command)
    return commands


# --- options ----------------------------------------------------------------------------------------------


def random_options(variant: str, seats: int, seed: int) -> Options:
    """Random options that the rules of a variant know."""
    rng = random.Random(f"options {variant} {seats} {seed}")
    options: Options = MODULES[variant].some_options(rng, seats)
    return options


# --- commands ---------------------------------------------------------------------------------------------


def random_deck(rng: random.Random) -> list[str]:
    """Mostly shuffled; sometimes only a little, so that long suits, sequences and sweeps come up."""
    deck = list(DECK)
    if rng.random() < 0.6:
        rng.shuffle(deck)
        return deck
    if rng.random() < 0.3:
        deck = [suit + rank for rank in RANKS for suit in SUITS]
    packets = [deck[i : i + 3] for i in range(0, 36, 3)]
    rng.shuffle(packets)
    deck = [card for packet in packets for card in packet]
    for _ in range(rng.randint(0, 12)):
        i, j = rng.randrange(36), rng.randrange(36)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def random_aside(game: Any, rng: random.Random, style: Style) -> Command | None:
    """Now and then a legal command of a seat beside the turn: claim_out, stop, take_turned."""
    seat = rng.randrange(game.seats)
    if game.options.get("claim_out") == "required" and game.options["target"] and game.deal_number:
        side = game.side_of(seat)
        total = game.totals[side] if game.phase == "deal" else game.total_now(side)
        if rng.random() < (0.1 if total >= game.options["target"] else 0.0005):
            return {"cmd": "claim_out", "seat": seat}
    for name, chance in [("stop", style.stops), ("take_turned", 0.3)]:
        if hasattr(game, f"do_{name}") and rng.random() < chance and is_legal_aside(game, name, seat):
            return {"cmd": name, "seat": seat}
    return None


def is_legal_aside(game: Any, name: str, seat: int) -> bool:
    if game.deal_number == 0 or game.phase == "deal":
        return False
    if name == "take_turned":
        in_time = game.phase in ["exchange", "play"] and not any(game.played)
        return in_time and seat in game.has_exchanged and game.trump_six() in game.hands[seat]
    if game.phase != "play":
        return False
    points: int = game.card_points[game.bidder]
    bid: int = game.bid
    if seat == game.bidder:
        return points >= bid
    still_out: int = 157 - sum(game.card_points)
    return points + still_out < bid


def random_command(game: Any, rng: random.Random, style: Style) -> Command:
    """A legal command of the seat whose turn it is."""
    legal = game.legal()
    seat = legal["seat"]
    if "cards" in legal:
        return random_card(game, rng, style, seat, legal["cards"])
    name = rng.choice(legal["cmds"])
    if name == "concede" and rng.random() < 0.6:
        name = "accept"
    if name == "deal":
        return random_deal(game, rng)
    command: Command = {"cmd": name, "seat": seat}
    if name == "bid":
        command.update(game.random_bid(rng))
    elif name == "predict":
        command["points"] = rng.choice([0, rng.randint(0, 40), rng.randint(0, 80), 157])
    elif name == "discard":
        command["cards"] = rng.sample(game.hands[seat], 6)
    elif name in ["exchange", "keep"]:
        hand = list(game.hands[seat])
        if name == "exchange":
            command["cards"] = rng.sample(hand, 3)
            hand = [card for card in hand if card not in command["cards"]] + game.extra[seat]
        if game.trump_six() in hand and rng.random() < 0.5:
            command["take_turned"] = True
    elif name == "choose":
        command.update(random_choice(game, rng, seat))
    return command


def random_deal(game: Any, rng: random.Random) -> Command:
    command: Command = {"cmd": "deal", "deck": random_deck(rng)}
    drawn = game.options.get("first_forehand", "drawn") == "drawn"
    if game.deal_number == 0 and drawn and rng.random() < 0.7:
        command["dealer"] = rng.randrange(game.seats)
    if game.options.get("trump") == "cut":
        command["cut"] = rng.choice(DECK)
    return command


def random_choice(game: Any, rng: random.Random, seat: int) -> Command:
    """Contract, and slot in a game that has slots."""
    if hasattr(game, "slots_left"):
        slot = rng.choice(game.slots_left[game.side_of(seat)])
        suits_and_two = ["diamonds", "hearts", "spades", "clubs", "obenabe", "undenufe"]
        if slot in ["slalom", "guschti"]:
            contract = f"{slot}-{rng.choice(['obenabe', 'undenufe'])}"
        elif slot in ["joker7", "joker8"]:
            ten = [f"{name}-{way}" for name in ["slalom", "guschti"] for way in ["obenabe", "undenufe"]]
            contract = rng.choice(suits_and_two + ten)
        else:
            contract = slot
            if rng.random() < 0.5:
                return {"contract": contract}
        return {"contract": contract, "slot": slot}
    paired = [
        code
        for code, suit in TRUMP_OF.items()
        if code in game.options.get("contracts", TRUMP_OF)
        and any(suit + "K" in hand and suit + "Q" in hand for hand in game.hands)
    ]
    if game.options.get("stoeck") and paired and rng.random() < 0.4:
        return {"contract": rng.choice(paired)}
    if "contracts" in game.options:
        return {"contract": rng.choice(game.options["contracts"])}
    if hasattr(game, "contracts"):
        return {"contract": rng.choice(game.contracts())}
    return {"contract": rng.choice(["diamonds", "hearts", "spades", "clubs", "obenabe", "undenufe"])}


def random_card(game: Any, rng: random.Random, style: Style, seat: int, cards: list[str]) -> Command:
    command: Command = {"cmd": "play", "seat": seat, "card": rng.choice(cards)}
    if style.strong is not None and rng.random() < 0.9:
        by_strength = sorted(cards, key=lambda card: strength(card, game.contract))
        command["card"] = by_strength[-1 if seat % 2 == style.strong else 0]
    trump = trump_of(game.contract)
    pair = [trump + "K", trump + "Q"] if trump is not None else []
    others = [card for card in cards if card not in pair]
    holds_pair = pair != [] and all(card in game.hands[seat] for card in pair)
    if holds_pair and game.options.get("stoeck") and others and rng.random() < 0.6:
        command["card"] = rng.choice(others)  # a Stöck held back may have to be declared at once
    if game.options.get("melds") and not game.played[seat] and rng.random() < style.declares:
        melds = random_melds(game.hands[seat], game.options["low_quads"], rng)
        if melds:
            command["melds"] = melds
    if trump is not None and game.options.get("stoeck"):
        other = [card for card in pair if card != command["card"]]
        second = command["card"] in pair and other[0] in game.played[seat]
        if second and not getattr(game, "stoeck_counted", False) and rng.random() < style.declares:
            command["stoeck"] = rng.choice([20, -20]) if game.signed_stoeck else True
    return command


def strength(card: str, contract: str | None) -> tuple[bool, int]:
    """Trumps before plain suits, then by what usually wins."""
    if suit_of(card) == trump_of(contract):
        return True, TRUMP_ORDER.index(rank_of(card))
    order = BOTTOM_UP_ORDER if first_direction(contract) == "undenufe" else TOP_DOWN_ORDER
    return False, order.index(rank_of(card))


def random_melds(hand: list[str], low_quads: bool, rng: random.Random) -> list[list[str]]:
    """Some melds of a hand that may be declared together, mostly the longest ones."""
    found = [[suit + rank for suit in SUITS] for rank in RANKS]
    for suit in SUITS:
        for first in range(len(RANKS)):
            for last in range(first + 2, len(RANKS)):
                found.append([suit + rank for rank in RANKS[first : last + 1]])  # noqa: PERF401 - three loops read more easily
    found = [meld for meld in found if why_not_melds([meld], hand, low_quads) is None]
    rng.shuffle(found)
    if rng.random() < 0.8:
        found.sort(key=len, reverse=True)
    chosen: list[list[str]] = []
    for meld in found:
        if rng.random() < 0.9 and why_not_melds([*chosen, meld], hand, low_quads) is None:
            chosen.append(meld)
    return chosen


# --- the command line -------------------------------------------------------------------------------------


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variant", choices=sorted(MODULES))
    parser.add_argument("--seats", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--options", type=json.loads, default={})
    parser.add_argument("--preset")
    parser.add_argument("--random-options", action="store_true")
    parser.add_argument("--deals", type=int, default=60, help="stop a game after so many deals")
    asked = parser.parse_args()
    try:
        for seed in range(asked.seed, asked.seed + asked.games):
            possible = MODULES[asked.variant].SEATS
            seats = asked.seats or possible[seed % len(possible)]
            options = asked.options
            if asked.random_options:
                options = random_options(asked.variant, seats, seed)
            for command in play(asked.variant, seed, seats, options, asked.preset, asked.deals):
                print(json.dumps(command, separators=(",", ":")))
    except Illegal as refusal:
        print(refusal, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
