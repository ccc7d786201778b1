"""A remedy is checked against the direction of the game and the remaining play."""

from typing import Any

import pytest

from engine import State, decide, replay
from engine.commands import Start
from engine.ruling import Outcome
from tournaments.services.referee.remedy_checks import Check, check_remedy


def state(variant: str, seats: int = 4) -> State:
    return replay(decide(State(), Start(variant=variant, seats=seats)))


SCHIEBER, DIFFERENZLER = "schieber", "differenzler"


@pytest.mark.parametrize(
    ("game", "before", "after", "annuls", "not_again", "against", "found"),
    [
        (DIFFERENZLER, (80, 40, 40, 40), (60, 20, 30, 40), True, "game_over", 0, "rewards_table"),
        (DIFFERENZLER, (80, 40, 40, 40), (60, 20, 30, 40), True, "game_over", None, "rewards_table"),
        (DIFFERENZLER, (80, 40, 40, 40), (60, 20, 30, 40), True, None, 0, None),
        (DIFFERENZLER, (80, 40, 40, 40), (60, 60, 50, 40), False, None, 0, "rewards_offender"),
        (DIFFERENZLER, (80, 40, 40, 40), (100, 60, 50, 40), False, None, 0, None),
        (SCHIEBER, (300, 328), (200, 271), True, "round_closed", 0, "not_again"),
        (SCHIEBER, (300, 328), (200, 271), True, None, 0, None),
        (SCHIEBER, (300, 328), (310, 318), False, None, 0, "rewards_offender"),
        (SCHIEBER, (300, 328), (300, 328), True, "game_over", 0, None),
    ],
)
def test_what_is_wrong_with_a_remedy_follows_from_direction_and_what_is_left(
    game: str,
    before: tuple[int, ...],
    after: tuple[int, ...],
    annuls: bool,
    not_again: Any,
    against: int | None,
    found: str | None,
) -> None:
    checked = check_remedy(
        state(game),
        Outcome(None, None, before, after),
        annuls=annuls,
        not_again=not_again,
        against=against,
        lowest_wins=game == DIFFERENZLER,
    )
    assert (checked.flaw if checked else None) == found
    if annuls and found:
        assert isinstance(checked, Check)
        assert checked.why == not_again
