"""The prompt of a frame: the legal cards, and the reasons for the illegal ones."""

import pytest

from engine import Observer, State, evolve, redact_events, replay, to_act
from engine.cards import DECK
from engine.commands import Play
from engine.events import Event
from engine.queries.illegal_reasons import REASONS, illegal_reasons
from games.observed.observed_game import NO_CARDS, build_prompt
from tests.engine.random_games import GAMES, Game, steps_of


def told(text: str) -> dict[str, str]:
    """Card → reason, as a client reads it."""
    return {card: REASONS[int(digit) - 1] for card, digit in zip(DECK, text, strict=True) if digit != "0"}


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_who_has_the_turn_is_told_why_a_card_is_forbidden_as_far_as_his_own_view_goes(game: Game) -> None:
    state, plays = State(), 0
    log: list[Event] = []
    for command, events in steps_of(game, 5):
        if isinstance(command, Play):
            plays += 1
            carried = build_prompt(state, Observer.seat(command.seat))
            forbidden = {str(card): reason for card, reason in illegal_reasons(state, command.seat).items()}
            assert told(carried["why_not"]) == forbidden
            assert build_prompt(state, Observer.referee())["why_not"] == carried["why_not"]
            if plays % 9 == 0:
                view = replay(redact_events(log, Observer.seat(command.seat)))
                assert build_prompt(view, Observer.seat(command.seat)) == carried
        for event in events:
            evolve(state, event)
        log += events
    assert plays


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_who_has_not_the_turn_or_no_card_to_play_is_told_nothing(game: Game) -> None:
    state = State()
    for _, events in steps_of(game, 6)[:80]:
        turn = to_act(state) if state.variant else None
        for seat in range(state.seats):
            if turn is None or turn.phase != "trick_play" or turn.seat != seat:
                assert build_prompt(state, Observer.seat(seat))["why_not"] == NO_CARDS
        if state.variant:
            assert "why_not" not in build_prompt(state, Observer.spectator())
        for event in events:
            evolve(state, event)
