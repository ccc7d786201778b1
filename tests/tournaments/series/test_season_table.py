"""The season table: values of events, events that count, places, teams."""

import random
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.tournaments.series import naive
from tournaments.series.document import RankedPerson, Series, SeriesError, decode_series
from tournaments.series.season_table import SeasonCount, compute_table
from tournaments.series.series_json import write_table

F1 = [25, 18, 15, 12, 10, 8, 6, 4, 2, 1]


def build_season(rng: random.Random) -> naive.Document:
    kind = rng.choice(["points", "places", "percent"])
    table: dict[str, Any] = {"kind": kind}
    if kind == "places":
        table |= {"points": [9, 6, 4, 1], "rest": rng.randint(0, 1), "shared": rng.choice(["mean", "better"])}
    events = naive.random_events(rng, (1, -1) if kind == "places" else (rng.choice((1, -1)),))
    keys = [event["key"] for event in events]
    rules = {
        "table": table,
        "best": rng.choice([None, 1, 2, 3, 4]),
        "always": rng.sample(keys, rng.randint(0, 1)),
        "weights": {key: rng.choice([0, 1, 2, "1/3", 1.5]) for key in keys if rng.random() < 0.5},
        "least": rng.randint(0, 3),
        "average_below": rng.randint(0, 3),
        "cancelled": rng.choice(["keep", "reduce"]),
        "total": rng.choice(["sum", "sum", "average"]),
    }
    return {"rules": rules, "events": events}


SEASONS = naive.random_documents(build_season)


@settings(max_examples=120)
@given(SEASONS)
def test_a_table_is_what_a_naive_recount_says(document: naive.Document) -> None:
    assert write_table(decode_series(document))["table"] == naive.table(document)


@settings(max_examples=40)
@given(SEASONS, st.randoms(use_true_random=False))
def test_the_order_of_events_and_rows_does_not_matter(document: naive.Document, rng: random.Random) -> None:
    shuffled = deepcopy(document)
    rng.shuffle(shuffled["events"])
    for event in shuffled["events"]:
        rng.shuffle(event["ranking"])
    assert write_table(decode_series(shuffled)) == write_table(decode_series(document))


def change(series: Series, rng: random.Random) -> Series:
    """Another result, a person more or less, other places, another state or weight, or another number."""
    events = list(series.events)
    at = rng.randrange(len(events))
    rows = list(events[at].ranking)
    kind = rng.choice(["total", "places", "less", "more", "state", "best", "weight"])
    if kind == "best":
        return replace(series, rules=replace(series.rules, best=rng.choice([None, 1, 2])))
    if kind == "weight":
        weights = {**series.rules.weights, events[at].key: rng.choice([1, 3, "1/2"])}
        return replace(series, rules=replace(series.rules, weights=weights))
    if kind == "state":
        events[at] = replace(events[at], state=rng.choice(["held", "void", "cancelled"]))
    elif kind == "more" or not rows:
        rows.append(
            RankedPerson(place=len(rows) + 1, ref=f"new{rng.randrange(9**9)}", total=rng.randint(0, 9))
        )
    elif kind == "less":
        rows.pop(rng.randrange(len(rows)))
    else:
        one, other = rng.randrange(len(rows)), rng.randrange(len(rows))
        if kind == "total":
            rows[one] = replace(rows[one], total=rng.choice([*range(9), "7/2"]))
        rows[one], rows[other] = (
            replace(rows[one], place=rows[other].place),
            replace(rows[other], place=rows[one].place),
        )
    if kind != "state":
        events[at] = replace(events[at], ranking=tuple(rows))
    return replace(series, events=tuple(events))


def count_table(series: Series, before: SeasonCount | None) -> tuple[SeasonCount | None, object]:
    """The count, and its table or the code of its refusal."""
    try:
        count = SeasonCount(series, before)
        return count, count.make_table(series)
    except SeriesError as error:
        return before, error.code


@settings(max_examples=120, deadline=None)
@given(SEASONS, st.randoms(use_true_random=False))
def test_after_a_change_the_table_is_the_one_counted_from_everything(
    document: naive.Document, rng: random.Random
) -> None:
    series = decode_series(document)
    kept, _table = count_table(series, None)
    for _ in range(5):
        series = change(series, rng)
        kept, table = count_table(series, kept)
        alone = replace(series, events=tuple(replace(event) for event in series.events))
        assert table == count_table(alone, None)[1]


@settings(max_examples=40)
@given(SEASONS)
def test_a_total_is_the_sum_of_the_events_that_count(document: naive.Document) -> None:
    document["rules"]["total"] = "sum"
    for row in compute_table(decode_series(document)).rows:
        assert row.total == sum(worth for key, worth in row.events.items() if key not in row.dropped)


def table_of(rules: dict[str, Any], **events: dict[str, int]) -> dict[str, dict[str, Any]]:
    """The table of events that are given as totals by person, with their state in `states`."""
    states = rules.pop("states", {})
    directions = rules.pop("directions", {})
    rows = []
    for key, totals in events.items():
        direction = directions.get(key, 1)
        ranking = [
            {
                "ref": ref,
                "total": total,
                "place": 1 + sum(direction * other > direction * total for other in totals.values()),
                "team": ref[0],
            }
            for ref, total in totals.items()
        ]
        state = states.get(key, "held")
        rows.append({"key": key, "direction": direction, "state": state, "ranking": ranking})
    answer = write_table(decode_series({"rules": rules, "events": rows}))
    return {row["ref"]: row for row in answer["table"]}


def test_a_season_of_four_evenings_and_a_final_that_counts_double() -> None:
    evening = {"a": 900, "b": 800, "c": 800, "d": 10}
    rules = {
        "table": {"kind": "places", "points": F1, "rest": 1, "shared": "mean"},
        "best": 2,
        "weights": {"final": 2},
    }
    found = table_of(rules, e1=evening, e2=evening, final={"d": 4, "b": 3, "a": 2})
    assert found["a"] == {
        "place": 2,
        "ref": "a",
        "total": 55,
        "events": {"e1": 25, "e2": 25, "final": 30},
        "dropped": ["e2"],
    }
    assert list(found) == ["d", "a", "b", "c"], "the final counts double"
    assert found["b"]["events"]["e1"] == "33/2"


def test_a_person_with_too_few_events_is_beside_the_table() -> None:
    found = table_of({"least": 2}, e1={"a": 1, "b": 9}, e2={"a": 1})
    assert list(found) == ["a"]
    document = {"rules": {"least": 1}, "events": [{"key": "e", "ranking": []}]}
    assert write_table(decode_series(document)) == {"table": []}


def test_a_missed_event_is_no_advantage_where_the_fewest_points_win() -> None:
    events = {"e1": {"a": 30, "b": 10}, "e2": {"a": 30}}
    fewest = {"directions": {"e1": -1, "e2": -1}}
    assert list(table_of(dict(fewest), **events)) == ["a"]
    assert list(table_of({**fewest, "least": 1}, **events)) == ["b", "a"]


def test_a_missed_final_is_no_advantage_where_the_fewest_points_win() -> None:
    events = {"e1": {"a": 10, "b": 20}, "e2": {"a": 30, "b": 11}, "final": {"b": 5}}
    rules = {"best": 1, "always": ["final"], "directions": dict.fromkeys(events, -1)}
    assert list(table_of(dict(rules), **events)) == ["b"]
    assert list(table_of({**rules, "average_below": 2}, **events)) == ["b", "a"]


def test_who_missed_fewer_than_said_gets_the_mean_of_their_own_events() -> None:
    events = {"e1": {"a": 10, "b": 10, "c": 9}, "e2": {"a": 20, "b": 5}, "final": {"a": 3}}
    found = table_of({"average_below": 2, "weights": {"final": 2}}, **events)
    assert found["b"]["events"] == {"e1": 10, "e2": 5, "final": 15}, "the mean, with the weight of the event"
    assert found["c"]["events"] == {"e1": 9}, "two missed are not fewer than two"


@pytest.mark.parametrize(("rule", "total"), [("keep", 30), ("reduce", 20)])
def test_a_cancelled_event_does_to_best_n_what_was_said(rule: str, total: int) -> None:
    events = {"e1": {"a": 10}, "e2": {"a": 10}, "e3": {"a": 10}, "e4": {"a": 90}, "e5": {"a": 90}}
    states = {"e4": "cancelled", "e5": "void"}
    assert table_of({"best": 3, "cancelled": rule, "states": states}, **events)["a"]["total"] == total


@pytest.mark.parametrize(
    ("ties", "places"),
    [
        ([], {"a": 1, "b": 1, "c": 1}),
        (["best_event"], {"a": 1, "b": 3, "c": 1}),
        (["last_event"], {"a": 3, "b": 2, "c": 1}),
        (["wins"], {"a": 1, "b": 2, "c": 2}),
        (["most_events", "last_event"], {"a": 3, "b": 2, "c": 1}),
        (["best_event", "last_event"], {"a": 2, "b": 3, "c": 1}),
    ],
)
def test_ties_end_in_shared_places(ties: list[str], places: dict[str, int]) -> None:
    events = {"e1": {"a": 7, "b": 5, "c": 3}, "e2": {"a": 3, "b": 5, "c": 7, "z": 9}}
    found = table_of({"ties": ties}, **events)
    assert {ref: found[ref]["place"] for ref in "abc"} == places


def test_a_team_counts_its_best_members() -> None:
    events = {"e1": {"x1": 5, "x2": 4, "x3": 9, "y1": 8, "y2": 7}, "e2": {"x1": 5, "y1": 1}}
    found = table_of({"teams": {"size": 3, "best": 2}}, **events)
    assert [(row["place"], ref, row["total"]) for ref, row in found.items()] == [(1, "x", 19), (2, "y", 16)]
    assert found["x"]["events"] == {"e1": 14, "e2": 5}
    assert found["x"]["members"] == ["x1", "x3"]
    with pytest.raises(SeriesError) as refused:
        table_of({"teams": {"size": 2, "best": 2}}, **events)
    assert refused.value.code == "series/team_size"


def test_a_team_without_enough_members_is_not_ranked_where_the_fewest_points_win() -> None:
    rules = {"teams": {"size": 2, "best": 2}, "directions": {"e1": -1}}
    assert list(table_of(rules, e1={"x1": 9, "x2": 9, "y1": 1})) == ["x"]


def test_two_games_of_both_directions_are_counted_by_places() -> None:
    table = {"kind": "places", "points": [3, 2, 1]}
    events = {"e1": {"a": 500, "b": 400, "c": 300}, "e2": {"a": 9, "b": 3, "c": 20}}
    found = table_of({"table": table, "directions": {"e2": -1}}, **events)
    assert [(ref, row["total"]) for ref, row in found.items()] == [("a", 5), ("b", 5), ("c", 2)]


@pytest.mark.parametrize(
    ("rules", "events", "code"),
    [
        ({"directions": {"e2": -1}}, {"e1": {"a": 1}, "e2": {"a": 1}}, "series/direction"),
        ({"table": {"kind": "percent"}, "directions": {"e2": -1}}, {"e1": {}, "e2": {}}, "series/direction"),
        ({"table": {"kind": "points", "direction": -1}}, {"e1": {"a": 1}}, "series/direction"),
        ({"table": {"kind": "percent"}}, {"e1": {"a": 1, "b": -1}}, "series/percent"),
    ],
)
def test_a_table_that_cannot_be_counted_is_refused(
    rules: dict[str, Any], events: dict[str, dict[str, int]], code: str
) -> None:
    with pytest.raises(SeriesError) as refused:
        table_of(rules, **events)
    assert refused.value.code == code


def test_fractions_without_a_usable_denominator_are_refused() -> None:
    primes = [n for n in range(2, 9_000) if all(n % k for k in range(2, int(n**0.5) + 1))]
    ranking = [{"place": 1, "ref": str(n), "total": f"1/{n}"} for n in primes]
    document = {"events": [{"key": "e", "ranking": ranking}]}
    with pytest.raises(SeriesError) as refused:
        compute_table(decode_series(document))
    assert refused.value.code == "series/unreadable"


def test_everybody_is_at_the_mean_of_an_event_without_points() -> None:
    assert table_of({"table": {"kind": "percent"}}, e1={"a": 0, "b": 0})["a"]["total"] == 100


@pytest.mark.parametrize(("line", "points"), [(True, [25, 25, 18]), (False, ["43/2", "43/2", 15])])
def test_partners_of_one_line_do_not_divide_the_points_of_their_place(line: bool, points: list[Any]) -> None:
    ranking: list[dict[str, Any]] = [
        {"place": 1, "ref": "Ada", "total": 900},
        {"place": 1, "ref": "Beat", "total": 900},
        {"place": 2 if line else 3, "ref": "Cleo", "total": 800},
    ]
    if line:
        ranking[0]["line"] = ranking[1]["line"] = "4"
    table = write_table(
        decode_series(
            {
                "rules": {"table": {"kind": "places", "points": [25, 18, 15]}},
                "events": [{"key": "e1", "ranking": ranking}],
            }
        )
    )
    assert [row["total"] for row in table["table"]] == points


def test_level_rows_say_what_separates_them_from_their_neighbour() -> None:
    events = [
        {
            "key": key,
            "ranking": [
                {"place": n, "ref": ref, "total": total} for n, (ref, total) in enumerate(rows.items(), 1)
            ],
        }
        for key, rows in (
            ("e1", {"a": 50, "b": 60, "c": 40, "d": 40, "e": 9}),
            ("e2", {"a": 50, "b": 40, "c": 60, "d": 60}),
        )
    ]
    found = compute_table(decode_series({"rules": {"ties": ["best_event", "last_event"]}, "events": events}))

    reasons = {
        row.ref: one and (one.rule, one.against, one.mine, one.theirs)
        for row in found.rows
        for one in (row.separation,)
    }
    assert [(row.place, row.ref) for row in found.rows] == [(1, "c"), (1, "d"), (3, "b"), (4, "a"), (5, "e")]
    assert reasons == {
        "c": None,
        "d": ("last_event", "b", (60,), (40,)),
        "b": ("last_event", "d", (40,), (60,)),
        "a": ("best_event", "b", (50,), (60,)),
        "e": None,
    }
