"""Random whole games of every variant, preset and number of seats: what the battery runs on."""

import os
import random
from collections.abc import Iterator
from typing import NamedTuple

from engine.cli.playing import playout
from engine.commands import Command, Start
from engine.decider import next_play
from engine.events import Event
from engine.ledger.evolve import replay
from engine.ledger.state import State
from engine.registry import VARIANTS

EFFORT = int(os.environ.get("PUUR_EFFORT", "1"))
"""How many times longer than in CI the proofs with drawn games go on."""


class Game(NamedTuple):
    """A way to play: variant, preset and seats."""

    variant: str
    preset: str | None
    seats: int

    def __str__(self) -> str:
        return f"{self.variant}-{self.preset or 'default'}-{self.seats}"

    def start(self) -> Start:
        return Start(variant=self.variant, preset=self.preset, seats=self.seats)


GAMES = [
    Game(key, preset, seats)
    for key, variant in VARIANTS.items()
    for preset in (None, *variant.presets)
    for seats in variant.seats
]


def steps_of(game: Game, seed: int) -> list[tuple[Command, list[Event]]]:
    """A whole random game, command by command."""
    return list(playout(game.start(), random.Random(seed)))


def log_of(game: Game, seed: int) -> list[Event]:
    """The events of a whole random game."""
    return [event for _, events in steps_of(game, seed) for event in events]


def positions(game: Game, seed: int) -> Iterator[tuple[Command, list[Event], list[Event]]]:
    """Before each command: the command, its events, the log so far (which must not be changed)."""
    log: list[Event] = []
    for command, events in steps_of(game, seed):
        yield command, events, log
        log += events


def turns_of(game: Game, seed: int) -> Iterator[tuple[State, int, int, random.Random]]:
    """About every fifth turn to play: the state (not to be changed), the seat, what it may play, and dice."""
    state, roll = State(), random.Random(seed)
    for _, events in steps_of(game, seed):
        replay(events, state)
        seat, legal = next_play(state)
        if seat is not None and roll.random() >= 0.8:
            yield state, seat, legal, roll


def beginning_of(game: Game, seed: int, events: int = 150) -> list[Event]:
    """The first events of a random game, up to the end of a command."""
    found: list[Event] = []
    for _, more in steps_of(game, seed):
        found += more
        if len(found) >= events:
            break
    return found
