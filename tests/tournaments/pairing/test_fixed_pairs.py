"""Fixed pairs: no second meeting while that is possible, byes, teams, pairs kept apart."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.pairing.played_rounds import Document, codes_of, meetings_of, pairs, play
from tournaments.competition import decode_competition
from tournaments.pairing.systems import NextRound, draw_next


def fixed(count: int, **more: object) -> Document:
    return {"system": "fixed_pairs", "seed": "s", "entrants": pairs(count), **more}


def count_meetings(document: Document, rounds: list[NextRound]) -> Counter[frozenset[str]]:
    return Counter(frozenset(pair) for meetings in meetings_of(document, rounds) for pair in meetings)


def seats_of(one: int, other: int) -> list[str]:
    return [f"a{one}", f"a{other}", f"b{one}", f"b{other}"]


def list_matchings(names: list[int]) -> Iterator[list[tuple[int, int]]]:
    """All sets of tables of these pairs; with an odd number one has the bye."""
    if len(names) < 2:
        yield []
        return
    if len(names) % 2:
        for out in names:
            yield from list_matchings([name for name in names if name != out])
        return
    first, *rest = names
    for other in rest:
        for tables in list_matchings([name for name in rest if name != other]):
            yield [(first, other), *tables]


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 7, 8, 9, 12, 15])
def test_nobody_meets_twice_before_all_have_met(count: int) -> None:
    cycle = count - 1 + count % 2
    document = fixed(count)
    rounds = play(document, cycle)
    assert set(count_meetings(document, rounds).values()) == {1}
    assert set(Counter(ref for one in rounds for ref in one.byes).values()) <= {1}
    assert not codes_of(rounds)
    assert all(seats[0][1:] == seats[2][1:] for one in rounds for seats in one.tables)


@pytest.mark.parametrize("count", [3, 4, 5, 6, 7])
def test_second_meetings_are_spread_evenly(count: int) -> None:
    cycle = count - 1 + count % 2
    for number in (2 * cycle, 2 * cycle + 1, 3 * cycle):
        document = fixed(count)
        rounds = play(document, number)
        times = count_meetings(document, rounds)
        assert len(times) == count * (count - 1) // 2
        assert max(times.values()) - min(times.values()) <= 1
        byes = Counter(ref for one in rounds for ref in one.byes)
        assert not byes or max(byes.values()) - min(byes.values()) <= 1
        assert codes_of(rounds) == {"pairing/repeats"}


@given(st.integers(4, 8), st.integers(1, 6), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_no_round_has_fewer_repeats(count: int, played: int, chance: Random) -> None:
    numbers = list(range(count))
    met: Counter[tuple[int, int]] = Counter()
    past = []
    for number in range(1, played + 1):
        chance.shuffle(numbers)
        tables = [(min(pair), max(pair)) for pair in zip(numbers[::2], numbers[1::2], strict=False)]
        met.update(tables)
        past.append({"round": number, "tables": [{"seats": seats_of(*pair)} for pair in tables]})
    document = fixed(count, past=past)
    drawn = draw_next(decode_competition(document))
    assert drawn is not None
    assert len(drawn.tables) == count // 2
    found = [tuple(sorted((int(seats[0][1:]), int(seats[1][1:])))) for seats in drawn.tables]
    best = min(sum(met[pair] ** 2 for pair in tables) for tables in list_matchings(list(range(count))))
    assert sum(met[one, other] ** 2 for one, other in found) == best


@given(st.integers(6, 10), st.data())
@settings(max_examples=25, deadline=None)
def test_absent_and_late_pairs_cause_no_repeats(count: int, data: st.DataObject) -> None:
    def change(document: Document, number: int) -> None:
        if number == 3:
            document["entrants"].append({"ref": "late", "members": ["a99", "b99"], "from_round": 3})

    rounds = count // 2 + 1
    away = data.draw(st.dictionaries(st.sampled_from(["P0000", "P0001", "P0002"]), st.just([2]), max_size=3))
    document = fixed(count, rounds=rounds, absent_rounds=away)
    played = play(document, change=change)
    assert len(played) == rounds
    assert set(count_meetings(document, played).values()) == {1}
    assert set(Counter(ref for one in played for ref in one.byes).values()) <= {1}


@pytest.mark.parametrize("count", [9, 12, 40])
def test_teams_and_pairs_kept_apart_do_not_meet(count: int) -> None:
    document = fixed(count, rounds=4, apart=[["P0000", "P0001", "hard"], ["a2", "b5", "soft"]])
    for number, one in enumerate(document["entrants"]):
        one["team"] = f"T{number // 3}"
    rounds = play(document)
    met = count_meetings(document, rounds)
    teams = {one["ref"]: one["team"] for one in document["entrants"]}
    assert set(met.values()) == {1}
    assert all(teams[a] != teams[b] for a, b in map(sorted, met))
    assert frozenset(("P0002", "P0005")) not in met
    assert not codes_of(rounds)


def test_what_cannot_be_kept_is_noted() -> None:
    document = fixed(4, apart=[["P0000", "P0001", "hard"], ["P0002", "P0003", "soft"]])
    document["entrants"][0]["team"] = document["entrants"][2]["team"] = "T"
    rounds = play(document, 3)
    assert frozenset(("P0000", "P0001")) not in count_meetings(document, rounds)
    assert codes_of(rounds) == {"pairing/one_team", "pairing/repeats"}
    alone = play(fixed(2, apart=[["a0", "b1", "hard"]]), 1)
    assert alone[0].byes == ("P0000", "P0001")
    assert codes_of(alone) == {"pairing/no_opponent"}


def test_a_second_bye_is_noted() -> None:
    past = [{"round": 1, "byes": ["P0000"]}]
    document = fixed(3, past=past, apart=[["P0000", "P0001", "hard"], ["P0000", "P0002", "hard"]])
    drawn = draw_next(decode_competition(document))
    assert drawn is not None
    assert drawn.byes == ("P0000",)
    assert [(note.code, note.params) for note in drawn.notes] == [
        ("pairing/bye_again", {"ref": "P0000", "before": 1})
    ]


@given(st.integers(2, 9), st.randoms(use_true_random=False))
@settings(max_examples=10, deadline=None)
def test_the_order_of_the_document_does_not_matter(count: int, chance: Random) -> None:
    document = fixed(count, absent_rounds={"P0000": [1]}, apart=[["P0001", "P0000", "soft"]])
    entrants = [*document["entrants"]]
    chance.shuffle(entrants)
    again = {**document, "entrants": entrants, "apart": [["P0000", "P0001", "soft"]]}
    assert draw_next(decode_competition(again)) == draw_next(decode_competition(document))


def test_a_large_field_is_repaired_in_parts() -> None:
    document = fixed(501, absent_rounds={"P0007": [2], "P0100": [3]})
    for number, one in enumerate(document["entrants"]):
        one["team"] = f"T{number // 5}"
    rounds = play(document, 3)
    assert set(count_meetings(document, rounds).values()) == {1}
    assert not codes_of(rounds)


def test_two_large_teams_play_against_each_other() -> None:
    document = fixed(1_000)
    for number, one in enumerate(document["entrants"]):
        one["team"] = f"T{number % 2}"
    (drawn,) = play(document, 1)
    assert all((int(seats[0][1:]) + int(seats[1][1:])) % 2 for seats in drawn.tables)


def test_seats_change_sides() -> None:
    document = fixed(12)
    first = Counter(pair[0] for meetings in meetings_of(document, play(document, 11)) for pair in meetings)
    assert all(4 <= first[f"P{number:04}"] <= 7 for number in range(12))


def test_every_meeting_is_drawn_by_some_seed() -> None:
    drawn = [draw_next(decode_competition(fixed(6, seed=str(seed)))) for seed in range(40)]
    met = {
        frozenset((seats[0][1:], seats[1][1:])) for one in drawn if one is not None for seats in one.tables
    }
    assert met == {frozenset(map(str, pair)) for pair in combinations(range(6), 2)}
