"""Random legal games, for the command `play`, the benchmark and tests."""

import random
from collections.abc import Iterator
from typing import Any

import msgspec

from engine.card_points import STOECK_POINTS
from engine.cards import DECK, INDEX, Card, codes
from engine.commands import Command, Deal, Play, Start
from engine.decider import advance, list_offers, to_act, to_game_context
from engine.events import Event
from engine.ledger.state import State
from engine.melds import combinations
from engine.melds.stoeck import completes_stoeck
from engine.rules import GameContext


def shuffle_deck(rng: random.Random) -> list[Card | None]:
    """Return a shuffled deck. It is not for real games; the package `games` deals them."""
    deck: list[Card | None] = list(DECK)
    rng.shuffle(deck)
    return deck


def random_command(at: State | GameContext, rng: random.Random) -> Command:
    """Return a random legal command of the turn, mostly with declarations. Raises ValueError if the game is
    over or closed.
    """
    context = to_game_context(at)
    turn = to_act(context)
    if turn is None:
        raise ValueError("the game is over")
    if "deal" in turn.commands:
        deck = shuffle_deck(rng)
        return Deal(deck=deck, cut=rng.choice(DECK) if context.rules.cuts else None)
    command = rng.choice(list_offers(context))
    if isinstance(command, Play) and rng.random() < 0.8:
        return _with_declarations(context, command, rng)
    return command


def _with_declarations(context: GameContext, command: Play, rng: random.Random) -> Play:
    state = context.state
    play = context.rules.play
    said: dict[str, Any] = {}
    if play.melds and not state.tricks:
        held = combinations.find_melds(state.hands[command.seat], play.low_quads)
        if held:
            said["melds"] = [codes(meld.cards) for meld in held]
    if play.stoeck and not state.stoeck and completes_stoeck(state, command.seat, INDEX[command.card]):
        said["stoeck"] = rng.choice((STOECK_POINTS, -STOECK_POINTS)) if play.stoeck_signed else True
    return msgspec.structs.replace(command, **said) if said else command


def playout(start: Start, rng: random.Random) -> Iterator[tuple[Command, list[Event]]]:
    """Play one game at random. Yield each command with its events."""
    state = State()
    command: Command = start
    while True:
        yield command, advance(state, command)
        if to_act(state) is None:
            return
        command = random_command(state, rng)
