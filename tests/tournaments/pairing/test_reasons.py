"""What a drawn round says of its tables, for each system: true of the tables, and once for each."""

import dataclasses
import json
import random

import msgspec
import pytest

from tests.tournaments.pairing.played_rounds import Document, persons, play
from tests.verify.test_system_draws import play_systems
from tournaments.competition import Competition, PlayedTable, decode_competition
from tournaments.pairing.problem import DrawnRound, PairingProblem
from tournaments.pairing.reasons import explain_draw, explain_drawn
from tournaments.pairing.solving import draw
from tournaments.pairing.systems import NextRound, draw_next

COUNTED = {"why/new", "why/nearest", "why/pulled", "why/design", "why/circle", "why/bye", "why/through"}


def explained(asked: Competition, drawn: NextRound) -> list[tuple[str, dict[str, object]]]:
    return [(note.code, dict(note.params)) for note in explain_drawn(asked, drawn)]


@pytest.mark.parametrize("system", ["fixed_pairs", "round_robin", "whist", "king", "swiss"])
@pytest.mark.parametrize("count", [8, 9, 12])
def test_each_table_is_explained_or_counted(system: str, count: int) -> None:
    for asked, drawn in play_systems(random.Random(count), system, count):
        notes = explained(asked, drawn)
        assert json.loads(msgspec.json.encode([params for _code, params in notes])) is not None
        at = {int(str(params["table"])) for code, params in notes if code not in COUNTED}
        assert at <= set(range(1, len(drawn.tables) + 1))
        counts = {code: params.get("count") for code, params in notes}
        if system == "swiss":
            assert len(at) + int(str(counts.get("why/nearest", 0))) == len(drawn.tables)
            assert [params["ref"] for code, params in notes if code == "why/bye"] == list(drawn.byes)
        elif system == "king":
            named = [ref for _code, params in notes for ref in (params.get("refs") or ())]  # type: ignore[attr-defined]  # a list
            seated = [ref for seats in drawn.tables for ref in asked.entrants_at(PlayedTable(seats=seats))]
            assert sorted(named) == sorted(seated)
        else:
            again = [code for code, _params in notes if code == "why/again"]
            assert len(again) + int(str(counts.get("why/new", 0))) == len(drawn.tables)


def test_a_move_in_a_ladder_is_named_by_its_direction() -> None:
    for asked, drawn in play_systems(random.Random(3), "king", 8):
        before = [asked.entrants_at(table) for table in asked.past[-1].tables] if asked.past else []
        home = {ref: at for at, refs in enumerate(filter(None, before), 1) for ref in refs}
        for code, params in explained(asked, drawn):
            for ref in params["refs"]:  # type: ignore[attr-defined]  # a list
                table = int(str(params["table"]))
                assert (
                    code
                    == {
                        ref not in home: "why/entered",
                        home.get(ref, 0) > table and ref in home: "why/up",
                        0 < home.get(ref, 0) < table: "why/down",
                        home.get(ref, 0) == table: "why/stayed",
                    }[True]
                )


def test_the_first_rounds_of_a_knock_out_name_their_start_ranks() -> None:
    people = [{"ref": f"n{n:04}", "start_rank": n} for n in range(1, 9)]
    asked = msgspec.convert({"system": "knock_out", "size": 2, "seed": "a", "entrants": people}, Competition)
    tables = (("n0001", "n0008"), ("n0004", "n0005"), ("n0002", "n0007"), ("n0003", "n0006"))
    notes = explained(asked, NextRound(1, tables))
    assert notes[0] == ("why/seeded", {"table": 1, "matches": 4, "place": 1, "ranks": [1, 8]})
    assert len(notes) == 4


def test_a_bracket_by_lot_names_the_lot_though_all_have_start_ranks() -> None:
    people = [{"ref": f"n{n:04}", "start_rank": n} for n in range(1, 9)]
    document = {"system": "knock_out", "size": 2, "seed": "a", "entrants": people}
    asked = msgspec.convert(document | {"options": {"seeded": False}}, Competition)
    drawn = draw_next(asked)
    assert drawn is not None
    assert explained(asked, drawn) == [
        ("why/lot", {"table": table, "matches": 4, "place": 1}) for table in range(1, 5)
    ]


def test_a_whist_round_after_one_by_hand_names_the_round_of_the_plan() -> None:
    document: Document = {"system": "whist", "seed": "s", "entrants": persons(12)}
    names = [one["ref"] for one in document["entrants"]]
    by_hand = {"round": 1, "tables": [{"seats": names[at : at + 4]} for at in (0, 4, 8)]}
    asked = decode_competition(document | {"past": [by_hand]})
    [first] = play(document, 1)
    drawn = draw_next(asked)
    assert drawn is not None
    assert (drawn.number, drawn.tables) == (2, first.tables)
    assert explained(asked, drawn)[0] == ("why/design", {"round": 1, "entrants": 12})


@pytest.mark.parametrize("twice", [False, True])
def test_a_replanned_round_robin_is_not_called_a_round_of_the_circle(twice: bool) -> None:
    document: Document = {"system": "round_robin", "size": 2, "seed": "s", "entrants": persons(6)}
    document["options"] = {"twice": twice}
    last = 10 if twice else 5
    play(document, last - 1)
    asked = decode_competition(document)
    drawn = draw_next(asked)
    assert drawn is not None
    assert explained(asked, drawn)[0] == ("why/circle", {"round": last, "entrants": 6})

    asked = decode_competition(document | {"entrants": [*persons(6), {"ref": "late", "from_round": last}]})
    drawn = draw_next(asked)
    assert drawn is not None
    assert "pairing/replanned" in {note.code for note in drawn.notes}
    assert "why/circle" not in dict(explained(asked, drawn))


def test_the_search_counts_who_meets_again() -> None:
    problem = PairingProblem(players=8, rounds=1, seed=b"", format="pairs", table_size=4)
    first = draw(problem).rounds[0]
    again = dataclasses.replace(problem, past=(DrawnRound(first.tables, ()),))
    told = json.loads(msgspec.json.encode(again))
    del told["seed"]
    same = explain_draw(told, "", first.tables, ())
    assert [(note.code, note.params) for note in same] == [
        ("why/again", {"table": table, "partners": 2, "opponents": 4}) for table in (1, 2)
    ]
    swapped = [list(table) for table in first.tables]
    swapped[0][0], swapped[1][0] = swapped[1][0], swapped[0][0]
    notes = explain_draw(told, "", swapped, ())
    assert {note.params["partners"] for note in notes} == {1}
    assert [note.code for note in explain_draw({}, "", first.tables, ())] == ["why/by_hand"]
    new = dataclasses.replace(problem, past=())
    assert explain_draw(json.loads(msgspec.json.encode(new)), "", first.tables, ())[0].params == {"count": 2}
