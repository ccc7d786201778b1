"""Partners who are ranked as one take one place of a step together, and both have a ticket."""

import random
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import given

from tests.tournaments.series import naive
from tournaments.series.document import RankedPerson, SeriesEvent, decode_series
from tournaments.series.qualification import find_partners, qualify

STEPS: list[list[dict[str, Any]]] = [
    [{"kind": "first", "count": 3, "of": "each"}],
    [{"kind": "first", "count": 3, "of": "all"}],
    [{"kind": "share", "percent": 30, "round": "up"}, {"kind": "best_rest", "fill_to": 5}],
    [{"kind": "threshold", "points": 60}, {"kind": "best_rest", "fill_to": 4}],
    [{"kind": "table", "count": 3}, {"kind": "best_rest", "fill_to": 5}],
    [{"kind": "first", "count": 1, "of": "each"}, {"kind": "table", "count": 2, "lapse": True}],
]


def tickets(document: dict[str, Any]) -> tuple[list[str], list[str]]:
    found = qualify(decode_series(msgspec.json.encode(document)))
    return [ticket.ref for ticket in found.qualified], list(found.waiting)


def a_document(rng: random.Random, *, level: str) -> dict[str, Any]:
    """Events of pairs as single persons, with distinct totals and sums of totals."""
    events = []
    totals = [
        Fraction(total) + Fraction(rng.randrange(10**6), 10**6) for total in rng.sample(range(1, 100), 40)
    ]
    for key in ("a", "b"):
        pairs = rng.sample([f"p{n}" for n in range(12)], rng.randint(4, 10))
        rows = sorted(((totals.pop(), ref) for ref in pairs), reverse=True)
        events.append(
            {
                "key": key,
                "direction": 1,
                "state": "held",
                "ranking": [
                    {"place": place, "ref": ref, "total": naive.written(total)}
                    for place, (total, ref) in enumerate(rows, 1)
                ],
            }
        )
    rules = {"qualify": {"from": ["a", "b"], "steps": rng.choice(STEPS), "level": level}}
    return {"rules": rules, "events": events, "seed": str(rng.random())}


def in_twos(document: dict[str, Any]) -> dict[str, Any]:
    """The same document with a row for each of the two partners."""
    events = [
        event
        | {
            "ranking": [
                row | {"ref": f"{row['ref']}{member}", "line": row["ref"]}
                for row in event["ranking"]
                for member in "xy"
            ]
        }
        for event in document["events"]
    ]
    return document | {"events": events}


@given(naive.random_documents(lambda rng: a_document(rng, level=rng.choice(["all", "chain", "lot"]))))
def test_a_pair_qualifies_where_a_single_person_with_its_results_would(document: dict[str, Any]) -> None:
    single, waiting = tickets(document)
    both, both_waiting = tickets(in_twos(document))
    assert [{f"{ref}x", f"{ref}y"} for ref in single] == [
        set(both[at : at + 2]) for at in range(0, len(both), 2)
    ]
    assert {ref[:-1] for ref in both_waiting} == set(waiting)
    assert len(both_waiting) == 2 * len(waiting)


@pytest.mark.parametrize("level", ["all", "chain", "lot"])
def test_level_pairs_are_never_parted(level: str) -> None:
    rows = [
        {"place": 1 if n < 2 else 2, "ref": f"{name}{member}", "total": 90 if n < 2 else 80, "line": name}
        for n, name in enumerate(["A", "B", "C", "D", "E"])
        for member in "xy"
    ]
    for seed in range(20):
        both, waiting = tickets(
            {
                "rules": {
                    "qualify": {
                        "from": ["a"],
                        "steps": [{"kind": "first", "count": 3, "of": "each"}],
                        "level": level,
                    }
                },
                "events": [{"key": "a", "direction": 1, "state": "held", "ranking": rows}],
                "seed": str(seed),
            }
        )
        lines = [ref[0] for ref in both]
        assert lines[0::2] == lines[1::2]
        assert len(lines) == (10 if level == "all" else 6)
        assert [ref[0] for ref in waiting][0::2] == [ref[0] for ref in waiting][1::2]


def test_partners_of_a_part_of_the_season_have_a_place_each_in_its_table() -> None:
    def event(key: str, *lines: tuple[str, int]) -> dict[str, Any]:
        rows = [
            {"place": place, "ref": ref, "total": total, "line": line}
            for place, (line, total) in enumerate(lines, 1)
            for ref in line
        ]
        return {"key": key, "ranking": rows}

    steps = [{"kind": "table", "count": 2}]
    both, waiting = tickets(
        {
            "rules": {"qualify": {"from": ["a", "b"], "steps": steps, "level": "chain"}},
            "events": [
                event("a", ("AB", 90), ("CD", 80), ("EF", 70)),
                event("b", ("AB", 90), ("CF", 60), ("DE", 50)),
            ],
            "seed": "x",
        }
    )
    assert (set(both), waiting) == ({"A", "B", "C"}, ["D", "F", "E"]), "180, 140; 130, 130, 120"


def test_who_also_played_alone_is_nobodys_partner_in_the_table() -> None:
    def row(ref: str, line: str | None = None) -> RankedPerson:
        return RankedPerson(place=1, ref=ref, total=9, line=line)

    pairs = SeriesEvent(key="a", ranking=tuple(row(ref, line) for line in ("AB", "CD") for ref in line))
    assert find_partners([pairs]) == {"A": "A", "B": "A", "C": "C", "D": "C"}
    assert find_partners([pairs, SeriesEvent(key="b", ranking=(row("A"),))]) == {"B": "B", "C": "C", "D": "C"}


def test_somebody_in_two_heats_with_two_partners_has_one_ticket() -> None:
    def event(key: str, *lines: tuple[str, str, int]) -> dict[str, Any]:
        rows = [
            {"place": place, "ref": ref, "total": total, "line": f"{one}{other}"}
            for place, (one, other, total) in enumerate(lines, 1)
            for ref in (one, other)
        ]
        return {"key": key, "direction": 1, "state": "held", "ranking": rows}

    both, waiting = tickets(
        {
            "rules": {
                "qualify": {
                    "from": ["a", "b"],
                    "steps": [{"kind": "first", "count": 1, "of": "each"}],
                    "level": "chain",
                }
            },
            "events": [
                event("a", ("Ada", "Beat", 90), ("Cleo", "Dario", 80)),
                event("b", ("Ada", "Emil", 95), ("Flora", "Gian", 70)),
            ],
            "seed": "x",
        }
    )
    assert set(both[:2]) == {"Ada", "Beat"}
    assert set(both) == {"Ada", "Beat", "Emil"}, "who is left of a pair takes its place alone"
    assert set(waiting) == {"Cleo", "Dario", "Flora", "Gian"}
