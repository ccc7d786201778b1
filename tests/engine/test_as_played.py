"""A deal is counted in one pass where only its tricks count, else item by item: with one result."""

import pytest

from engine import State, evolve
from engine.events import DealScored
from engine.registry import table_of
from engine.scoring.items import as_played, count_deal, items_of
from tests.engine.playing import EFFORT, GAMES, Game, log_of


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_both_ways_to_count_a_deal_come_to_the_same(game: Game) -> None:
    counted = 0
    for seed in range(2 * EFFORT):
        state = State()
        for event in log_of(game, seed):
            if isinstance(event, DealScored):
                record = state.record()
                assert as_played(table_of(state), record) == count_deal(
                    table_of(state), record, items_of(table_of(state), record)
                )
                counted += 1
            evolve(state, event)
    assert counted
