"""Team against team: an encounter is a row of tables, every member sits once, and who meets whom moves on."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.competition import CompetitionError, EntrantRecord, decode_competition
from tournaments.pairing.systems import draw_next
from tournaments.pairing.systems.system import match_tables
from tournaments.standings.competition_ranking import rank_competition

SYSTEMS = ("round_robin", "swiss", "knock_out")


def team(name: str, members: int) -> dict[str, Any]:
    return {"ref": name, "members": [f"{name}{place}" for place in range(members)]}


@pytest.mark.parametrize("system", SYSTEMS)
@given(count=st.integers(2, 9), tables=st.integers(2, 5), rounds=st.integers(1, 3))
def test_the_tables_of_an_encounter_stand_side_by_side(
    system: str, count: int, tables: int, rounds: int
) -> None:
    entrants = [team("ABCDEFGHI"[at], 2 * tables) for at in range(count)]
    past: list[dict[str, Any]] = []
    for number in range(1, rounds + 1):
        found = draw_next(
            decode_competition(
                {"system": system, "size": 4, "seed": "s", "rounds": 9, "entrants": entrants, "past": past}
            )
        )
        if found is None:
            return
        names = [frozenset(person[0] for person in seats) for seats in found.tables]
        assert all(len(set(names[at : at + tables])) == 1 for at in range(0, len(names), tables))
        assert len(set(names)) * tables == len(names)
        assert all(len({seats[0][0], seats[2][0]}) == 1 for seats in found.tables)
        assert all(seats[0][0] != seats[1][0] for seats in found.tables)
        seated = [person for seats in found.tables for person in seats]
        assert len(set(seated)) == len(seated) == 2 * tables * 2 * len(set(names))
        played = [
            {"seats": seats, "points": [90 + at, 67, 90 + at, 67]} for at, seats in enumerate(found.tables)
        ]
        past.append({"round": number, "tables": played, "byes": found.byes})


@given(tables=st.integers(1, 6), first=st.integers(1, 20))
def test_in_as_many_rounds_as_there_are_tables_all_halves_of_two_teams_meet_once(
    tables: int, first: int
) -> None:
    one, other = (EntrantRecord(ref=name, members=tuple(team(name, 2 * tables)["members"])) for name in "AB")
    met = set()
    for number in range(first, first + tables):
        for seats in match_tables(one, other, 4, number):
            assert one.members.index(seats[2]) == one.members.index(seats[0]) + 1
            assert other.members.index(seats[3]) == other.members.index(seats[1]) + 1
            met.add((seats[0], seats[1]))
    assert len(met) == tables * tables


def test_the_tables_of_a_reserve_count_for_its_team() -> None:
    document: dict[str, Any] = {
        "system": "round_robin",
        "seed": "s",
        "entrants": [{**team("A", 4), "reserves": ["A9"]}, team("B", 4)],
        "past": [
            {
                "round": 1,
                "tables": [
                    {"seats": ["A9", "B0", "A1", "B1"], "points": [100, 57, 100, 57]},
                    {"seats": ["A2", "B2", "A3", "B3"], "points": [50, 107, 50, 107]},
                ],
            }
        ],
    }
    lines = rank_competition(decode_competition(document))
    assert [(line.ref, line.total) for line in lines] == [("B", 164), ("A", 150)]
    with pytest.raises(CompetitionError) as error:
        decode_competition({**document, "entrants": [{**team("A", 4), "reserves": ["B0"]}, team("B", 4)]})
    assert error.value.code == "pairing/person_twice"


def test_a_meeting_of_teams_to_be_kept_apart_is_noted_at_its_first_table() -> None:
    document: dict[str, Any] = {
        "system": "round_robin",
        "seed": "s",
        "entrants": [team(name, 4) for name in "ABCD"],
        "apart": [["A", one, "soft"] for one in "BCD"],
    }
    for _number in range(3):
        drawn = draw_next(decode_competition(document))
        assert drawn is not None
        noted = {drawn.tables[note.params["table"] - 1] for note in drawn.notes}
        of_a = [seats for seats in drawn.tables if any(person[0] == "A" for person in seats)]
        assert noted == {of_a[0]}
        played = {"round": drawn.number, "tables": [{"seats": list(seats)} for seats in drawn.tables]}
        document["past"] = [*document.get("past", ()), played]
