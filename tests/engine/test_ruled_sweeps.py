"""A ruling says scores, not tricks: whose sweep they are is read off them."""

import pytest

from engine.registry import build_game_context
from engine.scoring.ruled_sweeps import find_ruled_sweep
from tests.engine.test_rulings import table_after_a_deal


@pytest.mark.parametrize(
    ("scores", "side"),
    [((257, 0), 0), ((0, 257), 1), ((157, 0), None), ((0, 157), None), ((200, 57), None), ((0, 0), None)],
)
def test_a_sweep_is_told_by_its_bonus(scores: tuple[int, int], side: int | None) -> None:
    context = build_game_context(table_after_a_deal(sweep_bonus=100).state)
    assert find_ruled_sweep(context, context.state.records[0], scores) == side


def test_what_stands_as_it_was_played_is_no_ruling() -> None:
    context = build_game_context(table_after_a_deal(sweep_bonus=100).state)
    record = context.state.records[0]
    assert find_ruled_sweep(context, record, record.scores) is None


def test_without_a_bonus_scores_do_not_tell() -> None:
    context = build_game_context(table_after_a_deal(sweep_bonus=0).state)
    assert find_ruled_sweep(context, context.state.records[0], (157, 0)) is None
