"""Any game can be transcribed as far as it is known; only proven infractions are marked."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from engine import decode_event, encode, replay
from engine.audit import audit
from engine.commands import Command, Deal, Discard, Exchange, Play, Predict, Start
from engine.events import DealStarted, InfractionFound, TurnedTaken
from engine.evidence import evidence
from engine.notation import notate, parse
from tests.engine.random_games import GAMES, Game, steps_of
from tests.engine.tables import Table

SHARES = [0.2, *(pytest.param(share, marks=pytest.mark.slow) for share in (0.0, 0.02, 0.7, 1.0))]
every_game = pytest.mark.parametrize("game", GAMES, ids=str)


def forgotten(command: Command, rng: random.Random, share: float) -> Command:
    """A command of which some cards and numbers are not known any more."""

    def some(cards: Any) -> list[Any]:
        return [None if rng.random() < share else card for card in cards]

    if isinstance(command, Start):
        return replace(command, mode="transcribed")
    if isinstance(command, Deal):
        return replace(command, deck=None if rng.random() < share / 2 else some(command.deck))
    if isinstance(command, Discard | Exchange):
        return replace(command, cards=some(command.cards))
    if isinstance(command, Predict) and rng.random() < share:
        return replace(command, points=None)
    if isinstance(command, Play) and rng.random() < share and not command.melds:
        return replace(command, card=None)
    return command


@pytest.mark.long(19)
@every_game
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_that_kept_the_rules_is_written_down_without_a_mark(
    game: Game, share: float, seed: int
) -> None:
    rng = random.Random(f"{game} {share} {seed}")
    table = Table.__new__(Table)
    first = True
    for command, events in steps_of(game, seed):
        told = forgotten(command, rng, share)
        if first:
            assert isinstance(told, Start)
            table = Table(told.variant, told.seats, preset=told.preset, mode="transcribed")
            first = False
            continue
        if isinstance(told, Deal):
            if table.state.dealing or table.state.over:
                break
            started = events[0]
            assert isinstance(started, DealStarted)
            told = replace(told, dealer=started.dealer)
        if isinstance(told, Exchange):  # who wished for the turned card and had no six did not take it
            told = replace(told, take_turned=any(isinstance(event, TurnedTaken) for event in events))
        table.do(told)
        if len(table.log) > 400:
            break
    assert [event for event in table.log if isinstance(event, InfractionFound)] == []
    assert audit(table.log) is None
    assert replay(table.log) == table.state
    assert [decode_event(encode(event)) for event in table.log] == table.log
    again = Table(game.variant, game.seats, preset=game.preset, mode="transcribed")
    for told in parse(notate(table.log))[1:]:
        again.do(told)
    assert again.log == table.log
    for deal in evidence(table.log):
        assert deal.contradictions == []


@every_game
def test_cards_alone_make_a_record(game: Game) -> None:
    """Of a whole deal nothing is known but who played what."""
    table = Table(game.variant, game.seats, preset=game.preset, mode="transcribed")
    for command, _ in steps_of(game, 3):
        if isinstance(command, Deal):
            if table.state.deal:
                break
            table.do(Deal(dealer=0))
        elif isinstance(command, Play) and not table.state.over:
            table.do(Play(seat=command.seat, card=command.card))
    marks = {event.code for event in table.log if isinstance(event, InfractionFound)}
    assert marks <= {"out_of_turn"}
    assert audit(table.log) is None
    assert evidence(table.log)[0].contradictions == []
