"""Deciding and writing down in one."""

import random

import pytest

from engine import VARIANTS, IllegalCommand, State, advance, decide, evolve
from engine.cli.playing import playout
from engine.commands import Play, Start


@pytest.mark.parametrize("variant", VARIANTS)
def test_advancing_is_deciding_and_writing_each_event(variant: str) -> None:
    """Both ways through one random game."""
    at_once, one_by_one = State(), State()
    start = Start(variant=variant, seats=max(VARIANTS[variant].seats))
    for command, events in playout(start, random.Random(7)):
        decided = decide(one_by_one, command)
        for event in decided:
            evolve(one_by_one, event)
        assert advance(at_once, command) == decided == events
        assert at_once == one_by_one
    assert at_once.over


def test_a_refused_command_leaves_the_state_as_it_was() -> None:
    state = State()
    advance(state, Start(variant="schieber", seats=4))
    before = state.copy()
    with pytest.raises(IllegalCommand, match="not open"):
        advance(state, Play(seat=0, card="D6"))
    assert state == before
