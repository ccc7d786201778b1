"""Each preset of a series, run with random rankings and recounted naively."""

import random
from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from tests.tournaments.series import naive
from tournaments.series.document import decode_series
from tournaments.series.presets import PLACE_POINTS, SERIES_PRESETS
from tournaments.series.series_json import write_qualification, write_table

SEEDS = range(6)


def played(rng: random.Random, keys: Iterable[str], size: int, direction: int = 1) -> list[dict[str, Any]]:
    """Events with some of `size` persons each."""
    refs = [f"p{n:03}" for n in range(size)]
    return [
        {
            "key": key,
            "direction": direction,
            "state": "held",
            "ranking": naive.random_ranking(rng, direction, rng.sample(refs, rng.randint(size // 2, size))),
        }
        for key in keys
    ]


def run(preset: str, events: list[dict[str, Any]], **beside: Any) -> naive.Document:
    """The document of a preset, as it comes from a form or a file."""
    rules = msgspec.json.decode(msgspec.json.encode(SERIES_PRESETS[preset].rules))
    return {"rules": rules, "events": events, "holders": [], "wild_cards": [], "declined": [], **beside}


def place_points(ranking: list[dict[str, Any]], rest: int) -> dict[str, Fraction]:
    """Points by place; a shared place gets the mean."""
    by_place = [*PLACE_POINTS, *[rest] * len(ranking)]
    points = {}
    for row in ranking:
        sharing = sum(other["place"] == row["place"] for other in ranking)
        first = row["place"] - 1
        points[row["ref"]] = Fraction(sum(by_place[first : first + sharing]), sharing)
    return points


def totals_of(document: naive.Document) -> dict[str, tuple[int, Any]]:
    rows = write_table(decode_series(document))["table"]
    return {row["ref"]: (row["place"], row["total"]) for row in rows}


def placed(worth: dict[str, tuple[Any, ...]]) -> dict[str, tuple[int, Any]]:
    """Place and total of each, by what ranks them: the total first."""
    return {
        ref: (1 + sum(other > own for other in worth.values()), naive.written(own[0]))
        for ref, own in worth.items()
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_season(seed: int) -> None:
    events = played(random.Random(seed), ["e1", "e2", "e3", "e4", "final"], 14)
    won: dict[str, dict[str, Fraction]] = defaultdict(dict)
    for event in events:
        for ref, points in place_points(event["ranking"], 1).items():
            won[ref][event["key"]] = points * 2 if event["key"] == "final" else points
    worth = {}
    for ref, own in won.items():
        evenings = sorted((own[key] for key in own if key != "final"), reverse=True)
        recent = [own.get(key, Fraction(-1)) for key in ("final", "e4", "e3", "e2", "e1")]
        total = sum(evenings[:3], own.get("final", Fraction(0)))
        worth[ref] = (total, sorted(own.values(), reverse=True), recent)
    assert totals_of(run("season", events)) == placed(worth)


@pytest.mark.parametrize("seed", SEEDS)
def test_club_year(seed: int) -> None:
    rng = random.Random(seed)
    events = played(rng, [f"e{n:02}" for n in range(rng.randint(8, 12))], 10)
    cancelled = rng.randint(0, 2)
    for event in events[:cancelled]:
        event["state"] = "cancelled"
    held = events[cancelled:]
    worth = {}
    for ref in {row["ref"] for event in held for row in event["ranking"]}:
        own = [Fraction(row["total"]) for event in held for row in event["ranking"] if row["ref"] == ref]
        missed = len(held) - len(own)
        if missed < 3:
            own += [sum(own, Fraction(0)) / len(own)] * missed
        own.sort(reverse=True)
        worth[ref] = (sum(own[: 8 - cancelled], Fraction(0)), own)
    assert totals_of(run("club_year", events)) == placed(worth)


@pytest.mark.parametrize("seed", SEEDS)
def test_club_average(seed: int) -> None:
    rng = random.Random(seed)
    direction = rng.choice((1, -1))
    events = played(rng, [f"e{n}" for n in range(9)], 10, direction)
    worth = {}
    for ref in {row["ref"] for event in events for row in event["ranking"]}:
        own = [Fraction(row["total"]) for event in events for row in event["ranking"] if row["ref"] == ref]
        if len(own) >= 6:
            worth[ref] = (sum(own, Fraction(0)) / len(own) * direction,)
    expected = {
        ref: (place, naive.written(worth[ref][0] * direction)) for ref, (place, _) in placed(worth).items()
    }
    assert totals_of(run("club_average", events)) == expected


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("seed", SEEDS)
def test_club_final(seed: int, direction: int) -> None:
    rng = random.Random(seed)
    evenings = played(rng, [f"e{n:02}" for n in range(10)], 30, direction)
    final = {"key": "final", "direction": direction, "state": "planned", "ranking": []}
    document = run("club_final", [*evenings, final], declined=["p003"], seed=f"seed {seed}")
    before = write_qualification(decode_series(document))
    own: dict[str, list[Fraction]] = defaultdict(list)
    for event in evenings:
        for row in event["ranking"]:
            own[row["ref"]].append(direction * Fraction(row["total"]))
    worth = {
        ref: (sum(sorted(totals, reverse=True)[:8], Fraction(0)), sorted(totals, reverse=True))
        for ref, totals in own.items()
        if direction > 0 or len(totals) >= 8
    }
    order = sorted(worth, key=lambda ref: (worth[ref], -naive.lot(f"seed {seed}", ref)), reverse=True)
    finalists = [ref for ref in order[: 17 if "p003" in order[:16] else 16] if ref != "p003"]
    assert [one["ref"] for one in before["qualified"]] == finalists
    assert before["waiting"] == [ref for ref in order if ref not in {*finalists, "p003"}]

    ranking = naive.random_ranking(rng, direction, finalists)
    final |= {"state": "held", "ranking": ranking}
    document = run("club_final", [*evenings, final], declined=["p003"], seed=f"seed {seed}")
    assert write_qualification(decode_series(document)) == before
    won = {row["ref"]: Fraction(row["total"]) for row in ranking}
    expected = {ref: naive.written(direction * worth[ref][0] + won[ref]) for ref in finalists}
    found = {ref: total for ref, (_, total) in totals_of(document).items() if ref in won}
    assert found == expected, "the final is added to the best 8 evenings"


@pytest.mark.parametrize("seed", SEEDS)
def test_two_games_with_teams(seed: int) -> None:
    rng = random.Random(seed)
    events = [*played(rng, ["schieber"], 24), *played(rng, ["differenzler"], 24, -1)]
    teams: dict[str, Fraction] = defaultdict(Fraction)
    for event in events:
        for ref, points in place_points(event["ranking"], 0).items():
            teams[f"T{int(ref[1:]) % 6}"] += points
        for row in event["ranking"]:
            row["team"] = f"T{int(row['ref'][1:]) % 6}"
    expected = placed({team: (total,) for team, total in teams.items()})
    assert totals_of(run("two_games", events)) == expected


HEATS: dict[str, tuple[int, int, int]] = {
    "threshold": (4, 30, 1),
    "best_starts": (4, 30, 1),
    "preliminary": (1, 30, 1),
    "share_of_heats": (13, 40, 1),
    "sections": (19, 200, -1),
}
"""Heats, persons and direction of each preset of a qualification."""


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("preset", HEATS)
def test_qualifications(preset: str, seed: int) -> None:
    rng = random.Random(seed)
    heats, size, direction = HEATS[preset]
    events = played(rng, [f"h{n:02}" for n in range(heats)], size, direction)
    if preset == "threshold":
        for event in events:
            for row in event["ranking"]:
                row["total"] = naive.written(Fraction(row["total"]) * 230)
    final = {"key": "final", "state": "planned", "ranking": []}
    document = run(preset, [*events, final], holders=["p001"], declined=["p002", "p003"], seed=f"seed {seed}")
    found = write_qualification(decode_series(document))
    document["rules"]["qualify"]["from"] = [event["key"] for event in events]
    assert found == naive.qualify(document)
    if preset == "sections":
        assert len(found["qualified"]) == 120 or not found["waiting"]
    if preset == "best_starts":
        assert len(found["qualified"]) == 20


def test_every_preset_has_a_test() -> None:
    assert set(SERIES_PRESETS) == {
        *("season", "club_year", "club_average", "club_final", "two_games"),
        *HEATS,
    }
