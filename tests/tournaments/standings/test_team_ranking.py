"""Teams are ranked by the sums of their best members, which a naive recount confirms."""

from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings import (
    Counting,
    Directions,
    Meeting,
    ScoredEntrant,
    ScoredRound,
    StandingsError,
    TeamCounting,
    TeamRow,
    rank,
    rank_teams,
)

CHAIN = ("highest_round", "next_highest", "lot")
ROUNDS = st.lists(st.integers(0, 9), min_size=0, max_size=3)


def ranked(
    points: dict[int, list[int]],
    team_of: dict[int, int],
    rules: TeamCounting,
    *,
    direction: int = 1,
    counting: Counting = Counting(tie_breaks=CHAIN),  # noqa: B008  # a frozen struct
    meetings: tuple[Meeting, ...] = (),
) -> list[TeamRow]:
    entrants = [
        ScoredEntrant(key, tuple(ScoredRound(n, one, 0) for n, one in enumerate(rounds, 1)))
        for key, rounds in points.items()
    ]
    directions = Directions(direction, direction)
    rows = rank(entrants, counting, rounds_held=3, directions=directions, meetings=meetings)
    return rank_teams(
        rows, entrants, team_of, rules, counting=counting, directions=directions, meetings=meetings
    )


@given(
    st.lists(st.tuples(ROUNDS, st.integers(0, 4)), min_size=1, max_size=16),
    st.integers(1, 3),
    st.sampled_from(["ranked", "unranked"]),
)
def test_the_best_members_count_and_a_short_team_stands_where_the_rules_say(
    lines: list[tuple[list[int], int]], best: int, short: str
) -> None:
    people = dict(enumerate(lines, 1))
    rules = TeamCounting(size=30, best=best, short=short)  # type: ignore[arg-type]  # one of the two words
    rows = ranked(
        {key: rounds for key, (rounds, _team) in people.items()},
        {key: team for key, (_rounds, team) in people.items() if team},
        rules,
    )
    members: dict[int, list[int]] = {}
    for rounds, team in people.values():
        if team:
            members.setdefault(team, []).append(sum(rounds))
    totals = {team: sum(sorted(found, reverse=True)[:best]) for team, found in members.items()}
    assert {row.key: row.total for row in rows} == totals
    placed = [row for row in rows if row.place is not None]
    expected = {team for team, found in members.items() if short == "ranked" or len(found) >= best}
    assert {row.key for row in placed} == expected
    assert [row.key for row in rows[len(placed) :]] == sorted(totals.keys() - expected)
    for row in placed:
        better = sum(totals[other] > totals[row.key] for other in expected)
        level = sum(totals[other] == totals[row.key] for other in expected)
        assert better < (row.place or 0) <= better + level
    for place, group in groupby(placed, key=lambda row: row.place):
        assert [row.shared for row in group] == [sum(p.place == place for p in placed) > 1] * sum(
            p.place == place for p in placed
        )


def test_level_teams_are_separated_by_the_highest_round_of_a_member_that_counts() -> None:
    rows = ranked(
        {1: [5, 1], 2: [3, 3], 3: [4, 2], 4: [4, 2]}, {1: 1, 2: 1, 3: 2, 4: 2}, TeamCounting(best=2)
    )
    assert [(row.place, row.key, row.total) for row in rows] == [(1, 1, 12), (2, 2, 12)]
    first = rows[0].separation
    assert first is not None
    assert (first.tie_break, first.against, first.mine, first.theirs) == ("highest_round", 2, (5,), (4,))


def test_teams_that_only_a_lot_would_separate_share_a_place() -> None:
    rows = ranked({1: [5], 2: [5]}, {1: 1, 2: 2}, TeamCounting(best=1))
    assert [(row.place, row.shared) for row in rows] == [(1, True), (1, True)]


def test_where_the_fewest_points_win_more_rounds_of_the_members_rank_higher() -> None:
    rows = ranked(
        {1: [5, 5], 2: [1], 3: [7, 7], 4: [8, 8]},
        {1: 1, 2: 1, 3: 2, 4: 2},
        TeamCounting(best=2),
        direction=-1,
    )
    assert [(row.key, row.total) for row in rows] == [(2, 30), (1, 11)]


def test_a_round_that_is_dropped_for_a_member_is_dropped_for_the_team() -> None:
    rows = ranked(
        {1: [9, 1, 5]},
        {1: 1},
        TeamCounting(best=1),
        counting=Counting(what="drop_worst", number=1, tie_breaks=()),
    )
    assert [(row.total, row.members[0].total) for row in rows] == [(14, 14)]


def test_direct_encounters_of_members_that_count_separate_level_teams() -> None:
    chain = Counting(tie_breaks=("direct_encounter",))
    against = Meeting(1, (1,), (2,), (90, 67))
    within = Meeting(2, (1, 2), (1, 3), (0, 157))
    rows = ranked(
        {1: [5], 2: [5]}, {1: 7, 2: 8}, TeamCounting(best=1), counting=chain, meetings=(against, within)
    )
    assert [(row.place, row.key) for row in rows] == [(1, 7), (2, 8)]


def test_more_members_than_a_team_has_cannot_count() -> None:
    with pytest.raises(StandingsError) as refused:
        TeamCounting(size=4, best=5).check()
    assert refused.value.code == "standings/team_best"
