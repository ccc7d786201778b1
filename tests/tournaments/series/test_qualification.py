"""Qualification: the steps in turn, level results, declined tickets, the waiting list."""

import random
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings

from tests.tournaments.series import naive
from tournaments.series.document import SeriesError, decode_series
from tournaments.series.series_json import write_qualification


def build_step(rng: random.Random) -> dict[str, Any]:
    step: dict[str, Any] = {
        "kind": rng.choice(["holder", "wild_card", "first", "share", "threshold", "best_rest"])
    }
    if step["kind"] == "first":
        step |= {"count": rng.randint(0, 5), "of": rng.choice(["each", "all"])}
    if step["kind"] == "share":
        step |= {"percent": rng.choice([0, 10, 20, 34, 100]), "round": rng.choice(["up", "down"])}
    if step["kind"] in ("first", "share"):
        step["lapse"] = rng.random() < 0.3
    if step["kind"] == "threshold":
        step["points"] = rng.randint(1, 8)
    if step["kind"] == "best_rest":
        step["fill_to"] = rng.randint(0, 8)
    return step


def build_qualification(rng: random.Random) -> naive.Document:
    events = naive.random_events(rng, (rng.choice((1, -1)),))
    keys = [event["key"] for event in events]
    rules = {
        "from": rng.sample(keys, rng.randint(0, len(keys))),
        "steps": [build_step(rng) for _ in range(rng.randint(1, 4))],
        "level": rng.choice(["all", "chain", "lot"]),
    }
    some = [*naive.PERSONS, "stranger", "other"]
    return {
        "rules": {"qualify": rules},
        "events": events,
        "holders": rng.sample(some, rng.randint(0, 2)),
        "wild_cards": rng.sample(some, rng.randint(0, 2)),
        "declined": rng.sample(some, rng.randint(0, 3)),
        "seed": rng.choice(["", "any text", "ä"]),
    }


DOCUMENTS = naive.random_documents(build_qualification)


def qualification_of(document: naive.Document) -> naive.Document:
    return write_qualification(decode_series(document))


@settings(max_examples=150)
@given(DOCUMENTS)
def test_a_qualification_is_what_a_naive_recount_says(document: naive.Document) -> None:
    assert qualification_of(document) == naive.qualify(document)


@settings(max_examples=40)
@given(DOCUMENTS)
def test_the_order_of_events_and_rows_does_not_matter(document: naive.Document) -> None:
    shuffled, rng = deepcopy(document), random.Random(1)
    rng.shuffle(shuffled["events"])
    for event in shuffled["events"]:
        rng.shuffle(event["ranking"])
    shuffled["declined"].reverse()
    assert qualification_of(shuffled) == qualification_of(document)


@settings(max_examples=40)
@given(DOCUMENTS)
def test_a_declined_ticket_goes_to_the_first_of_the_waiting_list(document: naive.Document) -> None:
    before = qualification_of(document)
    for ticket in before["qualified"]:
        again = {**document, "declined": [*document["declined"], ticket["ref"]]}
        after = qualification_of(again)
        refs = [one["ref"] for one in after["qualified"]]
        assert ticket["ref"] not in refs + after["waiting"]
        if ticket["why"] != "replacement":
            assert set(before["waiting"][:1]) <= set(refs)
            assert after["waiting"] == before["waiting"][1:]
            assert len(refs) == len(before["qualified"]) - (not before["waiting"])


def ranking(*totals: int, refs: str = "abcdefghij", direction: int = 1) -> list[dict[str, Any]]:
    return [
        {"ref": ref, "total": total, "place": 1 + sum(direction * t > direction * total for t in totals)}
        for ref, total in zip(refs, totals, strict=False)
    ]


def qualified(
    steps: list[dict[str, Any]], events: dict[str, list[dict[str, Any]]], **beside: Any
) -> list[str]:
    """Who qualifies, as "ref from why"; events may have the direction -1 in `fewest`."""
    fewest = beside.pop("fewest", ())
    rules = {"from": list(events), "steps": steps, "level": beside.pop("level", "all")}
    rows = [
        {"key": key, "ranking": rows, "direction": -1 if key in fewest else 1} for key, rows in events.items()
    ]
    answer = qualification_of({"rules": {"qualify": rules}, "events": rows, **beside})
    return [f"{one['ref']} {one['from'] or '-'} {one['why']}" for one in answer["qualified"]]


HEATS: dict[str, list[dict[str, Any]]] = {
    "h1": ranking(90, 80, 70, 60),
    "h2": ranking(95, 85, 75, refs="axy"),
}


def test_who_qualifies_twice_has_one_ticket_and_the_place_passes_to_the_next_of_that_event() -> None:
    step = {"kind": "first", "count": 1, "of": "each"}
    assert qualified([step], HEATS) == ["a h1 first", "x h2 first"]
    assert qualified([step | {"lapse": True}], HEATS) == ["a h1 first"]
    backwards = dict(reversed(HEATS.items()))
    assert qualified([step], backwards) == ["a h2 first", "b h1 first"], "in the order of `from`"


def test_a_holder_or_wild_card_who_also_qualifies_by_place_takes_no_second_place() -> None:
    steps: list[dict[str, Any]] = [
        {"kind": "holder"},
        {"kind": "wild_card"},
        {"kind": "first", "count": 2, "of": "all"},
    ]
    found = qualified(steps, HEATS, holders=["a"], wild_cards=["q", "a"])
    assert found == ["a - holder", "q - wild_card", "x h2 first", "b h1 first"]
    steps = [{"kind": "share", "percent": 20, "round": "down"}, {"kind": "best_rest", "fill_to": 2}]
    assert qualified([{"kind": "holder"}, *steps], HEATS, holders=["x"]) == ["x - holder", "a h2 best_rest"]


def test_a_holder_who_declines_is_replaced() -> None:
    steps: list[dict[str, Any]] = [{"kind": "holder"}, {"kind": "first", "count": 1, "of": "all"}]
    assert qualified(steps, HEATS, holders=["q"], declined=["q", "nobody"]) == [
        "a h2 first",
        "x h2 replacement",
    ]


def test_a_share_is_rounded_as_said_and_may_be_nobody() -> None:
    events = {"h1": ranking(5, 4, 3, 2, 1, 0), "empty": []}
    for percent, direction, count in ((20, "up", 2), (20, "down", 1), (10, "down", 0), (0, "up", 0)):
        step = {"kind": "share", "percent": percent, "round": direction}
        assert len(qualified([step], events)) == count
    assert len(qualified([{"kind": "share", "percent": "50/3", "round": "up"}], events)) == 1, "exactly"


def test_a_threshold_is_at_most_where_the_fewest_win() -> None:
    step = {"kind": "threshold", "points": 70}
    assert qualified([step], {"h1": ranking(90, 70, 69)}) == ["a h1 threshold", "b h1 threshold"]
    found = qualified([step], {"h1": ranking(60, 70, 71, direction=-1)}, fewest=["h1"])
    assert found == ["a h1 threshold", "b h1 threshold"]


def test_events_of_both_directions_are_not_compared() -> None:
    events = {"h1": ranking(90, 60), "h2": ranking(60, 90, refs="ax", direction=-1)}
    each: list[dict[str, Any]] = [
        {"kind": "threshold", "points": 70},
        {"kind": "first", "count": 9, "of": "each"},
    ]
    assert qualified(each, events, fewest=["h2"])[0] == "a h1 threshold"
    for step in (
        {"kind": "first", "count": 1, "of": "all"},
        {"kind": "best_rest", "fill_to": 3},
        {"kind": "category", "category": "woman"},
    ):
        with pytest.raises(SeriesError) as refused:
            qualified([step], events, fewest=["h2"])
        assert refused.value.code == "series/direction"


LEVEL = [
    {"ref": "a", "place": 1, "total": 90},
    {"ref": "b", "place": 2, "total": 80},
    {"ref": "c", "place": 3, "total": 80},
    {"ref": "d", "place": 3, "total": 80},
    {"ref": "e", "place": 5, "total": 10},
]


def test_level_at_the_line() -> None:
    def refs(count: int, level: str, seed: str = "") -> list[str]:
        step = {"kind": "first", "count": count, "of": "each"}
        return [one[0] for one in qualified([step], {"h1": LEVEL}, level=level, seed=seed)]

    seeds = [str(n) for n in range(40)]
    assert refs(2, "all") == ["a", "b", "c", "d"]
    assert refs(1, "all") == ["a"]
    assert refs(2, "chain") == ["a", "b"]
    assert {tuple(refs(3, "chain", seed)) for seed in seeds} == {("a", "b", "c"), ("a", "b", "d")}
    assert {tuple(refs(2, "lot", seed)) for seed in seeds} == {("a", "b"), ("a", "c"), ("a", "d")}
    assert refs(4, "lot") == ["a", "b", "c", "d"]


def test_places_filled_up_to_a_number_follow_the_rule_of_level_results_too() -> None:
    step = {"kind": "best_rest", "fill_to": 2}
    assert len(qualified([step], {"h1": LEVEL}, level="all")) == 4
    assert len(qualified([step], {"h1": LEVEL}, level="lot")) == 2
    assert qualified([{"kind": "best_rest", "fill_to": 0}], {"h1": LEVEL}) == []


def test_results_at_the_same_distance_from_a_sealed_number_are_level() -> None:
    rows = [{"ref": "a", "place": 1, "total": 1014}, {"ref": "b", "place": 1, "total": 1000}]
    step = {"kind": "first", "count": 1, "of": "each"}
    assert len(qualified([step], {"h1": rows}, level="all")) == 2


def test_the_place_of_a_category_stays_in_it() -> None:
    events = {"h1": ranking(9, 8, 7, 6, 5)}
    for row in events["h1"][2:]:
        row["category"] = ["youth", "woman"]
    steps = [
        {"kind": "first", "count": 1, "of": "all"},
        {"kind": "category", "category": "woman", "count": 1},
    ]
    assert qualified(steps, events) == ["a h1 first", "c h1 category"]
    assert qualified(steps, events, declined=["c"]) == ["a h1 first", "d h1 replacement"]
    assert qualified(steps, events, declined=["a"]) == ["c h1 category", "b h1 replacement"]
    assert qualified(steps, events, declined=["c", "d", "e"]) == ["a h1 first", "b h1 replacement"]


def test_only_held_events_qualify() -> None:
    document = {
        "rules": {"qualify": {"steps": [{"kind": "first", "count": 1}]}},
        "events": [
            {"key": f"e{n}", "state": state, "ranking": ranking(1, refs=state[0])}
            for n, state in enumerate(("planned", "held", "cancelled", "void"))
        ],
    }
    assert [one["ref"] for one in qualification_of(document)["qualified"]] == ["h"]


def test_left_out_the_sources_are_the_events_that_feed_the_target_or_all_others() -> None:
    heats = [{"key": key, "ranking": ranking(5, refs=key)} for key in "xyz"]
    rules = {"to": "final", "steps": [{"kind": "first", "count": 1}]}
    for feeders, refs in (([], ["x", "y", "z"]), (["y", "x"], ["y", "x"])):
        final = {"key": "final", "from": feeders, "ranking": ranking(5, refs="f")}
        found = qualification_of({"rules": {"qualify": rules}, "events": [*heats, final]})
        assert [one["ref"] for one in found["qualified"]] == refs
