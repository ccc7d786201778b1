"""People enter and withdraw at once, in threads of their own, on both databases: no place is given twice."""

from functools import partial
from typing import Any

import pytest

from games.models import User
from tests.games.databases import in_threads
from tournaments import regulations
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry, OwnPage
from tournaments.names import TwoNames
from tournaments.presets import PRESETS
from tournaments.services import locks
from tournaments.services.championships import championships, regulations_change
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, entry_link, entry_terms, own_pages, waiting_list
from tournaments.services.entries.entries import NewEntry
from tournaments.services.rounds import rounds

pytestmark = [pytest.mark.usefixtures("real_database"), pytest.mark.both]


class Door:
    def __init__(self, limit: int) -> None:
        self.fredi = User.objects.create(username="fredi")
        self.made = championships.create(actor=self.fredi, name="Clubabend")
        entry_link.set_link(self.made, on=True, actor=self.fredi)
        self.places(limit)

    def places(self, limit: int) -> None:
        entry_terms.set_terms(self.made, actor=self.fredi, limit=limit, opens_at=None, closes_at=None)

    def enter(self, name: str) -> Entry:
        new = NewEntry(family_name=name)
        return entry_link.enter_by_link(self.made, self.made.entry_link, "192.0.2.1", new)[0].entry

    def withdraw(self, name: str) -> None:
        page = OwnPage.objects.select_related("entry__championship").get(entry__name=name)
        own_pages.withdraw_oneself(page)

    @property
    def counted(self) -> tuple[int, int]:
        return waiting_list.count_taken(self.made), self.made.entries.filter(Entry.WAITS).count()


def test_of_those_who_enter_at_once_one_gets_the_last_place() -> None:
    door = Door(2)
    door.enter("Anna")

    ended = in_threads([partial(door.enter, f"Gast {n}") for n in range(5)])

    assert [one for one in ended if isinstance(one, Exception)] == []
    assert door.counted == (2, 4)
    assert sum(not one.waits for one in ended) == 1
    assert sorted(door.made.entries.values_list("number", flat=True)) == [1, 2, 3, 4, 5, 6]


def test_who_withdraw_at_once_are_each_followed_by_another() -> None:
    door = Door(4)
    for name in ("Anna", "Beat", "Chiara", "Dario", "Elsbeth", "Fränzi", "Görgi"):
        door.enter(name)

    gone = [partial(door.withdraw, name) for name in ("Anna", "Beat", "Elsbeth")]
    ended: list[Any] = in_threads([*gone, partial(door.enter, "Heidi")])

    assert [one for one in ended if isinstance(one, Exception)] == []
    assert door.counted == (4, 1), "two of four went; of those who wait one left and two moved up"
    rows = door.made.entries.exclude(status="withdrawn").order_by("number")
    assert list(rows.values_list("name", flat=True)) == ["Chiara", "Dario", "Fränzi", "Görgi"]


def test_a_partner_is_not_entered_once_pairs_are_no_longer_fixed() -> None:
    door = Door(9)
    rules = regulations.encode(PRESETS["klubabend"])
    pairs = {**rules, "play": {**rules["play"], "format": "fixed_pairs"}}
    regulations_change.change_regulations(door.made, pairs, actor=door.fredi)
    before = Championship.objects.get(pk=door.made.pk)
    regulations_change.change_regulations(door.made, rules, actor=door.fredi)
    new, beat = NewEntry(family_name="Anna"), TwoNames("", "Beat")

    entered = entry_link.enter_by_link(
        before, before.entry_link, "192.0.2.1", new, partner=beat, with_partner=True
    )

    assert [one.entry.name for one in entered] == ["Anna"]


def test_a_person_whose_round_opens_meanwhile_is_not_made_a_helper_of_the_house(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    door = Door(9)
    people = [door.enter(name) for name in ("Anna", "Beat", "Chiara", "Dario")]
    for one in people:
        entries.arrive(one, actor=door.fredi)
    round_ = door.made.rounds.get(number=1)
    drawing.draw_round(round_, actor=door.fredi)
    lock = locks.lock_writable

    def open_first(pk: int) -> Championship:
        monkeypatch.setattr(locks, "lock_writable", lock)
        rounds.open_round(round_, actor=door.fredi)
        return lock(pk)

    monkeypatch.setattr(locks, "lock_writable", open_first)
    with pytest.raises(TournamentError) as refused:
        entries.edit_entry(people[0], actor=door.fredi, house=True)

    assert refused.value.code == "entries/house_fixed"
