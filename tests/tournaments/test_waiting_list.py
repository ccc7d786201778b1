"""Places and the waiting list: who waits, who moves up, and who does not get past whom."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import store
from games.models import User
from tournaments import personal_data, presets, regulations
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Entry, OwnPage, Round
from tournaments.names import TwoNames
from tournaments.services.audit import row_audit
from tournaments.services.championships import championships
from tournaments.services.draw import drawing, left_over
from tournaments.services.entries import (
    entries,
    entry_link,
    entry_terms,
    merging,
    own_pages,
    own_partner,
    pairs,
    presence,
    waiting_list,
)
from tournaments.services.entries.entries import NewEntry
from tournaments.services.money.fees import unpaid

pytestmark = pytest.mark.django_db


class Evening:
    """A championship with a link, which people enter by themselves."""

    def __init__(self, director: User, *, limit: int | None, preset: str = "santiago") -> None:
        self.director = director
        self.made = championships.create(actor=director, name="Clubabend", preset=preset)
        entry_link.set_link(self.made, on=True, actor=director)
        self.limit(limit)

    def limit(self, places: int | None, **times: Any) -> int:
        when = {"opens_at": None, "closes_at": None, **times}
        return entry_terms.set_terms(self.made, actor=self.director, limit=places, **when)

    def enter(self, name: str, *, partner: str = "", together: bool = False, **more: Any) -> Entry:
        return entry_link.enter_by_link(
            self.made,
            self.made.entry_link,
            "192.0.2.1",
            NewEntry(family_name=name, **more),
            partner=TwoNames("", partner) if partner else None,
            with_partner=together,
        )[0].entry

    def page(self, name: str) -> OwnPage:
        return OwnPage.objects.select_related("entry__championship").get(entry__name=name)

    def withdraw(self, name: str) -> None:
        own_pages.withdraw_oneself(self.page(name))

    def entry(self, name: str) -> Entry:
        return self.made.entries.select_related("championship").get(name=name)

    @property
    def differences(self) -> list[str]:
        """What of the rows does not follow from the log."""
        events = store.read(self.made.stream_id)
        return list(
            row_audit.find_championship_differences(Championship.objects.get(pk=self.made.pk), events)
        )

    @property
    def there(self) -> list[str]:
        rows = self.made.entries.exclude(status="withdrawn").order_by("number")
        return list(rows.values_list("name", flat=True))

    @property
    def waiting(self) -> list[tuple[str, ...]]:
        return [tuple(one.name for one in group) for group in waiting_list.list_groups(self.made)]


@pytest.fixture
def evening(fredi: User) -> Evening:
    return Evening(fredi, limit=2)


@pytest.fixture
def of_pairs(fredi: User) -> Evening:
    return Evening(fredi, limit=4, preset=PAIRS)


PAIRS = next(key for key, found in presets.PRESETS.items() if found.play.format == "fixed_pairs")


def test_whoever_enters_after_the_last_place_waits_in_the_order_of_entry(evening: Evening) -> None:
    for name in ("Anna", "Beat", "Chiara", "Dario"):
        evening.enter(name)

    assert evening.there == ["Anna", "Beat"]
    assert evening.waiting == [("Chiara",), ("Dario",)]
    assert evening.entry("Chiara").waits
    assert not evening.entry("Anna").waits


def test_who_withdraws_is_followed_by_the_next_and_is_offered_nothing(evening: Evening) -> None:
    for name in ("Anna", "Beat", "Chiara", "Dario"):
        evening.enter(name)

    evening.withdraw("Anna")
    assert evening.there == ["Beat", "Chiara"]
    evening.withdraw("Beat")
    evening.withdraw("Chiara")

    assert evening.there == ["Dario"]
    assert evening.waiting == []
    assert not evening.entry("Anna").waits
    evening.enter("Anna")
    assert evening.there == ["Dario", "Anna"], "who enters again has a new entry at the end"
    assert evening.made.entries.filter(name="Anna").count() == 2


def test_who_leaves_the_list_is_passed_over(evening: Evening) -> None:
    for name in ("Anna", "Beat", "Chiara", "Dario"):
        evening.enter(name)

    evening.withdraw("Chiara")
    evening.withdraw("Anna")

    assert (evening.there, evening.waiting) == (["Beat", "Dario"], [])


def test_more_places_let_people_in_and_fewer_throw_nobody_out(evening: Evening) -> None:
    for name in ("Anna", "Beat", "Chiara", "Dario", "Elsbeth"):
        evening.enter(name)

    assert evening.limit(4) == 2
    assert evening.waiting == [("Elsbeth",)]
    assert evening.limit(1) == 0
    assert evening.there == ["Anna", "Beat", "Chiara", "Dario"]
    evening.withdraw("Anna")
    assert evening.waiting == [("Elsbeth",)], "there are still more people than places"
    assert evening.limit(None) == 1
    assert evening.waiting == []


def test_who_waits_is_neither_counted_nor_billed_nor_drawn(evening: Evening, fredi: User) -> None:
    for name in ("Anna", "Beat", "Chiara"):
        evening.enter(name)

    assert set(unpaid(evening.made)) == {evening.entry("Anna"), evening.entry("Beat")}
    assert presence.mark_all_present(evening.made, actor=fredi).people == 2
    assert left_over.count_gap(evening.made).arrived == 2
    for act in (entries.arrive, entries.pay):
        with pytest.raises(TournamentError) as refused:
            act(evening.entry("Chiara"), actor=fredi)
        assert refused.value.code == "entries/waits"
    assert entries.load_entered_name_keys(evening.made) >= {("chiara",)}


def test_nobody_is_entered_twice_also_not_while_waiting(evening: Evening) -> None:
    for name in ("Anna", "Beat", "Chiara"):
        evening.enter(name)

    with pytest.raises(TournamentError) as refused:
        evening.enter("Chiara")

    assert refused.value.code == "entries/double"


def test_the_log_and_the_rows_agree_about_who_waits(evening: Evening, fredi: User) -> None:
    for name in ("Anna", "Beat", "Chiara", "Dario"):
        evening.enter(name)
    evening.withdraw("Anna")
    waiting_list.move_up(evening.entry("Dario"), actor=fredi)
    waiting_list.put_back(evening.entry("Dario"), actor=fredi)

    assert evening.differences == []
    told = [event.type for event in store.read(evening.made.stream_id) if event.type.startswith("entry_")]
    assert told[2:6] == ["entry_added", "entry_withdrawn"] * 2


def test_the_desk_moves_somebody_up_beyond_the_limit_and_back_to_the_same_place(
    evening: Evening, fredi: User
) -> None:
    for name in ("Anna", "Beat", "Chiara", "Dario"):
        evening.enter(name)

    entries.reinstate(evening.entry("Dario"), actor=fredi)
    assert evening.there == ["Anna", "Beat", "Dario"]
    assert evening.waiting == [("Chiara",)]
    waiting_list.put_back(evening.entry("Dario"), actor=fredi)
    waiting_list.put_back(evening.entry("Dario"), actor=fredi)

    assert evening.waiting == [("Chiara",), ("Dario",)]
    waiting_list.move_up(evening.entry("Chiara"), actor=fredi)
    waiting_list.put_back(evening.entry("Chiara"), actor=fredi)
    assert evening.waiting == [("Chiara",), ("Dario",)], "first again"


def test_only_the_desk_moves_people_and_sets_places(evening: Evening, gabi: User) -> None:
    for name in ("Anna", "Beat", "Chiara"):
        evening.enter(name)

    with pytest.raises(NotAllowed):
        waiting_list.move_up(evening.entry("Chiara"), actor=gabi)
    with pytest.raises(NotAllowed):
        waiting_list.put_back(evening.entry("Chiara"), actor=gabi)
    with pytest.raises(NotAllowed):
        entry_terms.set_terms(evening.made, actor=gabi, limit=9, opens_at=None, closes_at=None)
    assert evening.waiting == [("Chiara",)]


def test_who_never_waited_cannot_be_put_back(evening: Evening, fredi: User) -> None:
    evening.enter("Anna")

    with pytest.raises(TournamentError) as refused:
        waiting_list.put_back(evening.entry("Anna"), actor=fredi)

    assert refused.value.code == "entries/never_waited"


def test_once_a_round_is_drawn_only_the_desk_fills_places(fredi: User) -> None:
    evening = Evening(fredi, limit=4)
    for name in ("Anna", "Beat", "Chiara", "Dario", "Elsbeth"):
        evening.enter(name)
    presence.mark_all_present(evening.made, actor=fredi)
    drawing.draw_round(evening.made.rounds.get(number=1), actor=fredi)

    with pytest.raises(TournamentError) as refused:
        evening.withdraw("Anna")
    assert refused.value.code == "entries/drawn_already"
    assert evening.limit(9) == 0
    assert evening.enter("Fränzi").waits, "who comes later does not get past who waits"
    waiting_list.move_up(evening.entry("Elsbeth"), actor=fredi)
    assert evening.entry("Elsbeth").status == Entry.Status.REGISTERED
    with pytest.raises(TournamentError) as refused:
        waiting_list.put_back(evening.entry("Elsbeth"), actor=fredi)
    assert refused.value.code == "entries/round_drawn"
    assert Round.objects.filter(status="drawn").count() == 1


def test_helpers_of_the_house_and_bots_take_no_place(evening: Evening, fredi: User) -> None:
    entries.add_entry(evening.made, actor=fredi, family_name="Wirt", house=True)
    for name in ("Anna", "Beat", "Chiara"):
        evening.enter(name)

    assert evening.waiting == [("Chiara",)]


def test_of_two_entries_made_one_the_place_goes_to_who_waits(evening: Evening, fredi: User) -> None:
    for name in ("Anna", "Anna Maria", "Chiara"):
        evening.enter(name)

    merging.merge_entries(evening.entry("Anna"), evening.entry("Anna Maria"), actor=fredi)

    assert evening.waiting == []
    assert evening.differences == []


def test_a_pair_that_enters_together_gets_places_together_or_waits_together(of_pairs: Evening) -> None:
    of_pairs.enter("Anna", partner="Beat", together=True)
    of_pairs.enter("Chiara")
    of_pairs.enter("Dario", partner="Elsbeth", together=True)

    assert of_pairs.there == ["Anna", "Beat", "Chiara"]
    assert of_pairs.waiting == [("Dario", "Elsbeth")]
    assert pairs.find_partner(of_pairs.entry("Anna")) == of_pairs.entry("Beat")
    assert pairs.find_partner(of_pairs.entry("Dario")) is None
    of_pairs.withdraw("Chiara")
    assert of_pairs.waiting == []
    assert pairs.find_partner(of_pairs.entry("Dario")) == of_pairs.entry("Elsbeth")
    assert of_pairs.differences == []


def test_a_single_place_goes_past_a_pair_to_who_waits_alone_and_two_do_not(of_pairs: Evening) -> None:
    for name in ("Anna", "Beat", "Chiara", "Dario"):
        of_pairs.enter(name)
    of_pairs.enter("Elsbeth", partner="Fränzi", together=True)
    of_pairs.enter("Görgi")
    of_pairs.enter("Heidi")

    of_pairs.withdraw("Anna")
    assert of_pairs.waiting == [("Elsbeth", "Fränzi"), ("Heidi",)]
    of_pairs.limit(6)

    assert of_pairs.waiting == [("Heidi",)]


def test_whoever_joins_a_partner_who_waits_gets_no_one_past(of_pairs: Evening) -> None:
    for name in ("Anna", "Beat", "Chiara", "Dario"):
        of_pairs.enter(name)
    of_pairs.enter("Elsbeth", partner="Köbi")
    of_pairs.enter("Fränzi")
    of_pairs.enter("Köbi")

    assert of_pairs.waiting == [("Fränzi",), ("Elsbeth", "Köbi")], (
        "the pair stands where the later of both does"
    )
    own_partner.name_partner(of_pairs.page("Köbi"), "")
    assert of_pairs.waiting == [("Elsbeth",), ("Fränzi",), ("Köbi",)]


def test_one_of_a_pair_leaves_the_list_and_the_other_waits_on(of_pairs: Evening) -> None:
    for name in ("Anna", "Beat", "Chiara"):
        of_pairs.enter(name)
    of_pairs.enter("Elsbeth", partner="Fränzi", together=True)

    of_pairs.withdraw("Fränzi")

    assert of_pairs.waiting == []
    assert of_pairs.there == ["Anna", "Beat", "Chiara", "Elsbeth"], "one place was free"


def test_two_who_name_each_other_become_a_pair(of_pairs: Evening) -> None:
    of_pairs.enter("Anna", partner="Beat")
    of_pairs.enter("Chiara", partner="Beat")

    of_pairs.enter("Beat", partner="Chiara")

    assert pairs.find_partner(of_pairs.entry("Chiara")) == of_pairs.entry("Beat")
    assert pairs.find_partner(of_pairs.entry("Anna")) is None


def test_a_person_named_before_is_joined_when_entering_without_a_name(of_pairs: Evening) -> None:
    of_pairs.enter("Anna", partner="Beat")
    of_pairs.enter("Beat")

    assert pairs.find_partner(of_pairs.entry("Anna")) == of_pairs.entry("Beat")


def test_of_two_who_ask_for_the_same_neither_gets_them_unasked(of_pairs: Evening) -> None:
    of_pairs.enter("Anna", partner="Beat")
    of_pairs.enter("Chiara", partner="Beat")
    of_pairs.enter("Beat")

    assert pairs.find_partner(of_pairs.entry("Beat")) is None
    asking = own_partner.list_askers(of_pairs.page("Beat"))
    assert [one.entry.name for one in asking] == ["Anna", "Chiara"]
    own_partner.accept_partner(of_pairs.page("Beat"), of_pairs.entry("Chiara").number)
    assert pairs.find_partner(of_pairs.entry("Chiara")) == of_pairs.entry("Beat")


def test_nobody_becomes_the_partner_of_whom_they_name_before_that_one_agrees(of_pairs: Evening) -> None:
    of_pairs.enter("Anna")
    of_pairs.enter("Beat", partner="Anna")

    assert pairs.find_partner(of_pairs.entry("Anna")) is None
    with pytest.raises(TournamentError) as refused:
        own_partner.accept_partner(of_pairs.page("Anna"), of_pairs.entry("Anna").number)
    assert refused.value.code == "pairs/not_asked"
    own_partner.accept_partner(of_pairs.page("Anna"), of_pairs.entry("Beat").number)
    assert pairs.find_partner(of_pairs.entry("Anna")) == of_pairs.entry("Beat")


def test_nobody_takes_somebody_elses_partner_away(of_pairs: Evening) -> None:
    of_pairs.enter("Anna", partner="Beat", together=True)
    of_pairs.enter("Chiara")

    own_partner.name_partner(of_pairs.page("Chiara"), "Anna")

    assert pairs.find_partner(of_pairs.entry("Anna")) == of_pairs.entry("Beat")
    assert own_partner.list_askers(of_pairs.page("Anna")) == []
    with pytest.raises(TournamentError) as refused:
        own_partner.name_partner(of_pairs.page("Chiara"), "Chiara")
    assert refused.value.code == "pairs/oneself"
    assert of_pairs.page("Chiara").wished == "Anna"


def test_where_partners_are_drawn_nobody_names_one(evening: Evening) -> None:
    evening.enter("Anna", partner="Beat")
    evening.enter("Beat", partner="Anna")

    assert not OwnPage.objects.exclude(partner=None).exists()
    with pytest.raises(TournamentError) as refused:
        own_partner.name_partner(evening.page("Anna"), "Beat")
    assert refused.value.code == "pairs/not_fixed"


def test_partners_who_both_have_a_place_are_put_back_together(of_pairs: Evening, fredi: User) -> None:
    for name in ("Anna", "Beat", "Chiara", "Dario"):
        of_pairs.enter(name)
    of_pairs.enter("Elsbeth", partner="Fränzi", together=True)
    before = of_pairs.waiting

    waiting_list.move_up(of_pairs.entry("Fränzi"), actor=fredi)
    assert (of_pairs.waiting, len(of_pairs.there)) == ([], 6)
    waiting_list.put_back(of_pairs.entry("Elsbeth"), actor=fredi)

    assert of_pairs.waiting == before
    assert not of_pairs.made.entrants.exists()
    assert of_pairs.differences == []


def test_nobody_enters_before_it_opens_and_after_it_closes(evening: Evening) -> None:
    now = timezone.now()
    evening.limit(2, opens_at=now + timedelta(days=1), closes_at=now + timedelta(days=2))
    with pytest.raises(TournamentError) as early:
        evening.enter("Anna")
    evening.limit(2, opens_at=now - timedelta(days=2), closes_at=now - timedelta(minutes=1))
    with pytest.raises(TournamentError) as late:
        evening.enter("Anna")

    assert (early.value.code, late.value.code) == ("entries/not_open_yet", "entries/closed")
    assert not evening.made.entries.exists()
    evening.limit(2, opens_at=now - timedelta(days=2), closes_at=now + timedelta(days=1))
    assert evening.enter("Anna").number == 1


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"limit": 0}, "entries/limit"),
        ({"limit": 10_000}, "entries/limit"),
        ({"opens_at": 2, "closes_at": 1}, "entries/closes_first"),
        ({"opens_at": 1, "closes_at": 1}, "entries/closes_first"),
        ({"closes_at": 40_000}, "entries/bad_moment"),
    ],
)
def test_terms_that_cannot_hold_are_refused(evening: Evening, terms: dict[str, int], code: str) -> None:
    now = timezone.now()
    told: dict[str, Any] = {"limit": None, "opens_at": None, "closes_at": None, **terms}
    times = {key: told[key] and now + timedelta(days=told[key]) for key in ("opens_at", "closes_at")}

    with pytest.raises(TournamentError) as refused:
        entry_terms.set_terms(evening.made, actor=evening.director, limit=told["limit"], **times)

    assert refused.value.code == code
    assert Championship.objects.get(pk=evening.made.pk).entry_limit == 2


def test_what_people_say_of_others_is_left_out(evening: Evening) -> None:
    made = evening.enter(
        "Anna", note="VIP", house=True, status="arrived", paid=True, number=7, category="youth"
    )

    assert (made.note, made.house, made.status, made.paid, made.number, made.category) == (
        *("", False, "registered", False, 1, ""),
    )


def test_the_regulations_of_pairs_are_what_these_tests_need() -> None:
    assert regulations.encode(presets.PRESETS[PAIRS])["play"]["format"] == pairs.FORMAT


def test_whoever_is_erased_has_no_page_and_is_named_by_nobody(of_pairs: Evening) -> None:
    of_pairs.enter("Anna", partner="Beat")
    of_pairs.enter("Beat", partner="Chiara")
    told = personal_data.find_subject(f"{of_pairs.made.slug}/2")
    assert "salt" not in repr(personal_data.export_data(told))

    personal_data.erase_data(told)

    assert list(OwnPage.objects.values_list("entry__number", "wished")) == [(1, "")]
