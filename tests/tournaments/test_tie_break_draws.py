"""Lots between people with equal results: recorded, and published."""

from collections.abc import Callable

import pytest

from games import store
from games.models import User
from tests.tournaments import table_play
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Entry, Round, SideConstraint
from tournaments.services.rounds import rounds
from tournaments.services.scores import published_ranking, ranking_basis, tie_break_draws

Opened = Callable[..., Round]
People = Callable[[int], list[Entry]]


@pytest.fixture
def level(championship: Championship, fredi: User, open_round: Opened) -> list[int]:
    """The numbers of four who share the first place after a round."""
    round_ = open_round("sheet", "sheet")
    table_play.play_to_the_end(round_)
    rounds.close_round(round_, actor=fredi)
    first = tie_break_draws.list_ties(championship)[0]
    assert {row.place for row in first} == {1}
    assert len(first) == 4
    return [row.key for row in first]


def keys(championship: Championship) -> list[int]:
    published = published_ranking.load_latest_snapshot(championship)
    assert published is not None
    return [row.key for row in published_ranking.decode_rows(published)]


def test_a_lot_separates_who_is_level_and_is_published(
    championship: Championship, fredi: User, level: list[int]
) -> None:
    assert tie_break_draws.draw_kind(championship) == "lot"
    tie_break_draws.record_tie_break(
        championship, "lot", {n: i for i, n in enumerate(reversed(level), 1)}, actor=fredi
    )

    rows = ranking_basis.live_ranking(championship)[:4]
    assert [row.key for row in rows] == level[::-1]
    assert [row.place for row in rows] == [1, 2, 3, 4]
    assert {row.separation.tie_break for row in rows if row.separation} == {"lot"}
    assert keys(championship)[:4] == level[::-1]
    told = [event.type for event in store.read(championship.stream_id)[-2:]]
    assert told == ["separator_recorded", "standings_published"]


def test_a_lot_can_be_put_right(championship: Championship, fredi: User, level: list[int]) -> None:
    tie_break_draws.record_tie_break(
        championship, "lot", {n: i for i, n in enumerate(reversed(level), 1)}, actor=fredi
    )

    assert [row.key for row in tie_break_draws.list_ties(championship)[0]] == level[::-1]
    tie_break_draws.record_tie_break(championship, "lot", {n: i for i, n in enumerate(level, 1)}, actor=fredi)
    assert keys(championship)[:4] == level


def test_a_lot_of_some_separates_nobody(championship: Championship, fredi: User, level: list[int]) -> None:
    tie_break_draws.record_tie_break(championship, "lot", {level[0]: 1}, actor=fredi)

    assert {row.place for row in ranking_basis.live_ranking(championship)[:4]} == {1}


def test_partners_who_stay_together_are_not_asked_for_lots(
    championship: Championship, fredi: User, level: list[int]
) -> None:
    before = tie_break_draws.list_ties(championship)
    one, other = (championship.entries.get(number=number) for number in level[:2])
    SideConstraint.objects.create(championship=championship, kind="fixed_pair", one=one, other=other)
    assert tie_break_draws.list_ties(championship) == before  # two others are level with them

    tie_break_draws.record_tie_break(
        championship, "lot", dict(zip(level, (1, 1, 2, 3), strict=True)), actor=fredi
    )
    assert [row.place for row in ranking_basis.live_ranking(championship)[:4]] == [1, 1, 3, 4]


def test_nothing_is_level_before_a_ranking(championship: Championship, arrived: People) -> None:
    arrived(4)

    assert tie_break_draws.list_ties(championship) == []


def test_a_lot_is_drawn_for_people_who_are_entered(championship: Championship, fredi: User) -> None:
    with pytest.raises(TournamentError) as refused:
        tie_break_draws.record_tie_break(championship, "lot", {9: 1}, actor=fredi)
    assert refused.value.code == "entries/unknown"
    with pytest.raises(ValueError, match="neither"):
        tie_break_draws.record_tie_break(championship, "coin", {}, actor=fredi)


def test_only_the_director_writes_lots_down(championship: Championship, gabi: User, level: list[int]) -> None:
    with pytest.raises(NotAllowed):
        tie_break_draws.record_tie_break(championship, "lot", {level[0]: 1}, actor=gabi)
