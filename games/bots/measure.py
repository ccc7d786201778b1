"""How much better the bots are than random legal play: the same decks played with both seatings.

    python -m games.bots.measure --deals 2000 [--club]

Prints one JSON line: deals, average points a deal of the bots' side and of the other, share of deals won
(a draw is half of one), and the time of one decision.
"""

import argparse
import hashlib
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from engine import (
    Command,
    Observer,
    State,
    cards,
    decide,
    decode_command,
    evolve,
    legal_cards,
    to_act,
    view_for,
)
from engine.cards import DECK
from engine.contracts import CONTRACTS
from games.bots import chance, choose
from games.bots.declaring import play

SIMPLE: Final[Mapping[str, Any]] = {
    "melds": False,
    "multipliers": dict.fromkeys(CONTRACTS[:6], 1),
    "partner_waits": True,
}
"""As in championships."""
Player = Callable[[State, int, bytes], Command]


class Figure(NamedTuple):
    """What a duel gave, per deal."""

    deals: int
    ours: float
    theirs: float
    won: float
    microseconds: float


def random_legal(state: State, seat: int, seed: bytes) -> Command:
    """Any command and card that the rules allow, each as likely as another; the Stöck and melds declared."""
    turn = to_act(state)
    name = chance.pick(seed, turn.commands if turn else (), "command", state.seq)
    if name == "play":
        card = chance.pick(seed, cards.members(legal_cards(state, seat)), "card", state.seq)
        return play(state, seat, card)
    fields: dict[str, Any] = {}
    if name == "choose":
        fields["contract"] = chance.pick(seed, state.options["contracts"], "contract", state.seq)
    return decode_command({"cmd": name, "seat": seat, **fields})


def deck(seed: bytes, deal: int) -> list[str]:
    """A deck for one deal."""
    return sorted(DECK, key=lambda card: chance.number(seed, "deck", deal, card))


def deal_played(players: list[Player], options: Mapping[str, Any], shuffled: list[str], seed: bytes) -> State:
    """One deal; every seat sees the fold of its own view and nothing else."""
    state, views = State(), [State() for _ in range(4)]
    observers = [Observer.seat(seat) for seat in range(4)]
    commands: list[Command] = [
        decode_command({"cmd": "start", "variant": "schieber", "seats": 4, "options": dict(options)}),
        decode_command({"cmd": "deal", "deck": shuffled}),
    ]
    while True:
        turn = to_act(state)
        if turn is None:
            return state
        if turn.seat is None:
            command = commands.pop(0)
        else:
            command = players[turn.seat](views[turn.seat], turn.seat, seed)
        for event in decide(state, command):
            evolve(state, event)
            for observer, view in zip(observers, views, strict=True):
                [seen] = view_for([event], observer)
                evolve(view, seen)


def duel(bot: Player, other: Player, deals: int, seed: bytes, options: Mapping[str, Any]) -> Figure:
    """Play so many deals, each deck twice: the bots as side 0 and as side 1."""
    rules = {"target": None, "deals": 1, "first_forehand": "drawn", **options}
    ours = theirs = won = 0.0
    spent, moves = 0.0, 0

    def timed(state: State, seat: int, chance_of_bot: bytes) -> Command:
        nonlocal spent, moves
        begun = time.perf_counter()
        command = bot(state, seat, chance_of_bot)
        spent += time.perf_counter() - begun
        moves += 1
        return command

    for number in range(deals):
        shuffled = deck(seed, number // 2)
        side = number % 2
        players = [timed, other, timed, other] if side == 0 else [other, timed, other, timed]
        totals = deal_played(
            players, rules, shuffled, hashlib.sha256(seed + bytes([number % 251])).digest()
        ).totals
        mine, their = totals[side], totals[1 - side]
        ours, theirs = ours + mine, theirs + their
        won += 1.0 if mine > their else 0.5 if mine == their else 0.0
    return Figure(deals, ours / deals, theirs / deals, won / deals, spent / max(moves, 1) * 1e6)


def main() -> None:
    parser = argparse.ArgumentParser(prog="games.bots.measure", description="Bots against random legal play.")
    parser.add_argument("--deals", type=int, default=2000, help="each deck is played with both seatings")
    parser.add_argument("--seed", default="puur")
    parser.add_argument("--club", action="store_true", help="with multipliers and melds")
    asked = parser.parse_args()
    figure = duel(choose, random_legal, asked.deals, asked.seed.encode(), {} if asked.club else SIMPLE)
    rounded = {key: round(value, 3) for key, value in figure._asdict().items()}
    print(msgspec.json.encode({"name": "bots against random legal play", **rounded}).decode())


if __name__ == "__main__":
    main()
