"""The desk."""

from collections.abc import Callable
from typing import Any

import pytest

from games import store
from games.models import User
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Entry, Round, SideConstraint
from tournaments.names import clean, fold
from tournaments.services.draw import drawing, left_over
from tournaments.services.entries import entries, waiting_list
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.both

People = Callable[[int], list[Entry]]
Opened = Callable[..., Round]


def test_entries_are_numbered_as_they_come(championship: Championship, fredi: User) -> None:
    anna = entries.add_entry(
        championship, actor=fredi, name=" Anna   Müller ", club="Bärn", licence="7", note="früh"
    )
    beat = entries.add_entry(championship, actor=fredi, name="Beat")
    assert (anna.number, anna.name, anna.club, beat.number) == (1, "Anna Müller", "Bärn", 2)
    assert anna.player_ref != beat.player_ref
    told = store.read(championship.stream_id)[-1]
    assert (told.type, told.body) == ("entry_added", {"player": beat.player_ref, "number": 2})


@pytest.mark.parametrize("again", ["Anna Müller", "anna  MUELLER", "ANNA MÜLLER"])
def test_the_same_name_is_not_entered_twice(championship: Championship, fredi: User, again: str) -> None:
    first = entries.add_entry(championship, actor=fredi, name="Anna Müller")
    with pytest.raises(TournamentError) as refused:
        entries.add_entry(championship, actor=fredi, name=again)
    assert refused.value.code == "entries/double"
    assert championship.entries.count() == 1
    entries.withdraw_entry(first, actor=fredi)
    entries.add_entry(championship, actor=fredi, name=again)


def test_two_people_of_one_name_are_entered_knowingly(championship: Championship, fredi: User) -> None:
    for _ in range(2):
        entries.add_entry(championship, actor=fredi, name="Hans Müller", allow_double=True)
    assert championship.entries.count() == 2


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "names/missing"),
        ("  ", "names/missing"),
        ("x" * 91, "names/too_long"),
        ("An\u202ena", "names/forbidden_characters"),
        ("An\x07na", "names/forbidden_characters"),
        ("An\x00na", "names/forbidden_characters"),
    ],
)
def test_a_name_that_is_none_is_refused(
    championship: Championship, fredi: User, name: str, code: str
) -> None:
    with pytest.raises(TournamentError) as refused:
        entries.add_entry(championship, actor=fredi, name=name)
    assert refused.value.code == code
    assert not championship.entries.exists()


def test_names_are_kept_in_one_form() -> None:
    assert clean("Mu\u0308ller") == "Müller"
    assert fold("MÜLLER  Ueli") == fold("mueller üli") == "muller uli"
    assert fold("Françoise") == "francoise"


def test_somebody_pays_arrives_and_leaves(championship: Championship, fredi: User) -> None:
    entry = entries.add_entry(championship, actor=fredi, name="Anna")
    assert entries.pay(entry, actor=fredi).status == Entry.Status.PAID
    assert entries.pay(entry, actor=fredi, paid=False).status == Entry.Status.REGISTERED
    entries.pay(entry, actor=fredi)
    first = entries.arrive(entry, actor=fredi).arrived_at
    assert entries.arrive(entry, actor=fredi).arrived_at == first
    assert entries.leave(entry, actor=fredi).status == Entry.Status.PAID
    assert entry.arrived_at is None
    assert entries.leave(entry, actor=fredi).status == Entry.Status.PAID


def test_somebody_who_pays_at_the_table_stays_arrived(championship: Championship, fredi: User) -> None:
    entry = entries.add_entry(championship, actor=fredi, name="Anna", status="arrived")
    assert entries.pay(entry, actor=fredi).status == Entry.Status.ARRIVED


def test_whoever_has_withdrawn_does_not_arrive(championship: Championship, fredi: User) -> None:
    entry = entries.add_entry(championship, actor=fredi, name="Anna")
    entries.withdraw_entry(entry, actor=fredi)
    assert entries.withdraw_entry(entry, actor=fredi).withdrawn_from == 1
    with pytest.raises(TournamentError) as refused:
        entries.arrive(entry, actor=fredi)
    assert refused.value.code == "entries/withdrawn"
    entries.reinstate(entry, actor=fredi)
    assert entries.reinstate(entry, actor=fredi).status == Entry.Status.REGISTERED
    assert entries.arrive(entry, actor=fredi).status == Entry.Status.ARRIVED
    told = [event.type for event in store.read(championship.stream_id)][-3:]
    assert told == ["entry_added", "entry_withdrawn", "entry_returned"]


def test_a_press_on_an_old_page_leaves_somebody_withdrawn(championship: Championship, fredi: User) -> None:
    anna = entries.add_entry(championship, actor=fredi, name="Anna", status="arrived")
    shown = {act: Entry.objects.get(pk=anna.pk) for act in ("arrive", "leave", "pay", "unpay")}
    entries.withdraw_entry(anna, actor=fredi)
    with pytest.raises(TournamentError) as refused:
        entries.arrive(shown["arrive"], actor=fredi)
    assert refused.value.code == "entries/withdrawn"
    entries.leave(shown["leave"], actor=fredi)
    assert entries.pay(shown["pay"], actor=fredi).status == Entry.Status.WITHDRAWN
    assert entries.pay(shown["unpay"], actor=fredi, paid=False).status == Entry.Status.WITHDRAWN
    anna.refresh_from_db()
    assert (anna.status, anna.withdrawn_from) == (Entry.Status.WITHDRAWN, 1)


def test_a_press_on_an_old_page_takes_nobody_off_the_waiting_list(
    championship: Championship, fredi: User
) -> None:
    anna = entries.add_entry(championship, actor=fredi, name="Anna", waits=True)
    entries.reinstate(anna, actor=fredi)
    shown = [Entry.objects.get(pk=anna.pk) for _ in range(2)]
    waiting_list.put_back(anna, actor=fredi)
    for act, entry in zip((entries.arrive, entries.pay), shown, strict=True):
        with pytest.raises(TournamentError) as refused:
            act(entry, actor=fredi)
        assert refused.value.code == "entries/waits"
    anna.refresh_from_db()
    assert anna.waits
    assert not anna.paid


@pytest.mark.parametrize("is_open", [True, False])
def test_nobody_is_taken_out_of_a_round_he_sits_in(
    championship: Championship, fredi: User, arrived: People, is_open: bool
) -> None:
    entry = arrived(8)[2]
    round_ = drawing.draw_round(championship.rounds.get(number=1), actor=fredi)
    if is_open:
        rounds.open_round(round_, actor=fredi)
    seats = list(round_.seatings.values_list("entry", "seat"))
    head = store.read_head(championship.stream_id)
    with pytest.raises(TournamentError) as refused:
        entries.withdraw_entry(entry, actor=fredi)
    assert refused.value.code == "entries/seated"
    assert refused.value.params["round"] == 1
    entry.refresh_from_db()
    assert entry.status == Entry.Status.ARRIVED
    assert list(round_.seatings.values_list("entry", "seat")) == seats
    assert store.read_head(championship.stream_id) == head


def test_whoever_leaves_after_an_open_round_is_not_drawn_any_more(
    championship: Championship, fredi: User, open_round: Opened
) -> None:
    round_ = open_round(people=9)
    entry = round_.seatings.order_by("pk")[0].entry
    entries.withdraw_entry(entry, actor=fredi, after_round=True)
    assert (entry.status, entry.withdrawn_from) == (Entry.Status.WITHDRAWN, 2)
    second = drawing.draw_round(championship.rounds.get(number=2), actor=fredi)
    assert not second.seatings.filter(entry=entry).exists()
    assert second.seatings.count() == 8


def test_entries_are_corrected(championship: Championship, fredi: User) -> None:
    entry = entries.add_entry(championship, actor=fredi, name="Ana")
    entries.edit_entry(entry, actor=fredi, name="Anna", club="Bärn", house=True)
    entry.refresh_from_db()
    assert (entry.name, entry.sort_name, entry.club, entry.house) == ("Anna", "anna", "Bärn", True)
    with pytest.raises(TypeError, match="player_ref"):
        entries.edit_entry(entry, actor=fredi, player_ref="x")


def test_three_letters_find_a_person(
    championship: Championship, fredi: User, django_assert_num_queries: Any
) -> None:
    for name in ("Rösli Hämmerli", "Ruth Aebi", "Köbi Hämmerli"):
        entries.add_entry(championship, actor=fredi, name=name)
    with django_assert_num_queries(1):
        assert [e.name for e in entries.search_entries(championship, "HÄM")] == [
            "Köbi Hämmerli",
            "Rösli Hämmerli",
        ]
    assert [e.name for e in entries.search_entries(championship, "haem")] == [
        "Köbi Hämmerli",
        "Rösli Hämmerli",
    ]
    assert [e.name for e in entries.search_entries(championship, "2")] == ["Ruth Aebi"]
    for nobody in ("²", "9" * 30, "2" * 4400):
        assert not entries.search_entries(championship, nobody)


def test_the_desk_sees_how_many_are_missing(championship: Championship, fredi: User, arrived: People) -> None:
    arrived(13)
    entries.add_entry(championship, actor=fredi, name="Wirt", house=True, status="arrived")
    entries.add_entry(championship, actor=fredi, name="Nicht da")
    gap = left_over.count_gap(championship)
    assert (gap.arrived, gap.house, gap.tables, gap.over, gap.missing) == (13, 1, 3, 1, 3)


def test_an_account_plays_under_one_entry(
    championship: Championship, fredi: User, anna: User, arrived: People
) -> None:
    first, second = arrived(2)
    entries.link_account(first, anna, actor=fredi)
    with pytest.raises(TournamentError) as refused:
        entries.link_account(second, anna, actor=fredi)
    assert refused.value.code == "entries/user_taken"


def test_a_constraint_is_about_two_people_of_this_championship(
    championship: Championship, fredi: User, arrived: People
) -> None:
    one, other = arrived(2)
    with pytest.raises(TournamentError) as refused:
        entries.add_constraint(championship, "never_meet", one, one, actor=fredi)
    assert refused.value.code == "entries/constraint"
    made = entries.add_constraint(championship, "never_meet", other, one, actor=fredi)
    assert entries.add_constraint(championship, "never_meet", one, other, actor=fredi) == made
    entries.remove_constraint(made, actor=fredi)
    assert not SideConstraint.objects.exists()


def test_only_the_desk_enters_people(championship: Championship, gabi: User, eva: User) -> None:
    for somebody in (gabi, eva):
        with pytest.raises(NotAllowed):
            entries.add_entry(championship, actor=somebody, name="Anna")
    assert not championship.entries.exists()


def test_a_thousand_entries_ask_the_database_a_few_times(
    championship: Championship, fredi: User, django_assert_max_num_queries: Any
) -> None:
    people = [entries.NewEntry(f"Person {n}") for n in range(1000)]
    # SQLite takes no more than a thousand values in one statement: some forty entries, some seventy persons.
    with django_assert_max_num_queries(66):
        entries.add_entries(championship, people, actor=fredi)
