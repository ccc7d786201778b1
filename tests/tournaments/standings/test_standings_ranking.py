"""Places, sums and tie-breaks, recomputed naively."""

from collections.abc import Callable, Sequence
from functools import cmp_to_key, partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.standings import (
    TIE_BREAKS,
    Counting,
    Directions,
    Meeting,
    ScoredEntrant,
    ScoredRound,
    StandingsError,
    rank,
)
from tournaments.standings.rows import Unfinished

ANNA, BEAT, CHIARA, DARIO = 1, 2, 3, 4
MOST, FEWEST = Directions(), Directions(-1, -1)
Field = tuple[list[ScoredEntrant], Counting, int, list[Meeting], int | None, Directions]


def entrant(
    key: int, *points: int, sweeps: int = 0, cut: int | None = None, lot: int | None = None
) -> ScoredEntrant:
    rounds = tuple(
        ScoredRound(i, p, sweeps if i == 1 else 0) for i, p in enumerate(points, 1) if p is not None
    )
    return ScoredEntrant(key, rounds, cut=cut, lot=lot)


def places(
    entrants: Sequence[ScoredEntrant],
    counting: Counting,
    held: int,
    meetings: Sequence[Meeting] = (),
    directions: Directions = MOST,
) -> list[object]:
    ranking = rank(entrants, counting, rounds_held=held, meetings=meetings, directions=directions)
    return [(row.key, row.place) for row in ranking]


def test_more_points_stand_higher() -> None:
    assert places([entrant(ANNA, 500, 600), entrant(BEAT, 700, 500)], Counting(), 2) == [(BEAT, 1), (ANNA, 2)]


def test_fewer_points_stand_higher_where_the_lowest_wins() -> None:
    rows = places([entrant(ANNA, 50), entrant(BEAT, 20)], Counting(), 1, directions=FEWEST)
    assert rows == [(BEAT, 1), (ANNA, 2)]


def test_a_round_not_played_does_not_help_where_the_lowest_wins() -> None:
    rows = places([entrant(ANNA, 50, 60), entrant(BEAT, 20)], Counting(), 2, directions=FEWEST)
    assert rows == [(ANNA, 1), (BEAT, 2)]


def test_the_worst_round_is_dropped_once_there_is_another() -> None:
    counting = Counting(what="drop_worst", number=1)
    assert rank([entrant(ANNA, 400)], counting, rounds_held=1)[0].total == 400
    row = rank([entrant(ANNA, 400, 900, 700)], counting, rounds_held=3)[0]
    assert row.total == 1600
    assert [r.counts for r in row.rounds] == [False, True, True]


def test_a_round_not_played_is_the_worst_one() -> None:
    assert (
        rank([entrant(ANNA, 900, 700)], Counting(what="drop_worst", number=1), rounds_held=3)[0].total == 1600
    )


def test_only_the_best_rounds_count() -> None:
    row = rank([entrant(ANNA, 400, 900, 700, 800)], Counting(what="best", number=2), rounds_held=4)[0]
    assert row.total == 1700


def test_the_highest_round_breaks_a_tie_and_says_so() -> None:
    rows = rank([entrant(ANNA, 600, 500), entrant(BEAT, 700, 400)], Counting(), rounds_held=2)
    assert [(row.key, row.place, row.shared) for row in rows] == [(BEAT, 1, False), (ANNA, 2, False)]
    assert rows[0].separation is not None
    assert rows[1].separation is not None
    assert (rows[0].separation.tie_break, rows[0].separation.mine, rows[0].separation.theirs) == (
        "highest_round",
        (700,),
        (600,),
    )
    assert (rows[1].separation.against, rows[1].separation.mine) == (BEAT, (600,))


def test_in_a_lowest_wins_game_the_highest_round_is_the_one_with_fewest_points() -> None:
    rows = rank([entrant(ANNA, 30, 30), entrant(BEAT, 10, 50)], Counting(), rounds_held=2, directions=FEWEST)
    assert rows[0].key == BEAT
    assert rows[0].separation is not None
    assert rows[0].separation.mine == (10,)


def test_the_next_highest_round_comes_after_the_highest() -> None:
    rows = rank([entrant(ANNA, 700, 400, 500), entrant(BEAT, 700, 600, 300)], Counting(), rounds_held=3)
    assert rows[0].key == BEAT
    assert rows[0].separation is not None
    assert rows[0].separation.tie_break == "next_highest"


def test_sweeps_break_a_tie_of_equal_rounds() -> None:
    rows = rank([entrant(ANNA, 700, 400), entrant(BEAT, 700, 400, sweeps=1)], Counting(), rounds_held=2)
    assert rows[0].key == BEAT
    assert rows[0].separation is not None
    assert (rows[0].separation.tie_break, rows[0].separation.mine) == ("sweeps", (1,))


def test_who_won_the_round_against_the_other_stands_higher() -> None:
    meetings = [Meeting(1, (CHIARA, ANNA), (BEAT, DARIO), (500, 700))]
    level = [entrant(ANNA, 500, 700), entrant(BEAT, 700, 500)]
    rows = rank(level, Counting(), rounds_held=2, meetings=meetings)
    assert rows[0].key == BEAT
    assert rows[0].separation is not None
    assert (rows[0].separation.tie_break, rows[0].separation.mine, rows[0].separation.theirs) == (
        "direct_encounter",
        (2,),
        (0,),
    )


def test_a_direct_encounter_says_nothing_unless_all_level_ones_have_met() -> None:
    meetings = [Meeting(1, (ANNA, DARIO), (BEAT, 9), (500, 500)), Meeting(2, (ANNA, 8), (CHIARA, 9), (1, 2))]
    level = [entrant(key, 500, 500) for key in (ANNA, BEAT, CHIARA)]
    rows = rank(level, Counting(), rounds_held=2, meetings=meetings)
    assert [(row.place, row.shared, row.separation) for row in rows] == [(1, True, None)] * 3


def test_a_cut_and_a_lot_are_used_only_when_recorded_for_all() -> None:
    counting = Counting(tie_breaks=("cut", "lot"))
    assert places([entrant(ANNA, 1, cut=9), entrant(BEAT, 1)], counting, 1) == [(ANNA, 1), (BEAT, 1)]
    assert places([entrant(ANNA, 1, cut=3), entrant(BEAT, 1, cut=9)], counting, 1) == [(BEAT, 1), (ANNA, 2)]
    rows = rank([entrant(ANNA, 1, lot=2), entrant(BEAT, 1, lot=1)], counting, rounds_held=1)
    assert [row.key for row in rows] == [BEAT, ANNA]
    assert rows[0].separation is not None
    assert (rows[0].separation.mine, rows[0].separation.theirs) == ((1,), (2,))


def test_a_shared_place_is_followed_by_a_gap() -> None:
    level = [entrant(ANNA, 5), entrant(BEAT, 5), entrant(CHIARA, 4)]
    rows = rank(level, Counting(tie_breaks=("sweeps",)), rounds_held=1)
    assert [(row.place, row.shared) for row in rows] == [(1, True), (1, True), (3, False)]


def test_nobody_has_played_yet() -> None:
    rows = rank([entrant(ANNA), entrant(BEAT)], Counting(), rounds_held=0)
    assert [(row.place, row.total) for row in rows] == [(1, 0), (1, 0)]


def test_an_entrant_who_is_there_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        rank([entrant(ANNA), entrant(ANNA)], Counting(), rounds_held=0)


@pytest.mark.parametrize(
    ("counting", "code"),
    [
        (Counting(what="median"), "standings/unknown_counting"),
        (Counting(number=1), "standings/number"),
        (Counting(what="drop_worst", number=4), "standings/number"),
        (Counting(what="drop_worst", number=0), "standings/number"),
        (Counting(what="best", number=5), "standings/number"),
        (Counting(tie_breaks=("age",)), "standings/tie_breaks"),
        (Counting(tie_breaks=("lot", "lot")), "standings/tie_breaks"),
    ],
)
def test_rules_that_make_no_sense_are_refused(counting: Counting, code: str) -> None:
    with pytest.raises(StandingsError) as refused:
        counting.check(4)
    assert refused.value.code == code


def test_rules_that_make_sense_are_accepted() -> None:
    for counting in (Counting(), Counting(what="drop_worst", number=3), Counting(what="best", number=4)):
        counting.check(4)


def test_nearest_to_a_sealed_number_wins_once_it_is_known() -> None:
    counting = Counting(what="nearest", least=1000, most=1400)
    field = [entrant(ANNA, 700, 600), entrant(BEAT, 600, 580), entrant(CHIARA, 1190)]
    assert places(field, counting, 2) == [(ANNA, 1), (CHIARA, 2), (BEAT, 3)]
    rows = rank(field, counting, rounds_held=2, sealed=1190)
    assert [(row.key, row.off) for row in rows] == [(BEAT, 10), (ANNA, 110), (CHIARA, 0)]


def test_on_either_side_of_the_sealed_number_is_level() -> None:
    counting = Counting(what="nearest", least=1000, most=1400, tie_breaks=("lot",))
    rows = rank(
        [entrant(ANNA, 1190, lot=2), entrant(BEAT, 1210, lot=1)], counting, rounds_held=1, sealed=1200
    )
    assert [row.key for row in rows] == [BEAT, ANNA]
    assert rows[0].separation is not None
    assert (rows[0].separation.tie_break, rows[0].total, rows[1].total) == ("lot", 1210, 1190)


@pytest.mark.parametrize(("least", "most"), [(5, 5), (-1, 5), (0, 50_001)])
def test_a_number_that_cannot_be_sealed_is_refused(least: int, most: int) -> None:
    with pytest.raises(StandingsError) as refused:
        Counting(what="nearest", least=least, most=most).check(2)
    assert refused.value.code == "standings/sealed"


def test_tables_won_and_points_at_them_break_ties() -> None:
    won = ScoredEntrant(ANNA, (ScoredRound(1, 2, table=5, won=True), ScoredRound(2, 0, table=3)))
    even = ScoredEntrant(BEAT, (ScoredRound(1, 1, table=6), ScoredRound(2, 1, table=6)))
    assert places([won, even], Counting(tie_breaks=("wins",)), 2) == [(ANNA, 1), (BEAT, 2)]
    assert places([won, even], Counting(tie_breaks=("table_points",)), 2) == [(BEAT, 1), (ANNA, 2)]


FEW_POINTS = st.integers(0, 3)


@st.composite
def fields(choose: st.DrawFn) -> Field:
    """Few points, so that many are level; some rounds without a result, some of tables that still play."""
    held = choose(st.integers(1, 3))
    count = choose(st.integers(2, 6))
    entrants = []
    for key in range(count):
        played = choose(st.sets(st.integers(1, held)))
        rounds = tuple(choose(results(r)) for r in sorted(played))
        entrants.append(
            ScoredEntrant(
                key,
                rounds,
                cut=choose(st.none() | st.integers(1, 2)),
                lot=choose(st.none() | st.integers(1, 9)),
            )
        )
    meetings = [
        Meeting(r, (one,), (other,), (choose(FEW_POINTS), choose(FEW_POINTS)))
        for r in range(1, held + 1)
        for one, other in choose(
            st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=3)
        )
        if one != other
    ]
    what = choose(st.sampled_from(["sum", "drop_worst", "best", "nearest"]))
    counting = Counting(
        what=what,
        number=choose(st.integers(1, 2)) if what in ("drop_worst", "best") else 0,
        most=9 if what == "nearest" else 0,
        tie_breaks=tuple(choose(st.permutations(TIE_BREAKS))[: choose(st.integers(0, 8))]),
    )
    sealed = choose(st.none() | st.integers(0, 9)) if what == "nearest" else None
    directions = Directions(*choose(st.sampled_from([(1, 1), (-1, -1), (1, -1)])))
    return entrants, counting, held, meetings, sealed, directions


@st.composite
def results(choose: st.DrawFn, round_: int) -> ScoredRound:
    states: list[Unfinished | None] = [None, None, "so_far", "broken_off", "none_yet", "none"]
    unfinished = choose(st.sampled_from(states))
    there = unfinished not in ("none_yet", "none")
    return ScoredRound(
        round_,
        choose(FEW_POINTS) if there else None,
        choose(st.integers(0, 1)) if there else 0,
        table=choose(FEW_POINTS) if there else None,
        won=unfinished is None and choose(st.booleans()),
        unfinished=unfinished,
    )


def counted_results(entrant: ScoredEntrant, strict: bool) -> list[int]:
    """The points that may count: final ones only where that is strict."""
    finals = [int(r.points) for r in entrant.rounds if r.points is not None and r.unfinished is None]
    so_far = [int(r.points) for r in entrant.rounds if r.points is not None and r.unfinished is not None]
    return finals if strict else finals + so_far


def naive_total(
    entrant: ScoredEntrant, counting: Counting, held: int, strict: bool, lowest: bool
) -> tuple[int, int]:
    """(counted rounds, total) by taking rounds away one at a time."""
    left = counted_results(entrant, strict)
    if counting.what == "best":
        keep = counting.number
    elif counting.what == "drop_worst":
        keep = max(1, held - counting.number)
    else:
        keep = held
    while len(left) > keep:
        left.remove(max(left) if lowest else min(left))
    return len(left), sum(left)


Compare = Callable[[ScoredEntrant, ScoredEntrant], int]


def naive_order(
    everyone: list[ScoredEntrant],
    counting: Counting,
    held: int,
    meetings: list[Meeting],
    sealed: int | None,
    directions: Directions,
) -> list[tuple[int, int]]:
    """(place, key), by comparing everyone with everyone, group by group."""
    lowest, fewest_at_tables = directions.total < 0, directions.table < 0
    strict = lowest or sealed is not None

    def by_total(a: ScoredEntrant, b: ScoredEntrant) -> int:
        (counted_a, total_a), (counted_b, total_b) = (
            naive_total(e, counting, held, strict, lowest) for e in (a, b)
        )
        if sealed is not None:
            return (counted_b - counted_a) or (abs(total_a - sealed) - abs(total_b - sealed))
        if lowest:
            return (counted_b - counted_a) or (total_a - total_b)
        return (bool(counted_b) - bool(counted_a)) or (total_b - total_a)

    def by(name: str, group: list[ScoredEntrant], a: ScoredEntrant, b: ScoredEntrant) -> int:
        if name == "sweeps":
            return sum(r.sweeps for r in b.rounds) - sum(r.sweeps for r in a.rounds)
        if name == "wins":
            return len([r for r in b.rounds if r.won]) - len([r for r in a.rounds if r.won])
        if name == "table_points":
            if not fewest_at_tables:
                return sum(r.table or 0 for r in b.rounds) - sum(r.table or 0 for r in a.rounds)
            mine, theirs = (
                [r.table for r in e.rounds if r.table is not None and not r.unfinished] for e in (a, b)
            )
            return (len(theirs) - len(mine)) or (sum(mine) - sum(theirs))
        if name == "cut":
            return 0 if None in [e.cut for e in group] else (b.cut or 0) - (a.cut or 0)
        if name == "lot":
            return 0 if None in [e.lot for e in group] else (a.lot or 0) - (b.lot or 0)
        if name == "direct_encounter":
            score = dict.fromkeys((e.key for e in group), 0)
            met = set()
            for m in meetings:
                (x,), (y,), (p, q) = m.one, m.other, m.points
                if fewest_at_tables:
                    p, q = q, p
                if x in score and y in score:
                    met |= {(x, y), (y, x)}
                    score[x] += 2 if p > q else 1 if p == q else 0
                    score[y] += 2 if q > p else 1 if p == q else 0
            complete = all((x, y) in met for x in score for y in score if x != y)
            return score[b.key] - score[a.key] if complete else 0
        if name == "buchholz":
            return 0  # nobody is told whom they met
        sign = 1 if lowest else -1
        mine, theirs = (sorted(sign * points for points in counted_results(e, strict)) for e in (a, b))
        if name == "highest_round":
            mine, theirs = mine[:1], theirs[:1]
        else:
            mine, theirs = mine[1:], theirs[1:]
        for x, y in zip(mine, theirs, strict=False):
            if x != y:
                return x - y
        return len(theirs) - len(mine)

    def split(group: list[ScoredEntrant], compare: Compare) -> list[list[ScoredEntrant]]:
        ordered = sorted(group, key=cmp_to_key(compare))
        parts: list[list[ScoredEntrant]] = []
        for e in ordered:
            if parts and compare(parts[-1][0], e) == 0:
                parts[-1].append(e)
            else:
                parts.append([e])
        return parts

    groups = split(everyone, by_total)
    for name in counting.tie_breaks:
        groups = [part for group in groups for part in split(group, partial(by, name, group))]
    found, place = [], 1
    for group in groups:
        found += [(place, e.key) for e in sorted(group, key=lambda e: e.key)]
        place += len(group)
    return found


@settings(max_examples=300, deadline=None)
@given(fields())
def test_a_slow_ranking_by_comparison_finds_the_same(field: Field) -> None:
    entrants, counting, held, meetings, sealed, directions = field
    rows = rank(entrants, counting, rounds_held=held, directions=directions, meetings=meetings, sealed=sealed)
    assert [(row.place, row.key) for row in rows] == naive_order(*field)
    strict = directions.total < 0 or sealed is not None
    for row in rows:
        assert row.off == (None if sealed is None else abs(row.total - sealed))
        counted = naive_total(entrants[row.key], counting, held, strict, directions.total < 0)
        assert (row.has_result, row.total) == (bool(counted[0]), counted[1])
        assert row.shared == ([r.place for r in rows].count(row.place) > 1)
        assert row.total == sum(r.points or 0 for r in row.rounds if r.counts)
        assert [r.unfinished or None for r in row.rounds] == [r.unfinished for r in entrants[row.key].rounds]


def test_no_result_ranks_below_the_worst_result() -> None:
    nothing = ScoredEntrant(ANNA, (ScoredRound(1, None, table=None, unfinished="none"),))
    lost = ScoredEntrant(BEAT, (ScoredRound(1, -20),))
    assert places([nothing, lost], Counting(), 1) == [(BEAT, 1), (ANNA, 2)]
    assert places([nothing, entrant(BEAT, 90)], Counting(), 1, directions=FEWEST) == [(BEAT, 1), (ANNA, 2)]


def test_a_table_that_still_plays_does_not_lead_where_the_fewest_points_win() -> None:
    playing = ScoredEntrant(ANNA, (ScoredRound(1, 50), ScoredRound(2, 1, unfinished="so_far")))
    rows = rank([playing, entrant(BEAT, 20)], Counting(), rounds_held=2, directions=FEWEST)
    assert [(row.key, row.total) for row in rows] == [(BEAT, 20), (ANNA, 50)]
    assert [(r.points, r.counts) for r in rows[1].rounds] == [(50, True), (1, False)]
