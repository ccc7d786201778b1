"""Fixed pairs: formed, parted, and refused."""

from collections.abc import Callable

import pytest

from games.models import User
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Entrant, Entry, SideConstraint
from tournaments.services.entries import entries, entry_search, pairs

People = Callable[[int], list[Entry]]


def test_two_become_partners_and_each_finds_the_other(arrived: People, fredi: User) -> None:
    anna, beat, chiara = arrived(3)
    pairs.pair(beat, anna, actor=fredi)
    assert (pairs.find_partner(anna), pairs.find_partner(beat), pairs.find_partner(chiara)) == (
        beat,
        anna,
        None,
    )
    assert pairs.list_unpaired(anna.championship) == [chiara]


def test_said_twice_from_either_side_it_is_one_pair(arrived: People, fredi: User) -> None:
    anna, beat = arrived(2)
    pairs.pair(anna, beat, actor=fredi)
    pairs.pair(beat, anna, actor=fredi)
    assert Entrant.objects.count() == 1


def test_somebody_who_changes_leaves_the_old_partner_alone(arrived: People, fredi: User) -> None:
    anna, beat, chiara = arrived(3)
    pairs.pair(anna, beat, actor=fredi)
    pairs.pair(anna, chiara, actor=fredi)
    assert (pairs.find_partner(anna), pairs.find_partner(beat)) == (chiara, None)
    pairs.pair(chiara, None, actor=fredi)
    assert pairs.list_unpaired(anna.championship) == [anna, beat, chiara]


def test_nobody_is_taken_from_his_partner(arrived: People, fredi: User) -> None:
    anna, beat, chiara = arrived(3)
    pairs.pair(anna, beat, actor=fredi)
    with pytest.raises(TournamentError) as refused:
        pairs.pair(chiara, beat, actor=fredi)
    assert refused.value.code == "pairs/taken"
    assert (refused.value.params["name"], refused.value.params["other"]) == (beat.name, anna.name)
    assert pairs.find_partner(beat) == anna


def test_nobody_is_his_own_partner(arrived: People, fredi: User) -> None:
    anna, beat = arrived(2)
    pairs.pair(anna, beat, actor=fredi)
    with pytest.raises(TournamentError) as refused:
        pairs.pair(anna, anna, actor=fredi)
    assert refused.value.code == "pairs/oneself"
    assert pairs.find_partner(anna) == beat


def test_other_wishes_for_the_draw_stay(championship: Championship, arrived: People, fredi: User) -> None:
    anna, beat, chiara = arrived(3)
    entries.add_constraint(championship, "never_meet", anna, chiara, actor=fredi)
    pairs.pair(anna, beat, actor=fredi)
    pairs.pair(anna, None, actor=fredi)
    assert SideConstraint.objects.get().kind == "never_meet"


def test_who_has_withdrawn_is_nobodys_choice(arrived: People, fredi: User) -> None:
    anna, beat = arrived(2)
    entries.withdraw_entry(beat, actor=fredi)
    assert pairs.list_unpaired(anna.championship) == [anna]


def test_only_the_desk_makes_pairs(arrived: People, eva: User) -> None:
    anna, beat = arrived(2)
    with pytest.raises(NotAllowed):
        pairs.pair(anna, beat, actor=eva)
    assert not Entrant.objects.exists()


def test_an_entry_is_found_by_its_number_or_by_its_words(
    championship: Championship, arrived: People, fredi: User
) -> None:
    anna, beat = arrived(2)
    long = entries.add_entry(championship, actor=fredi, name="Annamarie von Büren")
    entries.add_entry(championship, actor=fredi, name="Annalisa Meier")
    assert entry_search.find_entry(championship, "1") == anna
    assert entry_search.find_entry(championship, "2 Beat") == beat
    assert entry_search.find_entry(championship, "") is None
    assert entry_search.find_entry(championship, "anna") == anna
    assert entry_search.find_entry(championship, "von bueren annamarie") == long
    assert entry_search.find_entry(championship, "bür") == long


@pytest.mark.parametrize(
    ("text", "code", "named"),
    [
        ("77", "entries/unknown", ""),
        ("Zita", "entries/unknown", ""),
        ("ann", "entries/ambiguous", "1 Anna, 3 Annamarie von Büren"),
    ],
)
def test_somebody_who_is_nobody_or_could_be_several_is_said(
    championship: Championship, arrived: People, fredi: User, text: str, code: str, named: str
) -> None:
    arrived(2)
    entries.add_entry(championship, actor=fredi, name="Annamarie von Büren")
    with pytest.raises(TournamentError) as refused:
        entry_search.find_entry(championship, text)
    assert refused.value.code == code
    assert refused.value.params.get("names", "") == named
