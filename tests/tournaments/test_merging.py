"""One person entered twice and merged: before the draw, after it, and after both entries have played."""

from typing import Any

import pytest

from games import store
from games.models import User
from tests.tournaments import table_play
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry, Official, Round
from tournaments.services.audit import row_audit
from tournaments.services.championships import championships, officials
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import drawing, seating_by_hand, substitutions
from tournaments.services.entries import entries, merging
from tournaments.services.referee import disputes
from tournaments.services.rounds import rounds
from tournaments.services.scores import ranking_basis, ruling_marks

pytestmark = [pytest.mark.both, pytest.mark.django_db]


@pytest.fixture
def fredi() -> User:
    return User.objects.create(username="fredi")


def evening(fredi: User, people: int = 9, **more: Any) -> Championship:
    made = championships.create(
        actor=fredi, name="Abend", slug="abend", changes={"rounds": 4, "deals": 1, **more}
    )
    officials.appoint(made, fredi, Official.Role.REFEREE, actor=fredi)
    wanted = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(1, people + 1)]
    entries.add_entries(made, wanted, actor=fredi)
    return made


def entry(made: Championship, number: int) -> Entry:
    return made.entries.select_related("championship").get(number=number)


def play(made: Championship, number: int, tables: list[list[int]], fredi: User) -> Round:
    round_ = seating_by_hand.seat_by_hand(made.rounds.get(number=number), tables, actor=fredi)
    round_.tables.update(mode="sheet")
    rounds.open_round(round_, actor=fredi)
    for table in round_.tables.order_by("number"):
        table_play.write_sheet(table, [90 + table.number + number])
    return rounds.close_round(round_, actor=fredi)


def differences(made: Championship) -> list[str]:
    return list(row_audit.find_stream_differences(made.stream_id, list(store.read(made.stream_id))))


def refused(one: Entry, other: Entry, fredi: User) -> str:
    with pytest.raises(TournamentError) as told:
        merging.merge_entries(one, other, actor=fredi, reason="zweimal")
    return told.value.code


def test_before_the_draw_the_second_entry_is_struck_and_what_it_knew_is_kept(fredi: User) -> None:
    made = evening(fredi)
    entries.edit_entry(entry(made, 9), actor=fredi, club="Schwyz", birth_year=1961)
    entries.pay(entry(made, 9), actor=fredi)

    plan = merging.merge_entries(entry(made, 9), entry(made, 2), actor=fredi, reason="zweimal")

    assert (plan.keep.number, plan.strike.number, plan.played, plan.pays) == (2, 9, (), True)
    kept, struck = entry(made, 2), entry(made, 9)
    assert (kept.club, kept.birth_year, kept.paid, kept.status) == ("Schwyz", 1961, True, "arrived")
    assert (struck.status, struck.merged_into) == ("withdrawn", kept)
    assert made.entries.filter(status="arrived").count() == 8
    assert differences(made) == []


def test_what_both_have_played_counts_for_one_and_the_ranking_is_published_anew(fredi: User) -> None:
    made = evening(fredi)
    play(made, 1, [[1, 2, 3, 4], [5, 6, 7, 8]], fredi)  # 9 has a bye
    play(made, 2, [[1, 9, 3, 4], [5, 6, 7, 8]], fredi)  # 2 has a bye
    before = {row.key: row for row in ranking_basis.live_ranking(made)}
    published = made.snapshots.count()

    plan = merging.merge_entries(entry(made, 2), entry(made, 9), actor=fredi, reason="zweimal")

    assert plan.keep.number == 2
    assert plan.played == ((2, 1),)
    after = {row.key: row for row in ranking_basis.live_ranking(made)}
    assert 9 not in after
    assert [(one.round, one.played) for one in after[2].rounds] == [(1, True), (2, True)]
    assert after[2].total == (before[2].rounds[0].points or 0) + (before[9].rounds[1].points or 0)
    assert made.snapshots.count() == published + 1
    assert differences(made) == []


def test_apart_again_each_has_what_was_played_under_its_number(fredi: User) -> None:
    made = evening(fredi)
    play(made, 1, [[1, 2, 3, 4], [5, 6, 7, 8]], fredi)
    play(made, 2, [[1, 9, 3, 4], [5, 6, 7, 8]], fredi)
    before = {row.key: row.total for row in ranking_basis.live_ranking(made)}
    plan = merging.merge_entries(entry(made, 2), entry(made, 9), actor=fredi, reason="zweimal")

    merging.part_entries(plan.strike, actor=fredi)
    entries.reinstate(entry(made, 9), actor=fredi)

    assert {row.key: row.total for row in ranking_basis.live_ranking(made)} == before
    assert differences(made) == []
    with pytest.raises(TournamentError, match="not merged"):
        merging.part_entries(entry(made, 9), actor=fredi)


def test_the_next_draw_knows_whom_the_person_met_under_either_number(fredi: User) -> None:
    made = evening(fredi)
    play(made, 1, [[1, 2, 3, 4], [5, 6, 7, 8]], fredi)
    play(made, 2, [[1, 9, 3, 4], [5, 6, 7, 8]], fredi)
    merging.merge_entries(entry(made, 2), entry(made, 9), actor=fredi, reason="zweimal")

    field = drawing.load_field(made.rounds.get(number=3), load_regulations(made))
    assert isinstance(field, drawing.DrawField)

    assert [one.number for one in field.entries] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert field.problem.past[1].tables[0] == (0, 1, 2, 3)


def test_after_the_draw_the_one_that_has_a_chair_stays(fredi: User) -> None:
    made = evening(fredi)
    seating_by_hand.seat_by_hand(made.rounds.get(number=1), [[1, 9, 3, 4], [5, 6, 7, 8]], actor=fredi)

    plan = merging.merge_entries(entry(made, 2), entry(made, 9), actor=fredi, reason="zweimal")

    assert (plan.keep.number, plan.strike.number) == (9, 2)
    assert made.rounds.get(number=1).seatings.filter(entry=entry(made, 9)).exists()


def test_drawn_at_two_tables_is_said_with_what_to_do(fredi: User) -> None:
    made = evening(fredi)
    round_ = seating_by_hand.seat_by_hand(
        made.rounds.get(number=1), [[1, 2, 3, 4], [5, 6, 7, 8]], actor=fredi
    )
    assert refused(entry(made, 2), entry(made, 8), fredi) == "merge/drawn_twice"

    substitutions.take_chair(round_, 9, 8, bye=False, actor=fredi)
    assert (
        merging.merge_entries(entry(made, 2), entry(made, 8), actor=fredi, reason="zweimal").strike.number
        == 8
    )


def test_who_played_at_the_same_time_is_two_people(fredi: User) -> None:
    made = evening(fredi)
    round_ = play(made, 1, [[1, 2, 3, 4], [5, 6, 7, 8]], fredi)
    assert refused(entry(made, 2), entry(made, 8), fredi) == "merge/played_together"
    assert round_.championship.entries.filter(merged_into__isnull=False).count() == 0


def test_who_is_one_already_is_not_taken_back_nor_merged_again(fredi: User) -> None:
    made = evening(fredi)
    merging.merge_entries(entry(made, 2), entry(made, 9), actor=fredi, reason="zweimal")

    assert refused(entry(made, 9), entry(made, 3), fredi) == "merge/merged"
    assert refused(entry(made, 3), entry(made, 2), fredi) == "merge/merged"
    with pytest.raises(TournamentError, match="is merged with"):
        entries.reinstate(entry(made, 9), actor=fredi)


def test_what_cannot_be_one_is_refused(fredi: User) -> None:
    made = evening(fredi)
    entries.edit_entry(entry(made, 9), actor=fredi, house=True)
    assert refused(entry(made, 1), entry(made, 1), fredi) == "merge/two"
    assert refused(entry(made, 1), entry(made, 9), fredi) == "merge/house"
    entries.link_account(entry(made, 8), User.objects.create(username="acht"), actor=fredi)
    assert merging.plan_merge(entry(made, 2), entry(made, 8)).keep.number == 8
    entries.link_account(entry(made, 2), User.objects.create(username="zwei"), actor=fredi)
    assert refused(entry(made, 2), entry(made, 8), fredi) == "merge/account"


def test_wishes_go_along(fredi: User) -> None:
    made = evening(fredi)
    entries.add_constraint(made, "never_meet", entry(made, 9), entry(made, 5), actor=fredi)
    merging.merge_entries(entry(made, 2), entry(made, 9), actor=fredi, reason="zweimal")
    assert [other.number for _wish, other in entries.list_constraints(entry(made, 2))] == [5]


def test_the_way_to_a_result_and_the_mark_of_a_ruling_follow_the_line_that_counts(fredi: User) -> None:
    made = evening(fredi)
    play(made, 1, [[1, 9, 3, 4], [5, 6, 7, 8]], fredi)
    merging.merge_entries(entry(made, 2), entry(made, 9), actor=fredi, reason="zweimal")
    kept = made.entries.exclude(merged_into=None).get().merged_into
    assert kept is not None
    table = made.rounds.get(number=1).tables.get(number=1)
    disputes.raise_dispute(table, actor=fredi, text="x")
    made.rounds.get(number=1).tables.get(number=1).disputes.update(ruling_number=1, status="ruled")

    assert (1, kept.number) in ruling_marks.load_entry_marks(made, [kept.number])
