"""Rankings of competitions, recounted naively."""

import io
import json
import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deploy.environment import BASE_DIR
from tournaments.competition import decode_competition, write_number
from tournaments.standings import StandingsError
from tournaments.standings.__main__ import main
from tournaments.standings.competition_ranking import CompetitionLine, rank_competition

Document = dict[str, Any]
DEFAULT_SCALE = [
    *((0, 10), (10, 11), (30, 12), (50, 13), (80, 14), (110, 15), (140, 16), (170, 17), (200, 18), (240, 19)),
    (280, 20),
]
TIE_BREAKS = ["highest_round", "wins", "table_points", "buchholz", "direct_encounter", "lot"]


class Evening:
    """A random competition of persons or pairs with few points, so that many are level."""

    def __init__(self, seed: int) -> None:
        chance = self.chance = random.Random(seed)
        self.pairs = chance.random() < 0.4
        self.size = 4 if self.pairs else chance.choice([2, 3, 4])
        self.partners = self.pairs or (self.size == 4 and chance.random() < 0.5)
        refs = [f"e{n}" for n in range(chance.choice([3, 5, 8, 9]))]
        self.members = {ref: [f"{ref}x", f"{ref}y"] if self.pairs else [ref] for ref in refs}
        self.late = {ref: 2 for ref in refs if chance.random() < 0.1}
        self.points = chance.choice([[0, 1, 2, 3], [0, 40, 120, 300]])
        self.what = chance.choice(
            ["sum", "drop_worst", "best", "nearest", "average", "victory_points", "matches"]
        )
        self.document: Document = {
            "seed": str(seed),
            "size": self.size,
            "partners": self.partners,
            "entrants": [
                {"ref": ref, "from_round": self.late.get(ref, 1)}
                | ({"members": self.members[ref]} if self.pairs else {})
                for ref in refs
            ],
            "direction": chance.choice([1, -1]),
            "counting": {
                "what": self.what,
                "number": chance.choice([1, 2]) if self.what in ("drop_worst", "best") else 0,
                "sealed": chance.choice([None, 5]) if self.what == "nearest" else None,
                "least_rounds": chance.choice([0, 2]),
                "tie_breaks": chance.sample(TIE_BREAKS, chance.randint(0, 3)),
                "buchholz_unplayed": chance.choice([None, None, "mean_of_round", 1]),
            },
            "bye": {
                "points": chance.choice(["mean_of_round", "mean_of_own", "win", 2, "3/2"]),
                "most": chance.choice([None, None, 1]),
            },
            "absence": chance.choice([None, {"points": "mean_of_own"}, {"points": 1, "most": None}]),
            "past": [self._round(number, refs) for number in range(1, chance.randint(1, 4) + 1)],
        }

    def _round(self, number: int, refs: list[str]) -> Document:
        chance, there = self.chance, list(refs)
        chance.shuffle(there)
        there = [ref for ref in there if self.late.get(ref, 1) <= number]
        absent = [ref for ref in there if chance.random() < 0.1]
        there = [ref for ref in there if ref not in absent]
        heads = 2 if self.pairs else self.size
        tables = []
        while len(there) >= heads:
            units, there = [self.members[ref] for ref in there[:heads]], there[heads:]
            order = (0, 1) if self.pairs else (0,)
            seats = [persons[at] for at in order for persons in units]
            tables.append({"seats": seats, "points": self._points(len(seats))})
        if self.size == 4 and len(there) == 3 and not self.pairs:
            tables.append({"seats": there, "points": self._points(3)})
            there = []
        return {"round": number, "tables": tables, "byes": there, "absent": absent}

    def _points(self, seats: int) -> Sequence[int | None]:
        if self.chance.random() < 0.05:
            return [None] * seats
        if self.partners and seats == 4:
            return [self.chance.choice(self.points) for _ in range(2)] * 2
        return [self.chance.choice(self.points) for _ in range(seats)]


class Recount:
    """The ranking of an `Evening` by its definitions, one entrant at a time."""

    def __init__(self, evening: Evening) -> None:
        self.document = evening.document
        self.partners = evening.partners
        self.counting = self.document["counting"]
        self.direction = self.document["direction"]
        self.matched = evening.what in ("victory_points", "matches")
        self.up = 1 if self.matched else self.direction
        self.ref_of = {p: ref for ref, persons in evening.members.items() for p in persons}
        self.refs = sorted(evening.members)
        self.past = self.document["past"]
        self.rounds = {ref: [self.gain(ref, at) for at in range(len(self.past))] for ref in self.refs}

    def sides(self, table: Document) -> list[tuple[set[str], int | None]]:
        seats = [self.ref_of[p] for p in table["seats"]]
        if self.partners and len(seats) == 4:
            return [({seats[0], seats[2]}, table["points"][0]), ({seats[1], seats[3]}, table["points"][1])]
        return [({ref}, points) for ref, points in zip(seats, table["points"], strict=True)]

    def at_table(self, ref: str, at: int) -> tuple[int | None, list[tuple[set[str], int | None]]] | None:
        """The entrant's own points, and the opposing sides; None without a table."""
        for table in self.past[at]["tables"]:
            sides = self.sides(table)
            for refs, points in sides:
                if ref in refs:
                    return points, [side for side in sides if side[0] != refs]
        return None

    def played(self, ref: str, at: int) -> Fraction | None:
        """The points of the table."""
        found = self.at_table(ref, at)
        if found is None or found[0] is None:
            return None
        if not self.matched:
            return Fraction(found[0])
        results = [self.match(self.direction * (found[0] - (points or 0))) for _, points in found[1]]
        return Fraction(sum(results), len(results))

    def match(self, lead: int) -> int:
        if self.counting["what"] == "matches":
            return 2 if lead > 0 else 1 if lead == 0 else 0
        better = [points for least, points in DEFAULT_SCALE if least <= abs(lead)][-1]
        return better if lead > 0 else 20 - better

    def has_won(self, ref: str, at: int) -> bool:
        found = self.at_table(ref, at)
        if found is None or found[0] is None:
            return False
        return all(self.direction * found[0] > self.direction * (points or 0) for _, points in found[1])

    def mean_of_round(self, at: int, only_winners: bool = False) -> Fraction | None:
        results = [self.played(r, at) for r in self.refs if self.has_won(r, at) or not only_winners]
        found = [r for r in results if r is not None]
        return sum(found, Fraction(0)) / len(found) if found else None

    def value(self, award: Any, ref: str, at: int) -> Fraction | None:
        if award == "mean_of_own":
            own = [p for n in range(len(self.past)) if (p := self.played(ref, n)) is not None]
            return sum(own, Fraction(0)) / len(own) if own else self.mean_of_round(at)
        if award == "mean_of_round":
            return self.mean_of_round(at)
        if award == "win":
            if self.counting["what"] == "matches":
                return Fraction(2)
            won = self.mean_of_round(at, only_winners=True)
            return self.mean_of_round(at) if won is None else won
        return Fraction(award)

    def gain(self, ref: str, at: int) -> Fraction | None:
        if self.at_table(ref, at) is not None:
            return self.played(ref, at)
        for name, rule in (("byes", self.document["bye"]), ("absent", self.document["absence"])):
            if rule is not None and ref in self.past[at][name]:
                before = sum(ref in self.past[n][name] for n in range(at))
                most = rule.get("most", 1)
                return None if most is not None and before >= most else self.value(rule["points"], ref, at)
        return None

    def total(self, rounds: list[Fraction | None]) -> tuple[int, Fraction]:
        """Number of rounds that count, and their total."""
        left = [points for points in rounds if points is not None]
        keep = len(rounds)
        if self.counting["what"] == "best":
            keep = self.counting["number"]
        if self.counting["what"] == "drop_worst":
            keep = max(1, len(rounds) - self.counting["number"])
        while len(left) > keep:
            left.remove(min(left) if self.up > 0 else max(left))
        total = sum(left, Fraction(0))
        if self.counting["what"] == "average" and left:
            total /= len(left)
        return len(left), total

    def worth(self, ref: str) -> tuple[Fraction, ...]:
        count, total = self.total(self.rounds[ref])
        sealed = self.counting["sealed"]
        if self.counting["what"] == "average":
            return Fraction(count > 0), Fraction(count >= self.counting["least_rounds"]), self.up * total
        if sealed is not None:
            return Fraction(count), -abs(total - sealed)
        return Fraction(count if self.up < 0 else count > 0), self.up * total

    def tie_break(self, name: str, ref: str, group: list[str]) -> tuple[Fraction, ...]:
        rounds = range(len(self.past))
        if name == "highest_round":
            found = [self.up * p for p in self.rounds[ref] if p is not None]
            return (max(found),) if found else ()
        if name == "wins":
            return (Fraction(sum(self.has_won(ref, at) for at in rounds)),)
        if name == "table_points":
            points = [t[0] for at in rounds if (t := self.at_table(ref, at)) is not None and t[0] is not None]
            total = Fraction(self.direction * sum(points))
            return (total,) if self.direction > 0 else (Fraction(len(points)), total)
        if name == "buchholz":
            return (self.up * sum((self.strength(ref, at) for at in rounds), Fraction(0)),)
        if name == "direct_encounter":
            met, won = set(), 0
            for at in rounds:
                for table in self.past[at]["tables"]:
                    sides = self.sides(table)
                    if len(sides) != 2 or sides[0][1] is None:
                        continue
                    for a in sides[0][0] & set(group):
                        for b in sides[1][0] & set(group):
                            met |= {(a, b), (b, a)}
                    for (mine, p), (theirs, q) in (sides, sides[::-1]):
                        if ref in mine:
                            lead = self.direction * ((p or 0) - (q or 0))
                            won += len(theirs & set(group)) * (2 if lead > 0 else lead == 0)
            return (Fraction(won),) if len(met) == len(group) * (len(group) - 1) else ()
        return ()

    def strength(self, ref: str, at: int) -> Fraction:
        """The part of Buchholz from one round."""
        found = self.at_table(ref, at)
        if found is None:
            return self.total(self.rounds[ref])[1] if ref in self.past[at]["byes"] else Fraction(0)
        if found[0] is None:
            return Fraction(0)
        others = [self.as_opponent(other) for refs, _ in found[1] for other in refs]
        return sum(others, Fraction(0)) / len(others)

    def as_opponent(self, ref: str) -> Fraction:
        award, rounds = self.counting["buchholz_unplayed"], list(self.rounds[ref])
        for at in range(len(rounds)):
            if award is not None and self.at_table(ref, at) is None:
                value = self.value(award, ref, at)
                rounds[at] = rounds[at] if value is None else value
        return self.total(rounds)[1]

    def groups(self) -> list[list[str]]:
        """Refs in groups of a shared place, best first; a lot last is left out."""
        groups = self.split(self.refs, {ref: self.worth(ref) for ref in self.refs})
        for name in self.counting["tie_breaks"]:
            if name == "lot":
                break
            groups = [
                part
                for group in groups
                for part in self.split(group, {ref: self.tie_break(name, ref, group) for ref in group})
            ]
        return groups

    @staticmethod
    def split(group: list[str], values: dict[str, Any]) -> list[list[str]]:
        return [
            sorted(ref for ref in group if values[ref] == value)
            for value in sorted({values[ref] for ref in group}, reverse=True)
        ]


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 10**9))
def test_a_naive_recount_finds_the_same_places_totals_and_rounds(seed: int) -> None:
    recount = Recount(evening := Evening(seed))
    lines = rank_competition(decode_competition(evening.document))
    for line in lines:
        assert list(line.rounds) == recount.rounds[line.ref]
        assert line.total == recount.total(recount.rounds[line.ref])[1]
    place = 1
    for group in recount.groups():
        of_group = [line for line in lines if line.ref in group]
        if "lot" in recount.counting["tie_breaks"]:
            assert sorted(line.place for line in of_group) == list(range(place, place + len(group)))
        else:
            assert [(line.place, line.ref) for line in of_group] == [(place, ref) for ref in group]
        place += len(group)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.randoms(use_true_random=False))
def test_the_order_of_entrants_and_tables_changes_nothing(seed: int, chance: random.Random) -> None:
    document = Evening(seed).document
    expected = rank_competition(decode_competition(document))
    chance.shuffle(document["entrants"])
    for one in document["past"]:
        for name in ("tables", "byes", "absent"):
            chance.shuffle(one[name])
    assert rank_competition(decode_competition(document)) == expected


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_who_has_a_better_total_is_never_behind(seed: int) -> None:
    document = Evening(seed).document | {"direction": 1}
    document["counting"] |= {"what": "sum", "sealed": None}
    lines = [
        line
        for line in rank_competition(decode_competition(document))
        if any(p is not None for p in line.rounds)
    ]
    assert [line.total for line in lines] == sorted((line.total for line in lines), reverse=True)
    for one, other in pairwise(lines):
        assert (one.place == other.place) <= (one.total == other.total)
        if one.total == other.total and one.place < other.place:
            assert one.tie_break is not None
            assert other.tie_break is not None


def by_ref(document: Document) -> dict[str, CompetitionLine]:
    return {line.ref: line for line in rank_competition(decode_competition(document))}


def pair(ref: str) -> Document:
    return {"ref": ref, "members": [f"{ref}1", f"{ref}2"]}


def of_pairs(one: str, other: str, points: int | None, against: int | None, **more: Any) -> Document:
    seats = [f"{one}1", f"{other}1", f"{one}2", f"{other}2"]
    return {"seats": seats, "points": [points, against] * 2} | more


def three_pairs(*rounds: Document, **more: Any) -> Document:
    past = [{"round": number} | one for number, one in enumerate(rounds, 1)]
    return {"entrants": [pair(ref) for ref in "ABC"], "past": past} | more


ONE_BYE = {"tables": [of_pairs("A", "B", 701, 556)], "byes": ["C"]}
OTHER_BYE = {"tables": [of_pairs("A", "B", 600, 657)], "byes": ["C"]}


def test_two_byes_that_cannot_be_avoided_both_count_the_mean() -> None:
    found = by_ref(three_pairs(ONE_BYE, OTHER_BYE))
    assert found["C"].rounds == (Fraction(1257, 2), Fraction(1257, 2))
    assert (found["C"].total, found["C"].place) == (1257, 2)


def test_a_fraction_is_written_as_text_and_a_whole_number_as_a_number(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(three_pairs(ONE_BYE)).encode())))
    assert main(["rank"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "ranking": [
            {"place": 1, "ref": "A", "total": 701, "rounds": [701]},
            {"place": 2, "ref": "C", "total": "1257/2", "rounds": ["1257/2"]},
            {"place": 3, "ref": "B", "total": 556, "rounds": [556]},
        ]
    }


def test_thirds_and_sevenths_add_up_exactly() -> None:
    document = three_pairs(ONE_BYE, OTHER_BYE, bye={"points": "1/3"})
    document["past"][1]["byes"] = []
    document["past"][1]["given"] = {"C": 5}
    found = by_ref(document)["C"]
    assert (write_number(found.total), found.rounds) == ("16/3", (Fraction(1, 3), 5))


def test_an_absence_counts_nothing_and_once_where_it_counts() -> None:
    document = three_pairs(ONE_BYE | {"byes": [], "absent": ["C"]}, OTHER_BYE | {"byes": []})
    document["absent_rounds"] = {"C": [2]}
    assert by_ref(document)["C"].rounds == (None, None)
    assert by_ref(document | {"absence": {"points": 500}})["C"].rounds == (500, None)
    document["past"][0] |= {"absent": [], "no_show": ["C"]}
    assert by_ref(document | {"absence": {"points": 500}})["C"].rounds == (None, 500)


def test_a_missed_round_is_no_advantage_where_the_fewest_win() -> None:
    lines = rank_competition(decode_competition(three_pairs(ONE_BYE | {"byes": []}, ONE_BYE, direction=-1)))
    assert [line.ref for line in lines] == ["B", "A", "C"]


def test_who_came_gets_a_win_by_walkover_and_who_did_not_nothing() -> None:
    tables = [of_pairs("A", "B", None, None, walkover=["B"])]
    for what, win in (("matches", 2), ("victory_points", 14)):
        first = {"tables": [of_pairs("A", "C", 700, 650)], "byes": ["B"]}
        document = three_pairs(first, {"tables": tables, "byes": []}, counting={"what": what})
        document["walkover"] = {"points": win}
        found = by_ref(document)
        assert (found["A"].rounds[1], found["B"].rounds[1]) == (win, None)
    assert by_ref(three_pairs({"tables": tables}, counting={"what": "matches"}))["A"].rounds == (2,)
    both = [of_pairs("A", "B", None, None, walkover=["A", "B"])]
    assert by_ref(three_pairs({"tables": both}))["A"].rounds == (None,)


def test_a_walkover_counts_in_buchholz_like_a_bye() -> None:
    tables = [of_pairs("A", "B", None, None, walkover=["B"]), of_pairs("C", "D", 700, 650)]
    document: Document = {
        "entrants": [pair(ref) for ref in "ABCDE"],
        "past": [{"round": 1, "tables": tables, "byes": ["E"]}],
        "counting": {"what": "matches", "tie_breaks": ["buchholz"]},
        "bye": {"points": "win"},
    }
    found = by_ref(document)
    assert {ref: (line.place, line.total) for ref, line in found.items() if line.total} == {
        "A": (1, 2),
        "E": (1, 2),
        "C": (3, 2),
    }


def test_a_table_broken_off_counts_as_it_stands_unless_a_credit_replaces_it() -> None:
    broken = {"tables": [of_pairs("A", "B", 100, 50, broken_off=True)], "byes": ["C"]}
    assert by_ref(three_pairs(ONE_BYE, broken))["A"].total == 801
    twice = by_ref(three_pairs(ONE_BYE, broken, broken, broken_off={"points": "mean_of_round", "most": 2}))
    assert twice["A"].rounds == (701, None, None)  # nobody has played these rounds to their end
    given = broken | {"given": {"A": 300}}
    found = by_ref(three_pairs(ONE_BYE, given, broken_off={"points": 5}))
    assert (found["A"].rounds, found["B"].rounds) == ((701, 300), (556, 5))
    assert by_ref(three_pairs(ONE_BYE, given))["A"].rounds == (701, 100)
    found = by_ref(three_pairs(ONE_BYE, broken, broken_off={"points": "mean_of_own"}))
    assert (found["A"].total, found["B"].total) == (1402, 1112)
    assert by_ref(three_pairs(ONE_BYE, broken, direction=-1))["A"].total == 701


def test_persons_who_are_no_entrants_break_nothing() -> None:
    document = three_pairs(ONE_BYE)
    document["entrants"] = [pair("A"), pair("C")]
    found = by_ref(document)
    assert (found["A"].total, found["C"].total) == (701, Fraction(1257, 2))
    document["past"][0]["tables"][0]["seats"][2] = "substitute"
    assert by_ref(document)["A"].total == 701


def team(ref: str, count: int) -> Document:
    return {"ref": ref, "members": [f"{ref}{n}" for n in range(1, count + 1)]}


def test_a_team_match_adds_up_its_tables_before_it_is_won() -> None:
    tables = [
        {"seats": ["A1", "B1", "A2", "B2"], "points": [100, 57, 100, 57]},
        {"seats": ["A3", "B3", "A4", "B4"], "points": [60, 97, 60, 97]},
    ]
    document: Document = {"entrants": [team("A", 4), team("B", 4)], "past": [{"round": 1, "tables": tables}]}
    assert {ref: line.total for ref, line in by_ref(document).items()} == {"A": 160, "B": 154}
    document["counting"] = {"what": "matches"}
    assert {ref: line.total for ref, line in by_ref(document).items()} == {"A": 2, "B": 0}
    document["counting"] = {"what": "sum", "members": 1}
    assert {ref: line.total for ref, line in by_ref(document).items()} == {"A": 100, "B": 97}


def test_the_best_members_of_a_team_count_when_all_are_drawn_as_themselves() -> None:
    tables = [
        {"seats": ["A1", "B1", "C1"], "points": [9, 8, 7]},
        {"seats": ["B2", "C2", "A2"], "points": [1, 5, 4]},
        {"seats": ["C3", "A3", "B3"], "points": [2, 3, 6]},
    ]
    document: Document = {
        "size": 3,
        "entrants": [team(ref, 3) for ref in "ABC"],
        "past": [{"round": 1, "tables": tables}],
        "counting": {"members": 2},
    }
    assert {ref: line.total for ref, line in by_ref(document).items()} == {"A": 13, "B": 14, "C": 12}
    document["direction"] = -1
    assert {ref: line.total for ref, line in by_ref(document).items()} == {"A": 7, "B": 7, "C": 7}


def test_a_pair_at_a_game_for_single_players_adds_up_its_seats() -> None:
    table = {"seats": ["A1", "B1", "A2", "B2"], "points": [3, 5, 4, 1]}
    counting = {"what": "victory_points", "scale": [(0, 1, 1), (1, 3, 0), (2, 4, 0)]}
    found = by_ref(three_pairs({"tables": [table]}, counting=counting))
    assert (found["A"].total, found["B"].total) == (3, 0)
    assert by_ref(three_pairs({"tables": [table]}))["A"].total == 7


def starts(*persons: str) -> list[Document]:
    return [{"ref": f"s{n}", "members": [person]} for n, person in enumerate(persons, 1)]


def test_an_open_heat_ranks_starts_and_persons() -> None:
    past = [
        {
            "round": 1,
            "tables": [
                {"seats": ["p", "q", "r", "t"], "points": [9, 2, 9, 2]},
                {"seats": ["p", "r", "u", "q"], "points": [1, 7, 1, 7]},
            ],
        },
        {"round": 2, "tables": [{"seats": ["q", "p", "t", "u"], "points": [8, 3, 8, 3]}]},
    ]
    document: Document = {"system": "open", "past": past, "entrants": starts("p", "p", "p", "q")}
    of_starts = {ref: (line.place, line.total) for ref, line in by_ref(document).items()}
    assert of_starts == {"s1": (1, 9), "s3": (2, 3), "s4": (3, 2), "s2": (4, 1)}
    past[1]["byes"] = ["s4"]
    document["counting"] = {"what": "best", "number": 2, "by": "person", "tie_breaks": ["buchholz"]}
    persons = {ref: (line.place, line.total, line.rounds) for ref, line in by_ref(document).items()}
    assert persons == {
        "r": (1, 16, (9, 7)),
        "q": (2, 15, (2, 7, 8)),
        "p": (3, 12, (9, 1, 3)),
        "t": (4, 10, (2, 8)),
        "u": (5, 4, (1, 3)),
    }


def test_the_field_ranks_by_points_above_the_other_tables() -> None:
    tables = [of_pairs("A", "B", 0, 0), of_pairs("C", "D", 0, 0)]
    tables[0]["deals"] = [[100, 57], [50, 107]]
    tables[1]["deals"] = [[90, 67], None]
    document: Document = {
        "entrants": [pair(ref) for ref in "ABCD"],
        "past": [{"round": 1, "tables": tables}],
        "counting": {"credit": "field"},
    }
    assert {ref: line.total for ref, line in by_ref(document).items()} == {
        "A": 20,
        "B": -20,
        "C": -20,
        "D": 20,
    }


@pytest.mark.parametrize(
    ("counting", "code"),
    [
        ({"what": "median"}, "standings/unknown_counting"),
        ({"what": "best"}, "standings/number"),
        ({"tie_breaks": ["age"]}, "standings/tie_breaks"),
        ({"tie_breaks": ["lot", "lot"]}, "standings/tie_breaks"),
        ({"what": "victory_points", "scale": [(5, 1, 1)]}, "standings/scale"),
        ({"what": "victory_points", "scale": [(0, 1, 1), (5, 0, 2)]}, "standings/scale"),
        ({"buchholz_unplayed": "half"}, "standings/credit"),
        ({"buchholz_unplayed": "1/0"}, "standings/credit"),
    ],
)
def test_rules_that_cannot_be_applied_are_refused(counting: Document, code: str) -> None:
    with pytest.raises(StandingsError) as refused:
        rank_competition(decode_competition({"counting": counting}))
    assert refused.value.code == code


def test_nobody_has_played_yet() -> None:
    assert [
        (line.place, line.ref)
        for line in rank_competition(decode_competition({"entrants": starts("p", "q")}))
    ] == [
        (1, "s1"),
        (1, "s2"),
    ]


def test_the_examples_of_the_documentation_are_real() -> None:
    page = (BASE_DIR / "docs" / "developers" / "pairing" / "counting.md").read_text()
    blocks = [json.loads(block.partition("```")[0]) for block in page.split("```json")[1:]]
    assert len(blocks) == 6
    for document, answer in zip(blocks[::2], blocks[1::2], strict=True):
        found = [
            (line.place, line.ref, write_number(line.total), line.tie_break)
            for line in rank_competition(decode_competition(document))
        ]
        rows = answer["ranking"]
        assert found == [(row["place"], row["ref"], row["total"], row.get("tie_break")) for row in rows]
