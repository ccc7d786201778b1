"""Open heat: who is seated from the queue, held against all groupings of short queues."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.competition import CompetitionError, decode_competition
from tournaments.pairing.systems import NextRound, draw_next

pytestmark = pytest.mark.slow

Document = dict[str, Any]
Tables = Sequence[Sequence[str]]


def document(waiting: Sequence[str], past: Tables = (), size: int = 4, **options: Any) -> Document:
    """A queue of persons, in this order, each waiting as a start; `past` are the tables of one session."""
    return {
        "system": "open",
        "size": size,
        "seed": "queue",
        "options": options,
        "entrants": [
            {"ref": f"s{at:03}", "members": [person], "start_rank": at} for at, person in enumerate(waiting)
        ],
        "past": [{"round": 1, "tables": [{"seats": list(seats)} for seats in past]}] if past else [],
    }


def drawn(given_document: Document) -> NextRound:
    found = draw_next(decode_competition(given_document))
    assert found is not None
    return found


def notes(found: NextRound) -> dict[str, Any]:
    return {note.code: note.params for note in found.notes}


def groupings(persons: tuple[str, ...], tables: int, size: int) -> Iterator[list[tuple[str, ...]]]:
    """All ways to seat so many tables, the rest waits: written only for this test."""
    if tables == 0:
        yield []
        return
    for table in combinations(persons, size):
        rest = tuple(p for p in persons if p not in table and persons.index(p) > persons.index(table[0]))
        for others in groupings(rest, tables - 1, size):
            yield [table, *others]


def naive_cost(tables: Tables, queue: Sequence[str], past: Tables) -> tuple[int, int, int, int, int]:
    """Tables again, the first left waiting, meetings again, partners again, places in the queue."""
    met = Counter(frozenset(pair) for seats in past for pair in combinations(seats, 2))
    partners = Counter(frozenset(s[at::2]) for s in past if len(s) == 4 for at in (0, 1))
    seated = [person for seats in tables for person in seats]
    splits = sum(
        min(
            partners[frozenset((seats[0], mate))] + partners[frozenset(set(seats) - {seats[0], mate})]
            for mate in seats[1:]
        )
        for seats in tables
        if len(seats) == 4
    )
    return (
        sum(any(set(seats) == set(old) for old in past) for seats in tables),
        queue[0] not in seated,
        sum(met[frozenset(pair)] for seats in tables for pair in combinations(seats, 2)),
        splits,
        sum(queue.index(person) for person in seated),
    )


@given(st.integers(4, 9), st.sampled_from([2, 3, 4, 4]), st.randoms(use_true_random=False))
@settings(max_examples=50, deadline=None)
def test_a_short_queue_is_seated_as_well_as_possible(count: int, size: int, chance: random.Random) -> None:
    people = [f"p{number}" for number in range(count)]
    crowd = [*people, "gone", "absent"]
    past = [chance.sample(crowd, size) for _table in range(chance.randint(0, 14))]
    found = drawn(document(people, past, size))
    assert len(found.tables) == count // size
    assert found.byes == ()
    best = min(naive_cost(tables, people, past) for tables in groupings(tuple(people), count // size, size))
    assert naive_cost(found.tables, people, past) == best
    again = sum(any(set(seats) == set(old) for old in past) for seats in found.tables)
    assert sum(note.code == "pairing/same_table" for note in found.notes) == again
    if size == 4:
        partners = Counter(frozenset(s[at::2]) for s in past for at in (0, 1))
        assert sum(partners[frozenset(s[at::2])] for s in found.tables for at in (0, 1)) == best[3]


@given(st.randoms(use_true_random=False))
@settings(max_examples=20, deadline=None)
def test_a_person_has_one_table_however_many_starts(chance: random.Random) -> None:
    starts = [f"p{chance.randint(0, 9)}" for _start in range(chance.randint(4, 24))]
    doc = document(starts)
    found = drawn(doc)
    seated = [person for seats in found.tables for person in seats]
    assert len(seated) == len(set(seated)) == len(set(starts)) // 4 * 4
    assert notes(found).get("pairing/waiting", {"waiting": 0}) == {"waiting": len(starts) - len(seated)}
    chance.shuffle(doc["entrants"])
    assert drawn(doc) == found


def test_the_same_four_do_not_meet_again_in_a_long_session() -> None:
    chance = random.Random(5)
    people = [f"p{number:02}" for number in range(40)]
    past: list[Sequence[str]] = []
    for _draw in range(20):
        queue = chance.sample(people, chance.randint(4, 30))
        found = drawn(document(queue, past))
        assert len(found.tables) == len(queue) // 4
        assert queue[0] in {person for seats in found.tables for person in seats}
        past += found.tables
    assert len({frozenset(seats) for seats in past}) == len(past)


def test_too_few_wait() -> None:
    found = drawn(document(["a", "b", "c"]))
    assert (found.tables, notes(found)) == ((), {"pairing/waiting": {"waiting": 3}})
    assert notes(drawn(document([]))) == {}


def test_the_queue_waits_for_a_mixture() -> None:
    people = [f"p{number}" for number in range(10)]
    assert [len(drawn(document(people[:n], mix=2)).tables) for n in (5, 6, 9, 10)] == [0, 1, 1, 2]


def test_four_who_have_met_play_again_only_where_nobody_else_waits() -> None:
    past = [("a", "b", "c", "d")]
    found = drawn(document("abcd", past))
    assert "pairing/same_table" in notes(found)
    assert {frozenset(s[at::2]) for s in found.tables for at in (0, 1)} & {
        frozenset("ac"),
        frozenset("bd"),
    } == set()
    assert set(drawn(document("abcde", past)).tables[0]) == set("abce")


def test_apart_by_rule_is_never_seated_together() -> None:
    doc = document("abcd") | {"apart": [["a", "b", "hard"]]}
    assert drawn(doc).tables == ()
    doc = document("abcde") | {"apart": [["a", "b", "hard"]]}
    assert set(drawn(doc).tables[0]) == set("acde")
    doc = document("abcde") | {"apart": [["a", "b", "soft"]]}
    assert set(drawn(doc).tables[0]) == set("acde")
    doc = document("abcde")
    for entrant in doc["entrants"][:2]:
        entrant["team"] = "club"
    assert set(drawn(doc).tables[0]) == set("acde")


def test_pairs_stay_together() -> None:
    doc = document([])
    doc["entrants"] = [{"ref": ref, "members": [f"{ref}1", f"{ref}2"]} for ref in "ABCDE"]
    doc["past"] = [{"round": 1, "tables": [{"seats": ["A1", "B1", "A2", "B2"]}]}]
    found = drawn(doc)
    assert len(found.tables) == 2
    assert all({s[0][0], s[1][0]} != {"A", "B"} for s in found.tables)
    assert all(s[0][0] == s[2][0] and s[1][0] == s[3][0] for s in found.tables)


def pairs_document(queue: Sequence[tuple[str, str]], past: Tables = ()) -> Document:
    """A queue of pairs, in this order."""
    doc = document([], past)
    doc["entrants"] = [
        {"ref": f"s{at:03}", "members": list(pair), "start_rank": at} for at, pair in enumerate(queue)
    ]
    return doc


@given(st.integers(2, 6), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_a_short_queue_of_pairs_is_seated_as_well_as_possible(count: int, chance: random.Random) -> None:
    people = [f"p{number:02}" for number in range(2 * count)]
    queue = list(zip(people[::2], people[1::2], strict=True))
    crowd = [*people, "gone", "absent"]
    past = [chance.sample(crowd, 4) for _table in range(chance.randint(0, 8))]
    past += [
        [a[0], b[0], a[1], b[1]] for a, b in [chance.sample(queue, 2) for _ in range(chance.randint(0, 5))]
    ]
    doc = pairs_document(queue, past)
    found = drawn(doc)
    assert all({(s[0], s[2]), (s[2], s[0])} & set(queue) for s in found.tables)
    assert all({(s[1], s[3]), (s[3], s[1])} & set(queue) for s in found.tables)

    def cost(tables: Tables) -> tuple[int, int, int, int]:
        """The same four again, the first left waiting, meetings of opponents again, places in the queue."""
        met = Counter(frozenset(pair) for seats in past for pair in combinations(seats, 2))
        against = [(a, b) for s in tables for a in s[::2] for b in s[1::2]]
        seated = {person for s in tables for person in s}
        return (
            sum(any(set(s) == set(old) for old in past) for s in tables),
            queue[0][0] not in seated,
            sum(met[frozenset(pair)] for pair in against),
            sum(at for at, pair in enumerate(queue) if pair[0] in seated),
        )

    names = tuple(f"{at}" for at in range(count))
    every = [
        [(*queue[int(a)][:1], queue[int(b)][0], queue[int(a)][1], queue[int(b)][1]) for a, b in tables]
        for tables in groupings(names, count // 2, 2)
    ]
    assert len(found.tables) == count // 2
    assert cost(found.tables) == min(map(cost, every))
    again = sum(any(set(s) == set(old) for old in past) for s in found.tables)
    assert sum(note.code == "pairing/same_table" for note in found.notes) == again
    chance.shuffle(doc["entrants"])
    assert drawn(doc) == found


def test_pairs_that_share_a_person_do_not_sit_down_together() -> None:
    found = drawn(pairs_document([("a", "b"), ("a", "c"), ("d", "e"), ("b", "f")]))
    assert [set(seats) for seats in found.tables] == [set("abde")]
    assert notes(found) == {"pairing/waiting": {"waiting": 2}}


def test_the_same_two_pairs_do_not_meet_again_in_a_long_session() -> None:
    chance = random.Random(7)
    people = [f"p{number:02}" for number in range(24)]
    past: list[Sequence[str]] = []
    for _draw in range(20):
        chosen = chance.sample(people, 2 * chance.randint(3, 12))
        found = drawn(pairs_document(list(zip(chosen[::2], chosen[1::2], strict=True)), past))
        assert len(found.tables) == len(chosen) // 4
        past += found.tables
    assert len({frozenset(seats) for seats in past}) == len(past)


def test_it_is_not_over_by_itself() -> None:
    doc = document("abcd", [("e", "f", "g", "h")]) | {"rounds": 1}
    assert len(drawn(doc).tables) == 1


@pytest.mark.parametrize(
    ("doc", "code"),
    [
        (document("abcd", mix=-1), "pairing/options"),
        (document([], size=2) | {"entrants": [{"ref": "A", "members": ["a", "b"]}]}, "pairing/table_size"),
    ],
)
def test_an_impossible_queue_is_an_error(doc: Document, code: str) -> None:
    with pytest.raises(CompetitionError) as error:
        drawn(doc)
    assert error.value.code == code
