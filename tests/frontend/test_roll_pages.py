"""The roll of a club, for its keepers only: search, corrections, merging, archiving, erasing, entering."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from frontend.views.clubs import clubs
from tests.frontend.evening import championship, client, entry, html, person
from tournaments.clubs import rolls
from tournaments.models import Championship, Club, Person
from tournaments.services.championships import championships

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def club_of(made: Championship) -> Club:
    assert made.club is not None
    return made.club


def on_the_roll(made: Championship, name: str) -> Person:
    return club_of(made).roll.get(name=name)


def next_evening() -> Championship:
    """Sixteen came last time; tonight nobody is entered yet."""
    championship(16, slug="frueher", name="Früher")
    return championship(0)


def roll_page(made: Championship, **asked: str) -> str:
    return html(client("fredi").get(reverse("roll", args=[club_of(made).pk]), asked))


def do(made: Championship, name: str, act: str, **posted: str | int) -> None:
    address = reverse("roll_act", args=[club_of(made).pk, on_the_roll(made, name).pk, act])
    assert client("fredi").post(address, posted).status_code == 302


def test_the_roll_runs_by_family_name_and_is_searched() -> None:
    made = championship(16)

    shown = roll_page(made)
    found = roll_page(made, q="fraen")

    names = [shown.index(f">{name}<") for name in ("Ammann Anna", "Frei Fränzi", "Pfister Päuli")]
    assert names == sorted(names)
    assert ">Frei Fränzi<" in found
    assert ">Ammann Anna<" not in found


def test_only_who_keeps_a_roll_knows_that_there_is_one() -> None:
    made = championship(2)
    address = reverse("roll", args=[club_of(made).pk])
    assert client("hanna").get(address).status_code == 404
    assert client().get(address).status_code == 302

    keep = reverse("club_change", args=[club_of(made).pk, "keeper"])
    client("fredi").post(keep, {"user": "hanna"})
    assert client("hanna").get(address).status_code == 200
    client("fredi").post(reverse("club_change", args=[club_of(made).pk, "resign"]))
    assert client("fredi").get(address).status_code == 404
    client("hanna").post(reverse("club_change", args=[club_of(made).pk, "resign"]))
    assert client("hanna").get(address).status_code == 200, "a roll is never nobody's"


def test_somebody_is_put_on_the_roll_and_the_form_is_there_for_the_next() -> None:
    made = championship(0)
    address = reverse("roll", args=[club_of(made).pk])

    answer = client("fredi").post(address, {"family_name": "Betschart Toni", "birth_year": "3.5.1961"})

    assert answer["Location"].endswith("?add=1")
    assert on_the_roll(made, "Toni Betschart").birth_year == 1961
    assert "autofocus" in html(client("fredi").get(answer["Location"]))
    twice = client("fredi").post(
        address, {"family_name": "Betschart", "first_name": "Toni", "birth_year": "1961"}
    )
    assert "clubs/on_roll" in html(twice)
    assert client("fredi").post(address, {"family_name": "X", "birth_year": "nie"}).status_code == 400


def test_somebody_is_corrected_and_evenings_past_stay_as_they_were() -> None:
    made = championship(4)
    anna = on_the_roll(made, "Anna Ammann")

    client("fredi").post(
        reverse("roll_person", args=[club_of(made).pk, anna.pk]),
        {"family_name": "Ammann-Ott", "first_name": "Anna", "home_club": "Uri"},
    )

    assert on_the_roll(made, "Anna Ammann-Ott").home_club == "Uri"
    assert entry(made, "Anna Ammann").person == anna


def test_who_is_archived_is_offered_no_more_until_he_is_entered_again() -> None:
    made = next_evening()
    do(made, "Beat Bühler", "archive")

    assert "Bühler Beat" not in roll_page(made)
    assert "Bühler Beat" in roll_page(made, show="archived")
    assert rolls.suggest_persons(made, "bueh") == []

    client("hanna").post(
        reverse("entry_add", args=["herbstcup"]), {"family_name": "Bühler Beat", "status": "paid"}
    )
    assert entry(made, "Beat Bühler").person == on_the_roll(made, "Beat Bühler")
    assert "Bühler Beat" in roll_page(made)


def test_a_search_among_the_archived_finds_only_archived_people() -> None:
    made = championship(4)
    do(made, "Beat Bühler", "archive")
    do(made, "Chiara Caduff", "archive")

    shown = roll_page(made, show="archived")
    found = roll_page(made, show="archived", q="bueh")

    assert '<input type="hidden" name="show" value="archived">' in shown
    assert 'hx-include="closest form"' in shown
    assert ">Bühler Beat<" in found
    assert ">Caduff Chiara<" not in found
    assert ">Ammann Anna<" not in roll_page(made, show="archived", q="ammann")


def test_two_of_the_roll_become_one_with_the_evenings_of_both() -> None:
    made = championship(4)
    anna, beat = on_the_roll(made, "Anna Ammann"), on_the_roll(made, "Beat Bühler")

    do(made, "Anna Ammann", "merge", other=beat.pk)

    assert entry(made, "Beat Bühler").person == anna
    assert not Person.objects.filter(pk=beat.pk).exists()
    do(made, "Anna Ammann", "merge", other=0)  # nobody chosen: refused, nothing happens
    assert Person.objects.filter(pk=anna.pk).exists()


def test_on_a_long_roll_the_other_one_is_searched_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    made = championship(4)
    do(made, "Dario Dörig", "archive")
    address = reverse("roll_person", args=[club_of(made).pk, on_the_roll(made, "Anna Ammann").pk])
    assert 'name="q"' not in html(client("fredi").get(address)), "the list names everybody"
    monkeypatch.setattr(clubs, "OFFERED", 2)

    for query, offered in (("", 2), ("doer", 1), ("nobody", 0)):
        shown = html(client("fredi").get(address, {"q": query}))
        assert 'name="q"' in shown
        assert len(re.findall(r'<option value="\d+">', shown)) == offered
        assert ("Dörig Dario" in shown) is (query == "doer")
    assert "Nobody is called “nobody”." in shown


def test_a_refused_name_of_a_club_is_explained() -> None:
    made = championship(0)
    before = club_of(made).name

    answer = client("fredi").post(
        reverse("club_change", args=[club_of(made).pk, "rename"]), {"name": "x" * 81}, follow=True
    )

    assert "at most 80 characters" in html(answer)
    assert club_of(made).name == before


def test_whoever_asks_for_it_is_erased_once_it_is_ticked() -> None:
    made = championship(4)
    beat = on_the_roll(made, "Beat Bühler")

    do(made, "Beat Bühler", "erase")
    assert entry(made, "Beat Bühler").person == beat
    do(made, "Beat Bühler", "erase", sure="on")

    assert not made.entries.filter(name="Beat Bühler").exists()
    assert "Bühler" not in roll_page(made)


def test_some_or_all_of_the_roll_are_entered_tonight() -> None:
    made = next_evening()
    address = reverse("entries_from_roll", args=["herbstcup"])
    assert "Enter everybody (16)" in html(client("fredi").get(address))

    client("fredi").post(address, {"person": [on_the_roll(made, "Anna Ammann").pk, "x", 10**12]})
    assert [one.name for one in made.entries.all()] == ["Anna Ammann"]
    assert "Ammann Anna" not in html(client("fredi").get(address))

    client("fredi").post(address, {"everybody": "1"})
    assert made.entries.count() == 16
    assert made.entries.filter(status="registered").count() == 16
    assert "Everybody of the roll is entered" in html(client("fredi").get(address))


def test_a_roll_of_hundreds_loads_on_and_keeps_who_is_ticked_whatever_is_searched() -> None:
    championship(250, slug="frueher", name="Früher")
    made = championship(0)
    browser, address = client("fredi"), reverse("entries_from_roll", args=["herbstcup"])
    anna, beat = on_the_roll(made, "Anna Ammann").pk, on_the_roll(made, "Beat Bühler").pk

    def listed(**asked: str | int | list[str | int]) -> tuple[list[str], int]:
        with CaptureQueriesContext(connection) as context:
            shown = html(browser.get(address, asked, headers=HTMX))
        assert len(context) <= 9
        return re.findall(r'value="(\d+)" checked', shown), shown.count('type="checkbox"')

    assert html(browser.get(address)).count('type="checkbox"') == 100
    assert "Enter everybody (250)" in html(browser.get(address, {"q": "beat"}))
    both: list[str | int] = [anna, beat]
    parts = [listed(**{"from": first, "person": both}) for first in (0, 100, 200)]
    assert parts == [([str(anna), str(beat)], 100), ([], 100), ([], 50)]
    assert listed(q="beat", person=[anna, "x", 10**12]) == ([str(anna)], 2)
    assert listed(q="niemand", person=[anna]) == ([str(anna)], 1)
    assert "Nobody is called “niemand”." in html(browser.get(address, {"q": "niemand"}))

    browser.post(address, {"person": [anna, beat]})
    assert made.entries.count() == 2


def test_who_sits_at_the_desk_and_keeps_no_roll_is_not_shown_it() -> None:
    next_evening()
    assert client("hanna").get(reverse("entries_from_roll", args=["herbstcup"])).status_code == 403
    assert "From the roll" not in html(client("hanna").get(reverse("entries", args=["herbstcup"])))
    assert "From the roll" in html(client("fredi").get(reverse("entries", args=["herbstcup"])))


def test_an_evening_belongs_to_the_club_that_is_chosen() -> None:
    made = championship(4)
    client("fredi").post(reverse("clubs"), {"name": "Jassklub Uri"})
    uri = Club.objects.get(name="Jassklub Uri")
    assert "Jassklub Uri" in html(client("fredi").get("/new/"))
    assert "Jassklub Uri" in html(client("fredi").get(reverse("entries_from_roll", args=["herbstcup"])))

    client("fredi").post(reverse("championship_club", args=["herbstcup"]), {"club": uri.pk})

    made.refresh_from_db()
    assert made.club == uri
    assert entry(made, "Anna Ammann").person in uri.roll.all()
    founded = championships.create(actor=person("fredi"), name="Zwei", club=uri)
    assert founded.club == uri


def test_a_club_that_one_does_not_keep_gets_no_evening() -> None:
    made = championship(1)
    stranger = Club.objects.create(name="Fremde")
    before = made.club
    client("fredi").post(reverse("championship_club", args=["herbstcup"]), {"club": stranger.pk})
    made.refresh_from_db()
    assert made.club == before
    assert client("eva").post(reverse("clubs"), {"name": "Evas"}).status_code == 403


def test_a_roll_of_four_hundred_comes_in_hundreds_at_a_few_queries() -> None:
    made = championship(400)
    browser, address = client("fredi"), reverse("roll", args=[club_of(made).pk])
    seen = 0
    for first in range(0, 400, 100):
        with CaptureQueriesContext(connection) as context:
            seen += html(browser.get(address, {"from": str(first)}, headers=HTMX)).count("desk-row")
        assert len(context) <= 6
    assert seen == 400


def test_an_empty_roll_says_where_people_come_from() -> None:
    assert "Nobody is on the roll yet" in roll_page(championship(0))
    assert "You keep no roll yet" in html(client("eva").get(reverse("clubs")))
