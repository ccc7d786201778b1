"""The Swiss system: each criterion of `docs/developers/pairing/swiss.md`, against all possible rounds."""

import io
import json
import random
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.pairing.swiss_playing import (
    Reference,
    draw,
    entrants_of,
    make_document,
    make_pairs,
    play,
    play_rounds,
)
from tournaments.competition import CompetitionError, decode_competition
from tournaments.pairing.__main__ import main
from tournaments.pairing.systems import draw_next, repeats_of


@given(
    size=st.integers(1, 8),
    rounds=st.integers(0, 5),
    seed=st.integers(0, 999),
    values=st.sampled_from([1, 9, 157]),
)
@settings(deadline=None, max_examples=80)
def test_no_possible_round_is_better(size: int, rounds: int, seed: int, values: int) -> None:
    document = make_document(size, seed=str(seed))
    if seed % 3 == 0 and size > 3:
        document["apart"] = [["E0", "E1", "hard"], ["E2", "E1", "soft"]]
    if seed % 4 == 0:
        for n, entrant in enumerate(document["entrants"]):
            entrant["team"] = f"T{n % 3}"
    play_rounds(document, min(rounds, max(size - 1, 1)), seed, values)
    found, reference = draw(document), Reference(document)
    assert reference.judge(*entrants_of(reference.competition, found)) == reference.find_best()


@given(size=st.integers(3, 40), rounds=st.integers(0, 6), seed=st.integers(0, 999))
@settings(deadline=None, max_examples=40)
def test_the_order_of_a_document_does_not_matter(size: int, rounds: int, seed: int) -> None:
    document = make_pairs(size, seed=str(seed))
    document["apart"] = [["E0", "E1", "hard"], ["E2b", "E1a", "soft"]]
    play_rounds(document, rounds, seed)
    found, numbers = draw(document), random.Random(seed)
    shuffled = json.loads(json.dumps(document))
    for parts in (
        shuffled["entrants"],
        shuffled["apart"],
        *(one["tables"] for one in shuffled.get("past", [])),
    ):
        numbers.shuffle(parts)
    assert draw(shuffled) == found


@pytest.mark.parametrize("size", [20, 21, 57, 200])
def test_seven_rounds_of_pairs_have_no_repeat_and_byes_for_the_lowest_without_one(size: int) -> None:
    document = make_pairs(size, rounds=7)
    numbers = random.Random(size)
    free: set[str] = set()
    for _ in range(7):
        found, competition, reference = draw(document), decode_competition(document), Reference(document)
        assert repeats_of(competition, found) == {"partner": 0, "opponent": 0}
        assert not {note.code for note in found.notes} & {"pairing/met_again", "pairing/second_bye"}
        seated = sorted(ref for pair in entrants_of(competition, found)[0] for ref in pair)
        assert sorted([*seated, *found.byes]) == sorted(competition.by_ref)
        if size % 2:
            lowest = max(reference.rank[ref] for ref in competition.by_ref if ref not in free)
            assert [reference.rank[ref] for ref in found.byes] == [lowest]
        free.update(found.byes)
        play(document, found, numbers)
    assert draw_next(decode_competition(document)) is None


def test_a_first_round_by_lot_depends_on_the_seed_and_all_meet_all() -> None:
    seen = set()
    for seed in range(60):
        document = make_document(6, seed=str(seed))
        seen |= set(entrants_of(decode_competition(document), draw(document))[0])
    assert len(seen) == 15


def test_a_first_round_by_start_rank_is_of_neighbours_and_who_has_none_comes_after() -> None:
    document = make_document(8, options={"first": "start_rank"})
    for n, entrant in enumerate(document["entrants"][:6]):
        entrant["start_rank"] = 6 - n
    found = entrants_of(decode_competition(document), draw(document))[0]
    assert found == (("E0", "E1"), ("E2", "E3"), ("E4", "E5"), ("E6", "E7"))


def test_repeats_cost_nothing_where_they_are_allowed() -> None:
    document = make_document(4, options={"repeats": True})
    past = [{"seats": ["E0", "E1"], "points": [9, 8]}, {"seats": ["E2", "E3"], "points": [1, 0]}]
    document["past"] = [{"round": 1, "tables": past}]
    found = draw(document)
    assert entrants_of(decode_competition(document), found)[0] == (("E0", "E1"), ("E2", "E3"))
    assert found.notes == ()
    document["options"] = {}
    assert ("E0", "E1") not in entrants_of(decode_competition(document), draw(document))[0]


def test_a_round_says_which_criteria_it_does_not_keep() -> None:
    document = make_document(
        3, apart=[["E0", "E1", "soft"], ["E0", "E2", "hard"], ["E1", "E2", "hard"]], rounds=6
    )
    found = play_rounds(document, 4, 1)
    notes = [{note.code: note.params for note in one.notes} for one in found]
    assert notes[0]["pairing/apart_broken"] == {"pairs": [["E0", "E1", "soft"]]}
    assert notes[1]["pairing/met_again"] == {"pairs": [["E0", "E1"]]}
    assert notes[1]["pairing/second_bye"] == {"refs": ["E2"]}
    assert notes[0]["pairing/many_rounds"] == {"rounds": 6, "entrants": 3}


def test_when_all_have_met_all_the_count_begins_anew() -> None:
    document = make_document(4)
    found = [entrants_of(decode_competition(document), one)[0] for one in play_rounds(document, 9, 3)]
    assert all(len(set(found[at : at + 3])) == 3 for at in (0, 3, 6))


def test_who_is_absent_left_or_not_there_yet_is_not_drawn() -> None:
    document = make_document(9, absent_rounds={"E3": [2, 3]})
    document["entrants"][4]["from_round"] = 2
    document["entrants"][5]["until_round"] = 1
    found = play_rounds(document, 4, 8)
    present = [{*(p for seats in one.tables for p in seats), *one.byes} for one in found]
    everybody = {f"E{n}" for n in range(9)}
    assert present == [everybody - {"E4"}, *[everybody - {"E3", "E5"}] * 2, everybody - {"E5"}]
    assert [len(one.byes) for one in found] == [0, 1, 1, 0]


def test_persons_of_the_past_may_be_gone_and_results_missing() -> None:
    document = make_document(4)
    past = [{"seats": ["E0", "gone"], "points": [None, None]}, {"seats": ["E2", "E3"]}]
    document["past"] = [{"round": 1, "tables": past}]
    assert ("E2", "E3") not in entrants_of(decode_competition(document), draw(document))[0]


@pytest.mark.parametrize("size", [8, 9])
def test_who_sits_first_is_balanced(size: int) -> None:
    document = make_document(size)
    play_rounds(document, 7, 4)
    for n in range(size):
        seats = [
            t["seats"].index(f"E{n}")
            for one in document["past"]
            for t in one["tables"]
            if f"E{n}" in t["seats"]
        ]
        assert abs(2 * sum(seats) - len(seats)) <= 3


def test_teams_meet_at_tables_side_by_side() -> None:
    entrants = [{"ref": f"T{n}", "members": [f"T{n}{m}" for m in "abcd"]} for n in range(4)]
    for size, tables in ((4, 4), (2, 8)):
        document: dict[str, Any] = {"system": "swiss", "size": size, "seed": "s", "entrants": entrants}
        for found in play_rounds(document, 3, 5):
            assert len(found.tables) == tables
            assert len(entrants_of(decode_competition(document), found)[0]) == 2


@pytest.mark.parametrize(("members", "size"), [(2, 3), (3, 4)])
def test_entrants_that_fill_no_table_are_refused(members: int, size: int) -> None:
    entrants = [{"ref": f"T{n}", "members": [f"T{n}{m}" for m in range(members)]} for n in range(4)]
    with pytest.raises(CompetitionError) as refused:
        draw({"system": "swiss", "size": size, "entrants": entrants})
    assert refused.value.code == "pairing/table_size"


@pytest.mark.parametrize("size", [0, 1])
def test_a_round_of_nobody_or_of_one_has_no_table(size: int) -> None:
    found = draw(make_document(size))
    assert (found.tables, len(found.byes)) == ((), size)


def test_the_command_line_prints_a_round(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    document = make_pairs(5, options={"reasons": True})
    play_rounds(document, 2, 1)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(json.dumps(document).encode())))
    assert main(["next"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["round"], len(printed["tables"]), len(printed["byes"])) == (3, 2, 1)
    assert printed["repeats"] == {"partner": 0, "opponent": 0}
