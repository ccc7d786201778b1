"""Single players at tables of three and four: neighbours, few repeats, the search repeated exactly."""

import random
from fractions import Fraction
from itertools import combinations

import pytest

from tests.tournaments.pairing.swiss_playing import Reference, draw, make_document, play
from tournaments.competition import decode_competition, write_number
from tournaments.pairing.systems import NextRound


def together(found: NextRound) -> list[frozenset[str]]:
    return [frozenset(pair) for seats in found.tables for pair in combinations(seats, 2)]


@pytest.mark.parametrize(("count", "size"), [(3, 3), (20, 3), (50, 3), (4, 4), (19, 4), (16, 4), (98, 4)])
def test_everybody_has_a_table_or_one_of_as_few_byes_as_possible(count: int, size: int) -> None:
    document, numbers = make_document(count, size=size), random.Random(1)
    for _ in range(5):
        found, reference = draw(document), Reference(document)
        assert sorted([p for seats in found.tables for p in seats] + list(found.byes)) == sorted(
            reference.refs
        )
        assert {len(seats) for seats in found.tables} == {size}
        assert len(found.byes) == count % size
        due = sorted((reference.byes[ref], -reference.rank[ref]) for ref in reference.refs)
        assert (
            sorted((reference.byes[ref], -reference.rank[ref]) for ref in found.byes) == due[: count % size]
        )
        play(document, found, numbers)


def test_the_note_counts_repeats_and_spread() -> None:
    document, numbers = make_document(24, size=4, partners=False), random.Random(2)
    for _ in range(6):
        found, reference = draw(document), Reference(document)
        (note,) = [note for note in found.notes if note.code == "pairing/groups"]
        spread = Fraction(0)
        for seats in found.tables:
            ranks = [reference.rank[ref] for ref in seats]
            spread += (max(ranks) - min(ranks)) ** 2
        repeats = sum(pair in reference.met for pair in together(found))
        assert note.params == {"repeats": repeats, "spread": write_number(spread), "version": 1}
        play(document, found, numbers)


@pytest.mark.parametrize(("count", "size", "rounds"), [(100, 4, 5), (60, 3, 6), (40, 4, 4)])
def test_few_rounds_have_no_repeat(count: int, size: int, rounds: int) -> None:
    document, numbers = make_document(count, size=size), random.Random(3)
    for _ in range(rounds):
        found = draw(document)
        assert [note.params["repeats"] for note in found.notes if note.code == "pairing/groups"] == [0]
        play(document, found, numbers)


def test_neighbours_without_a_past_sit_together() -> None:
    entrants = [{"ref": f"E{n:02}", "start_rank": n} for n in range(1, 17)]
    found = draw({"system": "swiss", "entrants": entrants, "options": {"first": "start_rank"}})
    assert [sorted(seats) for seats in found.tables] == [
        [f"E{n:02}" for n in range(at, at + 4)] for at in (1, 5, 9, 13)
    ]


def test_partners_at_a_table_are_new_where_they_can_be() -> None:
    document, numbers = make_document(4, size=4), random.Random(4)
    seen: set[frozenset[str]] = set()
    for _ in range(3):
        found = draw(document)
        ((a, b, c, d),) = found.tables
        seen |= {frozenset((a, c)), frozenset((b, d))}
        play(document, found, numbers)
    assert len(seen) == 6


def test_entrants_apart_do_not_share_a_table_and_the_order_does_not_matter() -> None:
    document = make_document(40, size=4, apart=[[f"E{n}", f"E{n + 1}", "hard"] for n in range(39)])
    found = draw(document)
    apart = {frozenset(pair[:2]) for pair in document["apart"]}
    assert not apart & set(together(found))
    document["entrants"].reverse()
    document["apart"].reverse()
    assert draw(document) == found
    assert decode_competition(document).entrants[0].ref == "E39"
