"""Round robin: meetings, seats and byes, also where the plan cannot be followed."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.pairing.played_rounds import Document, codes_of, meetings_of, pairs, persons, play
from tournaments.competition import CompetitionError, decode_competition
from tournaments.pairing.first_seats import balance_first_seats
from tournaments.pairing.systems import draw_next


def singles(count: int, **more: object) -> Document:
    return {"system": "round_robin", "size": 2, "seed": "s", "entrants": persons(count), **more}


def teams(count: int, members: int) -> list[Document]:
    return [{"ref": f"T{n}", "members": [f"t{n}m{m}" for m in range(members)]} for n in range(count)]


def count_meetings(rounds: list[list[tuple[str, str]]]) -> Counter[frozenset[str]]:
    return Counter(frozenset(pair) for meetings in rounds for pair in meetings)


def leads_of(rounds: list[list[tuple[str, str]]]) -> Counter[str]:
    lead: Counter[str] = Counter()
    for first, second in (pair for meetings in rounds for pair in meetings):
        lead[first] += 1
        lead[second] -= 1
    return lead


def all_pairs(document: Document) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in combinations([one["ref"] for one in document["entrants"]], 2)}


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 7, 8, 11, 12, 21])
def test_everybody_meets_everybody_once(count: int) -> None:
    document = singles(count)
    rounds = play(document)
    meetings = meetings_of(document, rounds)
    assert len(rounds) == count - 1 + count % 2
    assert count_meetings(meetings) == Counter(all_pairs(document))
    assert max(map(abs, leads_of(meetings).values())) <= 1
    byes = Counter(ref for one in rounds for ref in one.byes)
    assert byes == (Counter(one["ref"] for one in document["entrants"]) if count % 2 else {})
    assert not codes_of(rounds)


@pytest.mark.parametrize("count", [3, 4, 7, 8])
def test_the_second_cycle_has_the_seats_reversed(count: int) -> None:
    document = singles(count, options={"twice": True})
    meetings = meetings_of(document, rounds := play(document))
    half = count - 1 + count % 2
    assert len(rounds) == 2 * half
    assert [[(b, a) for a, b in one] for one in meetings[:half]] == meetings[half:]
    assert set(count_meetings(meetings).values()) == {2}
    for cycle in (rounds[:half], rounds[half:]):
        byes = Counter(ref for one in cycle for ref in one.byes)
        assert len(byes) == (count if count % 2 else 0)


@pytest.mark.parametrize(
    ("size", "entrants"), [(4, pairs(5)), (2, pairs(4)), (4, teams(4, 4)), (2, teams(5, 3))]
)
def test_pairs_and_teams_meet_at_as_many_tables_as_they_need(size: int, entrants: list[Document]) -> None:
    document = {"system": "round_robin", "size": size, "entrants": entrants}
    rounds = play(document)
    assert count_meetings(meetings_of(document, rounds)) == Counter(all_pairs(document))
    tables_each = len(entrants[0]["members"]) // (size // 2)
    assert all(len(one.tables) == tables_each * (len(entrants) // 2) for one in rounds)


@pytest.mark.parametrize(("size", "entrants"), [(4, persons(4)), (4, teams(4, 3))])
def test_entrants_that_do_not_fill_a_side_are_refused(size: int, entrants: list[Document]) -> None:
    with pytest.raises(CompetitionError) as refused:
        draw_next(decode_competition({"system": "round_robin", "size": size, "entrants": entrants}))
    assert refused.value.code == "pairing/table_size"


@pytest.mark.parametrize("rounds", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("count", [9, 12])
def test_a_shorter_event_is_balanced_as_well(count: int, rounds: int) -> None:
    document = singles(count, rounds=rounds)
    played = play(document)
    meetings = meetings_of(document, played)
    assert len(played) == rounds
    assert set(count_meetings(meetings).values()) == {1}
    assert max(map(abs, leads_of(meetings).values())) <= 1


@given(st.integers(4, 9), st.data())
@settings(max_examples=25, deadline=None)
def test_missed_meetings_are_made_up(count: int, data: st.DataObject) -> None:
    absent = st.dictionaries(
        st.sampled_from([one["ref"] for one in persons(count)]),
        st.lists(st.integers(1, 5), max_size=2),
        max_size=3,
    )
    document = singles(count, absent_rounds=data.draw(absent))
    meetings = meetings_of(document, rounds := play(document))
    assert count_meetings(meetings) == Counter(all_pairs(document))
    assert len(rounds) <= count + 6
    assert max(map(abs, leads_of(meetings).values())) <= 1


@given(st.integers(3, 9), st.integers(2, 5), st.booleans())
@settings(max_examples=25, deadline=None)
def test_late_entrants_meet_everybody(count: int, since: int, twice: bool) -> None:
    def change(document: Document, number: int) -> None:
        if number == since:
            document["entrants"].append({"ref": "late", "from_round": since})

    document = singles(count, options={"twice": twice})
    if since > count - 1 + count % 2:
        document["entrants"].append({"ref": "late", "from_round": since})
        change = None  # type: ignore[assignment]  # known from the beginning
    meetings = meetings_of(document, play(document, change=change))
    assert count_meetings(meetings) == Counter(dict.fromkeys(all_pairs(document), 2 if twice else 1))
    assert max(map(abs, leads_of(meetings).values())) <= 1


@pytest.mark.parametrize("count", [6, 7, 8, 9])
@pytest.mark.parametrize("removed", [False, True])
def test_the_others_go_on_when_somebody_leaves(count: int, removed: bool) -> None:
    def change(document: Document, number: int) -> None:
        if number == 3 and not removed:
            document["entrants"][0]["until_round"] = 2
        elif number == 3:
            document["entrants"] = document["entrants"][1:]
            for one in document["past"]:
                one["byes"] = [ref for ref in one["byes"] if ref != "p00"]

    document = singles(count)
    rounds = play(document, change=change)
    remaining = {frozenset(pair) for pair in combinations([f"p{n:02}" for n in range(1, count)], 2)}
    found = Counter(frozenset(seats) for one in rounds for seats in one.tables)
    assert remaining <= set(found)
    assert set(found.values()) == {1}
    assert len(rounds) <= count


@given(st.integers(4, 8), st.integers(1, 3), st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_rounds_made_by_hand_are_taken_into_account(count: int, by_hand: int, chance: Random) -> None:
    document = singles(count)
    names = [one["ref"] for one in document["entrants"]]
    met: set[frozenset[str]] = set()
    past = []
    for number in range(1, by_hand + 1):
        chance.shuffle(names)
        tables = [names[at : at + 2] for at in range(0, count - 1, 2)]
        tables = [seats for seats in tables if frozenset(seats) not in met]
        met |= {frozenset(seats) for seats in tables}
        past.append({"round": number, "tables": [{"seats": seats} for seats in tables]})
    found = set(met)
    for _ in range(3 * count):
        drawn = draw_next(decode_competition({**document, "past": past}))
        if drawn is None:
            break
        now = {frozenset(seats) for seats in drawn.tables}
        assert now
        assert not now & found
        found |= now
        past.append({"round": drawn.number, "tables": [{"seats": list(seats)} for seats in drawn.tables]})
    assert found == all_pairs(document)


def test_who_is_kept_apart_does_not_meet() -> None:
    document = singles(6, apart=[["p00", "p01", "hard"], ["p02", "p03", "soft"]])
    meetings = count_meetings(meetings_of(document, rounds := play(document)))
    assert meetings == Counter(all_pairs(document) - {frozenset(("p00", "p01"))})
    assert "pairing/apart" in codes_of(rounds)


def test_a_note_says_how_many_meetings_do_not_take_place() -> None:
    document = singles(6, rounds=5, absent_rounds={"p00": [1, 2], "p01": [1]})
    rounds = play(document)
    missed = len(all_pairs(document)) - len(count_meetings(meetings_of(document, rounds)))
    notes = [note.params["meetings"] for note in rounds[-1].notes if note.code == "pairing/unmet"]
    assert notes == [missed]


@given(st.integers(2, 9), st.randoms(use_true_random=False))
@settings(max_examples=10, deadline=None)
def test_the_order_of_the_document_does_not_matter(count: int, chance: Random) -> None:
    document = singles(
        count, absent_rounds={"p00": [1]}, apart=[["p00", "p01", "hard"], ["p01", "p02", "soft"]]
    )
    shuffled = [*document["entrants"]]
    chance.shuffle(shuffled)
    again = {**document, "entrants": shuffled, "apart": document["apart"][::-1]}
    again["apart"] = [[b, a, how] for a, b, how in again["apart"]]
    assert draw_next(decode_competition(again)) == draw_next(decode_competition(document))


def test_a_large_field_is_drawn_without_a_simulation() -> None:
    document = singles(40, absent_rounds={"p00": [1], "p03": [1, 2]})
    meetings = count_meetings(meetings_of(document, play(document)))
    assert meetings == Counter(all_pairs(document))


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), max_size=20))
def test_first_seats_are_as_even_as_can_be(meetings: list[tuple[str, str]]) -> None:
    once = {frozenset(pair): pair for pair in meetings if pair[0] != pair[1]}
    first_of = balance_first_seats({}, once.values())
    lead: Counter[str] = Counter()
    for (a, b), first in first_of.items():
        lead[first] += 1
        lead[a if first == b else b] -= 1
    assert {frozenset(pair) for pair in first_of} == set(once)
    assert all(abs(value) <= 1 for value in lead.values())


def test_an_entrant_who_comes_after_the_last_possible_round_is_not_waited_for() -> None:
    document = singles(4)
    document["entrants"].append({"ref": "late", "from_round": 10**9})
    assert len(play(document)) == 3
