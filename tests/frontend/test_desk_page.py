"""The desk at its busiest: *All here*, the form that stays open, the roll, Enter, long lists."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.client_responses import Answer
from tests.frontend.evening import championship, client, entry, html, opened, person
from tournaments.models import Championship, Entry, Person
from tournaments.services.entries import entries, presence

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def page(**asked: str) -> str:
    return html(client("hanna").get(reverse("entries", args=["herbstcup"]), asked))


def press(**posted: str) -> Answer:
    return client("hanna").post(reverse("all_here", args=["herbstcup"]), posted)


def add(**posted: str | int) -> Answer:
    return client("hanna").post(reverse("entry_add", args=["herbstcup"]), posted)


def here(of: Championship) -> int:
    return of.entries.filter(status=Entry.Status.ARRIVED).count()


def test_all_are_here_by_one_press_and_by_one_press_they_are_not() -> None:
    made = championship(200, status="registered")
    entries.pay(entry(made, "Anna Ammann"), actor=person("fredi"))
    entries.withdraw_entry(entry(made, "Beat Bühler"), actor=person("fredi"))
    before = list(made.entries.order_by("number").values_list("status", "paid", "arrived_at"))
    assert "All here" in page()

    answer = press()

    assert answer["Location"].endswith("?show=here")
    assert here(made) == 199
    [undo] = re.findall(r'name="undo" value="([^"]+)"', page())
    press(undo=undo)
    assert list(made.entries.order_by("number").values_list("status", "paid", "arrived_at")) == before


def test_who_was_there_before_the_press_stays_when_it_is_undone() -> None:
    made = championship(8, status="registered")
    entries.arrive(entry(made, "Anna Ammann"), actor=person("fredi"))
    pressed = presence.mark_all_present(made, actor=person("hanna"))
    entries.leave(entry(made, "Beat Bühler"), actor=person("hanna"))

    assert pressed.people == 7
    assert presence.last_press(made) == (pressed.at, 6)
    assert presence.undo_all_present(made, pressed.at, actor=person("hanna")) == 6
    assert [one.name for one in made.entries.filter(status="arrived")] == ["Anna Ammann"]


def test_the_absent_are_taken_out_by_enter_once_all_are_here() -> None:
    championship(8, status="registered")
    press()

    shown = html(
        client("hanna").get(
            reverse("entries", args=["herbstcup"]), {"show": "here", "q": "ott"}, headers=HTMX
        )
    )
    assert shown.count("desk-row") == 0  # eight people: nobody is called Ott
    found = page(show="here", q="amm")

    [button] = re.findall(r"<button[^>]*data-primary[^>]*>", found)
    assert "/entries/1/leave/?show=here" in button
    changed = html(
        client("hanna").post(
            reverse("entry_act", args=["herbstcup", 1, "leave"]) + "?show=here", headers=HTMX
        )
    )
    assert "/entries/1/arrive/?show=here" in changed, "a wrong one is put back"
    assert "data-primary" not in changed, "Enter pressed twice does not restore the person"


@pytest.mark.parametrize(
    "undo", ["", "yesterday", "2026-01-01T10:00:00", "2026-01-01T10:00:00+00:00", "9999-12-31T23:59:59-12:00"]
)
def test_a_press_that_is_not_known_changes_nothing(undo: str) -> None:
    made = championship(4, status="registered")
    entries.arrive(entry(made, "Anna Ammann"), actor=person("fredi"))
    assert press(undo=undo).status_code == 302
    assert here(made) == 1


def test_where_everybody_is_here_there_is_nothing_to_press() -> None:
    championship(4)
    assert "All here</button>" not in page()
    assert "entries/nobody_missing" in html(
        client("hanna").post(reverse("all_here", args=["herbstcup"]), follow=True)
    )


def test_once_a_round_is_open_the_press_is_no_longer_undone_from_the_page() -> None:
    round_ = opened("sheet")
    round_.championship.entries.update(arrived_at=timezone.now())
    assert 'name="undo"' not in page()


def test_the_form_stays_open_with_its_cursor_and_its_status() -> None:
    made = championship(2)
    answer = add(family_name="Zäch", first_name="Zoé", status="paid")

    shown = html(client("hanna").get(answer["Location"]))

    assert entry(made, "Zoé Zäch").paid
    [field] = re.findall(r'<input[^>]*name="family_name"[^>]*>', shown)
    assert "autofocus" in field
    assert "value=" not in field
    assert '<option value="paid" selected>' in shown
    assert re.search(r'<details class="panel fold" id="add" open>', shown)
    assert "autofocus" not in page()


@pytest.mark.parametrize(
    ("days", "status"), [(3, "registered"), (0, "arrived"), (-1, "arrived"), (None, "arrived")]
)
def test_before_the_day_people_are_registered_and_on_it_they_are_here(days: int | None, status: str) -> None:
    starts = timezone.now() + timedelta(days=days) if days is not None else None
    championship(2, starts_at=starts)
    assert f'<option value="{status}" selected>' in page()


def test_helpers_of_the_house_are_in_none_of_the_figures_of_people_and_tables() -> None:
    made = championship(16)
    made.entries.filter(number=16).update(house=True)

    shown = re.sub(r"<[^>]+>", " ", page().partition('id="desk-counts"')[2].partition("</dl>")[0])

    assert re.findall(r"[a-z][a-z ]*[a-z]|\d+", shown.partition(">")[2]) == [
        *("entered", "15", "here", "15", "paid", "0"),
        *("tables", "3", "missing to the next", "1"),
    ]


def test_a_helper_alone_is_listed() -> None:
    made = championship(1)
    made.entries.update(house=True)

    assert "Ammann Anna" in page()


def on_roll() -> Person:
    """Toni Betschart played last time; Anna and Beat are entered."""
    made = championship(2)
    assert made.club is not None
    toni = Person(club=made.club, home_club="Schwyz", birth_year=1961, email="toni@example.ch")
    toni.call(entries.NewEntry("Toni Betschart").names)
    toni.save()
    return toni


def offered(**typed: str) -> str:
    return html(client("hanna").get(reverse("entry_offered", args=["herbstcup"]), typed, headers=HTMX))


def test_the_roll_is_offered_while_a_name_is_typed_without_who_is_entered() -> None:
    toni = on_roll()

    shown = offered(family_name="betsch")

    assert f'name="person" value="{toni.pk}"' in shown
    assert "Betschart Toni" in shown
    assert "Schwyz" in shown
    assert "1961" in shown
    assert "example.ch" not in shown
    assert offered(family_name="be").strip() == ""
    assert offered(family_name="Ammann").strip() == ""
    assert "Betschart Toni" in offered(first_name="toni")


def test_one_press_enters_whom_the_roll_offers_with_all_that_is_known() -> None:
    toni = on_roll()

    assert add(person=toni.pk, family_name="betsch", status="arrived").status_code == 302

    made = toni.entries.get()
    assert (made.name, made.club, made.birth_year, made.status) == (
        "Toni Betschart",
        "Schwyz",
        1961,
        "arrived",
    )
    assert made.email == "toni@example.ch"
    assert offered(family_name="betsch").strip() == ""


def test_somebody_of_another_roll_is_not_entered_by_a_number() -> None:
    on_roll()
    stranger = Person(club=championship(0, slug="fremd", name="Fremd").club)
    stranger.club = type(stranger.club).objects.create(name="Fremde")
    stranger.call(entries.NewEntry("Frieda Fremd").names)
    stranger.save()

    assert add(person=stranger.pk, status="arrived").status_code == 400
    assert not Entry.objects.filter(name="Frieda Fremd").exists()


def test_enter_in_the_name_enters_what_is_typed_and_not_the_first_offer() -> None:
    championship(2)
    form = page().split('id="add"')[1]
    assert form.index("visually-hidden") < form.index('id="offered"')


def test_four_hundred_people_come_in_hundreds_at_as_few_queries_as_eight() -> None:
    championship(400)
    address = reverse("entries", args=["herbstcup"])
    browser = client("hanna")
    seen: list[str] = []
    asked = set()
    for first in range(0, 400, 100):
        with CaptureQueriesContext(connection) as context:
            part = html(browser.get(address, {"from": str(first)}, headers=HTMX))
        asked.add(len(context))
        seen += re.findall(r'id="entry-(\d+)"', part)
        assert ("intersect once" in part) == (first < 300), "the next hundred come by themselves"

    assert len(set(seen)) == 400
    assert max(asked) <= 8


def test_who_sits_out_stands_by_family_name_too() -> None:
    round_ = opened("sheet", people=6)
    names = [one.entry for one in round_.byes.select_related("entry").order_by("entry__sort_name")]
    wall = html(client("hanna").get(reverse("round_wall", args=["herbstcup", 1])))

    listed = [wall.index(f"<strong>{one.listed}</strong>") for one in names]
    assert listed == sorted(listed)
    assert len(names) == 2
