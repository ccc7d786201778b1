"""Fewer rounds than planned, and an early end; drawn rounds are never lost."""

from collections.abc import Callable

import pytest

from games.models import User
from tests.tournaments import table_play
from tests.tournaments.test_corrections import wrong
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Round
from tournaments.services.championships import regulations_change
from tournaments.services.draw import draw_undoing, drawing
from tournaments.services.rounds import fewer_rounds, rounds

Opened = Callable[..., Round]


@pytest.fixture
def played(open_round: Opened, fredi: User) -> Round:
    round_ = open_round("sheet", people=4)
    table_play.play_to_the_end(round_)
    return rounds.close_round(round_, actor=fredi)


def numbers(championship: Championship) -> list[int]:
    return list(championship.rounds.order_by("number").values_list("number", flat=True))


def test_rounds_fall_away_and_come_back(championship: Championship, played: Round, fredi: User) -> None:
    championship.refresh_from_db()
    assert numbers(championship) == [1, 2, 3, 4]
    fewer_rounds.set_round_count(championship, 2, actor=fredi)
    assert numbers(championship) == [1, 2]
    assert wrong(championship) == []
    fewer_rounds.set_round_count(championship, 3, actor=fredi)
    assert numbers(championship) == [1, 2, 3]
    assert wrong(championship) == []


def test_the_end_comes_with_what_has_been_played(
    championship: Championship, played: Round, fredi: User
) -> None:
    second = championship.rounds.get(number=2)
    drawing.draw_round(second, actor=fredi)
    with pytest.raises(TournamentError) as refusal:
        fewer_rounds.finish_early(championship, actor=fredi)
    assert refusal.value.code == "championship/round_on"
    draw_undoing.undo_draw(second, actor=fredi, reason="es ist spät")
    fewer_rounds.finish_early(championship, actor=fredi)
    championship.refresh_from_db()
    assert (championship.status, numbers(championship)) == ("finished", [1])
    assert wrong(championship) == []


def test_what_cannot_be_is_refused_and_nothing_changes(
    championship: Championship, arrived: Callable[[int], object], fredi: User, gabi: User, open_round: Opened
) -> None:
    def refused(count: int, code: str, actor: User = fredi) -> None:
        with pytest.raises(TournamentError) as refusal:
            fewer_rounds.set_round_count(championship, count, actor=actor)
        assert refusal.value.code == code
        assert numbers(championship) == [1, 2, 3, 4]

    refused(2, "championship/not_running")
    open_round("sheet", people=4)
    with pytest.raises(NotAllowed):
        fewer_rounds.set_round_count(championship, 2, actor=gabi)
    refused(0, "championship/rounds_bounds")
    refused(5, "championship/rounds_bounds")


def test_a_ranking_that_drops_rounds_keeps_enough_of_them(
    championship: Championship, open_round: Opened, fredi: User
) -> None:
    drops = {"what": "drop_worst", "number": 2, "tie_breaks": ["lot"]}
    data = {**championship.regulations.get(version=1).data, "counting": drops}
    regulations_change.change_regulations(championship, data, actor=fredi)
    open_round("sheet", people=4)
    with pytest.raises(TournamentError) as refusal:
        fewer_rounds.set_round_count(championship, 2, actor=fredi)
    assert refusal.value.code == "championship/rounds_counting"
    fewer_rounds.set_round_count(championship, 3, actor=fredi)
    assert numbers(championship) == [1, 2, 3]
