"""An audit follows whole deals and tricks at once where it can: it accepts what an audit accepts that decides
every command again, and nothing else."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from engine import CorruptLog, IllegalCommand, State, advance, decode_event, replay, to_act, to_dict
from engine.audit import audit
from engine.cards import DECK, SUIT_NAMES
from engine.cli.playing import random_command
from engine.commands import ClaimOut, Command, Rule, Start, Stop
from engine.decider import open_phase
from engine.events import Event
from engine.registry import build_game_context
from engine.rules import GameContext, Phase
from tests.engine.random_games import EFFORT, GAMES

STARTS = [
    *(game.start() for game in GAMES),
    Start(variant="schieber", seats=4, options={"target": 300}),
    Start(variant="schieber", seats=4, options={"target": 400, "claim_out": "required"}),
    Start(variant="schieber", seats=4, preset="championship", won_before=1),
    Start(variant="bieter", seats=3, options={"first_hand": 9, "opponents_target": 200}),
    Start(variant="coiffeur", seats=4, options={"melds": True, "stoeck": True, "lead": "declarer"}),
    Start(
        variant="differenzler", seats=4, options={"trump": "cut", "sealed_predictions": True, "stoeck": True}
    ),
    Start(variant="lake-constance", seats=2, options={"no_trumps": True}),
]
FORGERIES = 30


def said_beside(state: State, rng: random.Random) -> list[Command]:
    """What may be said or ruled now and then, if it may."""
    seat = rng.randrange(state.seats)
    return [
        Rule(kind="bar_suit", deal=state.deal, against=seat, suit=rng.choice(SUIT_NAMES), reason="seen"),
        Rule(kind="award_from_trick", deal=state.deal, trick=1, against=seat, reason="seen"),
        Rule(kind="penalty", against=seat, points=5, reason="seen"),
        Rule(kind="annul_deal", deal=state.deal, reason="seen"),
        ClaimOut(seat=seat),
        Stop(seat=seat),
    ]


def record(start: Start, rng: random.Random, events: int = 150) -> list[Event]:
    """The beginning of a game in which it is also ruled, claimed and stopped."""
    state = State()
    log = list(advance(state, start))
    while len(log) < events and to_act(state) is not None:
        command = random_command(state, rng)
        if state.dealing and rng.random() < 0.04:
            command = rng.choice(said_beside(state, rng))
        try:
            log += advance(state, command)
        except IllegalCommand:
            log += advance(state, random_command(state, rng))
    return log


def forgeries(log: list[Event], rng: random.Random) -> Iterator[list[Event]]:
    """The log with one event changed, dropped, doubled or before its time, numbered anew or not; or cut."""
    for _ in range(FORGERIES):
        at = rng.randrange(1, len(log) - 1)
        forged = rng.choice(
            (
                [*log[:at], changed(log[at], rng), *log[at + 1 :]],
                [*log[:at], *log[at + 1 :]],
                [*log[:at], log[at], *log[at:]],
                [*log[:at], log[at + 1], log[at], *log[at + 2 :]],
                log[:at],
            )
        )
        yield [replace(event, seq=seq) for seq, event in enumerate(forged)] if rng.random() < 0.7 else forged


def changed(event: Event, rng: random.Random) -> Event:
    """An event with something else in one of its fields, as a file may have it."""
    while True:
        name = rng.choice(event.__struct_fields__)
        value: Any = getattr(event, name)
        if isinstance(value, bool):
            other: Any = not value
        elif isinstance(value, int):
            other = value + rng.choice((-1, 1, 5))
        elif isinstance(value, list) and value:
            other = rng.choice((value[1:], value[::-1], [*value, value[0]]))
        elif value in DECK:
            other = rng.choice((*DECK, None))
        else:
            other = None
        try:
            return decode_event({**to_dict(event), name: other})
        except CorruptLog:
            continue


def accepted(log: list[Event]) -> bool:
    """Whether an audit finds nothing. Where it finds the first thing depends on how far it followed."""
    try:
        return audit(log) is None
    except CorruptLog:
        return False


def nothing_at_once(context: GameContext) -> Phase:
    """The open phase without what it follows in one go."""
    phase = open_phase(context)
    return Phase(phase.kind, phase.is_open, phase.turn, phase.deciders)


@pytest.mark.long(11)
@pytest.mark.parametrize("start", STARTS, ids=lambda start: f"{start.variant}-{start.preset}-{start.seats}")
def test_the_same_records_are_accepted_at_once_and_command_by_command(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(EFFORT):
        rng = random.Random(seed)
        true = record(start, rng)
        logs = [true, *forgeries(true, rng)]
        at_once = [accepted(log) for log in logs]
        with monkeypatch.context() as slowly:
            slowly.setattr("engine.audit.open_phase", nothing_at_once)
            assert [accepted(log) for log in logs] == at_once
        assert at_once[0]
        assert at_once.count(False) > len(logs) // 2


@pytest.mark.long(11)
@pytest.mark.parametrize("start", STARTS, ids=lambda start: f"{start.variant}-{start.preset}-{start.seats}")
def test_what_is_followed_at_once_leaves_the_table_as_its_events_do(start: Start) -> None:
    log = record(start, random.Random(9))
    state, at, followed = State(), 0, 0
    while at < len(log):
        context = build_game_context(state)
        run = open_phase(context).audit_run(context, log, at)
        followed += run
        if not run:
            replay(log[at : at + 1], state)
        at += run or 1
        assert state == replay(log[:at])
    assert followed
