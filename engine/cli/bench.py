"""Speed of the engine on this machine, in cards and events per second by variant. tests/bench/engine.py
compares two versions.
"""

import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypedDict

from engine.audit import audit
from engine.cli.playing import playout
from engine.commands import Command, Start
from engine.decider import advance, legal_cards
from engine.events import CardPlayed, Event
from engine.ledger.evolve import evolve, replay
from engine.ledger.state import State
from engine.registry import VARIANTS


class Speed(TypedDict):
    """A measured speed. `name`: what was measured. `unit`: what `per_second` counts."""

    variant: str
    name: str
    per_second: int
    unit: str


_Steps = list[tuple[Command, list[Event]]]


def measure_speeds(seconds: float) -> Iterator[Speed]:
    """Yield the measured speeds of each variant, one at a time. `seconds`: the least time of each."""
    for key, variant in VARIANTS.items():
        start = Start(variant=key, seats=max(variant.seats))
        steps = list(playout(start, random.Random(1)))  # noqa: S311 - a benchmark repeats the same games
        log = [event for _, events in steps for event in events]
        cards = sum(type(event) is CardPlayed for event in log)
        figures: tuple[tuple[str, int, str, Callable[[], object]], ...] = (
            ("legal", len(steps), "positions", partial(_legal, steps)),
            ("decide and evolve", cards, "cards", partial(_decide, steps)),
            ("fold", len(log), "events", partial(replay, log)),
            ("audit", len(log), "events", partial(audit, log)),
        )
        for name, count, unit, act in figures:
            yield {"variant": key, "name": name, "per_second": _rate(act, count, seconds), "unit": unit}


def _rate(act: Callable[[], object], count: int, seconds: float) -> int:
    begun = time.perf_counter()
    rounds = 0
    while (passed := time.perf_counter() - begun) < seconds or not rounds:
        act()
        rounds += 1
    return round(rounds * count / passed)


def _decide(steps: _Steps) -> None:
    state = State()
    for command, _ in steps:
        advance(state, command)


def _legal(steps: _Steps) -> None:
    state = State()
    for _, events in steps:
        for event in events:
            evolve(state, event)
        legal_cards(state)
