"""The roll of a club: people beyond one evening."""

from typing import Any

import pytest

from games.models import User
from tournaments import personal_data
from tournaments.clubs import rolls
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Club, Entry, Keeper, Person
from tournaments.services.championships import championships
from tournaments.services.entries import entries


@pytest.fixture
def again(championship: Championship, fredi: User) -> Championship:
    """The next evening of the same organiser."""
    return championships.create(actor=fredi, name="Clubabend 2", changes={"rounds": 1})


def roll(club: Club | None) -> list[str]:
    assert club is not None
    return [person.listed for person in rolls.list_persons(club)]


def test_an_organiser_has_one_club_for_all_evenings(
    championship: Championship, again: Championship, fredi: User, eva: User
) -> None:
    assert championship.club == again.club
    assert rolls.is_keeper(fredi, championship.club)
    assert not rolls.is_keeper(eva, championship.club)
    other = championships.create(actor=eva, name="Anderswo")
    assert other.club != championship.club


def test_who_is_entered_is_on_the_roll_and_is_found_again(
    championship: Championship, again: Championship, fredi: User
) -> None:
    first = entries.add_entry(championship, actor=fredi, name="Anna Müller", club="Bärn", licence="7")
    second = entries.add_entry(
        again, actor=fredi, name="mueller ANNA", email="anna@example.org", birth_year=1961
    )
    assert first.person == second.person
    assert roll(championship.club) == ["Müller Anna"]
    person = Person.objects.get()
    assert (person.home_club, person.licence, person.email, person.birth_year) == (
        *("Bärn", "7"),
        *("anna@example.org", 1961),
    )


@pytest.mark.parametrize("differs", [{"club": "Uri"}, {"licence": "9"}, {"birth_year": 1999}])
def test_somebody_else_of_the_same_name_is_a_person_of_his_own(
    championship: Championship, again: Championship, fredi: User, differs: dict[str, Any]
) -> None:
    known: dict[str, Any] = {"club": "Bärn", "licence": "7", "birth_year": 1961}
    one = entries.add_entry(championship, actor=fredi, name="Hans Müller", **known)
    other = entries.add_entry(again, actor=fredi, name="Hans Müller", **differs)
    assert one.person != other.person
    assert len(roll(championship.club)) == 2


def test_of_several_of_one_name_nobody_is_guessed_and_nobody_added(
    championship: Championship, again: Championship, fredi: User
) -> None:
    for club in ("Bärn", "Uri"):
        entries.add_entry(championship, actor=fredi, name="Hans Müller", club=club, allow_double=True)
    third = entries.add_entry(again, actor=fredi, name="Hans Müller")
    assert third.person is None
    assert len(roll(championship.club)) == 2
    chosen = Person.objects.get(home_club="Uri")
    taken = entries.add_entry(again, actor=fredi, name="Hans Müller", person=chosen, allow_double=True)
    assert taken.person == chosen


def test_two_entries_of_a_championship_are_never_one_person(championship: Championship, fredi: User) -> None:
    made = [
        entries.add_entry(championship, actor=fredi, name="Hans Müller", allow_double=True) for _ in range(2)
    ]
    assert made[0].person != made[1].person


def test_three_letters_offer_a_person_who_is_not_entered_yet(
    championship: Championship, again: Championship, fredi: User, django_assert_num_queries: Any
) -> None:
    for name in ("Anna Müller", "Beat Müller", "Ruth Aebi"):
        entries.add_entry(championship, actor=fredi, name=name)
    entries.add_entry(again, actor=fredi, name="Beat Müller")
    with django_assert_num_queries(1):
        assert [p.listed for p in rolls.suggest_persons(again, "mue")] == ["Müller Anna"]
    assert rolls.suggest_persons(again, "mu") == []
    assert rolls.suggest_persons(championships.create(actor=fredi, name="x"), "aeb")[0].name == "Ruth Aebi"


def test_nobody_of_another_club_is_offered_or_taken(
    championship: Championship, fredi: User, eva: User
) -> None:
    person = entries.add_entry(championship, actor=fredi, name="Anna Müller").person
    assert person is not None
    other = championships.create(actor=eva, name="Anderswo")
    assert rolls.suggest_persons(other, "müller") == []
    assert rolls.find_person(other, person.pk) is None
    assert rolls.find_person(championship, person.pk) == person


def test_a_corrected_entry_corrects_the_roll_only_where_it_is_all_that_is_known(
    championship: Championship, again: Championship, fredi: User
) -> None:
    entry = entries.add_entry(championship, actor=fredi, name="Ana Müller")
    entries.edit_entry(entry, actor=fredi, first_name="Anna", category="Dame")
    assert roll(championship.club) == ["Müller Anna"]
    later = entries.add_entry(again, actor=fredi, name="Anna Müller")
    entries.edit_entry(later, actor=fredi, name="Anna Meier")
    assert roll(championship.club) == ["Müller Anna"]


def test_two_lines_that_were_one_person_become_one(
    championship: Championship, again: Championship, fredi: User
) -> None:
    one = entries.add_entry(championship, actor=fredi, name="Anna Müller", club="Bärn").person
    other = entries.add_entry(again, actor=fredi, name="Anna Müller-Meier", email="a@example.org").person
    assert one is not None
    assert other is not None
    kept = rolls.merge_persons(one, other, actor=fredi)
    assert (kept.home_club, kept.email, kept.entries.count()) == ("Bärn", "a@example.org", 2)
    assert roll(championship.club) == ["Müller Anna"]
    for wrong in (kept, other):
        with pytest.raises(TournamentError) as refused:
            rolls.merge_persons(kept, wrong, actor=fredi)
        assert refused.value.code == "clubs/two_persons"


@pytest.mark.both
def test_a_withdrawn_consent_holds_for_the_entries_of_both_that_become_one(
    championship: Championship, again: Championship, fredi: User
) -> None:
    one = entries.add_entry(championship, actor=fredi, name="Anna Müller", club="Bärn").person
    entry = entries.add_entry(again, actor=fredi, name="Anna Müller-Meier", consents=True)
    entries.edit_entry(entry, actor=fredi, consents=False)
    assert one is not None
    assert entry.person is not None
    kept = rolls.merge_persons(one, Person.objects.get(pk=entry.person.pk), actor=fredi)
    assert not kept.entries.filter(unnamed_since=None).exists()
    assert Championship.objects.filter(someone_unnamed=True).count() == 2


def test_only_keepers_touch_a_roll(championship: Championship, fredi: User, eva: User, gabi: User) -> None:
    person = entries.add_entry(championship, actor=fredi, name="Anna Müller").person
    assert person is not None
    for act in (rolls.edit_person, lambda one, **more: rolls.merge_persons(one, one, **more)):
        for somebody in (eva, gabi):
            with pytest.raises(NotAllowed) as refused:
                act(person, actor=somebody)
            assert refused.value.code == "clubs/not_keeper"
    Keeper.objects.create(club=person.club, user=eva)
    rolls.edit_person(person, actor=eva, family_name="Meier", first_name="Anna")
    assert roll(championship.club) == ["Meier Anna"]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"email": "keine"}, "people/bad_email"),
        ({"email": "x" * 130 + "@example.org"}, "names/too_long"),
        ({"birth_year": "6"}, "people/bad_year"),
        ({"birth_year": "1756"}, "people/bad_year"),
        ({"birth_year": "2" * 5000}, "people/bad_year"),
        ({"category": "x" * 21}, "names/too_long"),
        ({"number": 1}, "entries/number_taken"),
        ({"number": 0}, "entries/number_taken"),
        ({"number": 10**6}, "entries/number_taken"),
    ],
)
def test_what_cannot_be_is_refused_and_nobody_is_entered(
    championship: Championship, fredi: User, fields: dict[str, Any], code: str
) -> None:
    entries.add_entry(championship, actor=fredi, name="Beat")
    with pytest.raises(TournamentError) as refused:
        entries.add_entry(championship, actor=fredi, name="Anna", **fields)
    assert refused.value.code == code
    assert (Entry.objects.count(), Person.objects.count()) == (1, 1)


def test_numbers_of_old_are_kept_and_the_others_follow(championship: Championship, fredi: User) -> None:
    wanted = [
        entries.NewEntry("Anna", number=17, paid=True, start_rank=3, consents=True, birth_year=1961),
        entries.NewEntry("Beat"),
        entries.NewEntry("Chiara", number=4),
    ]
    made = entries.add_entries(championship, wanted, actor=fredi)
    assert [entry.number for entry in made] == [17, 18, 4]
    anna = Entry.objects.get(number=17)
    assert (anna.paid, anna.status, anna.start_rank, anna.birth_year) == (True, "paid", 3, 1961)
    assert anna.consented_at is not None
    assert not Entry.objects.get(number=4).paid


def test_a_consent_has_its_date_and_can_be_taken_back(championship: Championship, fredi: User) -> None:
    entry = entries.add_entry(championship, actor=fredi, name="Anna", consents=True)
    given = entry.consented_at
    assert given is not None
    assert entries.edit_entry(entry, actor=fredi, consents=True).consented_at == given
    assert entries.edit_entry(entry, actor=fredi, club="Bärn").consented_at == given
    assert entries.edit_entry(entry, actor=fredi, consents=False).consented_at is None


def test_erasing_a_person_takes_his_names_from_the_roll_and_from_every_evening(
    championship: Championship, again: Championship, fredi: User
) -> None:
    one = entries.add_entry(
        championship, actor=fredi, name="Anna Müller", email="a@example.org", birth_year=1961
    )
    entries.add_entry(again, actor=fredi, name="Anna Müller")
    found = personal_data.find_subject(f"{championship.slug}/{one.number}")
    rows = personal_data.export_data(found)["rows"]
    assert [row["email"] for row in rows["tournaments.person"]] == ["a@example.org"]
    assert len(rows["tournaments.entry"]) == 2
    personal_data.erase_data(found)
    assert roll(championship.club) == []
    assert set(Entry.objects.values_list("name", "email", "birth_year")) == {("№ 1", "", None)}
    person = Person.objects.get()
    assert "ller" not in str(vars(person))
    assert person.entries.count() == 2, "references stay"


def test_an_account_is_not_erased_by_who_keeps_a_roll(
    championship: Championship, again: Championship, fredi: User, anna: User
) -> None:
    entry = entries.add_entry(championship, actor=fredi, name="Anna Müller")
    entries.link_account(entry, anna, actor=fredi)
    entries.add_entry(again, actor=fredi, name="Anna Müller")
    person = Person.objects.get()
    assert personal_data.load_person_subject(person).user is None
    own = personal_data.load_user_subject(anna)
    assert len(own.entries) == 2
    assert own.persons == (person,)
