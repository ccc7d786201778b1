"""The ladder: who moves, who stays, byes, holes and late comers."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.competition import CompetitionError, decode_competition
from tournaments.pairing.systems import NextRound, draw_next
from tournaments.pairing.systems.ladder import LadderOptions, order_ladder

pytestmark = pytest.mark.slow

Document = dict[str, Any]


def document(count: int, size: int = 4, members: int = 1, **options: Any) -> Document:
    def entrant(number: int) -> Document:
        found: Document = {"ref": f"e{number:02}", "start_rank": number}
        if members > 1:
            found["members"] = [f"e{number:02}.{at}" for at in range(members)]
        return found

    return {
        "system": "king",
        "size": size,
        "seed": "ladder",
        "options": options,
        "entrants": [entrant(number) for number in range(1, count + 1)],
        "past": [],
    }


def drawn(given_document: Document) -> NextRound:
    found = draw_next(decode_competition(given_document))
    assert found is not None
    return found


def refs_of(seats: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys(person.partition(".")[0] for person in seats))


def tables_of(found: NextRound) -> list[set[str]]:
    return [set(refs_of(seats)) for seats in found.tables]


def play(given_document: Document, found: NextRound, results: dict[str, int | None]) -> None:
    """Record a round: points by ref."""
    tables = [
        {"seats": list(seats), "points": [results[person.partition(".")[0]] for person in seats]}
        for seats in found.tables
    ]
    given_document["past"].append({"round": found.number, "tables": tables, "byes": list(found.byes)})


def in_order(found: NextRound) -> dict[str, int | None]:
    """Return results in which the smaller ref is better."""
    return {ref: 100 - int(ref[1:3]) for seats in found.tables for ref in refs_of(seats)}


@st.composite
def ladders(choose: st.DrawFn) -> tuple[Document, int, int]:
    """A ladder without byes, its entrants a table, and the movers."""
    size, members = choose(st.sampled_from([(2, 1), (3, 1), (4, 1), (4, 2)]))
    heads = size // members
    movers = choose(st.integers(1, heads // 2))
    count = heads * choose(st.integers(1, 6))
    doc = document(count, size, members, up=movers, down=movers) | {
        "direction": choose(st.sampled_from([1, -1])),
        "seed": choose(st.text(max_size=5)),
    }
    return doc, heads, movers


@given(ladders(), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_the_best_move_up_and_the_worst_down(
    ladder: tuple[Document, int, int], chance: random.Random
) -> None:
    doc, heads, movers = ladder
    found = drawn(doc)
    refs = sorted(entrant["ref"] for entrant in doc["entrants"])
    assert tables_of(found) == [set(refs[at : at + heads]) for at in range(0, len(refs), heads)]
    for _round in range(4):
        values = chance.sample(range(1000), len(refs))
        results: dict[str, int | None] = dict(zip(refs, values, strict=True))
        best_first = [
            sorted(table, key=lambda ref: -doc["direction"] * (results[ref] or 0))
            for table in tables_of(found)
        ]
        expected = [set(table) for table in best_first]
        for at in range(len(best_first) - 1):
            falling, rising = best_first[at][heads - movers :], best_first[at + 1][:movers]
            expected[at] = expected[at] - set(falling) | set(rising)
            expected[at + 1] = expected[at + 1] - set(rising) | set(falling)
        play(doc, found, results)
        chance.shuffle(doc["entrants"])
        found = drawn(doc)
        assert tables_of(found) == expected
        assert found.byes == ()


@given(st.integers(4, 23), st.sampled_from([2, 3, 4]), st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_nobody_has_a_second_bye_before_everybody_had_one(
    count: int, size: int, chance: random.Random
) -> None:
    doc = document(count, size)
    byes = dict.fromkeys((entrant["ref"] for entrant in doc["entrants"]), 0)
    for _round in range(count + 2):
        found = drawn(doc)
        assert len(found.byes) == count % size
        assert sorted([*found.byes, *(ref for table in tables_of(found) for ref in table)]) == sorted(byes)
        for ref in found.byes:
            byes[ref] += 1
        assert max(byes.values()) - min(byes.values()) <= 1
        play(doc, found, {ref: chance.randint(0, 20) for ref in byes})


@given(st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_whoever_comes_and_goes_is_seated_once(chance: random.Random) -> None:
    count = chance.randint(8, 20)
    doc = document(count)
    for entrant in doc["entrants"]:
        entrant["from_round"] = chance.choice([1, 1, 1, 3])
        entrant["until_round"] = chance.choice([None, None, None, 5])
    doc["absent_rounds"] = {f"e{n:02}": [chance.randint(1, 7)] for n in range(1, count, 4)}
    for number in range(1, 8):
        present = {entrant.ref for entrant in decode_competition(doc).present(number)}
        if len(present) < 4:
            break
        found = drawn(doc)
        seated = [ref for table in tables_of(found) for ref in table]
        assert sorted([*seated, *found.byes]) == sorted(present)
        assert all(len(table) == 4 for table in tables_of(found))
        chance.shuffle(doc["entrants"])
        assert drawn(doc) == found
        play(doc, found, {ref: chance.choice([None, 1, 2, 3]) for ref in present})


def test_a_hole_is_filled_from_below_and_the_absent_return_to_their_place() -> None:
    doc = document(12)
    doc["absent_rounds"] = {"e01": [2]}
    found = drawn(doc)
    play(doc, found, in_order(found))  # 4 and 5, 8 and 9 change places
    found = drawn(doc)
    assert tables_of(found) == [{"e02", "e03", "e05", "e04"}, {"e06", "e07", "e09", "e08"}]
    assert set(found.byes) == {"e10", "e11", "e12"}
    play(doc, found, in_order(found))
    assert "e01" in tables_of(drawn(doc))[0]


def test_late_comers_enter_at_the_bottom() -> None:
    doc = document(8)
    doc["entrants"] += [{"ref": f"x{n:02}", "start_rank": 0, "from_round": 2} for n in range(1, 5)]
    found = drawn(doc)
    play(doc, found, in_order(found))
    assert tables_of(drawn(doc))[2] == {"x01", "x02", "x03", "x04"}


def test_level_entrants_are_ranked_by_their_totals() -> None:
    doc = document(4, 2)
    found = drawn(doc)
    play(doc, found, {"e01": 9, "e02": 1, "e03": 8, "e04": 2})
    found = drawn(doc)
    assert tables_of(found) == [{"e01", "e03"}, {"e02", "e04"}]
    play(doc, found, {"e01": 5, "e03": 5, "e02": 5, "e04": 5})
    found = drawn(doc)
    assert tables_of(found) == [{"e01", "e04"}, {"e02", "e03"}]
    assert [(note.code, note.params["by"]) for note in found.notes] == [("pairing/level", "ranking")] * 2


def test_level_in_everything_is_decided_by_lot_and_said() -> None:
    doc = document(4, 2)
    play(doc, drawn(doc), dict.fromkeys(("e01", "e02", "e03", "e04"), 5))
    found = drawn(doc)
    assert [(note.code, note.params["by"]) for note in found.notes] == [("pairing/level", "lot")] * 2
    assert len({frozenset(tables_of(drawn(doc | {"seed": str(n)}))[0]) for n in range(20)}) > 1


def test_a_table_without_a_result_is_said() -> None:
    doc = document(4, 2)
    play(doc, drawn(doc), dict.fromkeys(("e01", "e02"), 5) | dict.fromkeys(("e03", "e04"), None))
    assert "pairing/no_result" in [note.code for note in drawn(doc).notes]


def test_who_did_not_come_does_not_move_up_by_the_ranking() -> None:
    doc = document(4, 2)
    play(doc, drawn(doc), {"e01": 9, "e02": 8, "e03": 7, "e04": 1})
    found = drawn(doc)
    assert tables_of(found) == [{"e01", "e03"}, {"e02", "e04"}]
    play(doc, found, {"e01": 5, "e03": 4, "e02": None, "e04": None})
    doc["past"][-1]["tables"][1]["walkover"] = ["e02"]
    found = drawn(doc)
    assert tables_of(found) == [{"e01", "e04"}, {"e02", "e03"}]
    assert found.notes == ()


def test_a_player_who_is_no_entrant_any_more_leaves_a_hole() -> None:
    doc = document(9)
    found = drawn(doc)
    play(doc, found, in_order(found))
    doc["entrants"] = [e for e in doc["entrants"] if e["ref"] != "e01"]
    assert tables_of(drawn(doc)) == [{"e02", "e03", "e04", "e05"}, {"e06", "e07", "e08", "e09"}]


def test_entrants_who_are_apart_are_said() -> None:
    doc = document(4) | {"apart": [["e01", "e02", "hard"]]}
    assert [(n.code, n.params) for n in drawn(doc).notes] == [("pairing/apart", {"refs": ["e01", "e02"]})]


def test_the_ladder_is_the_start_of_the_next_evening() -> None:
    doc = document(8)
    for _round in range(3):
        found = drawn(doc)
        play(doc, found, in_order(found))
    expected = tables_of(drawn(doc))
    for number, ref in enumerate(order_ladder(decode_competition(doc), LadderOptions()), 1):
        next(e for e in doc["entrants"] if e["ref"] == ref)["start_rank"] = number
    assert tables_of(drawn(doc | {"past": []})) == expected


@pytest.mark.parametrize(
    ("doc", "code"),
    [
        (document(8, up=1, down=2), "pairing/options"),
        (document(8, up=3, down=3), "pairing/options"),
        (document(8, up=0, down=0), "pairing/options"),
        (document(8, 4, 2, up=2, down=2), "pairing/options"),
        (document(3), "pairing/players"),
        (document(8, 2, 2), "pairing/table_size"),
    ],
)
def test_an_impossible_ladder_is_an_error(doc: Document, code: str) -> None:
    with pytest.raises(CompetitionError) as error:
        drawn(doc)
    assert error.value.code == code
