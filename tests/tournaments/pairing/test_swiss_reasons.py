"""Reasons of a Swiss round, and its check without a solver."""

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.pairing.swiss_check import verify_round
from tests.tournaments.pairing.swiss_playing import draw, entrants_of, make_document, make_pairs, play_rounds
from tournaments.competition import Competition, decode_competition
from tournaments.pairing.systems import NextRound
from tournaments.pairing.systems.swiss_field import (
    RoundCost,
    add_costs,
    build_field,
    read_round,
    read_swiss_options,
)
from tournaments.pairing.systems.swiss_reasons import (
    TableReason,
    count_side_by_side,
    explain_tables,
    note_reasons,
)


def explain_round(competition: Competition, drawn_round: NextRound) -> list[TableReason]:
    """Explain a round of tables of two entrants, drawn for the next round of this competition."""
    swiss = build_field(competition, read_swiss_options(competition))
    tables, byes = read_round(competition, swiss, drawn_round)
    pairs = [(min(table), max(table)) for table in tables]
    return explain_tables(swiss, pairs, byes, count_side_by_side(drawn_round.tables, pairs))


def compute_cost(competition: Competition, drawn_round: NextRound) -> RoundCost:
    """Return the cost of a round without byes, apart from the lot between level rounds."""
    swiss = build_field(competition, read_swiss_options(competition))
    tables, _byes = read_round(competition, swiss, drawn_round)
    return add_costs(*(swiss.table_cost(min(table), max(table)) for table in tables))


def ranked(size: int, **more: Any) -> dict[str, Any]:
    entrants = [{"ref": f"E{n}", "start_rank": n} for n in range(size)]
    return make_document(size, entrants=entrants, options={"first": "start_rank", "reasons": True}, **more)


@given(
    size=st.integers(1, 40),
    rounds=st.integers(0, 9),
    seed=st.integers(0, 99),
    groups=st.sampled_from([2, 3, 4]),
)
@settings(deadline=None, max_examples=30)
def test_a_round_that_was_drawn_is_verified(size: int, rounds: int, seed: int, groups: int) -> None:
    document = make_document(size, seed=str(seed), size=groups)
    play_rounds(document, rounds, seed)
    assert verify_round(decode_competition(document), draw(document)) == []


@given(rounds=st.integers(1, 5), seed=st.integers(0, 99))
@settings(deadline=None, max_examples=30)
def test_exchanged_opponents_are_found(rounds: int, seed: int) -> None:
    document = make_pairs(16, seed=str(seed))
    play_rounds(document, rounds, seed)
    found, competition = draw(document), decode_competition(document)
    (_a, b), *_, (_c, d) = entrants_of(competition, found)[0]
    swap = dict(zip(competition.by_ref[b].persons, competition.by_ref[d].persons, strict=True))
    swap |= {other: person for person, other in swap.items()}
    tables = tuple(tuple(swap.get(person, person) for person in table) for table in found.tables)
    exchanged = replace(found, tables=tables)
    costs_more = compute_cost(competition, exchanged) > compute_cost(competition, found)
    assert bool(verify_round(competition, exchanged)) == costs_more


def test_a_bye_for_a_friend_a_missing_and_a_doubled_person_are_found() -> None:
    document = ranked(5)
    competition, found = decode_competition(document), draw(document)
    assert found.byes == ("E4",)
    friend = NextRound(1, (("E1", "E2"), ("E3", "E4")), ("E0",))
    assert "better: the bye for E4 instead of E3" not in verify_round(competition, friend)
    assert any(text.startswith("better: the bye") for text in verify_round(competition, friend))
    assert verify_round(competition, NextRound(1, (("E0", "E1"), ("E2", "E3")))) == [
        "E4 has 0 tables and byes"
    ]
    doubled = NextRound(1, (("E0", "E1"), ("E2", "E3"), ("E4", "E0")))
    assert verify_round(competition, doubled) == ["E0 has 2 tables and byes"]
    stranger = replace(found, byes=("X",))
    assert "E4 has 0 tables and byes" in verify_round(competition, stranger)


def test_a_repeat_that_an_exchange_avoids_is_found() -> None:
    document = ranked(4)
    document["past"] = [{"round": 1, "tables": [{"seats": ["E0", "E1"]}, {"seats": ["E2", "E3"]}]}]
    again = NextRound(2, (("E0", "E1"), ("E2", "E3")))
    assert len(verify_round(decode_competition(document), again)) == 2


def test_reasons_name_the_nearest_opponent_and_what_an_exchange_costs() -> None:
    document = ranked(4, apart=[["E0", "E1", "hard"]])
    document["past"] = [{"round": 1, "tables": [{"seats": ["E2", "E3"]}]}]
    found = draw(document)
    one, two = explain_round(decode_competition(document), found)
    assert (one.refs, one.nearest, one.reason) == (("E0", "E2"), "E1", "apart")
    assert two.values() == {
        "table": 2,
        "refs": ["E1", "E3"],
        "distance": 2,
        "nearest": "E2",
        "reason": "costs_more",
        "extra": 2,
    }
    assert [note.params["table"] for note in found.notes if note.code == "pairing/table"] == [1, 2]


def test_a_reason_may_be_the_bye_a_meeting_or_the_cost() -> None:
    document = ranked(6)
    document["past"] = [{"round": 1, "tables": [{"seats": ["E1", "E0"]}]}]
    reasons = explain_round(decode_competition(document), draw(document))
    assert (reasons[0].nearest, reasons[0].reason) == ("E1", "met")
    by_hand = NextRound(2, (("E0", "E5"), ("E1", "E2"), ("E3", "E4")))
    first = explain_round(decode_competition(document), by_hand)[0]
    assert (first.nearest, first.reason) == ("E1", "met")
    by_hand = NextRound(2, (("E1", "E5"), ("E2", "E3"), ("E0", "E4")))
    reasons = explain_round(decode_competition(document), by_hand)
    assert {reason.reason for reason in reasons} == {"none", None, "met"}
    three = ranked(3)
    by_hand = NextRound(1, (("E0", "E2"),), ("E1",))
    assert explain_round(decode_competition(three), by_hand)[0].reason == "bye"


def test_larger_tables_have_no_reasons() -> None:
    document = make_document(8, size=4)
    notes = note_reasons(decode_competition(document), draw(document))
    assert {note.code for note in notes} == {"why/group"}
