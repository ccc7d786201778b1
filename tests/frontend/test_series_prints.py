"""Prints of a series: its table, the qualified persons, certificates, and who may have them."""

import io
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from frontend.prints import pdf_cache
from frontend.prints.series import ROOM_MM, SERIES_DOCUMENTS, SeriesOccasion, choose_layout, season_table
from games.messaging import rate_limit
from tests.client_responses import Answer
from tests.frontend.evening import client, html, person
from tests.frontend.test_series_teams import day
from tests.tournaments.series_evenings import evening, publish_totals
from tournaments.clubs import rolls
from tournaments.models import Championship, ClubSeries
from tournaments.services.series import cached_series, editing, publishing
from tournaments.services.series.loading import load_series, read_series

pytestmark = pytest.mark.django_db
SPRING = {"Anna Ammann": 900, "Beat Bühler": 880, "Chiara Caduff": 860}
SUMMER = {"Beat Bühler": 950, "Anna Ammann": 940}
LEVEL = {"Anna Ammann": 900, "Beat Bühler": 900, "Chiara Caduff": 700, "Dario Dörig": 600}
LANGUAGES = ("de", "fr", "it", "es", "en")


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    pdf_cache.KEPT.clear()
    yield
    pdf_cache.KEPT.clear()


def a_series(*evenings: dict[str, int], preset: str = "season", **more: Any) -> ClubSeries:
    fredi = person("fredi")
    made = editing.create_series(
        rolls.default_club(fredi), name="Jahr 2026", preset=preset, actor=fredi, final_name="Final"
    )
    for name, totals in zip(("Frühling", "Sommer", "Herbst"), evenings, strict=False):
        editing.add_event(made, championship=evening(fredi, name, totals, **more), actor=fredi)
    return made


def ask(made: ClubSeries, key: str, who: str | None = "fredi", **asked: str) -> Answer:
    return client(who).get(reverse("series_print", args=[made.slug, key]), {"language": "en"} | asked)


def pages(made: ClubSeries, key: str, who: str | None = "fredi", **asked: str) -> list[str]:
    answer = ask(made, key, who, **asked)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/pdf"
    found = PdfReader(io.BytesIO(answer.content)).pages
    return [" ".join(page.extract_text().split()) for page in found]


def offers(made: ClubSeries, who: str | None = "fredi", **asked: str) -> str:
    return html(client(who).get(reverse("series_prints", args=[made.slug]), asked))


def test_the_table_says_after_which_evening_it_stands_and_what_each_evening_was() -> None:
    made = a_series(SPRING, SUMMER)
    editing.add_event(made, name="Herbst", actor=person("fredi"))

    [shown] = pages(made, "table", None)

    assert "Jahr 2026" in shown
    assert "After 2 of 4 evenings: Sommer" in shown
    assert "1. Frühling · 2. Sommer" in shown
    assert re.search(r"1 Beat Bühler.*18 25 43", shown)
    assert "Crossed out" not in shown
    assert "1 / 1" in shown


def test_the_table_says_whether_it_is_a_published_version() -> None:
    made = a_series(SPRING, SUMMER)
    assert "This table is not published yet." in pages(made, "table")[0]
    publishing.publish_table(made, actor=person("fredi"))
    [shown] = pages(made, "table")
    assert "Version 1 was published" in shown
    assert "changed since" not in shown
    publish_totals(Championship.objects.get(name="Sommer"), [1, 2], [950, 960])
    cached_series.KEPT.clear()
    assert "The table has changed since." in pages(made, "table")[0]


def test_the_language_of_the_sheets_is_that_of_the_latest_evening_until_another_one_is_chosen() -> None:
    made = a_series(SPRING, SUMMER)
    Championship.objects.filter(name="Sommer").update(language="it")

    assert '<option value="it" lang="it" selected>' in offers(made)
    assert '<option value="fr" lang="fr" selected>' in offers(made, language="fr")
    assert "Classifica della serie" in pages(made, "table", language="none")[0]


def test_level_and_dropped_results_are_marked_as_on_the_page() -> None:
    made = a_series(SPRING, SUMMER)
    editing.set_numbers(made, best=1, least=None, steps=[], actor=person("fredi"), reason="Beschluss")

    [shown] = pages(made, "table")
    loaded = load_series(made)
    lines = season_table(SeriesOccasion(loaded, read_series(loaded, person("fredi"), keeper=True)))["lines"]

    assert [line["place"] for line in lines] == [str(row.place) for row in loaded.table.rows]
    assert any(line["below"] for line in lines)
    assert {kind for line in lines for _text, kind in line["cells"]} >= {"num", "num dropped"}
    assert "Crossed out: does not count." in shown


@pytest.mark.parametrize("key", ["table", "qualified", "certificates"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_print_is_made_in_every_language(key: str, language: str) -> None:
    made = a_series(LEVEL, LEVEL, preset="preliminary")
    answer = ask(made, key, language=language)
    reader = PdfReader(io.BytesIO(answer.content))

    assert str(reader.root_object["/Lang"]) == language
    assert (round(float(reader.pages[0].mediabox.width)), round(float(reader.pages[0].mediabox.height))) == (
        595,
        842,
    )


def test_names_are_those_that_the_reader_may_read() -> None:
    made = a_series(SPRING, SUMMER, public_names="initials")

    assert "A. A." in pages(made, "table", None)[0]
    assert "Anna Ammann" not in pages(made, "table", "eva")[0]
    assert "Anna Ammann" in pages(made, "table")[0]
    wall = pages(made, "table", names="public")[0]
    assert "A. A." in wall
    assert "Anna Ammann" not in wall
    assert "as shown to everybody" in offers(made)
    assert "as shown to everybody" not in offers(made, None)


def test_what_is_not_public_is_not_printed_for_others() -> None:
    made = a_series(SPRING, SUMMER)
    Championship.objects.filter(name="Sommer").update(public=False)
    for name in (None, "eva"):
        assert ask(made, "table", name).status_code == 404
        assert client(name).get(reverse("series_prints", args=[made.slug])).status_code == 404
        assert client(name).get(reverse("series_print_preview", args=[made.slug, "table"])).status_code == 404
    assert ask(made, "table").status_code == 200


def test_certificates_are_for_keepers_only() -> None:
    made = a_series(SPRING, SUMMER)

    for name in (None, "eva"):
        assert ask(made, "certificates", name).status_code == 404
        assert "Certificates" not in offers(made, name)
    assert "Certificates" in offers(made)


def test_who_shares_a_place_has_a_certificate_that_says_so() -> None:
    made = a_series(LEVEL, LEVEL, preset="club_year")

    found = pages(made, "certificates")

    assert len(found) == 3
    assert "1. place, shared" in found[0]
    assert "1. place, shared" in found[1]
    assert "1800 points in 2 evenings" in found[0]
    assert "3. place Chiara Caduff" in found[2]
    assert len(pages(made, "certificates", places="1")) == 2
    assert len(pages(made, "certificates", places="50")) == 4
    assert len(pages(made, "certificates", places="none")) == 3


def test_the_winner_of_a_final_that_decides_the_title_comes_first() -> None:
    made = a_series(LEVEL, preset="preliminary")
    event = next(one for one in made.events.all() if one.championship is None)
    assert "in the final" not in " ".join(pages(made, "certificates"))
    event.championship = evening(person("fredi"), "Cupfinal", {"Dario Dörig": 90, "Anna Ammann": 80})
    event.save()

    found = pages(made, "certificates")

    assert "1st place in the final Dario Dörig Cupfinal" in found[0]
    assert all("place in the table" in one for one in found[1:])


def test_the_qualified_persons_stand_above_the_waiting_list() -> None:
    totals = {f"Gast {chr(65 + n)}": 900 - n for n in range(12)}
    made = a_series(totals, preset="preliminary")

    [shown] = pages(made, "qualified")
    [table] = pages(made, "table")

    assert shown.index("8 Gast H") < shown.index("Waiting list") < shown.index("1 Gast I")
    assert "Qualified: Final" in shown
    assert "The best 8 of all evenings are in the final." in shown
    assert table.count(" Q ") == 8
    assert "Q: qualified by the present rankings" in table
    assert ask(a_series(SPRING), "qualified").status_code == 404


def test_who_qualifies_by_the_table_has_the_place_in_the_table() -> None:
    [shown] = pages(a_series(SPRING, preset="club_final"), "qualified")

    assert "table, place 1" in shown
    assert "table, place 2" in shown


def test_teams_have_a_table_of_their_own() -> None:
    [shown] = pages(day(), "team-table")

    assert "Table of the teams" in shown
    assert re.search("Anna Ammann, Chiara Caduff|Chiara Caduff, Anna Ammann", shown)
    assert ask(a_series(SPRING), "team-table").status_code == 404


def test_a_series_without_an_evening_has_nothing_to_print_yet() -> None:
    made = a_series()

    assert "As soon as an evening counts." in offers(made)
    assert "<img" not in offers(made).partition('class="prints"')[2]
    assert ask(made, "table").status_code == 404
    assert ask(made, "nothing").status_code == 404


def test_the_page_of_the_series_leads_to_its_prints_and_shows_pictures_of_them() -> None:
    made = a_series(LEVEL, preset="preliminary")
    shown = html(client().get(reverse("series", args=[made.slug])))

    assert reverse("series_prints", args=[made.slug]) in shown
    assert reverse("series_print", args=[made.slug, "qualified"]) in shown
    for key in SERIES_DOCUMENTS.keys() - {"team-table"}:
        answer = client("fredi").get(reverse("series_print_preview", args=[made.slug, key]))
        assert answer["Content-Type"] == "image/png"


def test_a_correction_is_in_the_next_print() -> None:
    made = a_series(SPRING, preset="club_year")
    assert "900" in pages(made, "table")[0]
    first = Championship.objects.get(name="Frühling")
    publish_totals(first, [1, 2, 3], [901, 880, 860])
    cached_series.KEPT.clear()

    assert "901" in pages(made, "table")[0]


def test_strangers_print_no_more_than_their_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    made = a_series(SPRING)
    monkeypatch.setattr(rate_limit.Budget, "spend", lambda *_args: 30)

    answer = ask(made, "table", None)

    assert answer.status_code == 429
    assert answer["Retry-After"] == "30"


def test_the_queries_do_not_grow_with_the_evenings() -> None:
    made = a_series(SPRING)

    browser = client("fredi")
    addresses = [reverse("series_print", args=[made.slug, key]) for key in ("table", "certificates")]
    addresses.append(reverse("series_prints", args=[made.slug]))

    def queries() -> list[int]:
        found = []
        for address in addresses:
            with CaptureQueriesContext(connection) as asked:
                assert browser.get(address).status_code == 200
            found.append(len(asked))
        return found

    queries()
    few = queries()
    for name in ("Sommer", "Herbst", "Winter"):
        editing.add_event(made, championship=evening(person("fredi"), name, SUMMER), actor=person("fredi"))
    queries()

    assert queries() == few
    assert max(few) <= 20


CELLS = st.lists(st.sampled_from(("–", "25", "4863", "4101.09")), min_size=1, max_size=60)


@given(cells=CELLS, lines=st.integers(1, 70))
def test_the_columns_of_a_table_are_as_wide_as_their_texts_and_fit_on_the_sheet(
    cells: list[str], lines: int
) -> None:
    layout = choose_layout(
        [[(one, "") for one in cells]] * lines, [f"{n}." for n in range(1, len(cells) + 1)]
    )

    if layout.form == "folded":
        assert not layout.widths
    else:
        assert sum(layout.widths) <= dict(ROOM_MM)[layout.form] + 0.01 * len(cells)
        for width, text in zip(layout.widths, cells, strict=True):
            assert width >= 1.6 * layout.scale * len(text)


def test_the_sheet_is_turned_and_then_folded_with_the_number_of_evenings() -> None:
    def form(evenings: int, text: str = "4863") -> str:
        heads = [f"{n}." for n in range(1, evenings + 1)]
        return choose_layout([[(text, "")] * evenings] * 60, heads).form

    assert [form(n) for n in (8, 12, 20, 30, 60)] == [
        "portrait",
        "portrait",
        "landscape",
        "folded",
        "folded",
    ]
    assert form(16, "25") == "portrait"


def test_a_table_of_sixty_evenings_has_sums() -> None:
    made = a_series(SPRING, SUMMER)
    loaded = load_series(made)
    occasion = SeriesOccasion(loaded, read_series(loaded, person("fredi"), keeper=True))
    assert len(season_table(occasion)["heads"]["evenings"]) == 2
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("frontend.prints.series.MAX_CELLS", 1)
        folded = season_table(occasion)
        [shown] = pages(made, "table")
    assert folded["heads"]["evenings"] == ["Evenings", "Best evening"]
    assert [cell for cell, _kind in folded["lines"][0]["cells"]] == ["2", "25"]
    assert "Best evening" in shown


def test_a_long_table_has_its_heads_and_a_number_on_each_page() -> None:
    totals = {f"Gast {n:03}": 5000 - n for n in range(120)}
    found = pages(a_series(totals, preset="club_year"), "table")

    assert len(found) == 3
    for number, shown in enumerate(found, 1):
        assert "Place Name" in shown
        assert f"{number} / 3" in shown


def test_what_looks_like_markup_in_a_name_is_printed_as_it_is() -> None:
    name = "*fett* #pagebreak() $x^2$ <wo>"
    made = a_series({name: 900, "Beat": 800}, preset="preliminary")
    editing.rename_series(made, "= Jahr _x_", actor=person("fredi"))
    for key in ("table", "qualified", "certificates"):
        assert re.sub(r"\s", "", name) in re.sub(r"\s", "", "".join(pages(made, key)))
