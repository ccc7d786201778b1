"""Compare two playing strengths: the same decks played from every seat.

    python -m tests.bench.bots --variant schieber --deals 2000 [--club] [--against quick]

If seats are partners, the bots play as one side, then as the other; elsewhere one bot plays against the
others, in every seat in turn. Whole games are played until the number of deals is reached; of Schieber,
single deals. The output is one JSON line: deals and games, average score a deal of a bot and of the others,
the bot's lead, the share of deals and of games won against each of them (a draw is half a win; equal players
have 0.5), each with its 95 % margin, and the processor time of one decision. If only the chooser scores, a
deal reflects the choice: there the games count. `random` plays anything legal, `quick` uses `choose`, `puur`
uses `think`.
"""

import argparse
import hashlib
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

import msgspec

from engine import (
    VARIANTS,
    Command,
    Observer,
    State,
    cards,
    decide,
    decode_command,
    evolve,
    get_variant,
    legal_cards,
    list_offers,
    redact_events,
    to_act,
)
from engine.cards import DECK
from engine.commands import NAMES
from engine.contracts import CONTRACTS
from engine.registry import get_rules
from games.bots import choose
from games.bots.meld_declarations import build_play
from games.bots.reckoning import chance
from games.bots.rollout_decisions import think
from tests.bench._quick import add_quick

SIMPLE: Final[Mapping[str, Any]] = {
    "melds": False,
    "multipliers": dict.fromkeys(CONTRACTS[:6], 1),
    "partner_waits": True,
}
"""The options of championships."""
SCHIEBER: Final = "schieber"
SINGLE: Final[Mapping[str, Any]] = {"target": None, "deals": 1, "first_forehand": "drawn"}
MAX_DEALS: Final = 100
"""Number of deals after which a game is broken off."""
Player = Callable[[State, int, bytes], Command]


class Figure(NamedTuple):
    """An average, and its 95 % margin."""

    value: float
    within: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Figure":
        """Return the figure of values that are independent of each other."""
        middle = fmean(values)
        spread = stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
        return cls(middle, 1.96 * spread)


class DuelResult(NamedTuple):
    """The result of a duel: scores per deal and seat, and shares of wins against each of the others. All
    games with the same decks, from every place, form one value of a figure."""

    deals: int
    games: int
    ours: float
    theirs: float
    ahead: Figure
    """The lead of our bots in a deal."""
    won: Figure
    games_won: Figure
    microseconds: float


def random_legal(state: State, seat: int, seed: bytes) -> Command:
    """Return a random command and card that the rules allow, all equally likely; the Stöck and melds are
    declared.
    """
    turn = to_act(state)
    name = chance.pick(seed, turn.commands if turn else (), "command", state.seq)
    if name == "play":
        card = chance.pick(seed, cards.members(legal_cards(state, seat)), "card", state.seq)
        return build_play(state, seat, card)
    offered = [command for command in list_offers(state) if NAMES[type(command)] == name]
    return chance.pick(seed, offered, name, state.seq)


def duel_deck(seed: bytes, deal: int) -> list[str]:
    """Return a deck for one deal."""
    return sorted(DECK, key=lambda card: chance.number(seed, "deck", deal, card))


def game_played(
    players: Sequence[Player],
    start: Mapping[str, Any],
    decks: Iterator[list[str]],
    seed: bytes,
    longest: int = MAX_DEALS,
) -> State:
    """Play one game, broken off after `longest` deals; every seat sees only the fold of its own view."""
    seats = len(players)
    state, views = State(), [State() for _ in range(seats)]
    observers = [Observer.seat(seat) for seat in range(seats)]
    command: Command = decode_command({"cmd": "start", "seats": seats, **start})
    while True:
        for event in decide(state, command):
            evolve(state, event)
            for observer, view in zip(observers, views, strict=True):
                [seen] = redact_events([event], observer)
                evolve(view, seen)
        turn = to_act(state)
        if turn is None or (turn.seat is None and state.deal >= longest):
            return state
        if turn.seat is None:
            shuffled = next(decks)
            cut = {"cut": shuffled[-1]} if get_rules(state).cuts else {}
            command = decode_command({"cmd": "deal", "deck": shuffled, **cut})
        else:
            command = players[turn.seat](views[turn.seat], turn.seat, seed)


def duel(
    bot: Player,
    other: Player,
    deals: int,
    seed: bytes,
    options: Mapping[str, Any],
    key: str = SCHIEBER,
    seats: int | None = None,
) -> DuelResult:
    """Play at least this number of deals, with the bots in each place in turn at the same decks."""
    game = get_variant(key)
    count = seats or game.seats[0]
    start = {"variant": key, "options": {**(SINGLE if key == SCHIEBER else {}), **options}}
    spent, moves = 0.0, 0

    def timed(state: State, seat: int, chance_of_bot: bytes) -> Command:
        nonlocal spent, moves
        begun = time.process_time()
        command = bot(state, seat, chance_of_bot)
        spent += time.process_time() - begun
        moves += 1
        return command

    partners = game.partnership.count(count) == 2 and count == 4
    places = 2 if partners else count
    rounds: list[_Tally] = []
    while sum(tally.deals for tally in rounds) < deals:
        tally = _Tally()
        for place in range(places):
            ours = [seat % 2 == place if partners else seat == place for seat in range(count)]
            key_of_game = hashlib.sha256(seed + bytes([(len(rounds) * places + place) % 251])).digest()
            decks = (duel_deck(seed, MAX_DEALS * len(rounds) + deal) for deal in range(MAX_DEALS))
            players = [timed if mine else other for mine in ours]
            tally.add(game_played(players, start, decks, key_of_game), ours)
        rounds.append(tally)
    played = sum(tally.deals for tally in rounds)
    return DuelResult(
        played,
        len(rounds) * places,
        sum(tally.ours for tally in rounds) / played,
        sum(tally.theirs for tally in rounds) / played,
        Figure.of([game.score_direction * (tally.ours - tally.theirs) / tally.deals for tally in rounds]),
        Figure.of([tally.won / tally.pairs for tally in rounds]),
        Figure.of([tally.games_won / tally.games for tally in rounds]),
        spent / max(moves, 1) * 1e6,
    )


class _Tally:
    """Sums the results of single games; a pair is a bot and a player of another side."""

    def __init__(self) -> None:
        self.deals = self.pairs = self.games = 0
        self.ours = self.theirs = self.won = self.games_won = 0.0

    def add(self, state: State, ours: Sequence[bool]) -> None:
        rules = get_rules(state)
        sides = rules.sides_of(state)
        mine = {sides[seat] for seat, own in enumerate(ours) if own}
        others = {sides[seat] for seat, own in enumerate(ours) if not own}
        self.deals += len(state.records)
        for record in state.records:
            scores = [points or 0 for points in record.scores]
            self.ours += sum(scores[side] for side in mine) / len(mine)
            self.theirs += sum(scores[side] for side in others) / len(others)
            for own in mine:
                for side in others - mine:
                    leading = rules.variant.leaders((scores[own], scores[side]))
                    self.won += 0.5 if len(leading) == 2 else float(leading == [0])
                    self.pairs += 1
        for seat, own in enumerate(ours):
            for against, theirs in enumerate(ours):
                if own and not theirs:
                    results = [float(sides[who] in state.winners) for who in (seat, against)]
                    self.games_won += (1 + results[0] - results[1]) / 2
                    self.games += 1


PLAYERS: Final[Mapping[str, Player]] = {"random": random_legal, "quick": choose, "puur": think}
"""Players that can be measured, by name."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.bench.bots", description="Bots against others.")
    parser.add_argument("--variant", default=SCHIEBER, choices=sorted(VARIANTS))
    parser.add_argument("--seats", type=int, help="default: the fewest the game is played by")
    parser.add_argument("--preset", default="", help="the options of a preset of the game")
    parser.add_argument("--deals", type=int, default=2000, help="each deck is played from every place")
    parser.add_argument("--seed", default="puur")
    parser.add_argument("--club", action="store_true", help="Schieber with multipliers and melds")
    parser.add_argument("--bot", default="puur", choices=sorted(PLAYERS), help="who is measured")
    parser.add_argument("--against", default="random", choices=sorted(PLAYERS), help="by whom")
    add_quick(parser, deals=4)
    asked = parser.parse_args()
    plain = {} if asked.club or asked.variant != SCHIEBER else SIMPLE
    options = get_variant(asked.variant).presets.get(asked.preset, plain)
    bot, other = PLAYERS[asked.bot], PLAYERS[asked.against]
    figures = duel(bot, other, asked.deals, asked.seed.encode(), options, asked.variant, asked.seats)
    rounded = {
        key: round(value, 3) if isinstance(value, float | int) else [round(part, 3) for part in value]
        for key, value in figures._asdict().items()
    }
    ours, theirs = figures.ours, figures.theirs
    seats = asked.seats or get_variant(asked.variant).seats[0]
    named = {"name": f"points a deal: {asked.variant}, {seats} seats, {asked.bot}", "against": asked.against}
    beside = {"peer": rounded.pop("theirs"), "ratio": round(ours / theirs, 2) if ours and theirs else None}
    print(msgspec.json.encode({**named, **rounded, **beside}).decode(), flush=True)


if __name__ == "__main__":
    main()
