"""The page of a club for everybody."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.frontend.evening import client, html, person
from tests.tournaments.series_evenings import club_of, evening
from tournaments.clubs import rolls
from tournaments.models import Championship, Club, ClubSeries
from tournaments.services.championships import championships
from tournaments.services.entries import entry_link
from tournaments.services.series import editing

pytestmark = [pytest.mark.django_db, pytest.mark.both]
SPRING = {"Anna Ammann": 900, "Beat Bühler": 880, "Chiara Caduff": 860}
SUMMER = {"Beat Bühler": 950, "Anna Ammann": 940}


def a_club() -> Club:
    return club_of(person("fredi"))


def page(club: Club, name: str | None = None, **asked: str) -> str:
    return html(client(name).get(reverse("club", args=[club.slug]), asked))


def season(*evenings: Championship) -> ClubSeries:
    fredi = person("fredi")
    made = editing.create_series(a_club(), name="Jahr 2026", preset="club_average", actor=fredi)
    editing.set_numbers(made, best=None, least=1, steps=[], actor=fredi)
    for one in evenings:
        editing.add_event(made, championship=one, actor=fredi)
    return made


def test_everybody_reads_what_comes_how_it_stands_and_who_has_won() -> None:
    fredi = person("fredi")
    cup = evening(fredi, "Frühlingscup", SPRING)
    made = season(evening(fredi, "Sommer", SUMMER))
    editing.add_event(
        made, name="Herbst", place="Rössli", starts_at=timezone.now() + timedelta(days=9), actor=fredi
    )
    coming = championships.create(
        actor=fredi, name="Chlausjass", starts_at=timezone.now() + timedelta(days=30)
    )

    shown = page(a_club())

    assert shown.index("Herbst") < shown.index("Chlausjass"), "by date"
    assert "Rössli" in shown
    top = shown[shown.index("Jahr 2026</a></h2>") :]
    assert top.index("Beat Bühler") < top.index("Anna Ammann")
    beat = a_club().roll.get(name="Beat Bühler")
    assert reverse("club_person", args=[a_club().slug, beat.pk]) in top
    titles = shown[shown.index('id="titles"') : shown.index('id="past"')]
    assert "Frühlingscup" in titles
    assert "Anna Ammann" in titles
    assert "Sommer" not in titles, "it belongs to a series that is not over"
    assert "won by Beat Bühler" in shown[shown.index('id="past"') :]
    assert reverse("championship", args=[cup.slug]) in shown
    assert reverse("championship", args=[coming.slug]) in shown
    assert "Enter yourself" not in shown
    link = entry_link.set_link(coming, on=True, actor=fredi)
    assert reverse("enter_oneself", args=[coming.slug, link]) in page(a_club())


def test_the_title_of_a_series_is_that_of_its_final_once_all_is_played() -> None:
    fredi = person("fredi")
    made = season(evening(fredi, "Sommer", SUMMER))
    shown = page(a_club())
    titles = shown[shown.index('id="titles"') : shown.index('id="past"')]
    assert "Jahr 2026" in titles
    assert "Beat Bühler" in titles
    editing.add_event(made, name="Herbst", actor=fredi)
    assert 'id="titles"' not in page(a_club())

    editing.choose_preset(made, "threshold", actor=fredi, reason="Beschluss")
    made.events.filter(name="Herbst").delete()
    final = evening(fredi, "Final 2026", {"Chiara Caduff": 700, "Anna Ammann": 600})
    editing.edit_event(made.events.get(key="final"), championship=final, actor=fredi)
    shown = page(a_club())
    assert "Chiara Caduff" in shown[shown.index('id="titles"') : shown.index('id="past"')]


def test_those_level_at_the_top_of_a_series_hold_its_title_as_its_page_places_them() -> None:
    level = {f"Anna {letter}": 900 for letter in "ABCDEF"}
    made = season(evening(person("fredi"), "Sommer", {**level, "Beat Bühler": 800}))
    table = html(client().get(reverse("series", args=[made.slug])))
    assert table.count('medal-1">1<') == 6, "the page of the series gives all of them the first place"
    shown = page(a_club())
    titles = shown[shown.index('id="titles"') : shown.index('id="past"')]
    assert "Anna A / Anna B / Anna C / Anna D and 2 more" in titles
    assert "Beat Bühler" not in titles


def test_who_shares_the_first_place_is_named_too() -> None:
    evening(person("fredi"), "Frühlingscup", {"Anna Ammann": 900, "Beat Bühler": 900, "Chiara Caduff": 1})
    assert "won by Anna Ammann / Beat Bühler" in page(a_club())


def test_what_is_private_is_not_shown_and_alone_makes_no_page() -> None:
    fredi = person("fredi")
    hidden = evening(fredi, "Geheim", SPRING, public=False)
    club = a_club()
    address = reverse("club", args=[club.slug])
    assert client().get(address).status_code == 404
    assert client("eva").get(address).status_code == 404
    assert "Geheim" not in page(club, "fredi")
    assert "Nothing has been played yet" in page(club, "fredi")
    made = season(evening(fredi, "Sommer", SUMMER))
    assert "Jahr 2026" in page(club)
    editing.add_event(made, championship=hidden, actor=fredi)
    assert "Jahr 2026" not in page(club)
    assert "Chiara" not in page(club)


def test_the_founder_of_a_club_that_nobody_has_named_is_shown_to_keepers_alone() -> None:
    fredi = person("fredi")
    fredi.last_name = "Zurfluh"
    fredi.save()
    made = championships.create(actor=fredi, name="Sommer")
    club = rolls.default_club(fredi)
    assert club.name == "Fredi Zurfluh"
    series = editing.create_series(club, name="Jahr 2026", preset="club_average", actor=fredi)
    editing.add_event(series, championship=made, actor=fredi)

    assert client().get(reverse("club", args=[club.slug])).status_code == 404
    assert "Clubs</h2>" not in html(client().get("/"))
    of_series = reverse("series", args=[series.slug])
    assert "Zurfluh" not in html(client().get(of_series))
    assert "Fredi Zurfluh" in html(client("fredi").get(of_series))
    assert "Zurfluh" not in reverse("club", args=[club.slug]), "pictures have the address of the club"

    rolls.rename_club(club, "Jassklub Uri", actor=fredi)
    assert club.slug == "jassklub-uri"
    assert "Jassklub Uri" in page(club)
    assert "Jassklub Uri" in html(client().get("/"))
    assert "Jassklub Uri" in html(client().get(of_series))


def test_names_are_those_that_the_reader_may_read() -> None:
    fredi = person("fredi")
    evening(fredi, "Frühlingscup", SPRING, public_names="initials")
    season(evening(fredi, "Sommer", SUMMER, public_names="numbers"))
    shown = page(a_club())
    assert "Ammann" not in shown
    assert "Bühler" not in shown
    assert "won by A. A." in shown
    assert "№ 1" in shown
    assert "/people/" not in shown
    assert "won by Anna Ammann" in page(a_club(), "fredi")


def test_pages_lead_to_the_club() -> None:
    fredi = person("fredi")
    cup = evening(fredi, "Frühlingscup", SPRING)
    made = season(cup)
    address = reverse("club", args=[a_club().slug])
    for other in ("/", reverse("championship", args=[cup.slug]), reverse("series", args=[made.slug])):
        assert f'href="{address}"' in html(client().get(other)), other
    assert f'href="{address}"' in html(client("fredi").get(reverse("roll", args=[a_club().pk])))


def test_addresses_of_clubs_are_words_and_those_of_keepers_stay() -> None:
    fredi = person("fredi")
    uri = rolls.found_club("Jassklub Züri", actor=fredi)
    again = rolls.found_club("Jassklub Züri", actor=fredi)
    digits = rolls.found_club("1291", actor=fredi)
    assert [uri.slug, again.slug, digits.slug] == ["jassklub-zuri", "jassklub-zuri-2", "club-1291"]
    for club in (uri, again, digits):
        assert client("fredi").get(f"/clubs/{club.pk}/").status_code == 200
        assert client("fredi").get(f"/clubs/{club.pk}/series/").status_code == 200
    rolls.rename_club(uri, "Jassklub Uri", actor=fredi)
    assert uri.slug == "jassklub-uri"
    championships.create(actor=fredi, name="Sommer", club=uri)
    rolls.rename_club(uri, "Jasser", actor=fredi)
    assert uri.slug == "jassklub-uri", "others may have kept the address"


def test_past_championships_come_in_pages() -> None:
    for n in range(21):
        evening(person("fredi"), f"Abend {n:02}", {"Anna Ammann": 9})
    assert "Abend 20" in page(a_club())
    assert "Abend 00" not in page(a_club())
    second = page(a_club(), page="2")
    assert "Abend 00" in second
    assert "Abend 20" not in second
    assert "Next evenings" not in second
    assert "None found." in page(a_club(), page="9")


def test_the_queries_do_not_grow_with_evenings_and_series() -> None:
    fredi = person("fredi")
    season(evening(fredi, "Sommer", SUMMER))
    address = reverse("club", args=[a_club().slug])

    def queries() -> int:
        client().get(address)
        with CaptureQueriesContext(connection) as asked:
            assert client().get(address).status_code == 200
        return len(asked)

    few = queries()
    for n in range(12):
        made = season(evening(fredi, f"Abend {n}", SUMMER))
        editing.add_event(made, championship=evening(fredi, f"Zweiter {n}", SPRING), actor=fredi)
        championships.create(actor=fredi, name=f"Kommt {n}")
    assert queries() == few
    assert few <= 20
