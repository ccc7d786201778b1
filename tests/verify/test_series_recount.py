"""The program's own table and qualification are those of the platform, for random seasons."""

import random
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from tournaments.series.document import SeriesError, decode_series
from tournaments.series.qualification import qualify
from tournaments.series.season_table import compute_table
from tournaments.series.series_json import write_rows, write_team_rows, write_tickets

PEOPLE = [f"p{n}" for n in range(9)]
STATES = ("held", "held", "held", "planned", "cancelled", "void")


def build_event(rng: random.Random, key: str, direction: int) -> dict[str, Any]:
    """Return an event with many level persons, now and then partners on one line, and fractions."""
    people = rng.sample(PEOPLE, rng.randint(1, len(PEOPLE)))
    totals: list[int | str] = [rng.choice((rng.randint(-5, 30), f"{rng.randint(1, 60)}/7")) for _ in people]
    exact = {ref: eval_exact(total) for ref, total in zip(people, totals, strict=True)}
    rows = []
    for ref, total in zip(people, totals, strict=True):
        place = 1 + sum(direction * other > direction * exact[ref] for other in exact.values())
        row: dict[str, Any] = {"place": place, "ref": ref, "total": total}
        if rng.random() < 0.3:
            row["line"] = str(place)
        if rng.random() < 0.7:
            row["team"] = rng.choice(("t1", "t2", "t3"))
        if rng.random() < 0.4:
            row["category"] = rng.choice(("woman", "youth"))
        rows.append(row)
    return {"key": key, "direction": direction, "state": rng.choice(STATES), "ranking": rows}


def eval_exact(total: int | str) -> float:
    numerator, _, denominator = str(total).partition("/")
    return int(numerator) / int(denominator or 1)


def build_rules(rng: random.Random, keys: list[str]) -> dict[str, Any]:
    table = rng.choice(
        (
            {"kind": "points"},
            {
                "kind": "places",
                "points": [25, 18, 15],
                "rest": "1/2",
                "shared": rng.choice(("mean", "better")),
            },
            {"kind": "percent"},
        )
    )
    steps: list[dict[str, Any]] = [
        {"kind": "holder"},
        {"kind": "wild_card"},
        {
            "kind": "first",
            "count": rng.randint(0, 3),
            "of": rng.choice(("each", "all")),
            "lapse": rng.random() < 0.3,
        },
        {"kind": "share", "percent": rng.choice((20, 35, 50)), "round": rng.choice(("up", "down"))},
        {"kind": "threshold", "points": rng.randint(0, 25)},
        {"kind": "best_rest", "fill_to": rng.randint(0, 8)},
        {"kind": "category", "category": "woman", "count": rng.randint(1, 2)},
        {"kind": "table", "count": rng.randint(0, 5), "lapse": rng.random() < 0.3},
    ]
    return {
        "table": table,
        "best": rng.choice((None, 1, 2, 3)),
        "always": rng.sample(keys, rng.randint(0, 1)),
        "weights": {key: rng.choice((0, 1, 2, 1.5)) for key in rng.sample(keys, 2)},
        "least": rng.choice((None, 1, 2)),
        "average_below": rng.choice((0, 2, 3)),
        "cancelled": rng.choice(("keep", "reduce")),
        "total": rng.choice(("sum", "average")),
        "ties": rng.sample(["best_event", "most_events", "wins", "last_event"], rng.randint(0, 3)),
        "teams": {"size": rng.randint(5, 9), "best": rng.choice((None, 1, 3))},
        "qualify": {
            "to": keys[-1],
            "from": rng.choice((None, rng.sample(keys[:-1], rng.randint(1, len(keys) - 1)))),
            "level": rng.choice(("all", "chain", "lot")),
            "steps": rng.sample(steps, rng.randint(1, len(steps))),
        },
    }


def recount(verifier: ModuleType, told: dict[str, Any]) -> tuple[Any, Any, Any]:
    """Return table, qualification and table of teams by the program that verifies."""
    weights, rules = told["rules"]["weights"], {**told["rules"], "weights": {}}
    exact = verifier.parse_exact_number
    counted = [
        verifier.RankedEvent(
            event["key"],
            event["direction"],
            exact(weights.get(event["key"], 1)),
            [
                (row["place"], row["ref"], exact(row["total"]), row.get("line", ("own", row["ref"])))
                for row in event["ranking"]
            ],
        )
        for event in told["events"]
        if event["state"] == "held"
    ]
    order = [event["key"] for event in told["events"]]
    cancelled = [event["key"] for event in told["events"] if event["state"] == "cancelled"]
    categories = {
        event["key"]: {row["ref"]: {row["category"]} for row in event["ranking"] if "category" in row}
        for event in told["events"]
    }
    found = verifier.TicketFinder(
        rules, counted, order, cancelled, {name: told[name] for name in SAID}, told["seed"], categories
    )
    season = verifier.compute_season(rules, counted, order, len(cancelled))
    team_of = {
        row["ref"]: row["team"]
        for event in told["events"]
        if event["state"] == "held"
        for row in event["ranking"]
        if "team" in row
    }
    teams = verifier.compute_team_season(rules, counted, order, len(cancelled), team_of)
    return season, found.write(), teams


SAID = ("holders", "wild_cards", "declined", "accepted")


@pytest.mark.parametrize("seed", range(40))
def test_two_programs_count_a_season_alike(puur_verify: ModuleType, seed: int) -> None:
    rng = random.Random(seed)
    compared = 0
    while compared < 10:
        keys = [f"e{n}" for n in range(rng.randint(2, 5))]
        direction = rng.choice((1, -1))
        told = {
            "rules": build_rules(rng, keys),
            "events": [build_event(rng, key, direction) for key in keys],
            "seed": str(rng.random()),
            **{name: rng.sample([*PEOPLE, "p99"], rng.randint(0, 2)) for name in SAID},
        }
        try:
            series = decode_series(told)
            alone = replace(series, rules=replace(series.rules, teams=None))
            rows, tickets = write_rows(compute_table(alone)), write_tickets(qualify(series))
            teams = write_team_rows(compute_table(series), {team: team for team in ("t1", "t2", "t3")})
        except SeriesError:
            continue  # a mean that is not positive, a team that is too large
        found = recount(puur_verify, told)
        assert found == (rows, tickets, teams), told
        compared += 1
