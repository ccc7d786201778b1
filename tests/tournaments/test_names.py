"""Names in two parts: split, joined, sorted, found."""

from collections.abc import Callable
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from games.models import User
from tournaments.models import Championship, Entry
from tournaments.names import (
    TwoNames,
    clean,
    fold,
    given_first,
    is_family_first,
    matches,
    name_key,
    read_in_order,
    read_name,
    sort_key,
)
from tournaments.services.entries import entries, entry_search

SOME = ("Anna", "Fredi", "Müller", "von", "Rotz", "der", "Mühll", "Hans", "Peter", "12", "№", "Ó")
WORDS = st.lists(st.sampled_from(SOME), max_size=6)


def test_a_name_written_in_one_is_taken_apart(subtests: pytest.Subtests) -> None:
    for text, first, family in [
        ("Fredi Müller", "Fredi", "Müller"),
        ("Müller Fredi", "Fredi", "Müller"),
        ("Müller, Fredi", "Fredi", "Müller"),
        ("MÜLLER Fredi", "Fredi", "MÜLLER"),
        ("Meier Keller, Anna", "Anna", "Meier Keller"),
        ("Müller Hans Peter", "Hans Peter", "Müller"),
        ("Müller Hans-Peter", "Hans-Peter", "Müller"),
        ("Hanspeter von der Mühll", "Hanspeter", "von der Mühll"),
        ("von Rotz Anna", "Anna", "von Rotz"),
        ("von Rotz", "", "von Rotz"),
        ("Maria da Silva Santos", "Maria", "da Silva Santos"),
        ("Di Stefano Gianni", "Gianni", "Di Stefano"),
        ("Minh Le", "Minh", "Le"),
        ("Xanthippe Unbekannt", "Xanthippe", "Unbekannt"),
        ("Anna", "", "Anna"),
        ("ANNA MÜLLER", "ANNA", "MÜLLER"),
        ("J. R. Meier", "J. R.", "Meier"),
        ("Gast 0017", "", "Gast 0017"),
        ("№ 7", "", "№ 7"),
        ("", "", ""),
        (" , Anna", "", "Anna"),
    ]:
        with subtests.test(text=text, first=first, family=family):
            assert read_name(text) == TwoNames(first, family)


@pytest.mark.parametrize(
    ("others", "family_first"),
    [
        (["Ammann Anna"], True),
        (["Ammann Anna", "Bühler Beat", "Unbekannt Xanthippe"], True),
        (["Ammann Anna", "Beat Bühler"], False),
        (["Anna Ammann"], False),
        (["Unbekannt Xanthippe"], False),
        ([], False),
    ],
)
def test_a_name_that_says_nothing_is_written_as_the_others_of_its_list(
    others: list[str], family_first: bool
) -> None:
    assert is_family_first(others) is family_first
    read = read_name("Schönenberger Xanthippe", family_first=family_first)
    assert read.family == ("Schönenberger" if family_first else "Xanthippe")
    assert read_name("Gast 0017", family_first=True) == TwoNames("", "Gast 0017")
    assert read_name("Anna Ammann", family_first=True) == TwoNames("Anna", "Ammann")


def test_particles_are_read_in_a_list_with_the_family_name_first(subtests: pytest.Subtests) -> None:
    for text, first, family in [
        ("von Rotz Hans", "Hans", "von Rotz"),
        ("de Weck Marie Anne", "Marie Anne", "de Weck"),
        ("Di Stefano Anna", "Anna", "Di Stefano"),
        ("van der Berg Xanthippe", "Xanthippe", "van der Berg"),
        ("Zgraggen von Rotz Hans", "Hans", "Zgraggen von Rotz"),
        ("Zgraggen von Rotz Xanthippe", "Xanthippe", "Zgraggen von Rotz"),
        ("Rotz von Hans", "Hans", "Rotz von"),
        ("Rotz Hans von", "Hans von", "Rotz"),
        ("Weck Marie Anne de", "Marie Anne de", "Weck"),
        ("Hans von Rotz", "Hans", "von Rotz"),
        ("Hans von Rotz jun.", "Hans", "von Rotz jun."),
        ("Hans Peter von Rotz", "Hans Peter", "von Rotz"),
        ("Anna Di Stefano", "Anna", "Di Stefano"),
        ("Maria da Rosa", "Maria", "da Rosa"),
        ("Xanthippe de la Cruz", "Xanthippe", "de la Cruz"),
        ("H. von Rotz", "H.", "von Rotz"),
        ("Nguyen Van Hoa", "Hoa", "Nguyen Van"),
    ]:
        with subtests.test(text=text):
            assert read_in_order(text, family_first=True) == TwoNames(first, family)
    for text in ("Xanthippe von Rotz", "H. von der Mühll"):
        with subtests.test(text=text):
            assert read_name(text, family_first=True) == given_first(text)


@given(WORDS)
def test_names_of_today_are_shown_as_they_were(words: list[str]) -> None:
    text = " ".join(words)
    assert given_first(text).running == text
    assert given_first(text).family or not text


@given(WORDS)
def test_no_word_gets_lost_when_a_name_is_read(words: list[str]) -> None:
    text = " ".join(words)
    assert name_key(read_name(text).running) == name_key(text)
    assert clean(read_name(text).listed, longest=400) == read_name(text).listed


def test_names_are_found_whatever_the_order_of_their_words() -> None:
    key = sort_key("Müller", "Fredi")
    for text in ("fre", "MÜL", "fredi muel", "müller, fr", ""):
        assert matches(text, key)
    assert not matches("fredi meier", key)


def test_lists_run_by_family_name(championship: Championship, fredi: User) -> None:
    for name in (
        "Zoé Aebi",
        "Anna Zürcher",
        "Beat von Rotz",
        "Chiara Ärni",
        "Anna Aebi",
        "Eva Meier Kern",
    ):
        entries.add_entry(championship, actor=fredi, name=name)
    assert [entry.listed for entry in entries.search_entries(championship, "")] == [
        *("Aebi Anna", "Aebi Zoé", "Ärni Chiara", "Kern Eva Meier"),
        *("von Rotz Beat", "Zürcher Anna"),
    ]


def test_family_and_first_name_are_kept_as_two(championship: Championship, fredi: User) -> None:
    entry = entries.add_entry(championship, actor=fredi, family_name="  Meier  Keller ", first_name="Anna")
    entry.refresh_from_db()
    assert (entry.name, entry.listed) == ("Anna Meier Keller", "Meier Keller Anna")
    assert (entry.family_name, entry.first_name) == ("Meier Keller", "Anna")
    entries.edit_entry(entry, actor=fredi, first_name="Änni")
    entry.refresh_from_db()
    assert (entry.name, entry.sort_name) == ("Änni Meier Keller", "meier keller aenni")
    entries.edit_entry(entry, actor=fredi, club="Bärn")
    entry.refresh_from_db()
    assert (entry.name, entry.family_name) == ("Änni Meier Keller", "Meier Keller")
    entries.edit_entry(entry, actor=fredi, name="Keller Beat")
    entry.refresh_from_db()
    assert (entry.name, entry.listed, entry.club) == ("Beat Keller", "Keller Beat", "Bärn")


def test_who_has_a_first_name_only_is_called_by_it(championship: Championship, fredi: User) -> None:
    entry = entries.add_entry(championship, actor=fredi, first_name="Köbi")
    assert (entry.name, entry.family_name, entry.first_name) == ("Köbi", "Köbi", "")


def test_the_migration_splits_the_names_of_today(
    championship: Championship, fredi: User, arrived: Callable[[int], list[Entry]]
) -> None:
    """The function of the migration itself, over rows as they were."""
    arrived(3)
    for number, name in enumerate(["Hans von Arx", "Müller Fredi", "№ 3"], 1):
        row = {"name": name, "family_name": "", "first_name": "", "sort_name": "x"}
        Entry.objects.filter(number=number).update(**row)
    migration = import_module("tournaments.migrations.0009_family_and_first_names")
    migration.take_apart(apps, connection.schema_editor())
    kept = Entry.objects.order_by("number").values_list("name", "first_name", "family_name", "sort_name")
    assert list(kept) == [
        ("Hans von Arx", "Hans", "von Arx", "von arx hans"),
        ("Müller Fredi", "Müller", "Fredi", "fredi mueller"),
        ("№ 3", "", "№ 3", "no 3"),
    ]


SPELLINGS = (
    ("Müller", "Muller", "Mueller", "MÜLLER", "Mu\u0308ller"),
    ("Rüegg", "Ruegg", "Rueegg"),
    ("Łukasz", "Lukasz", "łukasz"),
    ("Bjørn", "Bjorn", "Bjoern", "Björn"),
    ("Đorđević", "Dordevic"),
    ("Işıl", "Isil"),
    ("Strauß", "Strauss", "STRAUSS"),
    ("Cæsar", "Caesar", "Cäsar", "Casar"),
    ("Lebœuf", "Leboeuf"),
    ("O’Connor", "O'Connor", "OConnor", "O`Connor", "Oʼconnor", "O´Connor"),
    ("Hans-Peter", "Hans‐Peter", "Hans–Peter", "Hans Peter"),
    ("Zoë", "Zoe", "Zoé"),
    ("Åsa", "Asa"),
)


def test_letters_are_compared_as_people_type_them() -> None:
    offenders = [
        (one, other) for same in SPELLINGS for one in same for other in same if fold(one) != fold(other)
    ]
    assert offenders == []
    assert len({fold(name) for name in ("Bauer", "Baur", "Muller", "Miller", "Neuner", "Nuner")}) == 6


@pytest.mark.django_db
def test_the_desk_finds_each_spelling_by_each_other(championship: Championship, fredi: User) -> None:
    offenders: list[tuple[object, ...]] = []
    for same in SPELLINGS:
        for stored in same:
            entry = entries.add_entry(championship, actor=fredi, name=f"{stored} Xund")
            for typed in (*same, same[0].replace("-", "")):
                found = entries.search_entries(championship, typed)
                if entry not in found or not matches(typed, entry.sort_name):
                    offenders.append((stored, typed))
                if entry_search.match_names([entry], f"{typed} Xund") != [entry]:
                    offenders.append((stored, typed, "named"))
            entry.delete()
    assert offenders == []
