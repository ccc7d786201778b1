"""The document of a series: what is refused, and with which code; exact numbers."""

from copy import deepcopy
from typing import Any, Final

import pytest

from tournaments.series.document import SeriesError, decode_series, parse_exact
from tournaments.series.qualification import qualify
from tournaments.series.series_json import write_qualification, write_table

ROW: Final = {"place": 1, "ref": "a", "total": 5}
GOOD: Final[dict[str, Any]] = {
    "rules": {
        "table": {"kind": "places", "points": [3, 2, 1], "rest": 1, "shared": "mean"},
        "best": 3,
        "weights": {"final": 2},
        "least": 1,
        "qualify": {
            "from": ["h1", "h2"],
            "to": "final",
            "steps": [{"kind": "first", "count": 1}, {"kind": "share", "percent": 20}],
            "level": "all",
        },
    },
    "events": [
        {"key": "h1", "direction": 1, "state": "held", "ranking": [ROW | {"rounds": [5], "team": None}]},
        {"key": "h2", "ranking": [{"place": 1, "ref": "b", "total": "9/2"}]},
        {"key": "final", "state": "planned", "from": ["h1"]},
    ],
    "holders": [],
    "wild_cards": [],
    "declined": [],
    "seed": "any text",
}


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("rules.weights", {"h9": 2}, "series/unknown_event"),
        ("rules.always", ["h9"], "series/unknown_event"),
        ("rules.qualify.from", ["h1", "h9"], "series/unknown_event"),
        ("rules.qualify.to", "h9", "series/unknown_event"),
        ("events.2.from", ["h9"], "series/unknown_event"),
        ("rules.table.kind", "marks", "series/unknown_rule"),
        ("rules.table.shared", "worse", "series/unknown_rule"),
        ("rules.table.share", "mean", "series/unknown_rule"),
        ("rules.bset", 3, "series/unknown_rule"),
        ("rules.ties", ["height"], "series/unknown_rule"),
        ("rules.cancelled", "never", "series/unknown_rule"),
        ("rules.total", "median", "series/unknown_rule"),
        ("rules.qualify.level", "none", "series/unknown_rule"),
        ("rules.qualify.steps.0.kind", "last", "series/unknown_rule"),
        ("rules.qualify.steps.0.of", "some", "series/unknown_rule"),
        ("rules.qualify.steps.1.round", "near", "series/unknown_rule"),
        ("events.0.ranking", [ROW, ROW | {"place": 2}], "series/person_twice"),
        ("events.1.key", "h1", "series/event_twice"),
        ("events.2.from", ["final"], "series/cycle"),
        ("events.0.from", ["final"], "series/cycle"),
        ("rules.qualify.to", "h2", "series/cycle"),
        ("rules.qualify.steps.0", {"kind": "first"}, "series/steps"),
        ("rules.qualify.steps.0", {"kind": "threshold"}, "series/steps"),
        ("rules.qualify.steps.0", {"count": 1}, "series/steps"),
        ("rules.qualify.steps.0.count", -1, "series/steps"),
        ("rules.qualify.steps.1.percent", 101, "series/steps"),
        ("rules.best", 0, "series/unreadable"),
        ("rules.table", {"kind": "places"}, "series/unreadable"),
        ("rules.weights", {"final": -1}, "series/unreadable"),
        ("rules.weights", {"final": "1/0"}, "series/unreadable"),
        ("events.0.ranking.0.total", "many", "series/unreadable"),
        ("events.0.ranking.0.total", 10**30, "series/unreadable"),
        ("events.0.ranking.0.total", 1e40, "series/unreadable"),
        ("events.0.ranking.0.total", "1e9", "series/unreadable"),
        ("events.0.state", "over", "series/unreadable"),
        ("places", 3, "series/unreadable"),
    ],
)
def test_a_document_that_does_not_fit_is_refused_by_its_code(path: str, value: Any, code: str) -> None:
    decode_series(GOOD)
    document = deepcopy(GOOD)
    *parents, last = path.split(".")
    at: Any = document
    for name in parents:
        at = at[int(name)] if isinstance(at, list) else at[name]
    at[int(last) if isinstance(at, list) else last] = value
    with pytest.raises(SeriesError) as refused:
        decode_series(document)
    assert refused.value.code == code
    assert "\n" not in refused.value.detail


def test_a_qualification_needs_steps() -> None:
    without: tuple[dict[str, Any], ...] = ({}, {"qualify": {"steps": []}})
    for rules in without:
        with pytest.raises(SeriesError) as refused:
            qualify(decode_series({"rules": rules}))
        assert refused.value.code == "series/steps"


def test_a_cycle_through_other_events_is_found() -> None:
    events = [{"key": key, "from": [feeder]} for key, feeder in ("ab", "bc", "ca")]
    with pytest.raises(SeriesError) as refused:
        decode_series({"events": events})
    assert (refused.value.code, refused.value.params["event"]) == ("series/cycle", "a")


def test_numbers_are_read_exactly() -> None:
    assert [str(parse_exact(n)) for n in (3, "7/2", "4/2", 0.1, "-3")] == ["3", "7/2", "2", "1/10", "-3"]


def test_an_empty_series_has_an_empty_table() -> None:
    assert write_table(decode_series("{}")) == {"table": []}
    rules = {"qualify": {"steps": [{"kind": "holder"}, {"kind": "best_rest", "fill_to": 4}]}}
    assert write_qualification(decode_series({"rules": rules})) == {"qualified": [], "waiting": []}
