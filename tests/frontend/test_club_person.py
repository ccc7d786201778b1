"""A person across the evenings of a club, and who may see what of them."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.frontend.evening import client, forget_what_is_shared, html, person
from tests.tournaments.series_evenings import evening
from tournaments import personal_data
from tournaments.accounts import own_data
from tournaments.clubs import rolls
from tournaments.models import Championship, Club, Entry, Person, Round, Seating, Table
from tournaments.services.draw import seating_by_hand
from tournaments.services.entries import entries
from tournaments.services.series import editing

pytestmark = pytest.mark.django_db
FOUR = ("Anna Ammann", "Beat Bühler", "Chiara Caduff", "Dario Dörig")


def held(name: str, *totals: int, **more: Any) -> Championship:
    """An evening of these four with a closed round; seats 0 and 2 are partners."""
    made = evening(person("fredi"), name, dict(zip(FOUR, totals, strict=True)), **more)
    numbers = [made.entries.get(name=one).number for one in FOUR]
    Championship.objects.filter(pk=made.pk).update(status="draft")
    made.entries.update(status="arrived")
    round_ = made.rounds.order_by("number")[0]
    seating_by_hand.seat_by_hand(round_, [numbers], actor=person("fredi"))
    Round.objects.filter(pk=round_.pk).update(status="closed")
    Championship.objects.filter(pk=made.pk).update(status="finished")
    return made


def anna() -> Person:
    return Person.objects.get(name="Anna Ammann")


def address(of: Person | None = None) -> str:
    of = of or anna()
    return reverse("club_person", args=[of.club.slug, of.pk])


def page(name: str | None = None) -> str:
    return html(client(name).get(address()))


def test_places_partners_the_best_evening_and_the_graph_are_there() -> None:
    held("Frühling", 700, 900, 800, 600)
    best = held("Sommer", 950, 900, 800, 600)
    held("Herbst", 650, 900, 800, 700)
    fredi = person("fredi")
    made = editing.create_series(anna().club, name="Jahr", preset="club_average", actor=fredi)
    editing.set_numbers(made, best=None, least=1, steps=[], actor=fredi)
    for one in Championship.objects.order_by("pk"):
        editing.add_event(made, championship=one, actor=fredi)

    shown = page()

    assert "<h1>Anna Ammann</h1>" in shown
    evening_of = reverse("persons_evening", args=[best.slug, best.entries.get(name="Anna Ammann").number])
    assert f'Best evening: <a href="{evening_of}">Sommer</a>, place 1.' in shown
    assert shown.count("<circle") == 3
    assert "Chiara Caduff" in shown
    assert "3 rounds" in shown
    assert "Beat Bühler" not in shown, "he sat beside her"
    assert "place 3 of 4" in shown
    assert "766.67" in shown, "the average of three evenings"
    assert address() in html(client().get(reverse("series", args=[made.slug])))
    assert address() in html(client().get(evening_of))


def test_an_evening_is_linked_only_where_everybody_may_read_the_names() -> None:
    held("Offen", 700, 900, 800, 600)
    held("Kürzel", 700, 900, 800, 600, public_names="initials")
    held("Nummern", 700, 900, 800, 600, public_names="numbers")
    held("Geheim", 700, 900, 800, 600, public=False)
    for reader in (None, "eva"):
        shown = page(reader)
        assert "Offen" in shown
        for hidden in ("Kürzel", "Nummern", "Geheim"):
            assert hidden not in shown, (reader, hidden)
    for name in ("Offen", "Kürzel", "Nummern", "Geheim"):
        assert name in page("fredi"), "the keeper sees all"
    made = Championship.objects.get(name="Nummern")
    entries.link_account(made.entries.get(name="Anna Ammann"), person("anna"), actor=person("fredi"))
    for name in ("Offen", "Kürzel", "Nummern", "Geheim"):
        assert name in page("anna"), "it is herself"
    entries.link_account(made.entries.get(name="Beat Bühler"), person("beat"), actor=person("fredi"))
    shown = page("beat")
    assert "Nummern" in shown, "he played there and read her name"
    assert "Geheim" not in shown
    assert "Kürzel" not in shown


def test_of_whom_nothing_is_public_there_is_no_page() -> None:
    made = held("Offen", 700, 900, 800, 600)
    missing = client().get(reverse("club_person", args=[anna().club.slug, 10**6]))
    Championship.objects.update(public_names="numbers")
    hidden = client().get(address())
    assert (hidden.status_code, missing.status_code) == (404, 404)
    assert client("eva").get(address()).status_code == 404
    assert page("fredi")
    there = reverse("persons_evening", args=[made.slug, made.entries.get(name="Anna Ammann").number])
    assert address() not in html(client().get(there))
    Championship.objects.update(public_names="full")
    other = Club.objects.create(name="Andere")
    Championship.objects.filter(pk=made.pk).update(club=None)
    assert client().get(reverse("club_person", args=[other.slug, anna().pk])).status_code == 404


def test_a_series_with_other_names_does_not_say_who_is_who() -> None:
    fredi = person("fredi")
    one, two = held("Offen", 700, 900, 800, 600), held("Nummern", 700, 900, 800, 600, public_names="numbers")
    made = editing.create_series(anna().club, name="Jahr", preset="club_year", actor=fredi)
    for each in (one, two):
        editing.add_event(made, championship=each, actor=fredi)
    assert "Jahr" not in page()
    assert "Jahr" in page("fredi")
    assert address() not in html(client().get(reverse("series", args=[made.slug])))
    assert address() in html(client("fredi").get(reverse("series", args=[made.slug])))


def test_a_person_who_withdrew_the_consent_to_be_named_is_a_number_everywhere() -> None:
    made = held("Offen", 700, 900, 800, 600)
    fredi, found = person("fredi"), anna()
    series = editing.create_series(found.club, name="Jahr", preset="club_average", actor=fredi)
    editing.set_numbers(series, best=None, least=1, steps=[], actor=fredi)
    editing.add_event(series, championship=made, actor=fredi)
    forget_what_is_shared()
    of_series, partner = reverse("series", args=[series.slug]), Person.objects.get(name="Chiara Caduff")
    assert "Anna" in html(client().get(of_series))
    assert "Anna" in html(client().get(address(partner)))
    found.user = person("eva")
    found.save(update_fields=["user"])
    own_data.set_named(person("eva"), named=False)
    forget_what_is_shared()
    assert client().get(address(found)).status_code == 404
    for url in (of_series, address(partner), reverse("club", args=[found.club.slug])):
        shown = html(client().get(url))
        assert "Anna" not in shown, url
        assert address(found) not in shown, url
    for who in ("fredi", "eva"):
        assert "Anna" in html(client(who).get(address(found))), who
    assert "Anna" in html(client("fredi").get(of_series))
    own_data.set_named(person("eva"), named=True)
    forget_what_is_shared()
    assert "Anna" in html(client().get(of_series))


def test_an_evening_without_the_person_is_left_out_and_one_left_early_is_not() -> None:
    held("Offen", 700, 900, 800, 600)
    held("Zweiter", 700, 900, 800, 600)
    withdrawn = Entry.objects.filter(name="Anna Ammann", championship__name="Zweiter")
    withdrawn.update(status="withdrawn")
    assert "Zweiter" in page()
    Seating.objects.filter(entry__in=withdrawn).delete()
    assert "Zweiter" not in page()


def test_who_is_erased_is_found_no_more() -> None:
    held("Offen", 700, 900, 800, 600)
    gone, where = anna(), address()
    personal_data.erase_data(personal_data.load_person_subject(gone))
    assert client().get(where).status_code == 404
    assert client("fredi").get(where).status_code == 404
    chiara = Person.objects.get(name="Chiara Caduff")
    assert where not in html(client().get(address(chiara)))


def test_who_plays_alone_has_no_partner_and_a_running_round_says_nothing() -> None:
    made = held("Offen", 700, 900, 800, 600)
    Round.objects.filter(championship=made).update(status="open")
    assert "Chiara" not in page()
    Round.objects.filter(championship=made).update(status="closed")
    assert "Chiara" in page()
    Table.objects.get(round__championship=made).seatings.get(seat=3).delete()
    assert "Chiara" not in page(), "at a table of three everybody plays alone"


def test_somebody_without_evenings_is_told_so_to_the_keeper() -> None:
    fredi = person("fredi")
    someone = rolls.add_person(rolls.default_club(fredi), family_name="Neu", first_name="Nina", actor=fredi)
    assert "No evening yet" in html(client("fredi").get(address(someone)))
    assert client().get(address(someone)).status_code == 404


def test_a_merged_entry_counts_as_the_one_that_remains() -> None:
    made = held("Offen", 700, 900, 800, 600)
    twice, kept = made.entries.get(name="Beat Bühler"), made.entries.get(name="Anna Ammann")
    Entry.objects.filter(pk=twice.pk).update(merged_into=kept, person=kept.person)
    Entry.objects.filter(pk=kept.pk).update(person=None)
    assert reverse("persons_evening", args=[made.slug, kept.number]) in page()


def test_sixty_evenings_ask_no_more_than_two() -> None:
    for n in range(2):
        held(f"Abend {n}", 700, 900, 800, 600)
    where = address()

    def queries() -> int:
        client().get(where)
        with CaptureQueriesContext(connection) as asked:
            assert client().get(where).status_code == 200
        return len(asked)

    few = queries()
    for n in range(2, 60):
        held(f"Abend {n}", 700, 900, 800, 600)
    assert queries() == few
    assert few <= 20
    assert page().count("Chiara Caduff") == 61
