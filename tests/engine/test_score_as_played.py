"""A deal is counted in one pass where only its tricks count, else item by item: with one result."""

import pytest

from engine import State, evolve
from engine.events import DealScored
from engine.registry import build_game_context
from engine.scoring.deal_scores import count_deal, list_items, score_as_played
from tests.engine.random_games import EFFORT, GAMES, Game, log_of


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_both_ways_to_count_a_deal_come_to_the_same(game: Game) -> None:
    counted = 0
    for seed in range(2 * EFFORT):
        state = State()
        for event in log_of(game, seed):
            if isinstance(event, DealScored):
                record = state.record()
                assert score_as_played(build_game_context(state), record) == count_deal(
                    build_game_context(state), record, list_items(build_game_context(state), record)
                )
                counted += 1
            evolve(state, event)
    assert counted
