"""The system `drawn`: entrants kept apart, and members of one team."""

import pytest

from tests.tournaments.pairing.played_rounds import Document, codes_of, persons, play


@pytest.mark.parametrize("when", ["each_round", "at_start"])
@pytest.mark.parametrize("count", [5, 7])
def test_a_rule_keeps_two_entrants_apart_where_a_bye_can(count: int, when: str) -> None:
    document: Document = {
        "options": {"when": when},
        "rounds": 2,
        "seed": "h1",
        "entrants": persons(count),
        "apart": [["p00", "p01", "hard"]],
    }
    rounds = play(document)
    assert len(rounds) == 2
    assert not any({"p00", "p01"} <= set(seats) for one in rounds for seats in one.tables)
    assert codes_of(rounds) == set()


def test_a_separation_that_cannot_be_kept_is_noted() -> None:
    rounds = play({"rounds": 1, "entrants": persons(4), "apart": [["p00", "p01", "hard"]]})
    assert codes_of(rounds) == {"pairing/apart"}


def test_members_of_a_team_do_not_sit_together() -> None:
    entrants = [{**one, "team": f"T{at % 4}"} for at, one in enumerate(persons(16))]
    team_of = {one["ref"]: one["team"] for one in entrants}
    rounds = play({"rounds": 2, "entrants": entrants})
    for seats in (seats for one in rounds for seats in one.tables):
        assert len({team_of[person] for person in seats}) == 4


def test_a_rule_is_kept_before_the_teams() -> None:
    entrants = [{**one, "team": f"T{at % 2}"} for at, one in enumerate(persons(8))]
    apart = [["p00", f"p0{other}", "hard"] for other in (1, 2, 3)]
    (found,) = play({"rounds": 1, "entrants": entrants, "apart": apart})
    table = next(set(seats) for seats in found.tables if "p00" in seats)
    assert not any({one, other} <= table for one, other, _how in apart)
