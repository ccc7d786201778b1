"""Prizes: winners, shares of level people, and the order of calls."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.prizes import (
    Award,
    Candidate,
    Prize,
    PrizePlan,
    PrizesError,
    award,
    decode_plan,
    encode_plan,
    stored_plan,
)
from tournaments.prizes.giving import order_calls, postpone_calls

ANNA, BEAT, CHIARA, DARIO, EVA = range(1, 6)


def people(*places: int, **more: dict[int, Any]) -> list[Candidate]:
    """Entry n stands at the n-th of these places; `more`: field → {number: value}."""
    return [
        Candidate(
            key=n,
            place=place,
            order=n,
            total=3000 - 100 * place,
            **{field: values[n] for field, values in more.items() if n in values},
        )
        for n, place in enumerate(places, 1)
    ]


def for_places(*francs: int) -> tuple[Prize, ...]:
    return tuple(Prize(kind="place", number=n, amount=100 * each) for n, each in enumerate(francs, 1))


def money(awards: list[Award]) -> dict[int, float]:
    found: Counter[int] = Counter()
    for one in awards:
        found[one.key] += one.amount
    return {key: amount / 100 for key, amount in found.items()}


def test_each_place_gets_its_prize() -> None:
    plan = PrizePlan(prizes=for_places(100, 80, 60))

    assert money(award(plan, people(1, 2, 3, 4))) == {ANNA: 100, BEAT: 80, CHIARA: 60}


def test_level_people_divide_what_their_places_give() -> None:
    plan = PrizePlan(prizes=for_places(100, 80, 60))

    assert money(award(plan, people(1, 2, 2, 4))) == {ANNA: 100, BEAT: 70, CHIARA: 70}


def test_who_is_level_with_the_last_prize_divides_it_too() -> None:
    plan = PrizePlan(prizes=for_places(100, 80))

    assert money(award(plan, people(1, 2, 2, 2))) == {ANNA: 100, BEAT: 26.7, CHIARA: 26.65, DARIO: 26.65}


def test_in_order_means_that_the_list_decides_between_level_people_and_says_so() -> None:
    plan = PrizePlan(prizes=for_places(100, 80), sharing="in_order")
    found = award(plan, people(1, 1, 3))

    assert money(found) == {ANNA: 100, BEAT: 80}
    assert all(one.level for one in found)


def test_a_thing_is_not_divided() -> None:
    plan = PrizePlan(prizes=(Prize(kind="place", number=1, amount=5000, thing="Schinken"),))
    found = award(plan, people(1, 1))

    assert money(found) == {ANNA: 25, BEAT: 25}
    assert [(one.key, one.level) for one in found if one.thing] == [(ANNA, True)]


def test_the_best_woman_is_the_next_one_where_the_first_has_a_prize_already() -> None:
    women = {n: frozenset({"women"}) for n in (ANNA, CHIARA, EVA)}
    ladies = (
        Prize(kind="category", category="women", thing="Blumen"),
        Prize(kind="category", category="women", number=2, thing="Wein"),
    )
    plan = PrizePlan(prizes=(*for_places(100), *ladies))
    everybody = people(1, 2, 3, 4, 5, categories=women)

    assert {one.thing: one.key for one in award(plan, everybody) if one.thing} == {
        "Blumen": CHIARA,
        "Wein": EVA,
    }
    twice = PrizePlan(prizes=plan.prizes, once=False)
    assert {one.thing: one.key for one in award(twice, everybody) if one.thing} == {
        "Blumen": ANNA,
        "Wein": CHIARA,
    }


def test_sweeps_oldest_last_and_best_round() -> None:
    plan = PrizePlan(
        prizes=tuple(Prize(kind=kind, thing=kind) for kind in ("sweeps", "oldest", "best_round", "last"))
    )
    everybody = people(
        1, 2, 3, 4, 5,
        sweeps={BEAT: 2, EVA: 1},
        birth_year={CHIARA: 1941, DARIO: 1950},
        best_round={ANNA: 600, BEAT: 900, DARIO: 800},
    )  # fmt: skip

    assert {one.thing: one.key for one in award(plan, everybody)} == {
        "sweeps": BEAT,
        "oldest": CHIARA,
        "best_round": DARIO,
        "last": EVA,
    }


def test_the_best_round_of_drawn_partners_is_divided_between_them() -> None:
    plan = PrizePlan(prizes=(Prize(kind="best_round", amount=3000),))

    assert money(award(plan, people(1, 2, 3, best_round={ANNA: 700, BEAT: 812, CHIARA: 812}))) == {
        BEAT: 15,
        CHIARA: 15,
    }


def test_where_the_lowest_wins_the_best_round_is_the_lowest() -> None:
    plan = PrizePlan(prizes=(Prize(kind="best_round", amount=1000),))
    found = award(plan, people(1, 2, best_round={ANNA: 40, BEAT: 12}), lowest_wins=True)

    assert [one.key for one in found] == [BEAT]


def test_the_best_club_is_counted_by_its_best_people_and_needs_so_many() -> None:
    plan = PrizePlan(prizes=(Prize(kind="club_team", number=2, amount=5000),))
    clubs = {ANNA: "Solo", BEAT: "Puur", CHIARA: "Nell", DARIO: "Nell", EVA: "Puur"}

    assert money(award(plan, people(1, 2, 3, 4, 5, club=clubs))) == {BEAT: 25, EVA: 25}, (
        "level: Beat is first"
    )


def test_nobody_gets_what_nobody_can_get() -> None:
    plan = PrizePlan(prizes=(Prize(kind="sweeps", amount=1000), Prize(kind="club_team", number=9, amount=1)))

    assert award(plan, people(1, 2)) == []


def test_prizes_are_given_from_place_four_on_and_the_podium_comes_last() -> None:
    plan = PrizePlan(
        prizes=(
            *for_places(100, 80, 60, 40),
            Prize(kind="last", thing="Trost"),
            Prize(kind="sweeps", amount=5),
        ),
        once=False,
    )
    everybody = people(1, 2, 3, 4, 5, sweeps={BEAT: 1})
    steps = order_calls(plan, everybody, award(plan, everybody))

    assert [(step.keys, step.special) for step in steps] == [
        ((DARIO,), False), ((EVA,), True), ((BEAT,), True),
        ((CHIARA,), False), ((BEAT,), False), ((ANNA,), False),
    ]  # fmt: skip


def test_whoever_has_no_prize_for_his_place_chooses_from_the_table() -> None:
    plan = PrizePlan(prizes=for_places(100, 80, 60), table=("Käse", "Wurst"))
    everybody = people(1, 2, 3, 4, 5)
    steps = order_calls(plan, everybody, award(plan, everybody))

    assert [step.keys[0] for step in steps if step.chooses] == [DARIO, EVA]
    assert [step.keys[0] for step in steps] == [DARIO, EVA, CHIARA, BEAT, ANNA]


def test_where_the_podium_chooses_too_it_comes_first() -> None:
    plan = PrizePlan(table=("Käse", "Wurst", "Wein", "Brot"))
    everybody = people(1, 2, 3, 4, 5)

    assert [step.keys[0] for step in order_calls(plan, everybody, [])] == [ANNA, BEAT, CHIARA, DARIO]


@pytest.mark.parametrize(
    ("prizes", "code"),
    [
        ([{"kind": "place"}], "prizes/nothing"),
        ([{"kind": "place", "amount": 1}, {"kind": "place", "thing": "x"}], "prizes/twice"),
        ([{"kind": "last", "amount": 1}, {"kind": "last", "number": 2, "thing": "x"}], "prizes/twice"),
        ([{"kind": "category", "amount": 1}], "prizes/category"),
        ([{"kind": "place", "category": "women", "amount": 1}], "prizes/category"),
        ([{"kind": "place", "amount": -1}], "prizes/unreadable"),
        ([{"kind": "car"}], "prizes/unreadable"),
        ("all", "prizes/unreadable"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(prizes: Any, code: str) -> None:
    with pytest.raises(PrizesError) as refused:
        decode_plan({"prizes": prizes})

    assert refused.value.code == code


def test_a_plan_comes_back_from_json_as_it_was() -> None:
    plan = PrizePlan(prizes=for_places(10, 5), table=("Käse",), sharing="in_order", once=False)

    assert decode_plan(encode_plan(plan)) == plan


@st.composite
def rankings(draw: st.DrawFn) -> list[Candidate]:
    """Places as a ranking has them: whoever is level shares one, and the next place is left out for each."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=8))
    places = [1 + sum(sizes[:i]) for i, size in enumerate(sizes) for _ in range(size)]
    return [
        Candidate(
            key=100 - n,
            place=place,
            order=n,
            total=draw(st.integers(0, 3000)),
            sweeps=draw(st.integers(0, 3)),
            best_round=draw(st.none() | st.integers(0, 5)),
            club=draw(st.sampled_from(["", "Puur", "Nell"])),
            categories=draw(st.sets(st.sampled_from(["women", "youth"])).map(frozenset)),
            birth_year=draw(st.sampled_from([0, 1940, 1980])),
        )
        for n, place in enumerate(places)
    ]


PRIZES = st.builds(
    Prize,
    kind=st.sampled_from(["place", "oldest", "sweeps", "best_round", "last", "club_team"]),
    number=st.integers(1, 6),
    amount=st.integers(0, 500).map(lambda n: n * 5),
    thing=st.sampled_from(["", "Schinken"]),
)
PLANS = st.builds(
    PrizePlan,
    prizes=st.lists(
        PRIZES.filter(lambda prize: bool(prize.amount or prize.thing)),
        max_size=8,
        unique_by=lambda prize: (prize.kind, prize.number),
    ).map(tuple),
    sharing=st.sampled_from(["shared", "in_order"]),
    once=st.booleans(),
    table=st.lists(st.just("Käse"), max_size=6).map(tuple),
)


@given(rankings(), PLANS)
def test_money_is_given_whole_and_nobody_gets_a_thing_that_is_given_already(
    ranking: list[Candidate], plan: PrizePlan
) -> None:
    found = award(plan, ranking)
    offered = sum(prize.amount for prize in plan.prizes)
    places = [prize.amount for prize in plan.prizes if prize.kind == "place" and prize.number <= len(ranking)]
    given_for_places = sum(one.amount for one in found if plan.prizes[one.prize].kind == "place")

    assert given_for_places == sum(places)
    assert sum(one.amount for one in found) <= offered
    assert all(one.amount % 5 == 0 for one in found)
    things = Counter(one.prize for one in found if one.thing and plan.prizes[one.prize].kind != "club_team")
    assert set(things.values()) <= {1}


@given(rankings(), PLANS)
def test_everybody_who_gets_something_is_called_once_for_it(
    ranking: list[Candidate], plan: PrizePlan
) -> None:
    found = award(plan, ranking)
    steps = order_calls(plan, ranking, found)
    called = [one for step in steps for one in step.awards]

    assert sorted(called, key=repr) == sorted(found, key=repr)
    own = [step.keys[0] for step in steps if not step.special]
    assert len(set(own)) == len(own)
    assert sum(step.chooses for step in steps) <= len(plan.table)


SPECIAL = tuple(
    Prize(kind=kind, category="women" if kind == "category" else "", thing=kind)
    for kind in ("category", "oldest", "sweeps", "best_round", "last")
)


def test_special_prizes_are_for_those_who_took_part_in_every_round() -> None:
    everybody = people(
        1, 2, 3, 4, 5,
        categories=dict.fromkeys(range(1, 6), frozenset({"women"})),
        birth_year={ANNA: 1920, BEAT: 1930, EVA: 1910},
        sweeps={ANNA: 3, BEAT: 1, EVA: 2},
        best_round={ANNA: 900, BEAT: 800, EVA: 850},
        complete={ANNA: False, EVA: False},
    )  # fmt: skip

    def winners(**rule: Any) -> dict[str, int]:
        return {one.thing: one.key for one in award(PrizePlan(prizes=SPECIAL, once=False, **rule), everybody)}

    assert winners() == {
        "category": BEAT, "oldest": BEAT, "sweeps": BEAT, "best_round": BEAT, "last": DARIO
    }  # fmt: skip
    assert winners(complete=False) == {
        "category": ANNA, "oldest": EVA, "sweeps": ANNA, "best_round": ANNA, "last": EVA
    }  # fmt: skip


def test_a_place_is_won_by_whoever_stands_there() -> None:
    everybody = people(1, 2, complete={ANNA: False})
    assert money(award(PrizePlan(prizes=for_places(100)), everybody)) == {ANNA: 100}


def test_a_club_whose_member_went_home_does_not_win_by_the_lower_sum() -> None:
    plan = PrizePlan(prizes=(Prize(kind="club_team", number=2, amount=5000),))
    clubs = {ANNA: "Puur", BEAT: "Puur", CHIARA: "Nell", DARIO: "Nell"}
    totals = {ANNA: 200, BEAT: 20, CHIARA: 210, DARIO: 220}
    everybody = [
        Candidate(key=n, place=n, order=n, total=totals[n], club=clubs[n], complete=n != BEAT)
        for n in (ANNA, BEAT, CHIARA, DARIO)
    ]

    assert set(money(award(plan, everybody, lowest_wins=True))) == {CHIARA, DARIO}
    open_to_all = PrizePlan(prizes=plan.prizes, complete=False)
    assert set(money(award(open_to_all, everybody, lowest_wins=True))) == {ANNA, BEAT}


def test_a_plan_by_which_prizes_were_given_before_there_was_this_rule_holds_as_it_was() -> None:
    old = encode_plan(PrizePlan(prizes=SPECIAL))
    del old["complete"]

    assert decode_plan(stored_plan(old, begun=True)).complete is False
    assert decode_plan(stored_plan(old, begun=False)).complete is True
    assert decode_plan(stored_plan({**old, "complete": True}, begun=True)).complete is True


def test_who_is_not_there_is_called_at_the_end() -> None:
    plan = PrizePlan(prizes=for_places(100, 80, 60, 40))
    everybody = people(1, 2, 3, 4)
    steps = order_calls(plan, everybody, award(plan, everybody))

    later = postpone_calls(steps, [f"key:{CHIARA}", f"key:{DARIO}"])
    assert [step.keys[0] for step in later] == [BEAT, ANNA, CHIARA, DARIO]
    assert postpone_calls(steps, []) == steps
