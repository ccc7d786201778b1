"""Knock-out: every bracket of 2 to 70 against a naive reference, and each rule by itself."""

import random
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.bracket import build_bracket, can_undo, draw_number, rank_knock_out
from tournaments.competition import CompetitionError, decode_competition
from tournaments.pairing.stream import NumberStream
from tournaments.pairing.systems import NextRound, draw_next

pytestmark = pytest.mark.slow

Document = dict[str, Any]


def document(count: int, size: int = 2, members: int = 1, **options: Any) -> Document:
    def entrant(number: int) -> Document:
        found: Document = {"ref": f"e{number:02}", "start_rank": number}
        if members > 1:
            found["members"] = [f"e{number:02}.{at}" for at in range(members)]
        return found

    return {
        "system": "knock_out",
        "size": size,
        "seed": "reference",
        "options": options,
        "entrants": [entrant(number) for number in range(1, count + 1)],
        "past": [],
    }


def next_of(given_document: Document) -> NextRound | None:
    return draw_next(decode_competition(given_document))


def drawn(given_document: Document) -> NextRound:
    found = next_of(given_document)
    assert found is not None
    return found


def refs_of(seats: Iterable[str]) -> frozenset[str]:
    return frozenset(person.partition(".")[0] for person in seats)


def codes(found: NextRound) -> list[str]:
    return [note.code for note in found.notes]


def play(given_document: Document, winners: Iterable[str] = (), **extra: Any) -> NextRound:
    """Play the next round: refs in `winners` win, else the one with the smaller ref."""
    found = drawn(given_document)
    tables = []
    for seats in found.tables:
        order = sorted(seats, key=lambda person: (person not in winners, person))
        tables.append({"seats": list(seats), "points": [100 - order.index(p) for p in seats]})
    given_document["past"].append(
        {"round": found.number, "tables": tables, "byes": list(found.byes), **extra}
    )
    return found


def places(given_document: Document) -> dict[str, int]:
    return {line[1]: line[0] for line in rank_knock_out(decode_competition(given_document))}


class Reference:
    """A bracket of two, written only for this test: lists of pairs, filled round by round."""

    def __init__(self, count: int, third: bool) -> None:
        seeds = [1]
        while len(seeds) < count:
            seeds = [s for seed in seeds for s in (seed, 2 * len(seeds) + 1 - seed)]
        names = [f"e{seed:02}" if seed <= count else None for seed in seeds]
        self.main: list[list[str | None]] = [names[at : at + 2] for at in range(0, len(names), 2)]
        self.third: list[str | None] | None = None
        self.wants_third = third
        self.winner: dict[int, str | None] = {}
        self.gone: set[str] = set()
        self.out: list[set[str]] = []
        """Groups that share a place, the first out first."""

    def all_matches(self) -> list[list[str | None]]:
        return self.main + ([self.third] if self.third is not None else [])

    def resolve(self) -> tuple[set[frozenset[str]], set[str]]:
        """Return the matches to play and who goes on without a game."""
        tables, byes = set(), set()
        self.winner = {}
        for at, match in enumerate(self.all_matches()):
            there = [ref for ref in match if ref is not None and ref not in self.gone]
            named = [ref for ref in match if ref is not None]
            if len(named) <= 1:
                self.winner[at] = named[0] if named else None
                byes |= set(there)
            elif len(there) == 2:
                tables.add(frozenset(there))
            else:
                self.winner[at] = there[0] if there else None
                byes |= set(there)
        return tables, byes

    def is_decided(self) -> bool:
        return len(self.winner) == len(self.all_matches())

    def advance(self) -> bool:
        """Go to the next phase; return whether there was a final."""
        winners = [self.winner[at] for at in range(len(self.main))]
        losers = [
            [ref for ref in match if ref is not None and ref != won]
            for match, won in zip(self.main, winners, strict=True)
        ]
        if len(self.main) == 1:
            return True
        if len(self.main) == 2 and self.wants_third:
            self.third = [found[0] if len(found) == 1 else None for found in losers]
        self.main = [winners[at : at + 2] for at in range(0, len(winners), 2)]
        return False


@pytest.mark.long(20)
@pytest.mark.parametrize("count", range(2, 71))
def test_every_round_is_that_of_the_reference(count: int) -> None:
    for trial in range(3):
        _simulate(count, random.Random(f"{count}/{trial}"), trial)


def _simulate(count: int, chance: random.Random, trial: int) -> None:
    third = trial == 1
    doc = document(count, third=third)
    reference = Reference(count, third)
    number = 0
    while True:
        number += 1
        if trial:
            _withdraw(doc, reference, chance, number)
        while True:
            tables, byes = reference.resolve()
            over = reference.is_decided() and reference.advance()
            if over or tables:
                break
        chance.shuffle(doc["entrants"])
        found = next_of(doc)
        if over:
            assert found is None
            break
        assert found is not None
        assert {refs_of(seats) for seats in found.tables} == tables
        assert set(found.byes) == {ref for ref in byes if ref not in reference.gone}
        _play_randomly(doc, found, reference, chance, trial)
        if reference.is_decided() and reference.advance():
            assert next_of(doc) is None
            break
    ranking = rank_knock_out(decode_competition(doc))
    assert {line[1] for line in ranking} == {entrant["ref"] for entrant in doc["entrants"]}
    for line in ranking:
        assert line[0] == 1 + sum(other[0] < line[0] for other in ranking)
    champion = reference.winner[0]
    if champion is not None:
        assert [line[1] for line in ranking if line[0] == 1] == [champion]


def _withdraw(doc: Document, reference: Reference, chance: random.Random, number: int) -> None:
    for match in reference.all_matches():
        for ref in match:
            if ref is not None and ref not in reference.gone and chance.random() < 0.08 and number > 1:
                reference.gone.add(ref)
                next(e for e in doc["entrants"] if e["ref"] == ref)["until_round"] = number - 1


def _play_randomly(
    doc: Document, found: NextRound, reference: Reference, chance: random.Random, trial: int
) -> None:
    tables: list[Document] = []
    missing: list[str] = []
    for seats in found.tables:
        at = next(n for n, match in enumerate(reference.all_matches()) if set(seats) == set(match))
        points = [chance.randint(0, 50), chance.randint(51, 100)]
        chance.shuffle(points)
        table: Document = {"seats": list(seats), "points": points}
        kind = chance.random() if trial else 1.0
        if kind < 0.1:
            table |= {"points": [None, None], "walkover": [seats[0]]}
            reference.winner[at] = seats[1]
        elif kind < 0.2:
            missing += seats
            reference.winner[at] = None
        else:
            reference.winner[at] = seats[points.index(max(points))]
        if not set(seats) & set(missing):
            tables.append(table)
    doc["past"].append(
        {"round": found.number, "tables": tables, "byes": list(found.byes), "no_show": missing}
    )


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.long(30)
@pytest.mark.parametrize("count", range(2, 34))
def test_the_best_seeds_meet_late_and_byes_are_theirs(count: int, size: int) -> None:
    doc = document(count, size)
    met: dict[frozenset[str], int] = {}
    first: set[str] | None = None
    sizes = set()
    while True:
        found = next_of(doc)
        if found is None:
            break
        first = set(found.byes) if first is None else first
        assert found.number == 1 or not found.byes
        for seats in found.tables:
            sizes.add(len(seats))
            met |= {frozenset((a, b)): found.number for a in seats for b in seats if a < b}
        play(doc)
    last = len(doc["past"])
    assert met[frozenset(("e01", "e02"))] == last
    top = [f"e{number:02}" for number in range(1, min(4, count) + 1)]
    if size != 3:
        assert all(met.get(frozenset((a, b)), last) >= last - 1 for a in top for b in top if a < b)
    assert places(doc)["e01"] == 1
    best = {f"e{number:02}" for number in range(1, len(first or ()) + 1)}
    if size != 4:
        assert first == best
    else:
        assert not first or "e01" in first
        assert (first == best) or len(best) < 8


def test_losers_share_places_by_the_phase_they_reached() -> None:
    doc = document(6)
    while next_of(doc) is not None:
        play(doc)
    assert places(doc) == {"e01": 1, "e02": 2, "e03": 3, "e04": 3, "e05": 5, "e06": 5}


def test_the_third_place_is_played_beside_the_final() -> None:
    doc = document(8, third=True)
    play(doc)
    play(doc)
    final = play(doc, winners=("e02", "e04"))
    assert [refs_of(seats) for seats in final.tables] == [{"e01", "e02"}, {"e03", "e04"}]
    assert next_of(doc) is None
    assert [places(doc)[f"e0{n}"] for n in (2, 1, 4, 3)] == [1, 2, 3, 4]


def test_all_places_are_played() -> None:
    doc = document(8, places=True)
    for _round in range(3):
        assert len(play(doc).tables) == 4
    assert next_of(doc) is None
    assert sorted(places(doc).values()) == list(range(1, 9))
    assert places(doc)["e08"] == 8


def test_a_match_of_several_games_ends_with_more_than_half() -> None:
    doc = document(4, best_of=3)
    play(doc)
    second = play(doc, winners=("e04",))
    assert len(second.tables) == 2
    third = play(doc)
    assert [refs_of(seats) for seats in third.tables] == [{"e01", "e04"}]
    assert third.byes == ()
    assert ("pairing/waits", {"refs": ["e02"]}) in [(note.code, note.params) for note in third.notes]
    assert {refs_of(seats) for seats in drawn(doc).tables} == {frozenset({"e01", "e02"})}


def test_the_fewest_points_win_where_the_direction_says_so() -> None:
    doc = document(2) | {"direction": -1}
    play(doc, winners=("e02",))
    assert places(doc) == {"e01": 1, "e02": 2}


def test_a_level_match_goes_to_the_better_points_so_far() -> None:
    doc = document(4)
    for number, points in ((1, {"e01": 90, "e02": 95, "e03": 10, "e04": 20}), (2, {"e01": 5, "e02": 5})):
        found = drawn(doc)
        tables = [{"seats": list(s), "points": [points[p] for p in s]} for s in found.tables]
        doc["past"].append({"round": number, "tables": tables})
    assert places(doc)["e02"] == 1
    doc["past"][0]["tables"][0]["points"] = [
        95 if p == "e01" else 20 for p in doc["past"][0]["tables"][0]["seats"]
    ]
    final = [match for part in build_bracket(decode_competition(doc)).phases[-1] for match in part.matches]
    assert [match.decision for match in final] == ["lot"]


def test_level_and_walkover_are_said() -> None:
    doc = document(4)
    found = drawn(doc)
    doc["past"] = [{"round": 1, "tables": [{"seats": list(s), "points": [7, 7]} for s in found.tables]}]
    assert codes(drawn(doc)) == ["pairing/level"] * 2
    doc = document(4)
    play(doc)
    doc["absent_rounds"] = {"e02": [2]}
    assert next_of(doc) is None
    doc = document(8)
    play(doc)
    doc["absent_rounds"] = {"e02": [2]}
    found = drawn(doc)
    assert found.byes == ("e03",)
    assert codes(found) == ["pairing/walkover"]


def test_a_match_without_a_result_is_played_again() -> None:
    doc = document(4)
    found = play(doc)
    doc["past"][0]["tables"][1]["points"] = [None, None]
    again = drawn(doc)
    assert [refs_of(seats) for seats in again.tables] == [refs_of(found.tables[1])]
    assert codes(again) == ["pairing/waits", "pairing/no_result"]


def test_points_for_one_of_two_are_a_walkover() -> None:
    doc = document(4)
    play(doc)
    for table in doc["past"][0]["tables"]:
        table["points"] = [None if person in {"e01", "e02"} else 5 for person in table["seats"]]
    assert [refs_of(seats) for seats in drawn(doc).tables] == [{"e03", "e04"}]


def test_when_both_are_absent_nobody_goes_on() -> None:
    doc = document(8)
    play(doc, no_show=())
    doc["absent_rounds"] = {"e01": [2], "e04": [2]}
    found = play(doc)
    assert [refs_of(seats) for seats in found.tables] == [{"e02", "e03"}]
    assert found.byes == ()
    assert next_of(doc) is None
    assert places(doc)["e02"] == 1
    assert places(doc)["e01"] == places(doc)["e03"] == places(doc)["e04"] == 2


def test_a_draw_by_hand_is_followed() -> None:
    doc = document(8)
    tables = [("e01", "e02"), ("e03", "e04"), ("e05", "e06"), ("e07", "e08")]
    doc["past"] = [{"round": 1, "tables": [{"seats": list(t), "points": [2, 1]} for t in tables]}]
    found = drawn(doc)
    assert {person for seats in found.tables for person in seats} == {"e01", "e03", "e05", "e07"}


def test_a_bye_given_by_hand_is_followed() -> None:
    doc = document(3)
    doc["past"] = [{"round": 1, "tables": [{"seats": ["e01", "e02"], "points": [1, 2]}], "byes": ["e03"]}]
    assert [refs_of(seats) for seats in drawn(doc).tables] == [{"e02", "e03"}]


@pytest.mark.parametrize("removed", ["e01", "e05", "e09"])
def test_a_player_who_is_no_entrant_any_more_breaks_nothing(removed: str) -> None:
    doc = document(16)
    play(doc)
    doc["entrants"] = [entrant for entrant in doc["entrants"] if entrant["ref"] != removed]
    found = drawn(doc)
    winners = {f"e{number:02}" for number in range(1, 9)} - {removed}
    assert {person for seats in found.tables for person in seats} | set(found.byes) == winners
    while next_of(doc) is not None:
        play(doc)
    assert removed not in places(doc)


def test_late_comers_have_no_position() -> None:
    doc = document(4)
    doc["entrants"].append({"ref": "late", "from_round": 2})
    play(doc)
    found = drawn(doc)
    assert "pairing/late" in codes(found)
    play(doc)
    assert next_of(doc) is None
    assert places(doc)["late"] == 5


@pytest.mark.parametrize(("size", "members"), [(4, 2), (4, 4), (2, 3)])
def test_pairs_and_teams_meet_at_whole_tables(size: int, members: int) -> None:
    doc = document(5, size, members)
    found = drawn(doc)
    assert len(found.tables) == members // (size // 2)
    assert {refs_of(seats) for seats in found.tables} == {frozenset({"e04", "e05"})}
    assert all(refs_of(seats[::2]) != refs_of(seats[1::2]) for seats in found.tables)
    while next_of(doc) is not None:
        play(doc)
    assert places(doc)["e01"] == 1


def test_a_short_table_is_said() -> None:
    assert codes(drawn(document(7, 4))) == ["pairing/short_table"]
    assert codes(drawn(document(8, 4))) == []


def test_positions_by_lot_depend_on_the_seed_alone() -> None:
    doc = document(16, seeded=False)
    one = drawn(doc).tables
    assert drawn(doc | {"seed": "other"}).tables != one
    assert drawn(doc | {"entrants": doc["entrants"][::-1]}).tables == one
    assert draw_number("any", "label") == NumberStream(b"any", "label").below(1 << 32)


@given(st.integers(4, 24), st.integers(2, 5), st.text(max_size=8))
@settings(max_examples=20, deadline=None)
def test_a_team_does_not_meet_itself_in_a_drawn_first_round(count: int, teams: int, seed: str) -> None:
    doc = document(count, seeded=False) | {"seed": seed}
    for at, entrant in enumerate(doc["entrants"]):
        entrant["team"] = f"t{at % teams}"
    assert codes(drawn(doc)) == []


def test_a_result_can_be_undone_until_a_later_one() -> None:
    doc = document(4)
    play(doc)
    assert can_undo(decode_competition(doc), 1, 0)
    found = drawn(doc)
    doc["past"].append({"round": 2, "tables": [{"seats": list(found.tables[0]), "points": [None, None]}]})
    assert can_undo(decode_competition(doc), 1, 0)
    assert not can_undo(decode_competition(doc), 2, 0)
    doc["past"][1]["tables"][0]["points"] = [3, 4]
    assert not can_undo(decode_competition(doc), 1, 0)
    assert can_undo(decode_competition(doc), 2, 0)


@pytest.mark.parametrize(
    ("doc", "code"),
    [
        (document(1), "pairing/players"),
        (document(0), "pairing/players"),
        (document(8, best_of=2), "pairing/options"),
        (document(8, 4, best_of=3), "pairing/options"),
        (document(8, 4, advance=3), "pairing/options"),
        (document(8, 3, 2), "pairing/table_size"),
        (document(8, 4, 3), "pairing/table_size"),
    ],
)
def test_an_impossible_bracket_is_an_error(doc: Document, code: str) -> None:
    with pytest.raises(CompetitionError) as error:
        next_of(doc)
    assert error.value.code == code
