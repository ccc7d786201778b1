"""Whist: the designs, pair by pair, and the pairing system."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.pairing.played_rounds import Document, codes_of, persons, play
from tournaments.competition import CompetitionError, decode_competition
from tournaments.pairing.difference_matrices import find_difference_matrix
from tournaments.pairing.systems import draw_next
from tournaments.pairing.whist_designs import find_whist_design, is_whist

REQUIRED = [n for n in range(4, 42) if n % 4 < 2]
LARGER = [
    *(45, 48, 49, 52, 53, 56, 61, 64, 65, 68, 69, 72, 73, 76, 77, 80, 81, 84, 85, 88, 89, 92, 96, 97, 100),
    *(101, 104, 105, 109, 112, 113, 116, 117, 120, 121, 124, 125, 128),
]
OPEN = [44, 57, 60, 93, 108]


def is_whist_naively(names: list[str], rounds: Iterable[Iterable[tuple[str, ...]]]) -> bool:
    partners: Counter[frozenset[str]] = Counter()
    opponents: Counter[frozenset[str]] = Counter()
    byes: Counter[str] = Counter()
    for tables in rounds:
        out = set(names)
        for a, b, c, d in tables:
            for name in (a, b, c, d):
                out.remove(name)
            partners.update(map(frozenset, ((a, c), (b, d))))
            opponents.update(map(frozenset, ((a, b), (b, c), (c, d), (d, a))))
        byes.update(out)
    everybody = {frozenset(pair) for pair in combinations(names, 2)}
    return (
        all(partners[pair] == 1 and opponents[pair] == 2 for pair in everybody)
        and set(partners) | set(opponents) == everybody
        and all(byes[name] == len(names) % 4 for name in names)
    )


@pytest.mark.parametrize("players", REQUIRED)
def test_everybody_partners_everybody_once(players: int) -> None:
    document: Document = {"system": "whist", "seed": "any", "entrants": persons(players)}
    rounds = play(document)
    assert len(rounds) == (players - 1 if players % 4 == 0 else players)
    assert is_whist_naively([one["ref"] for one in document["entrants"]], (one.tables for one in rounds))
    assert not codes_of(rounds)


@pytest.mark.parametrize("players", [45, 48, 52, 56, 68, 69, 72, 77, 81])
def test_a_larger_design_is_right(players: int) -> None:
    check_design(players)


@pytest.mark.long
def test_every_larger_design_is_right() -> None:
    for players in LARGER:
        check_design(players)


def check_design(players: int) -> None:
    design = find_whist_design(players)
    assert design is not None, players
    names = [str(number) for number in range(players)]
    rounds = [[tuple(str(number) for number in table) for table in tables] for tables in design.rounds]
    assert is_whist_naively(names, rounds), players


def test_other_numbers_have_no_design() -> None:
    wrong = [n for n in range(130) if n % 4 > 1 or n < 4]
    assert all(find_whist_design(players) is None for players in (*wrong, *OPEN))


def test_the_check_finds_a_wrong_design() -> None:
    design = find_whist_design(8)
    assert design is not None
    assert is_whist(8, design.rounds)
    (a, b, c, d), other = design.rounds[0]
    for first in ([(a, c, b, d), other], [(a, b, c, a), other], [other], [(a, b, c, 8), other]):
        assert not is_whist(8, [first, *design.rounds[1:]])
    assert not is_whist(8, design.rounds[1:])


@pytest.mark.parametrize(("order", "rows"), [(5, 5), (8, 8), (12, 4), (20, 4), (21, 4), (24, 4), (28, 4)])
def test_rows_of_a_difference_matrix_differ_by_everything_once(order: int, rows: int) -> None:
    matrix = find_difference_matrix(order, rows)
    assert matrix is not None
    blocks = [block for column in range(order) for block in matrix.parallel_class(column)]
    pairs = Counter(pair for block in blocks for pair in combinations(block, 2))
    assert all(pairs[a, b] == (a // order != b // order) for a, b in combinations(range(order * rows), 2))
    for column in range(order):
        points = [point for block in matrix.parallel_class(column) for point in block]
        assert sorted(points) == list(range(order * rows))


def test_there_is_no_matrix_where_none_is_known() -> None:
    assert find_difference_matrix(6, 4) is None
    assert find_difference_matrix(12, 5) is None
    assert find_difference_matrix(1, 4) is None


def test_without_a_design_the_error_offers_drawn() -> None:
    with pytest.raises(CompetitionError, match="drawn") as refused:
        draw_next(decode_competition({"system": "whist", "entrants": persons(10)}))
    assert refused.value.code == "pairing/no_design"
    assert refused.value.params == {"players": 10, "instead": "drawn"}


def test_the_command_line_refuses_in_one_line() -> None:
    document = json.dumps({"system": "whist", "size": 4, "entrants": persons(7)}).encode()
    done = subprocess.run(
        [sys.executable, "-m", "tournaments.pairing", "next"],
        input=document,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.decode().startswith("pairing/no_design: ")
    assert done.stderr.count(b"\n") == 1


@given(st.randoms(use_true_random=False), st.text(max_size=5))
@settings(max_examples=10, deadline=None)
def test_the_order_of_entrants_does_not_matter(chance: Random, seed: str) -> None:
    entrants = persons(13)
    chance.shuffle(entrants)
    ordered = draw_next(decode_competition({"system": "whist", "seed": seed, "entrants": persons(13)}))
    assert draw_next(decode_competition({"system": "whist", "seed": seed, "entrants": entrants})) == ordered


def test_another_seed_draws_other_tables() -> None:
    drawn = [
        draw_next(decode_competition({"system": "whist", "seed": str(n), "entrants": persons(8)}))
        for n in range(5)
    ]
    assert len({str(one) for one in drawn}) == len(drawn)


@pytest.mark.parametrize("players", [8, 9, 12, 13])
def test_an_absent_player_leaves_an_empty_chair_and_nobody_else_notices(players: int) -> None:
    whole = play({"system": "whist", "seed": "s", "entrants": persons(players)})
    document: Document = {
        "system": "whist",
        "seed": "s",
        "entrants": persons(players),
        "absent_rounds": {"p00": [2], "p01": [2, 3]},
    }
    rounds = play(document)
    assert len(rounds) == len(whole)
    for planned, played in zip(whole, rounds, strict=True):
        away = {"p00": (2,), "p01": (2, 3)}
        gone = {ref for ref, numbers in away.items() if played.number in numbers}
        partners = {frozenset(pair) for seats in planned.tables for pair in (seats[::2], seats[1::2])}
        kept = {frozenset((seats[0], seats[2])) for seats in played.tables if len(seats) >= 3}
        assert all(pair in partners for pair in kept)
        empty = {note.params["ref"] for note in played.notes if note.code == "pairing/empty_chair"}
        assert empty == gone - set(planned.byes)


def test_the_note_names_table_and_seat_of_an_empty_chair() -> None:
    document: Document = {
        "system": "whist",
        "seed": "s",
        "entrants": persons(8),
        "absent_rounds": {"p03": [1]},
    }
    (first,) = play(document, 1)
    (note,) = first.notes
    assert note.code == "pairing/empty_chair"
    assert note.params == {"table": note.params["table"], "seat": 3, "ref": "p03"}
    assert [len(seats) for seats in first.tables][note.params["table"] - 1] == 3


def test_a_late_entrant_takes_the_place_of_a_player_who_left() -> None:
    def change(document: Document, number: int) -> None:
        if number == 3:
            document["entrants"] = [*persons(9), {"ref": "late", "from_round": 3}]
            document["entrants"][4]["until_round"] = 2

    rounds = play({"system": "whist", "seed": "s", "entrants": persons(9)}, change=change)
    assert len(rounds) == 9
    renamed = [
        [tuple("p04" if person == "late" else person for person in seats) for seats in one.tables]
        for one in rounds
    ]
    assert is_whist_naively([one["ref"] for one in persons(9)], renamed)
    assert codes_of(rounds) == {"pairing/stand_in"}


def test_a_late_entrant_without_an_empty_chair_has_a_bye() -> None:
    def change(document: Document, number: int) -> None:
        if number == 2:
            document["entrants"].append({"ref": "late", "from_round": 2})

    rounds = play({"system": "whist", "seed": "s", "entrants": persons(8)}, change=change)
    assert [one.byes for one in rounds] == [(), *[("late",)] * 6]
    assert codes_of(rounds) == {"pairing/no_seat"}


def test_a_removed_player_leaves_the_design_as_it_is() -> None:
    def change(document: Document, number: int) -> None:
        if number == 2:
            document["entrants"] = document["entrants"][1:]

    rounds = play({"system": "whist", "seed": "s", "entrants": persons(8)}, change=change)
    assert len(rounds) == 7
    assert codes_of(rounds) == {"pairing/empty_chair"}


def test_a_round_made_by_hand_does_not_lose_a_round_of_the_design() -> None:
    document: Document = {"system": "whist", "seed": "s", "entrants": persons(12)}
    names = [one["ref"] for one in document["entrants"]]
    by_hand = [{"seats": names[at : at + 4]} for at in (0, 4, 8)]
    document["past"] = [{"round": 1, "tables": by_hand}]
    rounds = [draw_next(decode_competition(document))]
    while rounds[-1] is not None:
        document["past"].append(
            {"round": rounds[-1].number, "tables": [{"seats": list(seats)} for seats in rounds[-1].tables]}
        )
        rounds.append(draw_next(decode_competition(document)))
    designed = [one for one in rounds if one is not None]
    assert is_whist_naively(names, (one.tables for one in designed))
    assert codes_of(designed) == {"pairing/plan_left"}


def test_players_who_are_kept_apart_are_named_when_they_meet() -> None:
    document: Document = {
        "system": "whist",
        "seed": "s",
        "entrants": persons(8),
        "apart": [["p01", "p00", "hard"]],
    }
    notes = [note for one in play(document) for note in one.notes]
    assert [note.code for note in notes] == ["pairing/apart"] * 3
    assert all(note.params["one"] == "p00" and note.params["other"] == "p01" for note in notes)


def test_fewer_rounds_may_be_planned() -> None:
    assert len(play({"system": "whist", "entrants": persons(16), "rounds": 4})) == 4
    assert len(play({"system": "whist", "entrants": persons(5), "rounds": 9})) == 5


def test_with_almost_everybody_away_the_last_player_has_a_bye() -> None:
    document: Document = {
        "system": "whist",
        "entrants": persons(4),
        "absent_rounds": {"p00": [1], "p01": [1], "p02": [1]},
    }
    rounds = play(document, 2)
    assert rounds[0].byes == ("p03",)
    assert {note.code for note in rounds[0].notes} == {"pairing/no_table"}
    assert len(rounds[1].tables) == 1
