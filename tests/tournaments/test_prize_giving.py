"""Prizes are given step by step by the last published ranking, and a postponed winner has chosen nothing."""

from collections.abc import Callable

import pytest

from games.models import User
from tests.frontend.evening import opened, person
from tests.frontend.test_standings_page import played
from tests.tournaments.table_play import write_strokes
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Booking, Championship
from tournaments.prizes import Prize, PrizePlan, PrizesError
from tournaments.services import prize_giving
from tournaments.services.money import bookings, till_shifts
from tournaments.services.money.evening_accounts import compute_evening_accounts
from tournaments.services.rounds import breaking_off, rounds

pytestmark = pytest.mark.django_db

PLAN = PrizePlan(
    prizes=(
        Prize(kind="place", number=1, amount=10_000),
        Prize(kind="place", number=2, amount=5_000),
        Prize(kind="place", number=3, amount=2_500),
    ),
    table=("Käse", "Wurst", "Wein"),
)


def code_of(call: Callable[[], object]) -> str:
    with pytest.raises(TournamentError) as refused:
        call()
    return refused.value.code


@pytest.fixture
def fredi() -> User:
    return person("fredi")


@pytest.fixture
def evening(fredi: User) -> Championship:
    made = played()
    prize_giving.set_plan(made, PLAN, actor=fredi)
    return made


def test_prizes_follow_the_ranking_published_last(evening: Championship) -> None:
    giving = prize_giving.load_giving(evening)

    assert sum(one.amount for one in giving.awards) == 17_500
    assert {one.place for one in giving.awards} <= {1, 2, 3}
    assert giving.current is None


def test_before_the_first_ranking_nobody_has_won_anything(fredi: User) -> None:
    made = played(2)
    made.snapshots.all().delete()
    prize_giving.set_plan(made, PLAN, actor=fredi)

    assert prize_giving.load_giving(made).steps == []


def test_people_are_called_one_after_the_other_and_choose_from_the_table(
    evening: Championship, fredi: User
) -> None:
    prize_giving.call(evening, 1, version=1, actor=fredi)
    giving = prize_giving.load_giving(evening)
    assert giving.current is not None
    (number,) = giving.current.keys
    assert giving.current.chooses
    prize_giving.take_gift(evening, number, 2, version=2, actor=fredi)
    prize_giving.take_gift(evening, number, 1, version=3, actor=fredi)

    after = prize_giving.load_giving(evening)
    assert after.taken == {number: 1}
    assert after.left == {0: "Käse", 2: "Wein"}


def test_who_is_called_back_has_chosen_nothing(evening: Championship, fredi: User) -> None:
    prize_giving.call(evening, 1, version=1, actor=fredi)
    (number,) = prize_giving.load_giving(evening).steps[0].keys
    prize_giving.take_gift(evening, number, 0, version=2, actor=fredi)
    prize_giving.call(evening, 2, version=3, actor=fredi)
    assert prize_giving.load_giving(evening).taken == {number: 0}
    prize_giving.call(evening, 1, version=4, actor=fredi)

    assert prize_giving.load_giving(evening).taken == {}


def test_what_is_gone_or_not_his_turn_is_refused(evening: Championship, fredi: User) -> None:
    prize_giving.call(evening, 1, version=1, actor=fredi)
    steps = prize_giving.load_giving(evening).steps
    (first,), (second,) = steps[0].keys, steps[1].keys
    prize_giving.take_gift(evening, first, 0, version=2, actor=fredi)

    assert (
        code_of(lambda: prize_giving.take_gift(evening, second, 1, version=3, actor=fredi))
        == "prizes/not_in_front"
    )
    assert code_of(lambda: prize_giving.take_gift(evening, first, 9, version=3, actor=fredi)) == "prizes/gone"
    prize_giving.call(evening, 2, version=3, actor=fredi)
    assert (
        code_of(lambda: prize_giving.take_gift(evening, second, 0, version=4, actor=fredi)) == "prizes/gone"
    )


def test_two_directors_do_not_call_over_each_other(evening: Championship, fredi: User) -> None:
    prize_giving.call(evening, 1, version=1, actor=fredi)

    assert code_of(lambda: prize_giving.call(evening, 2, version=1, actor=fredi)) == "prizes/done_since"
    assert prize_giving.load_giving(evening).step == 1


def test_a_plan_is_not_changed_while_prizes_are_given(evening: Championship, fredi: User) -> None:
    prize_giving.call(evening, 1, version=1, actor=fredi)

    assert code_of(lambda: prize_giving.set_plan(evening, PrizePlan(), actor=fredi)) == "prizes/begun"
    prize_giving.call(evening, 0, version=2, actor=fredi)
    prize_giving.set_plan(evening, PrizePlan(), actor=fredi)
    assert prize_giving.load_giving(evening).steps == []


def test_a_plan_that_cannot_be_leaves_the_one_before(evening: Championship, fredi: User) -> None:
    with pytest.raises(PrizesError):
        prize_giving.set_plan(evening, PrizePlan(prizes=(Prize(kind="last"),)), actor=fredi)

    assert prize_giving.load_plan(evening) == PLAN


def book(made: Championship) -> list[tuple[int, int]]:
    """Number and amount of every line, the newest last."""
    lines = Booking.objects.filter(championship=made).select_related("entry")
    return [(one.entry.number if one.entry else 0, one.amount) for one in lines]


def call_all(made: Championship, fredi: User) -> prize_giving.Giving:
    giving = prize_giving.load_giving(made)
    prize_giving.call(made, len(giving.steps), version=giving.version, actor=fredi)
    return prize_giving.load_giving(made)


def test_money_is_booked_with_the_call_and_who_is_called_back_gives_it_back(
    evening: Championship, fredi: User
) -> None:
    till = till_shifts.open_till(evening, actor=fredi, float_amount=20_000)
    giving = call_all(evening, fredi)

    won = {one.key: -one.amount for one in giving.awards if one.amount}
    assert dict(book(evening)) == won
    assert {(one.kind, one.method, one.shift, one.booked_by) for one in Booking.objects.all()} == {
        ("prize", "cash", till, fredi)
    }
    assert till_shifts.list_tills(evening)[0].expected == 2_500
    prize_giving.call(evening, len(giving.steps) - 1, version=giving.version, actor=fredi)
    (back,) = giving.steps[-1].keys
    assert book(evening)[-1] == (back, -won[back])
    assert len(book(evening)) == len(won) + 1, "what was booked stays in the book"
    prize_giving.call(evening, 0, version=giving.version + 1, actor=fredi)
    assert compute_evening_accounts(evening).balance == 0


def test_money_is_booked_once_however_often_somebody_is_called(evening: Championship, fredi: User) -> None:
    giving = call_all(evening, fredi)
    money = sum(bool(one.amount) for one in giving.awards)
    call_all(evening, fredi)
    assert len(book(evening)) == money

    prize_giving.call(evening, len(giving.steps) - 1, version=giving.version + 1, actor=fredi)
    call_all(evening, fredi)
    assert len(book(evening)) == money + 2, "taken back and handed over again"
    assert -sum(amount for _number, amount in book(evening)) == 17_500


def test_money_that_was_taken_back_is_settled_by_another_way_once(evening: Championship, fredi: User) -> None:
    call_all(evening, fredi)
    booking = Booking.objects.order_by("pk")[0]
    bookings.cancel(booking, actor=fredi)
    (open_still,) = prize_giving.list_unsettled(evening, prize_giving.load_giving(evening))
    assert (open_still.won, open_still.handed_over) == (-booking.amount, 0)
    assert prize_giving.compute_money_to_hand_over(evening) == -booking.amount

    def settle(line: int = open_still.line) -> None:
        prize_giving.settle(evening, open_still.key, line, actor=person("hanna"), method="transfer")

    settle()
    assert prize_giving.list_unsettled(evening, prize_giving.load_giving(evening)) == []
    assert (Booking.objects.latest("pk").method, Booking.objects.latest("pk").shift) == ("transfer", None)
    assert code_of(settle) == "prizes/handed_over"
    assert code_of(lambda: settle(99)) == "prizes/not_called"


def test_nobody_is_paid_who_was_not_called(evening: Championship) -> None:
    first = prize_giving.load_giving(evening).awards[0]

    def settle() -> None:
        prize_giving.settle(evening, first.key, first.prize, actor=person("hanna"))

    assert code_of(settle) == "prizes/not_called"
    assert not Booking.objects.exists()


def test_a_result_put_right_after_the_giving_shows_whose_money_does_not_agree(
    evening: Championship, fredi: User
) -> None:
    giving = call_all(evening, fredi)
    newest = evening.snapshots.latest("pk")
    first, second = newest.rows[0], newest.rows[-1]
    for name in ("entry", "key", "members"):
        if name in first:
            first[name], second[name] = second[name], first[name]
    newest.save()

    states = prize_giving.list_unsettled(evening, prize_giving.load_giving(evening))

    assert {(state.key, state.won, state.handed_over) for state in states} >= {
        (giving.awards[0].key, 0, giving.awards[0].amount)
    }
    prize_giving.call(evening, 0, version=giving.version, actor=fredi)
    assert compute_evening_accounts(evening).balance == 0, "also what is nobody's any more"


def test_only_the_director_gives_prizes(evening: Championship) -> None:
    with pytest.raises(NotAllowed):
        prize_giving.call(evening, 1, version=1, actor=person("hanna"))


def booked(evening: Championship) -> dict[int, int]:
    """By entry's number what was handed over and not taken back."""
    found: dict[int, int] = {}
    for booking in (
        bookings.filter_valid_bookings(evening).filter(prize__isnull=False).select_related("entry")
    ):
        assert booking.entry is not None
        found[booking.entry.number] = found.get(booking.entry.number, 0) - booking.amount
    return {number: amount for number, amount in found.items() if amount}


def test_who_is_not_there_comes_later_and_has_not_got_the_money(evening: Championship, fredi: User) -> None:
    steps = prize_giving.load_giving(evening).steps
    at = next(n for n, step in enumerate(steps, 1) if step.awards)
    prize_giving.call(evening, at, version=1, actor=fredi)
    absent = steps[at - 1].keys[0]
    assert set(booked(evening)) == {absent}
    prize_giving.postpone_current(evening, version=2, actor=fredi)

    now = prize_giving.load_giving(evening)
    assert now.current == steps[at]
    assert now.steps[-1] == steps[at - 1]
    assert set(booked(evening)) == {steps[at].keys[0]}
    prize_giving.call(evening, len(steps), version=3, actor=fredi)
    assert set(booked(evening)) == {one.key for one in now.awards}
    assert (
        code_of(lambda: prize_giving.postpone_current(evening, version=4, actor=fredi))
        == "prizes/nobody_next"
    )
    prize_giving.call(evening, 0, version=4, actor=fredi)
    assert prize_giving.load_giving(evening).steps == steps


def test_who_missed_a_round_or_only_sat_out_is_marked_so(evening: Championship) -> None:
    snapshot = evening.snapshots.latest("pk")
    rows = snapshot.rows
    assert all(one.complete for one in prize_giving.load_candidates(evening))
    rows[0]["rounds"] = [{**score, "played": False} for score in rows[0]["rounds"]]
    rows[1]["rounds"] = []
    type(snapshot).objects.filter(pk=snapshot.pk).update(rows=rows)

    assert [one.complete for one in prize_giving.load_candidates(evening)][:3] == [False, False, True]


def test_who_sat_at_a_table_that_was_broken_off_without_a_winner_took_part(fredi: User) -> None:
    round_ = opened("sheet", people=4, preset="lake_constance", changes={"rounds": 1})
    for table, deals in zip(round_.tables.select_related("game").order_by("number"), (5, 1), strict=True):
        write_strokes(table, deals)
    breaking_off.break_off(round_.tables.get(number=2), actor=fredi, reason="one went home")
    rounds.close_round(round_, actor=fredi)

    assert [one.complete for one in prize_giving.load_candidates(round_.championship)] == [True] * 4
