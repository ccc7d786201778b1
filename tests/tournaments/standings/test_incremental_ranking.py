"""A ranking updated table by table equals one computed from scratch."""

import random
from collections.abc import Callable, Sequence

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tournaments.standings import (
    TIE_BREAKS,
    Averages,
    Counting,
    Crediting,
    Directions,
    KeptRanking,
    RankingInputs,
    RankingRow,
    TableResult,
    UnplayedCredits,
    build_entrants,
    build_meetings,
    index_opponents,
    rank,
)
from tournaments.standings.counting_rules import COUNTS, PLAIN

ROUNDS = 3
SIDES = {"pairs": (0, 1, 0, 1), "singles": (0, 1, 2, 3)}


class Evening:
    """A championship at which anything happens; points are few, so that many are level."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.people = list(range(1, chance.choice([4, 9, 18]) + 1))
        self.sides = SIDES[chance.choice(list(SIDES))]
        self.held = chance.randint(1, ROUNDS)
        self.own_mean: Averages | None = chance.choice(["exact", "whole"]) if chance.random() < 0.2 else None
        self.counting = self._counting()
        self.sealed = chance.choice([None, 7]) if self.counting.what == "nearest" else None
        self.directions = chance.choice([Directions(), Directions(-1, -1), Directions(1, -1)])
        self.crediting = Crediting(
            chance.choice(["points", "beaten"]), self.counting.conversion, self.directions.table
        )
        self.absences, self.broken_off = self._credit_rounds(), self._credit_rounds()
        self.excused = tuple((n, (1, 3)) for n in self.people[::2]) if chance.random() < 0.3 else None
        self.statuses = dict.fromkeys(self.people, "arrived")
        self.drawn: dict[int, tuple[int | None, int | None]] = {}
        self.byes: dict[tuple[int, int], int] = {}
        self.twice: dict[int, int] = {}
        self.pairs: dict[int, int] = {}
        self.tables: dict[tuple[int, int], TableResult] = {}
        for round_ in range(1, self.held + 1):
            self._seat(round_)

    def _credit_rounds(self) -> UnplayedCredits | None:
        chance = self.chance
        if chance.random() < 0.5:
            return None
        rounds = tuple(
            (number, chance.randint(0, 4)) for number in range(1, chance.randint(1, self.held) + 1)
        )
        own: Averages | None = chance.choice(["exact", "whole"]) if chance.random() < 0.3 else None
        return UnplayedCredits(rounds, own, chance.randint(1, 2))

    def _counting(self) -> Counting:
        what = self.chance.choice(COUNTS)
        names = self.chance.sample(TIE_BREAKS, self.chance.randint(0, len(TIE_BREAKS)))
        number = 0 if what in PLAIN else self.chance.randint(1, 2)
        return Counting(
            what=what,
            number=number,
            tie_breaks=tuple(names),
            least=1,
            most=9,
            scale=((0, 2, 2), (1, 3, 1), (3, 4, 0)) if what == "victory_points" else msgspec.UNSET,
            buchholz_unplayed=1 if self.chance.random() < 0.5 else msgspec.UNSET,
        )

    def _seat(self, round_: int) -> None:
        there = self.chance.sample(self.people, len(self.people))
        while len(there) >= 4:
            four, there = there[:4], there[4:]
            at = len(self.tables) + 1
            empty = (0,) * len(set(self.sides))
            self.tables[round_, at] = TableResult(round_, at, "running", tuple(four), self.sides, (), empty)

    @property
    def inputs(self) -> RankingInputs:
        return RankingInputs(
            tuple((number, round_, points) for (number, round_), points in self.byes.items()),
            tuple(
                (number, self.statuses[number], *self.drawn.get(number, (None, None)))
                for number in self.people
                if number not in self.twice
            ),
            tuple((pair, member) for member, pair in sorted(self.pairs.items())),
            tuple(sorted((kept, other) for other, kept in self.twice.items())),
            own_mean=self.own_mean,
            absences=self.absences,
            broken_off=self.broken_off,
            excused=self.excused,
        )

    def from_everything(self) -> list[RankingRow]:
        inputs, tables = self.inputs, list(self.tables.values())
        return rank(
            build_entrants(inputs, tables, self.crediting),
            self.counting,
            rounds_held=self.held,
            directions=self.directions,
            meetings=build_meetings(tables, inputs.counted_for),
            sealed=self.sealed,
            opponents=index_opponents(tables, inputs.counted_for),
        )

    def deal(self, kept: KeptRanking) -> None:
        """Or a ruling, or a correction: a table has given something else, and is over perhaps."""
        place = self.chance.choice(list(self.tables))
        sides = len(set(self.sides))
        totals = tuple(self.chance.randint(0, 4) for _ in range(sides))
        winners = tuple(side for side in range(sides) if totals[side] == max(totals))
        self._give(
            kept,
            replace(
                self.tables[place],
                totals=totals,
                sweeps=tuple(self.chance.randint(0, 1) for _ in range(sides)),
                winners=self.chance.choice([(), winners]),
                status=self.chance.choice(["running", "ended", "closed"]),
                deals=self.chance.randint(0, 2),
                complete=self.chance.random() < 0.5,
                scaled=self.chance.random() < 0.1,
                credited=self.broken_off is not None,
            ),
        )

    def change_chairs(self, kept: KeptRanking) -> None:
        round_, _ = self.chance.choice(list(self.tables))
        here = [table for (number, _at), table in self.tables.items() if number == round_]
        one, other = self.chance.choices(here, k=2)
        if one == other:
            self._give(kept, replace(one, entries=one.entries[::-1]))
            return
        self._give(kept, replace(one, entries=(other.entries[0], *one.entries[1:])))
        self._give(kept, replace(other, entries=(one.entries[0], *other.entries[1:])))

    def undo(self, kept: KeptRanking) -> None:
        """A table is there no longer."""
        if len(self.tables) > 1:
            place = self.chance.choice(list(self.tables))
            self.tables[place] = replace(self.tables[place], totals=())
            kept.change_table(self.tables[place])
            kept.remove_table(place)
            del self.tables[place]
            assert place not in kept.tables_of(place[0])

    def come_and_go(self, kept: KeptRanking) -> None:
        self.statuses[self.chance.choice(self.people)] = self.chance.choice(["arrived", "withdrawn"])
        kept.change_people(self.inputs)

    def come_late(self, kept: KeptRanking) -> None:
        self.people.append(len(self.people) + 1)
        self.statuses[self.people[-1]] = "arrived"
        kept.change_people(self.inputs)

    def change_bye(self, kept: KeptRanking) -> None:
        """Or it is counted anew, or the round is opened again and it counts nothing."""
        which = (self.chance.choice(self.people), self.chance.randint(1, self.held))
        if self.byes.pop(which, None) is None:
            self.byes[which] = self.chance.randint(0, 4)
        kept.change_people(self.inputs)

    def draw_lots(self, kept: KeptRanking) -> None:
        number = self.chance.choice(self.people)
        self.drawn[number] = (self.chance.choice([None, 3, 9]), self.chance.choice([None, 1, 2]))
        kept.change_people(self.inputs)

    def merge(self, kept: KeptRanking) -> None:
        """A person who was entered twice counts once; the next time both stand again."""
        kept_one, other = self.chance.sample(self.people, 2)
        if self.twice:
            self.twice.clear()
        elif not {kept_one, other} & {*self.pairs, *self.pairs.values()}:
            self.twice[other] = kept_one
        kept.change_people(self.inputs)

    def pair(self, kept: KeptRanking) -> None:
        one, other = sorted(self.chance.sample(self.people, 2))
        if not {one, other} & {*self.pairs, *self.twice, *self.twice.values()}:
            self.pairs |= {one: one, other: one}
        else:
            self.pairs.clear()
        kept.change_people(self.inputs)

    def _give(self, kept: KeptRanking, result: TableResult) -> None:
        self.tables[result.place] = result
        kept.change_table(result)


Act = Callable[[Evening, KeptRanking], None]
ACTS: list[Act] = [
    *(Evening.deal,) * 8,
    *(Evening.change_chairs, Evening.undo, Evening.come_and_go, Evening.come_late, Evening.change_bye),
    *(Evening.draw_lots, Evening.merge, Evening.pair),
]


def begun(evening: Evening) -> KeptRanking:
    kept = KeptRanking(
        evening.counting,
        evening.crediting,
        rounds_held=evening.held,
        directions=evening.directions,
        sealed=evening.sealed,
    )
    kept.change_people(evening.inputs)
    for result in evening.tables.values():
        kept.change_table(result)
    return kept


@settings(deadline=None)
@given(st.randoms(use_true_random=False), st.lists(st.sampled_from(ACTS), min_size=1, max_size=25))
def test_after_each_act_it_is_the_ranking_made_from_everything(
    chance: random.Random, acts: Sequence[Act]
) -> None:
    evening = Evening(chance)
    kept = begun(evening)
    for act in acts:
        act(evening, kept)
        if chance.random() < 0.7:  # else several come at once
            assert list(kept.rows()) == evening.from_everything()
    assert list(kept.rows()) == evening.from_everything() == list(begun(evening).rows())


@settings(deadline=None)
@given(st.randoms(use_true_random=False), st.lists(st.just(Evening.deal), max_size=6), st.data())
def test_a_row_is_the_same_however_it_is_asked_for(
    chance: random.Random, deals: Sequence[Act], data: st.DataObject
) -> None:
    evening = Evening(chance)
    kept = begun(evening)
    for deal in deals:
        deal(evening, kept)
    rows, wanted = kept.rows(), evening.from_everything()
    assert len(rows) == len(wanted)
    assert [rows[at] for at in range(-len(wanted), len(wanted))] == wanted * 2
    cut = data.draw(st.slices(len(wanted)))
    assert rows[cut] == wanted[cut]
    assert rows.have_swept == any(row.sweeps for row in wanted)


def test_what_was_asked_for_stays_as_it_was() -> None:
    evening = Evening(random.Random(1))
    kept = begun(evening)
    before = kept.rows()
    then = list(before)
    for _ in range(20):
        evening.deal(kept)
        kept.rows()
    assert list(before) == then != list(kept.rows())


def test_there_is_no_row_beyond_the_last() -> None:
    rows = KeptRanking(Counting(), Crediting(), rounds_held=1).rows()
    assert (len(rows), list(rows), rows.have_swept) == (0, [], False)
    with pytest.raises(IndexError):
        rows[0]
