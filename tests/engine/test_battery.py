"""What holds for every game of the registry, with every preset and number of seats."""

import random
import re
from collections import Counter

import pytest

from engine import (
    Observer,
    State,
    decide,
    decode_event,
    encode,
    evolve,
    legal_cards,
    offers,
    replay,
    to_act,
    view_for,
)
from engine.audit import audit
from engine.cli.playing import random_command
from engine.commands import Deal, Play
from engine.events import CardPlayed, DealScored, DealStarted, Event, GameEnded, TrickTaken
from engine.registry import prepare
from tests.engine.playing import GAMES, Game, log_of, positions, steps_of

SEEDS = (1, 2)
every_game = pytest.mark.parametrize("game", GAMES, ids=str)


@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_random_games_end_and_replay_to_what_was_played(game: Game, seed: int) -> None:
    state = State()
    log = []
    for _, events in steps_of(game, seed):
        for event in events:
            evolve(state, event)
        log += events
    assert isinstance(log[-1], GameEnded)
    assert to_act(state) is None
    assert replay(log) == state
    assert [event.seq for event in log] == list(range(len(log)))


@every_game
def test_a_log_survives_json(game: Game) -> None:
    log = log_of(game, 3)
    assert [decode_event(encode(event)) for event in log] == log


@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_the_audit_accepts_every_log(game: Game, seed: int) -> None:
    assert audit(log_of(game, seed)) is None


@every_game
def test_every_card_is_played_once_and_the_points_of_a_deal_sum(game: Game) -> None:
    log = log_of(game, 4)
    state = State()
    played: Counter[str | None] = Counter()
    tricks = 0
    for event in log:
        evolve(state, event)
        if isinstance(event, DealStarted):
            played.clear()
            tricks = 0
        elif isinstance(event, CardPlayed):
            played[event.card] += 1
            assert played[event.card] == 1
        elif isinstance(event, TrickTaken):
            tricks += 1
        elif isinstance(event, DealScored) and tricks == state.sizes[0]:
            prepare(state)
            play = state.rules.play
            if play.all_counted:
                assert sum(points or 0 for points in event.card_points) == play.deal_points


@every_game
def test_a_seat_finds_the_same_legal_cards_in_its_own_view(game: Game) -> None:
    for command, _, log in positions(game, 5):
        if isinstance(command, Play):
            seen = replay(view_for(log, Observer.seat(command.seat)))
            assert legal_cards(seen) == legal_cards(replay(log)) != 0
        if len(log) > 150:
            return


@every_game
def test_what_is_offered_is_never_refused(game: Game) -> None:
    for _, _, log in positions(game, 6):
        state = replay(log)
        turn = to_act(state)
        if turn is not None and turn.phase not in ("start", "dealing"):
            for command in offers(state)[:8]:
                assert decide(state, command)
        if len(log) > 80:
            return


@every_game
def test_copies_are_independent(game: Game) -> None:
    log = log_of(game, 7)[:40]
    state = replay(log[:20])
    before = state.facts()
    copy = state.copy()
    frozen = replay(log[:20])
    for event in log[20:]:
        evolve(copy, event)
    assert state == frozen
    assert state.facts() == before
    assert copy == replay(log)


@every_game
def test_worlds_that_differ_only_in_what_is_hidden_look_the_same(game: Game) -> None:
    """Two cards that neither an observer nor the table has seen change places: nothing he can see changes."""
    rng = random.Random(8)
    steps = steps_of(game, 8)
    compared = 0
    for at, (command, events) in enumerate(steps[:60]):
        if not isinstance(command, Deal) or command.deck is None:
            continue
        before = replay(event for _, earlier in steps[:at] for event in earlier)
        for _ in range(12):
            deck = list(command.deck)
            one, two = rng.sample(range(36), 2)
            deck[one], deck[two] = deck[two], deck[one]
            other = decide(before, Deal(deck=deck, dealer=command.dealer, cut=command.cut))
            for observer in [Observer.spectator(), *(Observer.seat(seat) for seat in range(game.seats))]:
                if {deck[one], deck[two]} & _known(events, observer) | {deck[one], deck[two]} & _known(
                    other, observer
                ):
                    continue
                if any(deck[at] in ("D10", "D7") for at in (one, two)):
                    continue  # who holds it is forehand, which everybody knows
                assert [encode(e) for e in view_for(events, observer)] == [
                    encode(e) for e in view_for(other, observer)
                ]
                compared += 1
    assert compared


def _known(events: list[Event], observer: Observer) -> set[str]:
    """Every card code that an observer reads in these events."""
    return set(
        re.findall(r'"([DHSC](?:10|[6-9JQKA]))"', b"".join(map(encode, view_for(events, observer))).decode())
    )


def test_nothing_is_played_after_the_end() -> None:
    with pytest.raises(ValueError, match="over"):
        random_command(replay(log_of(GAMES[0], 1)), random.Random(1))
