"""Finding one table, or one person, in a hall of any size."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from frontend import fragment_cache
from frontend.presenters.tables import hall
from frontend.templatetags.championship import length_class
from frontend.views import projector
from frontend.views.tables import where as where_view
from tests.frontend.evening import (
    cached_version,
    championship,
    client,
    drawn,
    entry,
    first,
    html,
    opened,
    person,
    table,
)
from tests.tournaments.table_play import write_sheet
from tournaments.models import Round
from tournaments.services.draw import drawing
from tournaments.services.referee import disputes

pytestmark = pytest.mark.django_db
PAGES = ("board", "tables", "round")


def listed(name: str, who: str | None = "fredi", **asked: str | int) -> list[int]:
    """The numbers of the tables that a page lists."""
    parts: list[object] = ["herbstcup", 1] if name == "round" else ["herbstcup"]
    body = html(client(who).get(reverse(name, args=parts), asked))
    return sorted(int(number) for number in re.findall(r'<span class="chip" aria-hidden="true">(\d+)', body))


@pytest.fixture
def round_() -> Round:
    """Five tables: 1 is finished, 4 calls."""
    found = opened("sheet", people=20)
    write_sheet(table(found, 1), [100] * 8)
    disputes.raise_dispute(table(found, 4), actor=person("gabi"))
    return found


@pytest.mark.parametrize("name", PAGES)
def test_a_page_shows_only_the_tables_that_are_asked_for(name: str, round_: Round) -> None:
    assert listed(name) == [1, 2, 3, 4, 5]
    assert listed(name, show="open") == [2, 3, 4, 5]
    assert listed(name, show="calls") == [4]
    assert listed(name, q="3") == [3]
    assert listed(name, q="03") == [3]
    assert listed(name, q="1", show="open") == []
    assert listed(name, show="nonsense") == [1, 2, 3, 4, 5]
    assert listed(name, q="77") == []


@pytest.mark.parametrize("name", PAGES)
def test_part_of_a_name_finds_its_table_whatever_the_accents(name: str, round_: Round) -> None:
    seating = round_.seatings.select_related("table").get(entry=entry(round_.championship, "Beat Bühler"))
    assert listed(name, q="bueh") == listed(name, q="BÜHL") == [seating.table.number]
    assert listed(name, q="zzz") == []


def test_what_is_asked_for_again_and_the_next_page_keep_the_search(
    round_: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall, "PAGE", 2)
    for name in ("board", "tables"):
        body = html(client("fredi").get(reverse(name, args=["herbstcup"]), {"show": "open"}))
        assert f"{reverse(name, args=['herbstcup'])}?page=1&amp;show=open" in body
        assert "?page=2&amp;show=open" in body
    assert listed("board", show="open", page=2) == [3, 5], "the one that calls is first"


def test_what_one_person_searches_for_is_kept_for_nobody(round_: Round) -> None:
    listed("tables", None)
    kept = len(fragment_cache.KEPT)
    for query in ("bü", "am", "x", "3", "<script>"):
        assert "<script>x" not in html(client().get(reverse("tables", args=["herbstcup"]), {"q": query}))
        listed("board", "fredi", q=query)
    assert len(fragment_cache.KEPT) - kept <= 1, "only what the board shows without a search, if that"


def where(who: str | None = None, **asked: str) -> str:
    return html(client(who).get(reverse("where", args=["herbstcup"]), asked, headers={"HX-Request": "true"}))


def test_where_do_i_sit_answers_with_table_chair_and_partner() -> None:
    round_ = drawn(8)
    seating = round_.seatings.select_related("table").get(entry=entry(round_.championship, "Beat Bühler"))
    partner = round_.seatings.get(table=seating.table, seat=(seating.seat + 2) % 4).entry.name
    for asked in ("bueh", "Bühler", str(seating.entry.number)):
        told = where(q=asked)
        assert f"Table {seating.table.number}" in told
        assert f"with {partner}" in told
    assert "Nobody is called" in where(q="zz")
    assert where().strip() == ""


def test_where_everybody_plays_alone_nobody_has_a_partner() -> None:
    drawn(4, preset="differenzler", changes={"rounds": 1})
    told = where("anna")
    assert "Table 1" in told
    assert "with " not in told


def test_who_is_signed_in_is_told_without_a_question() -> None:
    round_ = drawn(8)
    seating = round_.seatings.select_related("table").get(entry=entry(round_.championship, "Anna Ammann"))
    told = where("anna")
    assert "Anna Ammann" in told
    assert f"Table {seating.table.number}" in told


def test_who_sits_out_is_told_so_and_many_of_one_name_are_not_all_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    round_ = drawn(9)
    out = round_.byes.get().entry
    assert "has a bye" in where(q=str(out.number))
    monkeypatch.setattr(where_view, "FOUND", 2)
    told = where(q="a")
    assert told.count("<li>") == 2
    assert "There are more" in told


def test_the_way_to_where_do_i_sit_stands_on_home_and_on_the_championship() -> None:
    opened("sheet", people=4)
    address = reverse("where", args=["herbstcup"])
    for page in ("/", "/c/herbstcup/", "/c/herbstcup/rounds/1/", "/c/herbstcup/tables/"):
        assert address in html(client().get(page)), page


def test_the_projector_shows_everybody_by_name_page_by_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projector, "NAMES_AT_ONCE", 6)
    round_ = drawn(16)
    address = reverse("seating_projector", args=["herbstcup"])
    pages = [html(client().get(address, {"page": page})) for page in (1, 2, 3)]
    names = [name for page in pages for name in re.findall(r'class="name">([^<]+)<', page)]

    assert len(names) == 16
    assert names == sorted(names, key=str.casefold) or names[0].startswith("Ammann")
    assert f"{address}?page=2" in pages[0]
    assert f'{address}?page=1"' in pages[2], "after the last the first again"
    known = client().get(address, headers={"HX-Request": "true"})
    again = client().get(address, headers={"HX-Request": "true", "If-None-Match": known["ETag"]})
    assert again.status_code == 304
    assert round_.status == Round.Status.DRAWN


def test_without_a_draw_nobody_sits_anywhere() -> None:
    championship(8)
    assert "No round is drawn yet" in html(client().get(reverse("where", args=["herbstcup"])))
    assert "No round is drawn yet" in html(client().get(reverse("seating_projector", args=["herbstcup"])))


def test_looking_for_somebody_costs_the_same_in_any_hall() -> None:
    opened("sheet", people=100)
    for name, asked in (("where", {"q": "gast"}), ("tables", {"q": "gast"}), ("board", {"q": "7"})):
        browser = client("fredi")
        with cached_version(), CaptureQueriesContext(connection) as queries:
            assert browser.get(reverse(name, args=["herbstcup"]), asked).status_code == 200
        assert len(queries) <= 20, name


def test_a_name_that_is_long_is_set_smaller_on_the_wall_and_never_cut() -> None:
    made = championship(4, count=1)
    made.entries.filter(number=1).update(family_name="Hürlimann-Schwarzenbach-Wyss", first_name="Maximilian")
    drawing.draw_round(first(made), actor=person("fredi"))

    shown = html(client().get(reverse("seating_projector", args=["herbstcup"])))

    assert '<span class="name longest">Hürlimann-Schwarzenbach-Wyss Maximilian</span>' in shown
    assert '<span class="name">Bühler Beat</span>' in shown
    assert [length_class("x" * n, 24) for n in (24, 25, 32, 33)] == ["", " long", " long", " longest"]
