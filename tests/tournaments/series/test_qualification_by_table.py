"""The step `table`: the first of the season table of the events of `from`."""

import random
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings

from tests.tournaments.series import naive
from tests.tournaments.series.test_qualification import build_step, qualification_of, ranking
from tournaments.series.document import SeriesError

TIES = ["best_event", "most_events", "wins", "last_event"]


def build_steps(rng: random.Random) -> list[dict[str, Any]]:
    """One or two steps `table`, with others before and after them."""
    steps = [
        {"kind": "table", "count": rng.randint(0, 6), "lapse": rng.random() < 0.3}
        for _ in range(rng.randint(1, 2))
    ]
    for _ in range(rng.randint(0, 3)):
        steps.insert(rng.randint(0, len(steps)), build_step(rng))
    return steps


def build_season(rng: random.Random) -> naive.Document:
    """A season with a table of any rules, and a qualification from some of its events."""
    events = naive.random_events(rng, (rng.choice((1, -1)),))
    keys = [event["key"] for event in events]
    some = [*naive.PERSONS, "stranger"]
    table: dict[str, Any] = {"kind": rng.choice(["points", "percent"])}
    if rng.random() < 0.5:
        table = {"kind": "places", "points": [9, 5, 3], "rest": 1, "shared": rng.choice(["mean", "better"])}
    return {
        "rules": {
            "table": table,
            "best": rng.choice([None, 1, 2, 3]),
            "always": rng.sample(keys, rng.randint(0, 1)),
            "weights": {key: rng.choice([0, 2, "1/2"]) for key in rng.sample(keys, rng.randint(0, 1))},
            "least": rng.randint(1, 3),
            "average_below": rng.randint(0, 3),
            "cancelled": rng.choice(["keep", "reduce"]),
            "total": rng.choice(["sum", "average"]),
            "ties": rng.sample(TIES, rng.randint(0, 2)),
            "qualify": {
                "from": rng.sample(keys, rng.randint(0, len(keys))),
                "steps": build_steps(rng),
                "level": rng.choice(["all", "chain", "lot"]),
            },
        },
        "events": events,
        "holders": rng.sample(some, rng.randint(0, 2)),
        "wild_cards": rng.sample(some, rng.randint(0, 2)),
        "declined": rng.sample(some, rng.randint(0, 3)),
        "seed": rng.choice(["", "any text", "ä"]),
    }


SEASONS = naive.random_documents(build_season)


@settings(max_examples=300)
@given(SEASONS)
def test_a_qualification_by_the_table_is_what_a_naive_recount_says(document: naive.Document) -> None:
    assert qualification_of(document) == naive.qualify(document)


@settings(max_examples=60)
@given(SEASONS)
def test_other_events_do_not_change_it(document: naive.Document) -> None:
    named = document["rules"]["qualify"]["from"]
    other = deepcopy(document)
    rng = random.Random(len(named))
    for event in other["events"]:
        if event["key"] not in named:
            event["state"] = rng.choice(["held", "planned", "cancelled", "void"])
            event["ranking"] = naive.random_ranking(rng, event["direction"], naive.PERSONS)
    assert qualification_of(other) == qualification_of(document)


@settings(max_examples=60)
@given(SEASONS)
def test_nobody_with_a_ticket_by_the_table_stands_behind_somebody_who_waits(document: naive.Document) -> None:
    found = qualification_of(document | {"declined": []})
    places = {row["ref"]: row["place"] for row in naive.season(document)}
    totals = {row["ref"]: row["worth"] for row in naive.season(document)}
    waiting = [totals[ref] for ref in found["waiting"]]
    assert waiting == sorted(waiting, reverse=True)
    for one in found["qualified"]:
        if one["why"] == "table":
            assert (one["from"], one["place"]) == (None, places[one["ref"]])
            assert all(totals[one["ref"]] >= worth for worth in waiting)


def season(*evenings: dict[str, int], direction: int = 1, **rules: Any) -> naive.Document:
    """A document of evenings (total by person), and a planned final that takes the first 2 of the table."""
    qualify = {"to": "final", "level": "chain", "steps": [{"kind": "table", "count": 2}]}
    events: list[dict[str, Any]] = []
    for number, totals in enumerate(evenings, 1):
        order = dict(sorted(totals.items(), key=lambda one: -direction * one[1]))
        rows = ranking(*order.values(), refs="".join(order), direction=direction)
        events.append({"key": f"e{number}", "direction": direction, "ranking": rows})
    events.append({"key": "final", "direction": direction, "state": "planned"})
    rules["qualify"] = qualify | rules.pop("qualify", {})
    return {"rules": rules, "events": events, "seed": "any text"}


def tickets(document: naive.Document, **beside: Any) -> list[tuple[str, int | None, str]]:
    found = qualification_of(document | beside)["qualified"]
    return [(one["ref"], one["place"], one["why"]) for one in found]


def waiting(document: naive.Document, **beside: Any) -> list[str]:
    found: list[str] = qualification_of(document | beside)["waiting"]
    return found


YEAR = ({"a": 90, "b": 80, "c": 70, "d": 60}, {"a": 10, "b": 60, "c": 70, "d": 95})
"""Totals 100, 140, 140, 155."""


def test_the_first_of_the_table_qualify_and_not_those_with_the_best_single_total() -> None:
    year = season(*YEAR, ties=["best_event"])
    assert tickets(year) == [("d", 1, "table"), ("b", 2, "table")]
    assert waiting(year) == ["c", "a"]
    assert tickets(season(*YEAR, best=1)) == [("d", 1, "table"), ("a", 2, "table")]


def test_where_the_fewest_points_win_the_lowest_sum_is_first() -> None:
    year = season(*YEAR, direction=-1, ties=["best_event"])
    assert tickets(year) == [("a", 1, "table"), ("b", 2, "table")]
    assert waiting(year) == ["c", "d"]
    places = {"kind": "places", "points": [5, 3, 2, 1]}
    by_place = tickets(season(*YEAR, direction=-1, table=places))
    assert sorted(by_place) == [("a", 1, "table"), ("d", 1, "table")], "5 + 1 points each, the most win"


def test_level_at_the_line() -> None:
    def refs(level: str, seed: str = "any text", **rules: Any) -> list[str]:
        year = season(*YEAR, qualify={"level": level}, **rules)
        return [ref for ref, _, _ in tickets(year, seed=seed)]

    seeds = [str(n) for n in range(30)]
    assert refs("all") == refs("all", ties=["best_event"]) == ["d", "b", "c"]
    assert {tuple(refs("chain", seed, ties=["best_event"])) for seed in seeds} == {("d", "b")}
    assert {tuple(refs("chain", seed)) for seed in seeds} == {("d", "b"), ("d", "c")}
    assert {tuple(refs("lot", seed, ties=["best_event"])) for seed in seeds} == {("d", "b"), ("d", "c")}


def test_who_declines_is_replaced_by_the_next_of_the_table() -> None:
    year = season(*YEAR, ties=["best_event"])
    assert tickets(year, declined=["d"]) == [("b", 2, "table"), ("c", 3, "replacement")]
    assert tickets(year, declined=["d", "c"]) == [("b", 2, "table"), ("a", 4, "replacement")]
    assert waiting(year, declined=["d", "c"]) == []


def test_holders_and_wild_cards_have_one_ticket_and_their_place_passes_on_or_lapses() -> None:
    steps: list[dict[str, Any]] = [{"kind": "holder"}, {"kind": "wild_card"}, {"kind": "table", "count": 2}]
    year = season(*YEAR, ties=["best_event"], qualify={"steps": steps})
    named = {"holders": ["d"], "wild_cards": ["x", "d"]}
    first = [("d", None, "holder"), ("x", None, "wild_card")]
    assert tickets(year, **named) == [*first, ("b", 2, "table"), ("c", 3, "table")]
    steps[2]["lapse"] = True
    assert tickets(year, **named) == [*first, ("b", 2, "table")]


def test_who_has_too_few_evenings_for_a_place_neither_qualifies_nor_waits() -> None:
    short = ({"a": 50, "b": 40}, {"a": 50, "b": 40, "c": 300}, {"a": 1})
    assert tickets(season(*short, least=2)) == [("a", 1, "table"), ("b", 2, "table")]
    assert waiting(season(*short, least=2)) == []
    assert tickets(season(*short)) == [("c", 1, "table"), ("a", 2, "table")]
    fewest = season(*short, direction=-1)
    assert tickets(fewest) == [("a", 1, "table")], "as many as count, where the fewest points win"
    assert tickets(season(*short, direction=-1, best=2)) == [("a", 1, "table"), ("b", 2, "table")]


def test_the_final_does_not_count_for_its_own_qualification() -> None:
    year = season(*YEAR, ties=["best_event"], weights={"final": 2}, always=["final"])
    before = qualification_of(year)
    played = deepcopy(year)
    played["events"][-1] |= {"state": "held", "ranking": ranking(900, 5, refs="ad")}
    assert qualification_of(played) == before
    played["events"][-1]["state"] = "cancelled"
    played["rules"] |= {"best": 2, "cancelled": "reduce"}
    assert qualification_of(played) == before


def test_a_correction_lifts_somebody_and_an_accepted_ticket_stays() -> None:
    year = season(*YEAR, ties=["best_event"])
    corrected = season(YEAR[0], YEAR[1] | {"a": 99}, ties=["best_event"])
    assert tickets(corrected, accepted=["d", "b"]) == [
        ("a", 1, "table"),
        ("d", 2, "table"),
        ("b", None, "accepted"),
    ]
    assert waiting(corrected, accepted=["d", "b"]) == ["c"]
    assert tickets(year, accepted=["d", "b"]) == tickets(year)


def test_a_table_of_places_takes_from_events_of_both_directions_and_sums_do_not() -> None:
    both = season(*YEAR, table={"kind": "places", "points": [5, 3, 2, 1]})
    both["events"][1]["direction"] = -1
    both["events"][1]["ranking"] = ranking(10, 60, 70, 95, refs="abcd", direction=-1)
    assert tickets(both) == [("a", 1, "table"), ("b", 2, "table")]
    both["rules"]["table"] = {"kind": "points"}
    with pytest.raises(SeriesError) as refused:
        qualification_of(both)
    assert refused.value.code == "series/direction"


def test_an_event_without_a_positive_mean_has_no_percent() -> None:
    with pytest.raises(SeriesError) as refused:
        qualification_of(season({"a": 5, "b": -9}, table={"kind": "percent"}))
    assert refused.value.code == "series/percent"


@pytest.mark.parametrize(
    "step",
    [
        {"kind": "table"},
        {"kind": "table", "count": -1},
        {"kind": "table", "count": "16"},
        {"kind": "table", "count": 10**9},
        {"kind": "table", "count": None},
    ],
)
def test_a_step_without_a_possible_count_is_refused(step: dict[str, Any]) -> None:
    with pytest.raises(SeriesError) as refused:
        qualification_of(season(*YEAR, qualify={"steps": [step]}))
    assert refused.value.code == "series/steps"


def test_a_final_that_qualifies_for_itself_is_refused() -> None:
    with pytest.raises(SeriesError) as refused:
        qualification_of(season(*YEAR, qualify={"from": ["e1", "final"]}))
    assert refused.value.code == "series/cycle"
